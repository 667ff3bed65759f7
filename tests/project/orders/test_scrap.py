"""Pieces that are lost inside a process: they leave it as scrap, and are made again."""

from base64 import b64encode
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.storage import default_storage

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import ProductionProcess, ScrapReason
from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import Line, ProcessRecord
from project.orders.offers import Offers
from tests.builders import Answer, Caller, Shop, line_path, move, release, somebody, undo, usually
from tests.constraints import refused
from tests.project.billing.billing import asked, billed, of, prepare
from tests.project.pictures import picture
from tests.project.piecework.paying import PAYABLES, item, paid, pay


@pytest.fixture(autouse=True)
def media(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def scrap(by: Caller, order: int, process: ProductionProcess, quantity: int, **fields: Any) -> Answer:
    body = {"productionProcessId": process.pk, "quantity": quantity, "reason": "broken"} | fields
    return by.post(f"{line_path(order)}/scrap", body)


def replace(by: Caller, order: int, quantity: int) -> Answer:
    return by.post(f"{line_path(order)}/replace", {"quantity": quantity})


def counts(line: dict[str, Any]) -> dict[str, int]:
    names = ("quantity", "quantityInside", "quantityScrapped", "quantityReplaced", "quantityGood", "quantityAvailable")
    return {name: line[name] for name in names}


def entered(shop: Shop, quantity: int = 10) -> int:
    order = shop.approved(quantity)
    shop.enter(order, shop.casting)
    return order


def offered(line: dict[str, Any], direction: str) -> dict[str, int]:
    """How many pieces are offered for each process, by the names of processes."""
    offers = Offers.model_validate(line["offers"])
    leaves = {one.production_process_id: one.max_quantity for one in offers.out}
    shop = ProductionProcess.objects.filter(status=True).order_by("order")
    most = {one.name: leaves.get(one.pk, 0) if direction == "out" else offers.may_enter(one.pk) for one in shop}
    return {name: pieces for name, pieces in most.items() if pieces}


def test_scrapped_pieces_leave_the_process_and_the_line(shop: Shop) -> None:
    order = entered(shop)
    answer = scrap(shop.ana, order, shop.casting, 3, notes="Cayó al piso")
    assert answer.status == 200
    assert counts(answer.json) == {
        "quantity": 10,
        "quantityInside": 7,
        "quantityScrapped": 3,
        "quantityReplaced": 0,
        "quantityGood": 7,
        "quantityAvailable": 0,
    }
    inside, lost = shop.history(order)
    assert (inside["quantity"], inside["scrapReason"]) == (7, None)
    assert (lost["quantity"], lost["scrapReason"], lost["outputNotes"]) == (3, "broken", "Cayó al piso")


def test_other_processes_take_the_pieces_that_are_left(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 3)
    line = shop.leave(order, shop.casting)
    assert offered(line, "in") == {"Pulido": 7}
    line = shop.enter(order, shop.polishing)
    assert line["quantityInside"] == 7
    line = shop.leave(order, shop.polishing)
    assert offered(line, "in") == {}, "neither process is entered twice, nor by scrapped pieces"
    assert line["standing"]["nextProcesses"] == []


def test_pieces_scrapped_later_leave_nothing_for_an_earlier_process(shop: Shop) -> None:
    order = entered(shop)
    shop.leave(order, shop.casting)
    shop.enter(order, shop.polishing)
    scrap(shop.ana, order, shop.polishing, 10)
    line = shop.line(order)
    assert offered(line, "in") == {}
    assert counts(line)["quantityGood"] == 0


def test_replaced_pieces_start_again_from_the_first_process(shop: Shop) -> None:
    order = entered(shop)
    shop.leave(order, shop.casting)
    shop.enter(order, shop.polishing)
    scrap(shop.ana, order, shop.polishing, 2)
    shop.leave(order, shop.polishing)
    answer = replace(shop.ana, order, 2)
    assert answer.status == 200
    assert offered(answer.json, "in") == {"Fundición": 2, "Pulido": 2}
    assert counts(answer.json)["quantityGood"] == 10
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    line = shop.enter(order, shop.polishing)
    assert line["quantityInside"] == 2


def test_a_product_may_take_its_processes_in_another_order_than_the_plants(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.polishing)
    shop.leave(order, shop.polishing)
    shop.enter(order, shop.casting)
    scrap(shop.ana, order, shop.casting, 2)
    line = shop.leave(order, shop.casting)
    assert (offered(line, "in"), line["waiting"], line["standing"]["nextProcesses"]) == ({}, [], [])
    assert offered(replace(shop.ana, order, 2).json, "in") == {"Fundición": 2, "Pulido": 2}


def test_pieces_scrapped_before_they_came_to_a_process_are_not_awaited_there(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 6)
    shop.leave(order, shop.casting, 6)
    shop.enter(order, shop.polishing, 6)
    shop.enter(order, shop.casting, 4)
    scrap(shop.ana, order, shop.casting, 4)
    line = shop.leave(order, shop.polishing)
    assert (offered(line, "in"), line["waiting"]) == ({}, [])


def test_line_of_which_all_was_scrapped_says_so(shop: Shop) -> None:
    order = entered(shop)
    line = scrap(shop.ana, order, shop.casting, 10).json
    assert (line["standing"]["kind"], line["standing"]["nextProcesses"]) == ("scrapped", [])
    refusal = move(shop.ana, "in", order, shop.polishing)
    assert (refusal.status, refusal.code) == (409, "all_scrapped")
    assert "todas las piezas" in refusal.json["message"].lower()
    assert shop.status(order, 1, "Done")["standing"]["kind"] == "done"
    assert shop.ana.get("/api/deliveries/billable").json == []


def test_line_is_done_and_billed_with_its_good_pieces(shop: Shop) -> None:
    prepare(shop)
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 4)
    assert shop.ana.get(f"/api/sales-order/{order}").json["quantity"] == 6, "unfinished, it counts its good pieces too"
    shop.leave(order, shop.casting)
    line = shop.status(order, 1, "Done")
    assert (line["quantityDone"], line["quantityGood"]) == (6, 6)
    head = shop.ana.get(f"/api/sales-order/{order}").json
    assert (head["quantity"], head["quantityDone"], head["progress"]) == (6, 6, 1)
    (row,) = shop.ana.get("/api/deliveries/billable").json
    assert row["remaining"] == 6
    assert asked(shop.ana, of(order, 1, 7)).code == "quantity_exceeds_remaining"
    billed(shop, of(order, 1, 6))
    assert shop.line(order)["status"] == "Invoiced"


