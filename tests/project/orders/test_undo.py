"""Undo: a user takes back their own last movement within five minutes."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.orders.models import ChangedDay, Line, ProcessRecord
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, at_once, line_path, move, person, release, undo

LATER = timedelta(minutes=5, seconds=1)


def newest(shop: Shop, order: int) -> int:
    return int(shop.history(order)[0]["id"])


def undone(shop: Shop, order: int, record: int | None = None) -> dict[str, Any]:
    answer = undo(shop.ana, order, record or newest(shop, order))
    assert answer.status == 200, answer
    line: dict[str, Any] = answer.json
    return line


def worker(shop: Shop, *actions: str) -> Caller:
    """Another user who works in casting, with only these permissions."""
    return Caller(person("dora", *actions, processes=[shop.casting]))


def test_undone_entry_stays_in_the_history(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 6)
    line = undone(shop, order)
    (record,) = shop.history(order)
    assert (line["quantityInside"], line["currentProductionProcess"]) == (0, None)
    assert (record["undone"], record["released"], record["active"]) == (True, True, False)
    assert (record["inputUsername"], record["releasedBy"]) == ("Ana Torres", "Ana Torres")
    assert shop.enter(order, shop.casting)["quantityInside"] == 10


def test_undone_exit_stays_in_the_history_with_its_mark(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    line = undone(shop, order)
    (record,) = shop.history(order)
    assert line["quantityInside"] == 10
    assert (record["undone"], record["outputDate"]) == (False, None)
    (exit_,) = record["releasedExits"]
    assert (exit_["undone"], exit_["releasedBy"]) == (True, "Ana Torres")
    assert ProcessRecord.objects.get().price is None
    assert ChangedDay.objects.count() == 1


def test_released_exit_is_not_marked_as_undone(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    release(shop.ana, order, shop.casting, "out")
    assert shop.history(order)[0]["releasedExits"][0]["undone"] is False


def test_undo_of_the_only_entry_makes_the_line_approved_again(shop: Shop) -> None:
    order = shop.approved(10)
    assert shop.enter(order, shop.casting)["orderStatus"] == "InProcess"
    line = undone(shop, order)
    assert (line["status"], line["orderStatus"]) == ("Approved", "Approved")
    assert shop.ana.get(f"/api/sales-order/{order}").json["status"] == "Approved"


def test_line_with_another_movement_stays_in_process(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    first = newest(shop, order)
    shop.enter(order, shop.polishing, 3)
    assert undone(shop, order, first)["status"] == "InProcess"
    assert undone(shop, order)["status"] == "Approved"


def test_line_with_a_released_record_stays_in_process(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    release(shop.ana, order, shop.casting)
    shop.enter(order, shop.casting)
    assert undone(shop, order)["status"] == "InProcess"


def test_undo_of_an_exit_puts_a_done_line_in_process(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    line = undone(shop, order)
    assert (line["status"], line["orderStatus"], line["quantityInside"]) == ("InProcess", "InProcess", 10)


def test_partial_exit_is_undone_and_then_the_whole_entry(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 4)
    left = next(row["id"] for row in shop.history(order) if row["outputDate"])
    assert undone(shop, order, left)["quantityInside"] == 10
    (offered,) = shop.line(order)["actions"]["undo"]
    assert (offered["side"], offered["quantity"]) == ("in", 10)
    line = undone(shop, order, offered["recordId"])
    assert (line["quantityInside"], line["status"]) == (0, "Approved")
    assert [row["undone"] for row in shop.history(order)] == [True, True]


def test_exit_that_closed_several_entries_is_undone_as_one(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    shop.enter(order, shop.casting, 6)
    shop.leave(order, shop.casting)
    offers = shop.line(order)["actions"]["undo"]
    assert [(offer["side"], offer["quantity"]) for offer in offers] == [("out", 10)]
    assert undone(shop, order, offers[0]["recordId"])["quantityInside"] == 10


def test_undo_of_an_entry_takes_back_the_pieces_still_inside(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 4)
    inside = next(row["id"] for row in shop.history(order) if row["outputDate"] is None)
    line = undone(shop, order, inside)
    assert (line["quantityInside"], line["status"]) == (0, "InProcess")
    assert [(row["quantity"], row["undone"]) for row in shop.history(order)] == [(6, True), (4, False)]


def test_undo_is_offered_only_to_the_mover_for_5_minutes(shop: Shop) -> None:
    order, now = shop.approved(10), clock.now()
    with clock.at(now):
        shop.enter(order, shop.casting, 6)
        (offered,) = shop.line(order)["actions"]["undo"]
    assert offered == {
        "press": shop.history(order)[0]["press"],
        "lines": 1,
        "recordId": newest(shop, order),
        "side": "in",
        "productionProcessId": shop.casting.pk,
        "productionProcessName": "Fundición",
        "quantity": 6,
        "until": (now + timedelta(minutes=5)).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "scrapped": False,
    }
    assert shop.beto.get(line_path(order)).json["actions"]["undo"] == []
    with clock.at(now + LATER):
        assert shop.line(order)["actions"]["undo"] == []


def test_undo_after_5_minutes_gets_409(shop: Shop) -> None:
    order, now = shop.approved(10), clock.now()
    with clock.at(now):
        shop.enter(order, shop.casting)
    with clock.at(now + LATER):
        answer = undo(shop.ana, order, newest(shop, order))
    assert (answer.status, answer.code, answer.json["params"]) == (409, "too_late", {"minutes": 5})
    with clock.at(now + timedelta(minutes=5)):
        assert undo(shop.ana, order, newest(shop, order)).status == 200


def test_each_movement_has_its_own_5_minutes(shop: Shop) -> None:
    order, now = shop.approved(10), clock.now()
    with clock.at(now):
        shop.enter(order, shop.casting)
    with clock.at(now + timedelta(minutes=4)):
        shop.leave(order, shop.casting)
    with clock.at(now + LATER):
        undone(shop, order)
        assert undo(shop.ana, order, newest(shop, order)).code == "too_late"


def test_another_users_movement_cannot_be_undone(shop: Shop) -> None:
    dora = worker(shop, Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    answer = undo(dora, order, newest(shop, order))
    assert (answer.status, answer.code) == (409, "not_yours")
    move(dora, "out", order, shop.casting)
    assert undo(shop.ana, order, newest(shop, order)).code == "not_yours"
    assert undo(dora, order, newest(shop, order)).status == 200


@pytest.mark.parametrize("how", ["undone", "released"])
def test_undone_or_released_movement_cannot_be_undone_again(shop: Shop, how: str) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    if how == "undone":
        undone(shop, order)
    else:
        release(shop.ana, order, shop.casting)
    answer = undo(shop.ana, order, newest(shop, order))
    assert (answer.status, answer.code) == (409, "already_undone")


def test_paid_exit_cannot_be_undone_and_is_not_offered(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    ProcessRecord.objects.update(quantity_paid=1)
    answer = undo(shop.ana, order, newest(shop, order))
    assert (answer.status, answer.code) == (409, "already_paid")
    assert shop.line(order)["actions"]["undo"] == []


def test_exit_cannot_be_undone_once_its_pieces_moved_on(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    left = newest(shop, order)
    shop.enter(order, shop.polishing, 3)
    answer = undo(shop.ana, order, left)
    assert (answer.status, answer.code, answer.json["params"]) == (409, "not_enough_pieces", {"available": 7})
    assert [offer["side"] for offer in shop.line(order)["actions"]["undo"]] == ["in"]


def test_movement_of_a_line_with_billed_pieces_cannot_be_undone(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    Line.objects.filter(order=order).update(status="Done", quantity_billed=4)
    answer = undo(shop.ana, order, newest(shop, order))
    assert (answer.status, answer.code) == (409, "already_billed")
    Line.objects.filter(order=order).update(status="Invoiced", quantity_billed=10)
    assert undo(shop.ana, order, newest(shop, order)).code == "line_closed"


def test_entry_of_a_line_canceled_since_can_be_undone(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.status(order, 1, "Canceled")
    line = undone(shop, order)
    assert (line["quantityInside"], line["status"]) == (0, "Canceled")


def test_undo_needs_the_permission_for_the_movement(shop: Shop) -> None:
    dora = worker(shop, Permission.SalesOrderPositionProcessIn)
    order = shop.approved(10)
    entered = move(dora, "in", order, shop.casting).json
    assert [offer["side"] for offer in entered["actions"]["undo"]] == ["in"]
    shop.leave(order, shop.casting)
    record = newest(shop, order)
    assert undo(dora, order, record).code == "permission_denied"
    assert undo(shop.carla, order, record).status == 403
    assert undo(shop.nobody, order, record).status == 401


@pytest.mark.parametrize("which", ["no record", "another line's", "no line"])
def test_record_of_another_line_gets_404(shop: Shop, which: str) -> None:
    order, other = shop.approved(10), shop.approved(10)
    shop.enter(other, shop.casting)
    place = 999_999 if which == "no line" else order
    assert undo(shop.ana, place, 999_999 if which == "no record" else newest(shop, other)).status == 404


def test_stale_version_undoes_nothing(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    assert undo(shop.ana, order, newest(shop, order), if_match='"1"').code == "stale_version"
    assert shop.line(order)["quantityInside"] == 10


def test_undo_is_published_and_audited(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 6)
    record = newest(shop, order)
    undone(shop, order)
    event = OutboxEvent.objects.order_by("-id")[0]
    undone_record = json.loads(event.payload)["data"]["record"]
    assert (event.type, undone_record["id"], undone_record["undone"]) == ("line.released", record, True)
    row = shop.ana.get("/api/audit?entity=sales-order-position&action=undone").json[0]
    named = {name: row["changes"][name]["after"] for name in ("processRecordId", "pieces", "side", "status")}
    assert named == {"processRecordId": record, "pieces": 6, "side": "in", "status": "Approved"}


def test_undo_costs_a_constant_number_of_queries_as_the_history_grows(shop: Shop) -> None:
    asking = []
    for entries in (1, 8):
        order = shop.approved(100)
        for _ in range(entries):
            shop.enter(order, shop.casting, 2)
        shop.leave(order, shop.casting)
        record = newest(shop, order)
        with CaptureQueriesContext(connection) as queries:
            undone(shop, order, record)
        asking.append(len(queries))
    assert asking[0] == asking[1]


def test_repeated_undo_of_one_side_takes_back_one_movement(busy_shop: Shop) -> None:
    shop = busy_shop
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    exit_ = f"{line_path(order)}/records/{newest(shop, order)}/undo?side=out"
    answers = at_once([lambda: shop.ana.post(exit_)] * 4)
    assert sorted(str(answer.status if answer.status == 200 else answer.code) for answer in answers) == [
        "200",
        *["already_undone"] * 3,
    ]
    assert shop.line(order)["quantityInside"] == 10


def test_undo_of_an_entry_with_no_pieces_left_inside_gets_409(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    answer = shop.ana.post(f"{line_path(order)}/records/{newest(shop, order)}/undo?side=in")
    assert (answer.status, answer.code) == (409, "not_enough_pieces")
    assert shop.ana.post(f"{line_path(order)}/records/{newest(shop, order)}/undo?side=both").status == 422
