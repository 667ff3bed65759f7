"""The rules of payments: what may be paid, and the amounts."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.conf import LazySettings

from project.core.errors import AlreadyCanceled, InvalidFields
from project.core.money import most
from project.orders.models import ProcessRecord
from project.orders.rules import StillInside
from project.piecework import prices, rules
from project.piecework.prices import Owed
from project.piecework.rules import ExceedsRemaining, Payable, PaymentStatus, RecordReleased


def record(number: int, **fields: Any) -> Payable:
    return Payable(
        **({"record_id": number, "closed": True, "released": False, "lost": False, "quantity": 10, "paid": 4} | fields)
    )


def test_only_remaining_pieces_can_be_paid() -> None:
    assert record(1).remaining == 6
    rules.check_payable([(record(1), 6), (record(2), 1)])
    with pytest.raises(ExceedsRemaining) as refused:
        rules.check_payable([(record(1), 6), (record(2), 7), (record(3, paid=10), 1)])
    second = {"processRecordId": 2, "remainingQuantity": 6}
    third = {"processRecordId": 3, "remainingQuantity": 0}
    assert refused.value.params == {"records": [second, third], **second}
    assert [(error.field, error.code, error.params) for error in refused.value.errors] == [
        ("items.1.quantity", "exceeds_remaining", second),
        ("items.2.quantity", "exceeds_remaining", third),
    ]


@pytest.mark.parametrize(("fields", "by"), [({"released": True}, RecordReleased), ({"closed": False}, StillInside)])
def test_released_or_open_record_cannot_be_paid(fields: dict[str, Any], by: type[Exception]) -> None:
    with pytest.raises(by) as refused:
        rules.check_payable([(record(1), 1), (record(2, **fields), 1)])
    assert refused.value.params == {"processRecordId": 2}  # type: ignore[attr-defined]


def test_released_is_reported_before_still_inside() -> None:
    with pytest.raises(RecordReleased):
        rules.check_payable([(record(1, released=True, closed=False), 1)])


def test_payment_needs_items_and_each_record_only_once() -> None:
    rules.check_each_once([1, 2, 3])
    with pytest.raises(InvalidFields) as empty:
        rules.check_each_once([])
    assert [(error.field, error.code) for error in empty.value.errors] == [("items", "required")]
    with pytest.raises(InvalidFields) as twice:
        rules.check_each_once([1, 2, 1, 1])
    assert [(error.field, error.code) for error in twice.value.errors] == [
        ("items.2.processRecordId", "named_twice"),
        ("items.3.processRecordId", "named_twice"),
    ]


def test_payment_can_be_canceled_only_once() -> None:
    rules.check_cancelable(PaymentStatus.Paid)
    with pytest.raises(AlreadyCanceled):
        rules.check_cancelable(PaymentStatus.Canceled)


def test_record_without_a_price_earns_zero() -> None:
    assert prices.price_of(ProcessRecord(price=Decimal("9.25"))) == Decimal("9.25")
    assert prices.price_of(ProcessRecord(price=Decimal(0))) == 0
    assert prices.price_of(ProcessRecord(price=None)) == Decimal(0)


@pytest.mark.parametrize(
    ("currency", "quantity", "price", "amount"),
    [
        ("MXN", 3, "9.25", "27.75"),
        ("MXN", 1, "0.005", "0.01"),
        ("MXN", 0, "9", "0.00"),
        ("CLP", 3, "9.25", "28"),
        ("CLP", 1, "0.4999", "0"),
        ("TND", 3, "0.0005", "0.002"),
    ],
)
def test_amounts_are_rounded_half_up_to_the_plants_currency(
    settings: LazySettings, currency: str, quantity: int, price: str, amount: str
) -> None:
    settings.PLANT_CURRENCY = currency
    assert str(prices.amount(quantity, Decimal(price))) == amount


def test_total_is_the_sum_of_the_amounts() -> None:
    assert prices.total([]) == 0
    assert str(prices.total([Decimal("1.10"), Decimal("2.20")])) == "3.30"
    assert prices.total([most("MXN")]) == most("MXN")


def test_absurd_amount_is_refused_by_its_item() -> None:
    above = most("MXN") + Decimal("0.01")
    with pytest.raises(InvalidFields) as each:
        prices.total([Decimal(1), above, above])
    assert [(error.field, error.code, error.params) for error in each.value.errors] == [
        ("items.1.price", "too_large", {"limit": most("MXN")}),
        ("items.2.price", "too_large", {"limit": most("MXN")}),
    ]
    with pytest.raises(InvalidFields) as whole:
        prices.total([most("MXN"), Decimal("0.01")])
    assert [(error.field, error.code, error.params) for error in whole.value.errors] == [
        ("items", "too_large", {"limit": most("MXN")})
    ]


def test_owed_amounts_add_up() -> None:
    owed = Owed()
    first, second = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)
    owed.add(2, 3, Decimal("1.005"), second)
    assert owed == Owed(records=2, pieces=6, amount=Decimal("6.04"), since=second)
    owed.add(1, 5, None, None)
    owed.add(1, 1, Decimal(2), first)
    assert owed == Owed(records=4, pieces=12, amount=Decimal("8.04"), since=first)
    owed.add(1, 1, Decimal(2), second)
    assert owed.since == first
    nothing = Owed()
    nothing.add(1, 1, None, None)
    assert nothing.since is None