def test_progress_of_an_order_counts_the_pieces_made_again_once(shop: Shop) -> None:
    usually(shop, shop.item, shop.casting, shop.polishing)
    order = entered(shop)
    shop.leave(order, shop.casting)
    shop.enter(order, shop.polishing)
    scrap(shop.ana, order, shop.polishing, 2)
    shop.leave(order, shop.polishing)
    replace(shop.ana, order, 2)
    for process in (shop.casting, shop.polishing):
        shop.enter(order, process)
        shop.leave(order, process)
    assert shop.ana.get(f"/api/sales-order/{order}").json["progress"] == 1


def test_done_line_returns_to_work_when_pieces_are_replaced(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 4)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    answer = replace(shop.ana, order, 1)
    assert answer.json["status"] == "InProcess"
    assert shop.ana.get(f"/api/sales-order/{order}").json["status"] == "InProcess"


def test_nothing_is_replaced_once_a_piece_is_billed_or_the_line_is_canceled(shop: Shop) -> None:
    prepare(shop)
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 4)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    billed(shop, of(order, 1, 1))
    answer = replace(shop.ana, order, 1)
    assert (answer.status, answer.code) == (409, "already_billed")
    billed(shop, of(order, 1, 5))
    assert shop.line(order)["status"] == "Invoiced"
    for answer in (replace(shop.ana, order, 1), scrap(shop.ana, order, shop.casting, 1)):
        assert (answer.status, answer.code, answer.json["params"]["quantityBilled"]) == (409, "already_billed", 6)
    canceled = entered(shop)
    shop.status(canceled, 1, "Canceled")
    assert scrap(shop.ana, canceled, shop.casting, 1).status == 200, "pieces must be able to get out"
    assert replace(shop.ana, canceled, 1).code == "line_closed"


