"""Releases: movements made by mistake are taken back, and the history keeps them."""

import json
from urllib.parse import urlencode

import pytest

from project.audit.models import AuditEntry
from project.catalogs.models import ReleaseReason
from project.orders.models import Line, ProcessRecord
from realtime.models import OutboxEvent
from tests.builders import Answer, Shop, line_path, move, release


def through(shop: Shop, quantity: int = 10, part: int | None = None) -> int:
    """An order with a line that went into casting and out again."""
    order = shop.approved(quantity)
    shop.enter(order, shop.casting, part)
    shop.leave(order, shop.casting)
    return order


def test_released_exit_puts_the_pieces_inside_again(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    left = move(shop.ana, "out", order, shop.casting, notes="por error").json["productionProcesses"][0]
    line = release(shop.ana, order, shop.casting, "out").json
    (record,) = line["productionProcesses"]
    assert line["quantityInside"] == 10
    assert (record["outputDate"], record["outputUsername"], record["outputNotes"]) == (None, None, None)
    assert (record["released"], record["active"]) == (False, True)
    (exit_,) = record["releasedExits"]
    assert (exit_["outputDate"], exit_["outputNotes"]) == (left["outputDate"], "por error")
    assert exit_["outputUsername"] == exit_["releasedBy"] == "Ana Torres"
    assert exit_["releasedDate"].endswith("Z")


def test_each_released_exit_is_kept(shop: Shop) -> None:
    order = through(shop)
    for _ in range(3):
        assert release(shop.ana, order, shop.casting, "out").status == 200
        shop.leave(order, shop.casting)
    (record,) = shop.history(order)
    assert len(record["releasedExits"]) == 3
    assert record["outputDate"]


def test_released_entry_frees_its_pieces_and_keeps_its_row(shop: Shop) -> None:
    order = shop.approved(10)
    move(shop.ana, "in", order, shop.casting, notes="por error")
    line = release(shop.ana, order, shop.casting, "in").json
    (record,) = shop.history(order)
    assert (line["quantityInside"], line["currentProductionProcess"]) == (0, None)
    assert (record["released"], record["active"], record["releasedBy"]) == (True, False, "Ana Torres")
    assert record["deletedDate"] == record["dateOfReprocessing"] is not None
    assert (record["inputUsername"], record["inputNotes"]) == ("Ana Torres", "por error")
    assert shop.enter(order, shop.casting)["quantityInside"] == 10


def test_release_of_a_record_takes_back_both_sides_and_offers_the_process_again(
    shop: Shop,
) -> None:
    order = through(shop)
    line = release(shop.ana, order, shop.casting).json
    (record,) = shop.history(order)
    assert record["released"] is True
    assert None not in (record["inputDate"], record["outputDate"])
    assert record["releasedExits"] == []
    assert shop.casting.pk in {
        action["productionProcessId"] for action in line["actions"]["movements"] if action["type"] == "in"
    }
    shop.enter(order, shop.casting)
    assert [row["released"] for row in shop.history(order)] == [False, True]


def test_release_of_a_record_with_pieces_inside_takes_them_out(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 6)
    line = release(shop.ana, order, shop.casting).json
    assert line["quantityInside"] == 0


def test_record_can_be_released_while_its_pieces_are_in_the_next_process(shop: Shop) -> None:
    order = through(shop)
    shop.enter(order, shop.polishing)
    line = release(shop.ana, order, shop.casting).json
    assert line["quantityInside"] == 10
    assert line["currentProductionProcess"]["productionProcessId"] == shop.polishing.pk


def test_last_record_is_released_first(shop: Shop) -> None:
    order = shop.approved(10)
    for quantity in (4, 6):
        shop.enter(order, shop.casting, quantity)
        shop.leave(order, shop.casting)
    release(shop.ana, order, shop.casting)
    assert [(row["quantity"], row["released"]) for row in shop.history(order)] == [(6, True), (4, False)]


def test_last_exit_is_released_even_if_a_newer_entry_is_open(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    shop.enter(order, shop.casting, 3)
    shop.leave(order, shop.casting, 4)
    line = release(shop.ana, order, shop.casting, "out").json
    assert line["quantityInside"] == 7
    assert [row["outputDate"] for row in shop.history(order)] == [None, None]


def test_entry_cannot_be_released_while_only_closed_records_exist(shop: Shop) -> None:
    answer = release(shop.ana, through(shop), shop.casting, "in")
    assert (answer.status, answer.code) == (409, "exit_first")


@pytest.mark.parametrize("movement", ["in", "out", ""])
def test_release_without_movements_gets_409(shop: Shop, movement: str) -> None:
    answer = release(shop.ana, shop.approved(10), shop.casting, movement)
    assert (answer.status, answer.code) == (409, "nothing_to_release")


@pytest.mark.parametrize("path", ["production-process/999999", "production-process/999999/movement-type/out"])
def test_a_process_that_does_not_exist_is_not_found(shop: Shop, path: str) -> None:
    answer = shop.ana.delete(f"{line_path(shop.approved(10))}/{path}")
    assert (answer.status, answer.code) == (404, "not_found")


def test_exit_cannot_be_released_while_the_pieces_are_inside(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    assert release(shop.ana, order, shop.casting, "out").code == "nothing_to_release"


def test_released_record_cannot_be_released_again(shop: Shop) -> None:
    order = through(shop)
    release(shop.ana, order, shop.casting)
    for movement in ("", "in", "out"):
        assert release(shop.ana, order, shop.casting, movement).code == "nothing_to_release"


def test_exit_cannot_be_released_once_its_pieces_moved_on(shop: Shop) -> None:
    order = through(shop, 10, part=8)
    shop.enter(order, shop.polishing, 3)
    answer = release(shop.ana, order, shop.casting, "out")
    assert (answer.status, answer.code, answer.json["params"]) == (409, "not_enough_pieces", {"available": 7})
    assert shop.line(order)["quantityInside"] == 3


@pytest.mark.parametrize("movement", ["out", ""])
def test_paid_record_cannot_be_released_and_is_not_offered(shop: Shop, movement: str) -> None:
    order = through(shop)
    assert [row["productionProcessId"] for row in shop.line(order)["actions"]["release"]] == [shop.casting.pk]
    ProcessRecord.objects.filter(line__order=order).update(quantity_paid=1)
    answer = release(shop.ana, order, shop.casting, movement)
    assert (answer.status, answer.code) == (409, "already_paid")
    assert shop.line(order)["actions"]["release"] == []


def test_paid_last_record_hides_older_unpaid_ones_from_the_offers(shop: Shop) -> None:
    order = shop.approved(10)
    for quantity in (4, 6):
        shop.enter(order, shop.casting, quantity)
        shop.leave(order, shop.casting)
    ProcessRecord.objects.filter(line__order=order, quantity=6).update(quantity_paid=6)
    assert release(shop.ana, order, shop.casting).code == "already_paid"
    assert shop.line(order)["actions"]["release"] == []


def test_open_entry_is_offered_for_release(shop: Shop) -> None:
    order = shop.approved(10)
    (record,) = shop.enter(order, shop.casting, 6)["productionProcesses"]
    (offered,) = shop.line(order)["actions"]["release"]
    assert offered == {
        "productionProcessId": shop.casting.pk,
        "productionProcessName": "Fundición",
        "recordId": record["id"],
        "side": "in",
        "quantity": 6,
    }
    line = release(shop.ana, order, shop.casting).json
    assert (line["quantityInside"], line["actions"]["release"]) == (0, [])
    assert [(row["released"], row["outputDate"]) for row in shop.history(order)] == [(True, None)]


def test_closed_record_is_offered_with_both_sides(shop: Shop) -> None:
    (offered,) = shop.line(through(shop))["actions"]["release"]
    assert (offered["side"], offered["quantity"]) == ("both", 10)


@pytest.mark.parametrize("movement", ["out", ""])
def test_release_puts_a_done_line_in_process_again(shop: Shop, movement: str) -> None:
    order = through(shop)
    assert shop.status(order, 1, "Done")["orderStatus"] == "Done"
    line = release(shop.ana, order, shop.casting, movement).json
    assert (line["status"], line["orderStatus"]) == ("InProcess", "InProcess")
    assert line["quantityInside"] == (10 if movement else 0)
    assert shop.ana.get(f"/api/sales-order/{order}").json["status"] == "InProcess"


def test_exit_of_a_canceled_line_cannot_be_released(shop: Shop) -> None:
    order = through(shop)
    shop.status(order, 1, "Canceled")
    answer = release(shop.ana, order, shop.casting, "out")
    assert (answer.status, answer.code) == (409, "line_closed")


@pytest.mark.parametrize("movement", ["out", ""])
def test_no_record_of_a_line_with_billed_pieces_is_released_or_offered(shop: Shop, movement: str) -> None:
    order = through(shop)
    shop.status(order, 1, "Done")
    Line.objects.filter(order=order).update(quantity_billed=4)
    answer = release(shop.ana, order, shop.casting, movement)
    assert (answer.status, answer.code) == (409, "already_billed")
    actions = shop.line(order)["actions"]
    assert (actions["release"], actions["undo"], actions["statuses"]) == ([], [], [])


def test_no_record_of_an_invoiced_line_is_released(shop: Shop) -> None:
    order = through(shop)
    Line.objects.filter(order=order).update(status="Invoiced", quantity_billed=10)
    assert shop.line(order)["actions"]["release"] == []
    assert release(shop.ana, order, shop.casting).code == "line_closed"


def test_unknown_movement_type_gets_404(shop: Shop) -> None:
    order = through(shop)
    assert release(shop.ana, order, shop.casting, "sideways").status == 404


def test_release_on_an_unknown_line_gets_404(shop: Shop) -> None:
    assert shop.ana.delete(f"{line_path(999_999)}/production-process/1").status == 404


RELEASES = ("", "/movement-type/in", "/movement-type/out")


def release_for(shop: Shop, order: int, way: str, **why: str) -> Answer:
    path = f"{line_path(order)}/production-process/{shop.casting.pk}{way}"
    return shop.ana.delete(f"{path}?{urlencode(why)}")


@pytest.mark.parametrize("way", RELEASES)
def test_release_reason_and_notes_are_in_history_audit_and_event(shop: Shop, way: str) -> None:
    reason = ReleaseReason.objects.create(key="burr", name_spanish="Rebaba", name_english="Burr")
    order = shop.approved(5)
    shop.enter(order, shop.casting)
    if way.endswith("out"):
        shop.leave(order, shop.casting)
    assert release_for(shop, order, way, reason="burr", notes="tres piezas").status == 200
    (record,) = shop.history(order)
    released = record["releasedExits"][0] if way.endswith("out") else record
    assert (released["releaseReason"], released["releaseNotes"]) == ("burr", "tres piezas")
    if way.endswith("out"):
        assert (record["releaseReason"], record["releaseNotes"]) == (None, None)
    changes = AuditEntry.objects.latest("id").changes
    assert (changes["releaseReason"]["after"], changes["releaseNotes"]["after"]) == ("burr", "tres piezas")
    event = json.loads(OutboxEvent.objects.filter(type="line.released").latest("id").payload)
    assert event["data"]["records"][0]["releaseReason"] == record["releaseReason"]
    refused = shop.ana.delete(f"/api/release-reasons/{reason.pk}")
    assert (refused.code, refused.json["params"]) == ("in_use", {"by": {"processrecord": 1}})
    assert ProcessRecord.objects.filter(release_reason=reason).count() == 1


@pytest.mark.parametrize("way", RELEASES)
def test_inactive_or_unknown_reason_gets_422(shop: Shop, way: str) -> None:
    ReleaseReason.objects.create(key="old", name_spanish="Antiguo", name_english="Old", active=False)
    order = shop.approved(5)
    shop.enter(order, shop.casting)
    for reason in ("old", "nothing"):
        answer = release_for(shop, order, way, reason=reason)
        assert (answer.status, answer.fields) == (422, {"reason": "unknown"})
    assert list(release_for(shop, order, way, notes="x" * 201).fields) == ["notes"]
    assert shop.history(order)[0]["released"] is False


def test_release_without_a_reason_stores_null(shop: Shop) -> None:
    order = shop.approved(5)
    shop.enter(order, shop.casting)
    assert release_for(shop, order, "").status == 200
    (record,) = shop.history(order)
    assert (record["releaseReason"], record["releaseNotes"]) == (None, "")
