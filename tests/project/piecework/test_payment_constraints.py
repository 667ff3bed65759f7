"""What must never be of a payment is refused by the database itself."""

from typing import Any

import pytest

from project.core import clock
from project.orders.models import ProcessRecord
from project.piecework.models import Payment, PaymentItem
from tests.builders import Shop
from tests.constraints import refused
from tests.project.piecework.paying import cancel, item, left, paid


def test_a_payment_is_canceled_by_somebody_for_a_reason_or_not_at_all(shop: Shop) -> None:
    made = paid(shop.ana, item(left(shop)))
    rows = Payment.objects.filter(pk=made["id"])
    whole = {"canceled_by": shop.ana.id, "canceled_at": clock.now(), "cancel_notes": "error"}
    for name in whole:
        rest = {other: value for other, value in whole.items() if other != name}
        assert refused(rows, status="Canceled", **rest), name
    assert refused(rows, **whole)
    assert refused(rows, status="Pending")
    assert refused(rows, total=-1)
    assert not refused(rows, status="Canceled", **whole)


@pytest.mark.parametrize("values", [{"quantity": 0}, {"price": -1}, {"amount": -1}], ids=str)
def test_an_item_that_cannot_be_is_refused(shop: Shop, values: dict[str, Any]) -> None:
    paid(shop.ana, item(left(shop)))
    assert refused(PaymentItem.objects.all(), **values)


def test_a_record_stands_in_a_payment_once(shop: Shop) -> None:
    paid(shop.ana, item(left(shop)), item(left(shop)))
    first, second = PaymentItem.objects.order_by("id")
    assert refused(PaymentItem.objects.filter(pk=second.pk), record=first.record_id)


def test_no_record_is_paid_beyond_its_pieces(shop: Shop) -> None:
    made = paid(shop.ana, item(left(shop, 10)))
    assert refused(ProcessRecord.objects.all(), quantity_paid=11)
    cancel(shop.ana, made["id"])
    assert refused(ProcessRecord.objects.all(), quantity_paid=-1)