@pytest.mark.parametrize(
    ("quantity", "fields", "status", "code"),
    [
        (11, {}, 409, "not_enough_pieces"),
        (0, {}, 422, "invalid_fields"),
        (1, {"reason": "no-such-reason"}, 422, "invalid_fields"),
        (1, {"reason": ""}, 422, "invalid_fields"),
        (1, {"productionProcessId": 999_999}, 422, "invalid_fields"),
    ],
)
def test_bad_scrap_is_refused(shop: Shop, quantity: int, fields: dict[str, Any], status: int, code: str) -> None:
    order = entered(shop)
    answer = scrap(shop.ana, order, shop.casting, quantity, **fields)
    assert (answer.status, answer.code) == (status, code)
    assert counts(shop.line(order))["quantityScrapped"] == 0


def test_nothing_is_scrapped_where_nothing_is_inside(shop: Shop) -> None:
    order = entered(shop)
    assert scrap(shop.ana, order, shop.polishing, 1).code == "not_inside"


def test_inactive_reason_is_refused(shop: Shop) -> None:
    order = entered(shop)
    ScrapReason.objects.filter(key="broken").update(active=False)
    assert scrap(shop.ana, order, shop.casting, 1).fields == {"reason": "unknown"}


def test_scrapping_needs_its_permission_and_the_process(shop: Shop) -> None:
    order = entered(shop)
    mover = somebody(Permission.SalesOrderPositionProcessOut, processes=[shop.casting])
    assert scrap(mover, order, shop.casting, 1).status == 403
    stranger = somebody(Permission.ScrapPieces, processes=[shop.polishing])
    assert scrap(stranger, order, shop.casting, 1).code == "not_your_process"
    caster = somebody(Permission.ScrapPieces, processes=[shop.casting])
    assert scrap(caster, order, shop.casting, 1).status == 200
    assert replace(caster, order, 1).status == 403


def test_no_more_is_replaced_than_was_scrapped(shop: Shop) -> None:
    order = entered(shop)
    assert replace(shop.ana, order, 1).code == "not_enough_pieces"
    scrap(shop.ana, order, shop.casting, 2)
    assert replace(shop.ana, order, 1).status == 200
    answer = replace(shop.ana, order, 2)
    assert (answer.status, answer.code) == (409, "not_enough_pieces")
    assert replace(shop.ana, order, 1).status == 200


def test_scrap_is_undone_like_a_movement(shop: Shop) -> None:
    order = entered(shop)
    line = scrap(shop.ana, order, shop.casting, 3).json
    offer = line["actions"]["undo"][0]
    assert (offer["side"], offer["scrapped"], offer["quantity"]) == ("out", True, 3)
    answer = undo(shop.ana, order, offer["recordId"])
    assert answer.status == 200
    assert counts(answer.json) == {
        "quantity": 10,
        "quantityInside": 10,
        "quantityScrapped": 0,
        "quantityReplaced": 0,
        "quantityGood": 10,
        "quantityAvailable": 0,
    }
    taken_back = [exit_ for row in shop.history(order) for exit_ in row["releasedExits"]]
    assert [(exit_["scrapReason"], exit_["undone"]) for exit_ in taken_back] == [("broken", True)]
    assert all(row["scrapReason"] is None for row in shop.history(order))


def test_scrap_is_undone_by_who_may_scrap_and_only_for_five_minutes(shop: Shop) -> None:
    order = entered(shop)
    caster = somebody(Permission.ScrapPieces, processes=[shop.casting])
    other = somebody(Permission.SalesOrderPositionProcessOut, processes=[shop.casting])
    record = scrap(caster, order, shop.casting, 3).json["actions"]["undo"][0]["recordId"]
    assert (undo(other, order, record).status, undo(shop.ana, order, record).code) == (403, "not_yours")
    with clock.at(clock.now() + timedelta(minutes=6)):
        assert undo(caster, order, record).code == "too_late"
    assert undo(caster, order, record).status == 200


def test_scrap_and_an_exit_of_one_instant_are_undone_apart(shop: Shop) -> None:
    order = entered(shop)
    with clock.at(clock.now()):
        scrap(shop.ana, order, shop.casting, 3)
        shop.leave(order, shop.casting, 2)
    lost = ProcessRecord.objects.get(scrapped=True)
    assert counts(undo(shop.ana, order, lost.pk).json)["quantityAvailable"] == 2


