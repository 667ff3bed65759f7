"""Payments for pieces that left a process, in part or in full."""

import json
from decimal import Decimal
from typing import Any

import pytest

from project.access.permissions import Permission
from project.core import clock
from project.orders.models import ProcessRecord
from project.piecework import prices
from realtime.models import OutboxEvent
from tests.builders import Shop, buyer, customer, line_path, release, somebody
from tests.project.piecework.paying import PAYABLES, PAYMENTS, cancel, item, left, order_of, paid, pay, remaining

UNKNOWN = 999_999


def published(kind: str) -> list[tuple[str, int | None, dict[str, Any]]]:
    """The events of a kind: audience, addressed user, and data."""
    rows = OutboxEvent.objects.filter(type=kind).order_by("id")
    return [(row.audience, row.to_user, json.loads(row.payload)["data"]) for row in rows]


def test_payment_covers_pieces_of_several_records(shop: Shop) -> None:
    first, second = left(shop, 10), left(shop, 4, shop.polishing)
    made = paid(shop.ana, item(first, 6), item(second, 4, 4.5), userId=shop.beto.id, notes="semana 47")
    assert (made["status"], made["userId"], made["username"]) == ("Paid", shop.beto.id, "Beto Torres")
    assert (made["date"], made["notes"], made["createdBy"]) == (clock.today().isoformat(), "semana 47", "Ana Torres")
    assert [(row["processRecordId"], row["quantity"], row["amount"]) for row in made["items"]] == [
        (first, 6, 55.5),
        (second, 4, 18),
    ]
    assert made["total"] == 73.5
    assert made["items"][0]["outputUsername"] == "Ana Torres"
    assert (remaining(shop.ana, first), remaining(shop.ana, second)) == (4, 0)
    assert shop.ana.get(f"{PAYMENTS}/{made['id']}").json == made


def test_rest_can_be_paid_later(shop: Shop) -> None:
    record = left(shop, 10)
    for quantity, rest in ((3, 7), (7, 0)):
        paid(shop.ana, item(record, quantity))
        assert remaining(shop.ana, record) == rest
    answer = pay(shop.ana, item(record, 1))
    assert (answer.status, answer.code) == (409, "exceeds_remaining")


def test_payment_that_exceeds_the_remaining_pieces_pays_nothing(shop: Shop) -> None:
    first, second = left(shop, 10), left(shop, 4)
    paid(shop.ana, item(second, 1))
    answer = pay(shop.ana, item(first, 10), item(second, 4))
    assert (answer.status, answer.code) == (409, "exceeds_remaining")
    assert {name: answer.json["params"][name] for name in ("processRecordId", "remainingQuantity")} == {
        "processRecordId": second,
        "remainingQuantity": 3,
    }
    assert answer.fields == {"items.1.quantity": "exceeds_remaining"}
    assert (remaining(shop.ana, first), remaining(shop.ana, second)) == (10, 3)
    assert len(shop.ana.get(PAYMENTS).json) == 1


def test_second_clerk_sees_who_paid_the_records(shop: Shop) -> None:
    first, second, third = left(shop, 10), left(shop, 4), left(shop, 2)
    whole = paid(shop.beto, item(first, 10), item(second, 4))
    answer = pay(shop.ana, item(first, 10), item(second, 4), item(third, 2))
    assert (answer.status, answer.code) == (409, "exceeds_remaining")
    assert answer.fields == {"items.0.quantity": "exceeds_remaining", "items.1.quantity": "exceeds_remaining"}
    assert answer.json["params"]["paid"] == [
        {"paymentId": whole["id"], "paidBy": "Beto Torres", "paidAt": whole["createdAt"], "records": 2}
    ]
    assert remaining(shop.ana, third) == 2


def test_payer_is_hidden_from_users_who_cannot_read_payments(shop: Shop) -> None:
    record = left(shop, 10)
    paid(shop.beto, item(record, 10))
    answer = pay(somebody(Permission.CreatePay, Permission.ReportPayOrders), item(record, 10))
    of_record = {"processRecordId": record, "remainingQuantity": 0}
    assert answer.json["params"] == {**of_record, "records": [of_record]}


