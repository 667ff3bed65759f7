"""A part of the pieces that leave a process, or are handed over, leaves as scrap by the same press."""

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from project.access.permissions import Permission
from project.orders.models import Movement, Press
from project.orders.rules import MovementSide
from tests.builders import Answer, Caller, Shop, line_path, somebody
from tests.project.pictures import picture
from tests.project.station.handing import hand_over


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def order(shop: Shop) -> int:
    found = shop.approved(10)
    shop.enter(found, shop.casting)
    return found


def lost(quantity: int = 2, **fields: Any) -> dict[str, Any]:
    return {"quantity": quantity, "reason": "broken", "notes": "Poro"} | fields


def leave(by: Caller, shop: Shop, order: int, **body: Any) -> Answer:
    path = f"{line_path(order)}/production-process/out"
    return by.put(path, {"productionProcessId": shop.casting.pk} | body)


def undone(by: Caller, press: str) -> Answer:
    return by.post("/api/presses/undo", {"press": press})


def counts(line: dict[str, Any]) -> tuple[int, int, int]:
    return line["quantityInside"], line["quantityScrapped"], line["quantityAvailable"]


def test_good_and_scrapped_pieces_leave_by_one_press(shop: Shop, order: int) -> None:
    answer = leave(shop.ana, shop, order, quantity=8, notes="Lote 3", scrap=lost())
    assert answer.status == 200
    assert counts(answer.json) == (2, 2, 6)
    press = Press.objects.get(pk=answer.json["press"])
    made = press.movements.order_by("pk").values_list("side", "pieces", "notes")
    assert list(made) == [(MovementSide.scrap, 2, "Poro"), (MovementSide.exit, 6, "Lote 3")]
    left = {
        row["scrapReason"]: (row["quantity"], row["outputNotes"]) for row in shop.history(order) if row["outputDate"]
    }
    assert left == {"broken": (2, "Poro"), None: (6, "Lote 3")}
    recent = shop.ana.get(f"/api/station/{shop.casting.pk}").json["recent"]
    assert [(row["type"], row["pieces"]) for row in recent[:2]] == [("out", 6), ("scrap", 2)]


def test_without_a_quantity_all_pieces_inside_leave(shop: Shop, order: int) -> None:
    answer = leave(shop.ana, shop, order, scrap=lost(3))
    assert counts(answer.json) == (0, 3, 7)


def test_all_pieces_may_leave_as_scrap(shop: Shop, order: int) -> None:
    answer = leave(shop.ana, shop, order, quantity=10, scrap=lost(10))
    assert counts(answer.json) == (0, 10, 0)
    assert [one.side for one in Movement.objects.filter(press=answer.json["press"])] == [MovementSide.scrap]


def test_press_is_undone_whole(shop: Shop, order: int) -> None:
    answer = leave(shop.ana, shop, order, quantity=8, scrap=lost())
    taken_back = undone(shop.ana, answer.json["press"])
    assert taken_back.status == 200, taken_back.json
    assert counts(taken_back.json["lines"][0]) == (10, 0, 0)
    recent = shop.ana.get(f"/api/station/{shop.casting.pk}").json["recent"]
    assert [(row["type"], row["pieces"]) for row in recent] == [("returned", 8), ("out", 6), ("scrap", 2), ("in", 10)]


def test_good_pieces_of_a_hand_over_enter_the_other_process(shop: Shop, order: int) -> None:
    answer = hand_over(shop, order, 8, shop.ana, scrap=lost())
    assert answer.status == 200
    assert counts(answer.json) == (8, 2, 0)
    inside = {row["productionProcessName"]: row["quantity"] for row in shop.history(order) if not row["outputDate"]}
    assert inside == {shop.casting.name: 2, shop.polishing.name: 6}
    assert counts(undone(shop.ana, answer.json["press"]).json["lines"][0]) == (10, 0, 0)


def test_photo_is_stored_with_the_scrap(shop: Shop, order: int) -> None:
    photo = b64encode(picture()).decode()
    answer = leave(shop.ana, shop, order, quantity=8, scrap=lost(photo=photo))
    assert answer.status == 200
    assert {row["scrapReason"]: bool(row["photo"]) for row in shop.history(order)} == {"broken": True, None: False}


def test_more_scrap_than_pieces_is_refused_and_nothing_moves(shop: Shop, order: int) -> None:
    before = Movement.objects.count()
    too_many = leave(shop.ana, shop, order, quantity=3, scrap=lost(4))
    assert (too_many.status, too_many.code, too_many.json["params"]) == (409, "not_enough_pieces", {"available": 3})
    nothing_enters = hand_over(shop, order, 3, shop.ana, scrap=lost(3))
    assert (nothing_enters.status, nothing_enters.code) == (409, "not_enough_pieces")
    unknown = leave(shop.ana, shop, order, quantity=3, scrap=lost(1, reason="nobody"))
    assert unknown.status == 422
    assert Movement.objects.count() == before


def test_both_permissions_are_needed(shop: Shop, order: int) -> None:
    may_leave = somebody(Permission.SalesOrderPositionProcessOut, processes=[shop.casting])
    answer = leave(may_leave, shop, order, quantity=8, scrap=lost())
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert leave(may_leave, shop, order, quantity=8).status == 200