@pytest.mark.parametrize("movement", ["out", ""])
def test_scrap_is_released_like_an_exit(shop: Shop, movement: str) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 10)
    answer = release(shop.ana, order, shop.casting, movement)
    assert answer.status == 200
    assert counts(answer.json)["quantityScrapped"] == 0
    assert answer.json["quantityInside"] == (10 if movement else 0)
    assert offered(answer.json, "in") == ({} if movement else {"Fundición": 10, "Pulido": 10})


def test_replaced_scrap_cannot_be_taken_back(shop: Shop) -> None:
    order = entered(shop)
    line = scrap(shop.ana, order, shop.casting, 3).json
    replace(shop.ana, order, 1)
    answer = undo(shop.ana, order, line["actions"]["undo"][0]["recordId"])
    assert (answer.status, answer.code) == (409, "already_replaced")
    assert release(shop.ana, order, shop.casting, "out").code == "already_replaced"
    assert [offer["scrapped"] for offer in shop.line(order)["actions"]["undo"]] == [False]


def test_quantity_of_a_line_stays_above_what_was_scrapped(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 3)
    shop.leave(order, shop.casting)
    answer = shop.ana.put(f"/api/sales-order/{order}", {"items": [{"position": 1, "quantity": 9}]})
    assert (answer.status, answer.code) == (409, "quantity_in_use")
    assert shop.ana.put(f"/api/sales-order/{order}", {"items": [{"position": 1, "quantity": 12}]}).status == 200
    assert offered(shop.line(order), "in") == {"Fundición": 2, "Pulido": 9}


@pytest.mark.parametrize("payable", [True, False])
def test_lost_work_is_paid_only_if_the_reason_says_so(shop: Shop, payable: bool) -> None:
    ScrapReason.objects.filter(key="broken").update(payable=payable)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(price=2)
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 4)
    earned = shop.ana.get("/api/sales-order/positions/production-processes/earnings").json
    assert earned["open"] == (8 if payable else 0)
    assert [row["quantity"] for row in shop.ana.get(PAYABLES).json] == ([4] if payable else [])
    lost = ProcessRecord.objects.get(scrapped=True).pk
    answer = pay(shop.ana, item(lost, 4, 2))
    assert answer.status == 201 if payable else (answer.status, answer.code) == (409, "record_scrapped")


def test_paid_scrap_cannot_be_taken_back(shop: Shop) -> None:
    ScrapReason.objects.filter(key="broken").update(payable=True)
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 10)
    record = ProcessRecord.objects.get(scrapped=True).pk
    paid(shop.ana, item(record, 10, 1))
    assert undo(shop.ana, order, record).code == "already_paid"
    assert release(shop.ana, order, shop.casting).code == "already_paid"


def test_paid_work_of_earlier_processes_stays_paid(shop: Shop) -> None:
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(price=2)
    order = entered(shop)
    shop.leave(order, shop.casting)
    shop.enter(order, shop.polishing)
    scrap(shop.ana, order, shop.polishing, 10)
    assert shop.ana.get("/api/sales-order/positions/production-processes/earnings").json["open"] == 20


def test_scrapped_pieces_do_not_count_as_made_today(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 4)
    line = shop.leave(order, shop.casting, 2)
    assert [(one["productionProcessId"], one["quantity"]) for one in line["leftToday"]] == [(shop.casting.pk, 2)]


@pytest.mark.parametrize(
    "counts_of",
    [{"quantity_scrapped": 4}, {"quantity_replaced": 1}, {"quantity_scrapped": -1}, {"quantity_inside": 11}],
)
def test_database_keeps_the_pieces_within_what_is_made(shop: Shop, counts_of: dict[str, int]) -> None:
    order = entered(shop)
    assert refused(Line.objects.filter(order=order), **counts_of)


def test_database_keeps_scrap_with_its_reason_and_its_exit(shop: Shop) -> None:
    reason = ScrapReason.objects.get(key="broken")
    inside = ProcessRecord.objects.filter(line__order=entered(shop))
    assert refused(inside, scrapped=True, scrap_reason=reason), "it has not left"
    out = ProcessRecord.objects.filter(line__order=entered(shop))
    out.update(output_at=clock.now(), output_by=shop.ana.id)
    assert refused(out, scrapped=True)
    assert refused(out, scrap_reason=reason)
    assert not refused(out, scrapped=True, scrap_reason=reason)