def test_pieces_still_inside_cannot_be_paid(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    answer = pay(shop.ana, item(ProcessRecord.objects.get(line__order=order).pk))
    assert (answer.status, answer.code) == (409, "still_inside")


@pytest.mark.parametrize("movement", ["", "in"])
def test_released_record_cannot_be_paid(shop: Shop, movement: str) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    record = ProcessRecord.objects.get(line__order=order).pk
    if not movement:
        shop.leave(order, shop.casting)
    release(shop.ana, order, shop.casting, movement)
    answer = pay(shop.ana, item(record))
    assert (answer.status, answer.code) == (409, "record_released")


def test_reopened_record_can_be_paid_only_after_it_leaves_again(shop: Shop) -> None:
    record = left(shop)
    order = order_of(record)
    release(shop.ana, order, shop.casting, "out")
    assert pay(shop.ana, item(record)).code == "still_inside"
    shop.leave(order, shop.casting)
    paid(shop.ana, item(record))


@pytest.mark.parametrize("movement", ["out", ""])
def test_paid_record_can_be_released_only_after_its_payment_is_canceled(shop: Shop, movement: str) -> None:
    record = left(shop)
    order = order_of(record)
    made = paid(shop.ana, item(record, 1))
    assert release(shop.ana, order, shop.casting, movement).code == "already_paid"
    cancel(shop.ana, made["id"])
    assert release(shop.ana, order, shop.casting, movement).status == 200


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"price": None}, "items.0.price", "invalid_type"),
        ({"price": -0.01}, "items.0.price", "too_small"),
        ({"price": 1e12}, "items.0.price", "too_large"),
        ({"price": 1.0000001}, "items.0.price", "too_many_decimals"),
        ({"price": "9.25"}, "items.0.price", "invalid_type"),
        ({"price": True}, "items.0.price", "invalid_type"),
        ({"quantity": 0}, "items.0.quantity", "too_small"),
        ({"quantity": -1}, "items.0.quantity", "too_small"),
        ({"quantity": 1.5}, "items.0.quantity", "invalid_type"),
        ({"processRecordId": UNKNOWN}, "items.0.processRecordId", "unknown"),
        ({"paid": True}, "items.0.paid", "unknown_field"),
        ({"amount": 1}, "items.0.amount", "unknown_field"),
    ],
    ids=str,
)
def test_invalid_item_is_named_in_the_422(shop: Shop, change: dict[str, Any], field: str, code: str) -> None:
    answer = pay(shop.ana, item(left(shop)) | change)
    assert (answer.status, answer.code, answer.fields) == (422, "invalid_fields", {field: code})


def test_item_without_a_price_gets_422(shop: Shop) -> None:
    answer = pay(shop.ana, {"processRecordId": left(shop), "quantity": 1})
    assert (answer.status, answer.fields) == (422, {"items.0.price": "required"})


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"items": []}, "items", "required"),
        ({"userId": UNKNOWN}, "userId", "unknown"),
        ({"userId": 0}, "userId", "too_small"),
        ({"date": "2026-02-29"}, "date", "invalid_date"),
        ({"date": 20260101}, "date", "invalid_date"),
        ({"notes": "n" * 201}, "notes", "too_long"),
        ({"status": "Canceled"}, "status", "unknown_field"),
        ({"total": 1}, "total", "unknown_field"),
    ],
    ids=str,
)
def test_invalid_payment_is_named_in_the_422(shop: Shop, fields: dict[str, Any], field: str, code: str) -> None:
    answer = shop.ana.post(PAYMENTS, {"items": [item(left(shop))]} | fields)
    assert (answer.status, answer.fields) == (422, {field: code})


def test_record_named_twice_gets_422(shop: Shop) -> None:
    first, second = left(shop), left(shop)
    answer = pay(shop.ana, item(first, 1), item(second, 1), item(first, 2))
    assert (answer.status, answer.fields) == (422, {"items.2.processRecordId": "named_twice"})
    assert remaining(shop.ana, first) == 10


def test_absurd_amount_gets_422(shop: Shop) -> None:
    record = left(shop, 10_000)
    answer = pay(shop.ana, item(record, 10_000, 9_999_999_999))
    assert (answer.status, answer.fields) == (422, {"items.0.price": "too_large"})


def test_absurd_total_gets_422(shop: Shop) -> None:
    records = [left(shop, 900) for _ in range(2)]
    answer = pay(shop.ana, *(item(record, 900, 9_999_999_999) for record in records))
    assert (answer.status, answer.fields) == (422, {"items": "too_large"})


