"""A person takes his own last movement back, soon after it."""

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
    """Somebody beside Ana who works in casting and holds only these."""
    return Caller(person("dora", *actions, processes=[shop.casting]))


def test_an_entry_is_taken_back_and_stays_in_the_history(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 6)
    line = undone(shop, order)
    (record,) = shop.history(order)
    assert (line["quantityInside"], line["currentProductionProcess"]) == (0, None)
    assert (record["undone"], record["released"], record["active"]) == (True, True, False)
    assert (record["inputUsername"], record["releasedBy"]) == ("Ana Torres", "Ana Torres")
    assert shop.enter(order, shop.casting)["quantityInside"] == 10


def test_an_exit_is_taken_back_and_stays_visible_with_its_mark(shop: Shop) -> None:
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


def test_a_released_exit_is_not_marked_as_undone(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    release(shop.ana, order, shop.casting, "out")
    assert shop.history(order)[0]["releasedExits"][0]["undone"] is False


def test_undoing_the_only_entry_makes_the_line_approved_again(shop: Shop) -> None:
    order = shop.approved(10)
    assert shop.enter(order, shop.casting)["orderStatus"] == "InProcess"
    line = undone(shop, order)
    assert (line["status"], line["orderStatus"]) == ("Approved", "Approved")
    assert shop.ana.get(f"/api/sales-order/{order}").json["status"] == "Approved"


def test_a_line_that_was_moved_otherwise_stays_in_process(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    first = newest(shop, order)
    shop.enter(order, shop.polishing, 3)
    assert undone(shop, order, first)["status"] == "InProcess"
    assert undone(shop, order)["status"] == "Approved"


def test_a_line_of_which_something_was_released_stays_in_process(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    release(shop.ana, order, shop.casting)
    shop.enter(order, shop.casting)
    assert undone(shop, order)["status"] == "InProcess"


def test_undoing_an_exit_of_a_done_line_makes_it_in_process(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    line = undone(shop, order)
    assert (line["status"], line["orderStatus"], line["quantityInside"]) == ("InProcess", "InProcess", 10)


def test_an_exit_of_a_part_is_undone_and_the_entry_after_it_whole(shop: Shop) -> None:
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


def test_an_exit_that_closed_several_entries_is_undone_at_once(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    shop.enter(order, shop.casting, 6)
    shop.leave(order, shop.casting)
    offers = shop.line(order)["actions"]["undo"]
    assert [(offer["side"], offer["quantity"]) for offer in offers] == [("out", 10)]
    assert undone(shop, order, offers[0]["recordId"])["quantityInside"] == 10


def test_what_is_still_inside_of_an_entry_is_taken_back(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 4)
    inside = next(row["id"] for row in shop.history(order) if row["outputDate"] is None)
    line = undone(shop, order, inside)
    assert (line["quantityInside"], line["status"]) == (0, "InProcess")
    assert [(row["quantity"], row["undone"]) for row in shop.history(order)] == [(6, True), (4, False)]


def test_what_may_be_undone_is_offered_to_who_made_it_until_it_is_too_late(shop: Shop) -> None:
    order, now = shop.approved(10), clock.now()
    with clock.at(now):
        shop.enter(order, shop.casting, 6)
        (offered,) = shop.line(order)["actions"]["undo"]
    assert offered == {
        "recordId": newest(shop, order),
        "side": "in",
        "productionProcessId": shop.casting.pk,
        "productionProcessName": "Fundición",
        "quantity": 6,
        "until": (now + timedelta(minutes=5)).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    assert shop.beto.get(line_path(order)).json["actions"]["undo"] == []
    with clock.at(now + LATER):
        assert shop.line(order)["actions"]["undo"] == []


def test_after_five_minutes_it_is_too_late(shop: Shop) -> None:
    order, now = shop.approved(10), clock.now()
    with clock.at(now):
        shop.enter(order, shop.casting)
    with clock.at(now + LATER):
        answer = undo(shop.ana, order, newest(shop, order))
    assert (answer.status, answer.code, answer.json["params"]) == (409, "too_late", {"minutes": 5})
    with clock.at(now + timedelta(minutes=5)):
        assert undo(shop.ana, order, newest(shop, order)).status == 200


def test_each_movement_has_five_minutes_of_its_own(shop: Shop) -> None:
    order, now = shop.approved(10), clock.now()
    with clock.at(now):
        shop.enter(order, shop.casting)
    with clock.at(now + timedelta(minutes=4)):
        shop.leave(order, shop.casting)
    with clock.at(now + LATER):
        undone(shop, order)
        assert undo(shop.ana, order, newest(shop, order)).code == "too_late"


def test_another_persons_movement_is_not_undone(shop: Shop) -> None:
    dora = worker(shop, Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut)
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    answer = undo(dora, order, newest(shop, order))
    assert (answer.status, answer.code) == (409, "not_yours")
    move(dora, "out", order, shop.casting)
    assert undo(shop.ana, order, newest(shop, order)).code == "not_yours"
    assert undo(dora, order, newest(shop, order)).status == 200


@pytest.mark.parametrize("how", ["undone", "released"])
def test_what_was_taken_back_is_not_taken_back_again(shop: Shop, how: str) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    if how == "undone":
        undone(shop, order)
    else:
        release(shop.ana, order, shop.casting)
    answer = undo(shop.ana, order, newest(shop, order))
    assert (answer.status, answer.code) == (409, "already_undone")


def test_a_paid_exit_is_not_undone_nor_offered(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    ProcessRecord.objects.update(quantity_paid=1)
    answer = undo(shop.ana, order, newest(shop, order))
    assert (answer.status, answer.code) == (409, "already_paid")
    assert shop.line(order)["actions"]["undo"] == []


def test_an_exit_is_not_undone_once_its_pieces_have_gone_on(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    left = newest(shop, order)
    shop.enter(order, shop.polishing, 3)
    answer = undo(shop.ana, order, left)
    assert (answer.status, answer.code, answer.json["params"]) == (409, "not_enough_pieces", {"available": 7})
    assert [offer["side"] for offer in shop.line(order)["actions"]["undo"]] == ["in"]


def test_nothing_of_a_line_with_billed_pieces_is_undone(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    Line.objects.filter(order=order).update(status="Done", quantity_billed=4)
    answer = undo(shop.ana, order, newest(shop, order))
    assert (answer.status, answer.code) == (409, "already_billed")
    Line.objects.filter(order=order).update(status="Invoiced", quantity_billed=10)
    assert undo(shop.ana, order, newest(shop, order)).code == "line_closed"


def test_an_entry_is_undone_on_a_line_that_was_canceled_since(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.status(order, 1, "Canceled")
    line = undone(shop, order)
    assert (line["quantityInside"], line["status"]) == (0, "Canceled")


def test_whoever_may_make_the_movement_may_undo_it(shop: Shop) -> None:
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
def test_a_record_that_is_not_of_the_line_is_not_found(shop: Shop, which: str) -> None:
    order, other = shop.approved(10), shop.approved(10)
    shop.enter(other, shop.casting)
    place = 999_999 if which == "no line" else order
    assert undo(shop.ana, place, 999_999 if which == "no record" else newest(shop, other)).status == 404


def test_a_key_sent_twice_undoes_once_and_a_stale_version_nothing(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    record = newest(shop, order)
    assert undo(shop.ana, order, record, if_match='"1"').code == "stale_version"
    answers = [undo(shop.ana, order, record, idempotency_key="una") for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 200]
    assert "Idempotent-Replayed" in answers[1].headers
    assert shop.line(order)["quantityInside"] == 10


def test_the_screens_and_the_audit_are_told(shop: Shop) -> None:
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


def test_an_undo_makes_no_more_queries_as_the_history_grows(shop: Shop) -> None:
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


def test_who_names_the_side_takes_one_movement_back_however_often_he_asks(busy_shop: Shop) -> None:
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


def test_an_entry_whose_pieces_have_left_is_not_taken_back_by_its_side(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    answer = shop.ana.post(f"{line_path(order)}/records/{newest(shop, order)}/undo?side=in")
    assert (answer.status, answer.code) == (409, "not_enough_pieces")
    assert shop.ana.post(f"{line_path(order)}/records/{newest(shop, order)}/undo?side=both").status == 422