def test_handed_over_pieces_may_be_scrapped_where_they_are(shop: Shop) -> None:
    order = entered(shop)
    move(shop.ana, "out", order, shop.casting, 6)
    shop.enter(order, shop.polishing, 6)
    scrap(shop.ana, order, shop.polishing, 1)
    line = shop.line(order)
    assert offered(line, "out") == {"Fundición": 4, "Pulido": 5}
    assert counts(line)["quantityGood"] == 9


def photo(raw: bytes | None = None) -> str:
    return b64encode(raw or picture()).decode()


def photos() -> int:
    """The number of stored files: each photo has two, itself and its thumbnail."""
    return len(default_storage.listdir("scrap")[1])


def test_photo_of_scrap_is_in_the_history_even_after_an_undo(
    shop: Shop, django_capture_on_commit_callbacks: Any
) -> None:
    order = entered(shop)
    line = scrap(shop.ana, order, shop.casting, 10, photo=photo()).json
    (row,) = shop.history(order)
    assert shop.nobody.call("GET", row["photo"]).status == 200
    assert shop.nobody.call("GET", row["photoThumbnail"]).status == 200
    assert shop.nobody.call("GET", row["photo"].partition("?")[0]).status == 404
    undo(shop.ana, order, line["actions"]["undo"][0]["recordId"])
    (undone,) = shop.history(order)
    assert (undone["scrapReason"], undone["photo"]) == (None, row["photo"])
    with django_capture_on_commit_callbacks(execute=True):
        scrap(shop.ana, order, shop.casting, 10, photo=photo(picture(size=(30, 30))))
    assert shop.history(order)[0]["photo"] != row["photo"]
    assert photos() == 4, "the photo of the scrap that was taken back stays"


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ("no base 64!", 422, "invalid_fields"),
        (photo(b"no picture"), 415, "unsupported_image"),
        (7, 422, "invalid_fields"),
    ],
)
def test_bad_photo_scraps_nothing(shop: Shop, sent: object, status: int, code: str) -> None:
    order = entered(shop)
    answer = scrap(shop.ana, order, shop.casting, 1, photo=sent)
    assert (answer.status, answer.code) == (status, code)
    assert counts(shop.line(order))["quantityScrapped"] == 0


def test_refused_scrap_keeps_no_photo(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 1, photo=photo())
    assert scrap(shop.ana, order, shop.casting, 10, photo=photo()).code == "not_enough_pieces"
    assert photos() == 2


def test_history_and_its_photos_are_for_who_may_read_them(shop: Shop) -> None:
    order = entered(shop)
    caster = somebody(Permission.ScrapPieces, processes=[shop.casting])
    assert scrap(caster, order, shop.casting, 1, photo=photo()).json["productionProcesses"] == []


def test_scrap_may_be_reported_later(shop: Shop) -> None:
    order = entered(shop)
    an_hour_ago = clock.now() - timedelta(hours=1)
    ProcessRecord.objects.update(input_at=an_hour_ago - timedelta(hours=1))
    assert scrap(shop.ana, order, shop.casting, 2, madeAt=utc_z(an_hour_ago)).status == 200
    lost = next(row for row in shop.history(order) if row["scrapReason"])
    assert (lost["outputDate"], lost["outputReceivedAt"] is None) == (utc_z(an_hour_ago), False)
    early = scrap(shop.ana, order, shop.casting, 2, madeAt=utc_z(an_hour_ago - timedelta(hours=2)))
    assert early.fields == {"madeAt": "made_at_out_of_range"}


def test_scrap_and_replacement_are_audited(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 3)
    replace(shop.ana, order, 2)
    replaced, scrapped = AuditEntry.objects.filter(entity="sales-order-position").order_by("-id")[:2]
    assert (scrapped.action, replaced.action) == ("scrapped", "replaced")
    told = {name: change["after"] for name, change in scrapped.changes.items()}
    assert (told["quantityScrapped"], told["scrapReason"], told["pieces"]) == (3, "broken", 3)
    assert told["productionProcessName"] == "Fundición"
    assert replaced.changes["quantityReplaced"] == {"before": 0, "after": 2}


def test_day_of_the_shop_floor_shows_scrap_apart_from_exits(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 3)
    shop.leave(order, shop.casting, 2)
    day = shop.ana.get(f"/api/shop-floor/day?date={clock.today()}").json
    assert sorted((one["type"], one["pieces"]) for one in day["movements"]) == [
        ("in", 10),
        ("out", 2),
        ("scrap", 3),
    ]
