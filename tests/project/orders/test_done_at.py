"""A line keeps when it became Done, as long as it is."""

from datetime import UTC, datetime, timedelta

import pytest

from project.audit.models import AuditEntry
from project.core import clock
from project.orders.models import Line
from project.orders.rules import LINE_STATUSES, Status, done_at
from tests.builders import Caller, Shop, line_path, release, undo
from tests.project.billing.billing import PATH, billed, done, of, prepare

NOON = datetime(2026, 3, 2, 18, tzinfo=UTC)
LATER = NOON + timedelta(hours=5)


@pytest.mark.parametrize("status", LINE_STATUSES)
def test_only_done_and_invoiced_lines_have_it(status: Status) -> None:
    is_done = status in (Status.Done, Status.Invoiced)
    assert done_at(None, status, LATER) == (LATER if is_done else None)
    assert done_at(NOON, status, LATER) == (NOON if is_done else None)


def the_line(order: int, position: int = 1) -> Line:
    return Line.objects.get(order=order, position=position)


def test_it_is_the_instant_of_the_change_of_status(shop: Shop) -> None:
    with clock.at(NOON):
        shop.ana.bearer = Caller(shop.ana.user).bearer
        order = done(shop, 4)
    assert the_line(order).done_at == NOON
    shop.ana.bearer = Caller(shop.ana.user).bearer
    assert shop.line(order)["doneAt"] == "2026-03-02T18:00:00.000Z"


def test_a_line_that_returns_to_work_is_not_done(shop: Shop) -> None:
    order = done(shop, 4)
    assert shop.status(order, 1, "InProcess")["doneAt"] is None
    first = the_line(order)
    assert first.done_at is None
    shop.status(order, 1, "Done")
    assert the_line(order).done_at is not None


@pytest.mark.parametrize("movement", ["out", ""])
def test_a_release_after_done_takes_it_away(shop: Shop, movement: str) -> None:
    order = done(shop, 4)
    answer = release(shop.ana, order, shop.casting, movement)
    assert (answer.status, answer.json["status"], answer.json["doneAt"]) == (200, "InProcess", None)
    assert the_line(order).done_at is None


def test_an_undone_exit_takes_it_away(shop: Shop) -> None:
    order = done(shop, 4)
    (record,) = shop.history(order)
    answer = undo(shop.ana, order, record["id"])
    assert (answer.status, answer.json["doneAt"]) == (200, None)
    assert the_line(order).done_at is None


def test_replaced_pieces_take_it_away(shop: Shop) -> None:
    order = done(shop, 4)
    Line.objects.filter(order=order).update(quantity_scrapped=1)
    answer = shop.ana.post(f"{line_path(order)}/replace", {"quantity": 1})
    assert (answer.status, answer.json["doneAt"]) == (200, None)
    assert the_line(order).done_at is None


def test_a_bill_and_its_cancellation_keep_it(shop: Shop) -> None:
    prepare(shop)
    order = done(shop, 4)
    before = the_line(order).done_at
    bill = billed(shop, of(order, quantity=4))
    assert (the_line(order).status, the_line(order).done_at) == ("Invoiced", before)
    shop.ana.delete(f"{PATH}/{bill['id']}")
    assert the_line(order).done_at == before


def test_the_audit_says_the_status_and_not_the_instant_again(shop: Shop) -> None:
    order = done(shop, 4)
    newest = AuditEntry.objects.filter(entity="sales-order-position", entity_id=the_line(order).pk).latest("id")
    assert set(newest.changes) == {"status"}
