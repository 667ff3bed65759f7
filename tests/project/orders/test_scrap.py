"""Pieces that are lost inside a process: they leave it as scrap, and are made again."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess, ScrapReason
from project.orders.models import Line
from tests.builders import Answer, Caller, Shop, line_path, move, somebody, undo


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
    return {one["productionProcessName"]: one["maxQuantity"] for one in line["offers"][direction]}


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


def test_line_is_done_and_billed_with_its_good_pieces(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 4)
    shop.leave(order, shop.casting)
    line = shop.status(order, 1, "Done")
    assert (line["quantityDone"], line["quantityGood"]) == (6, 6)
    head = shop.ana.get(f"/api/sales-order/{order}").json
    assert (head["quantity"], head["quantityDone"], head["progress"]) == (6, 6, 1)
    (row,) = shop.ana.get("/api/deliveries/billable").json
    assert row["remaining"] == 6
    body = {
        "guideNumber": "G-1",
        "currency": "MXN",
        "lines": [{"salesOrderId": order, "position": 1, "quantity": 7, "price": 1}],
    }
    assert shop.ana.post("/api/deliveries", body).status in (409, 422)


def test_done_line_returns_to_work_when_pieces_are_replaced(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 4)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    answer = replace(shop.ana, order, 1)
    assert answer.json["status"] == "InProcess"
    assert shop.ana.get(f"/api/sales-order/{order}").json["status"] == "InProcess"


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
    assert replace(shop.ana, order, 1).code == "nothing_to_replace"
    scrap(shop.ana, order, shop.casting, 2)
    assert replace(shop.ana, order, 1).status == 200
    answer = replace(shop.ana, order, 2)
    assert (answer.status, answer.code) == (409, "nothing_to_replace")
    assert replace(shop.ana, order, 1).status == 200


def test_scrap_is_undone_like_a_movement(shop: Shop) -> None:
    order = entered(shop)
    line = scrap(shop.ana, order, shop.casting, 3).json
    (offer,) = line["actions"]["undo"]
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


@pytest.mark.parametrize("movement", ["movement-type/out", ""])
def test_scrap_is_released_like_an_exit(shop: Shop, movement: str) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 10)
    path = f"{line_path(order)}/production-process/{shop.casting.pk}/{movement}".rstrip("/")
    answer = shop.ana.delete(path)
    assert answer.status == 200
    assert counts(answer.json)["quantityScrapped"] == 0
    assert answer.json["quantityInside"] == (10 if movement else 0)
    assert offered(answer.json, "in") == ({} if movement else {"Fundición": 10, "Pulido": 10})


def test_replaced_scrap_cannot_be_taken_back(shop: Shop) -> None:
    order = entered(shop)
    line = scrap(shop.ana, order, shop.casting, 3).json
    replace(shop.ana, order, 1)
    refused = undo(shop.ana, order, line["actions"]["undo"][0]["recordId"])
    assert (refused.status, refused.code) == (409, "already_replaced")
    assert shop.line(order)["actions"]["undo"] == []


def test_quantity_of_a_line_stays_above_what_was_scrapped(shop: Shop) -> None:
    order = entered(shop)
    scrap(shop.ana, order, shop.casting, 3)
    shop.leave(order, shop.casting)
    refused = shop.ana.put(f"/api/sales-order/{order}", {"items": [{"position": 1, "quantity": 9}]})
    assert (refused.status, refused.code) == (409, "quantity_in_use")
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
    with pytest.raises(IntegrityError), transaction.atomic():
        Line.objects.filter(order=order).update(**counts_of)


def test_scrapping_twice_with_one_key_scraps_once(shop: Shop) -> None:
    order = entered(shop)
    body = {"productionProcessId": shop.casting.pk, "quantity": 2, "reason": "lost"}
    first, second = (
        shop.ana.post(f"{line_path(order)}/scrap", body, idempotency_key="once-and-once-only") for _ in range(2)
    )
    assert first.json == second.json
    assert counts(shop.line(order))["quantityScrapped"] == 2


def test_handed_over_pieces_may_be_scrapped_where_they_are(shop: Shop) -> None:
    order = entered(shop)
    move(shop.ana, "out", order, shop.casting, 6)
    shop.enter(order, shop.polishing, 6)
    scrap(shop.ana, order, shop.polishing, 1)
    line = shop.line(order)
    assert offered(line, "out") == {"Fundición": 4, "Pulido": 5}
    assert counts(line)["quantityGood"] == 9