@pytest.mark.parametrize(
    ("quantity", "price", "amount"),
    [
        (1, "1.005", "1.01"),
        (1, "1.0049", "1.00"),
        (1, "2.675", "2.68"),
        (3, "0.335", "1.01"),
        (7, "0.145", "1.02"),
        (1, "0.005", "0.01"),
        (1, "0.0049", "0.00"),
        (1, "0", "0.00"),
        (10_000_000, "9.2525", "92525000.00"),
    ],
)
def test_amounts_are_rounded_half_up_to_cents(quantity: int, price: str, amount: str) -> None:
    assert prices.amount(quantity, Decimal(price)) == Decimal(amount)


def test_total_is_the_sum_of_the_rounded_amounts(shop: Shop) -> None:
    records = [left(shop, 1) for _ in range(3)]
    made = paid(shop.ana, *(item(record, 1, 1.005) for record in records))
    assert [row["amount"] for row in made["items"]] == [1.01] * 3
    assert made["total"] == 3.03


def test_unknown_payment_gets_404(shop: Shop) -> None:
    assert shop.ana.get(f"{PAYMENTS}/{UNKNOWN}").status == 404
    assert cancel(shop.ana, UNKNOWN).status == 404


def test_paying_reading_and_canceling_need_their_own_permissions(shop: Shop) -> None:
    record = left(shop)
    readers = {
        PAYABLES: Permission.ReportPayOrders,
        PAYMENTS: Permission.ReportPaidOrders,
        f"{PAYMENTS}/totals": Permission.ReportPaidOrders,
    }
    for path, right in readers.items():
        assert somebody(right).get(path).status == 200
        assert (
            somebody(*(set(readers.values()) - {right}), Permission.CreatePay, Permission.CancelPay).get(path).status
            == 403
        )
    assert pay(somebody(Permission.CancelPay, Permission.ReportPayOrders), item(record)).status == 403
    made = paid(somebody(Permission.CreatePay), item(record))
    assert made == {"id": made["id"], "version": 1}
    assert cancel(somebody(Permission.CreatePay, Permission.ReportPaidOrders), made["id"]).status == 403
    assert shop.ana.get(f"{PAYMENTS}/{made['id']}").json["actions"] == {"cancel": True}
    canceled = cancel(somebody(Permission.CancelPay, Permission.ReportPaidOrders), made["id"])
    assert (canceled.status, canceled.json["actions"]) == (200, {"cancel": False})


def test_payment_sends_events_to_the_lists_and_to_each_earner(shop: Shop) -> None:
    record = left(shop)
    made = paid(shop.beto, item(record, 4))
    cancel(shop.beto, made["id"])
    for (audience, to_user, data), status in zip(published("payment.changed"), ("Paid", "Canceled"), strict=True):
        assert (audience, to_user) == ("ReportPaidOrders ReportPayOrders", None)
        assert data.pop("payment")["status"] == status
        assert data == {"id": made["id"], "salesOrderIds": [order_of(record)], "status": status}
    assert published("earnings.changed") == [("", shop.ana.id, {"id": shop.ana.id})] * 2


def test_refused_payment_sends_no_event(shop: Shop) -> None:
    record = left(shop, 1)
    before = OutboxEvent.objects.count()
    assert pay(shop.ana, item(record, 2)).status == 409
    assert OutboxEvent.objects.count() == before


def test_payment_may_cover_lines_of_several_customers(shop: Shop) -> None:
    """The payee is a worker, so the customer does not matter."""
    other = shop.order(5, customerId=customer("Joyas").pk)
    shop.status(other, 1, "Approved")
    shop.enter(other, shop.casting)
    shop.leave(other, shop.casting)
    record = ProcessRecord.objects.get(line__order=other).pk
    made = paid(shop.ana, item(left(shop)), item(record, 5))
    assert len(made["items"]) == 2
    assert shop.ana.get(line_path(other)).json["actions"]["release"] == []


def test_customer_account_cannot_be_the_payee(shop: Shop) -> None:
    answer = pay(shop.ana, item(left(shop)), userId=buyer(shop.customer).id)
    assert (answer.status, answer.fields) == (422, {"userId": "unknown"})
