"""The database itself refuses impossible payments."""

from typing import Any

import pytest

from project.core import clock
from project.orders.models import ProcessRecord
from project.piecework.models import Payment, PaymentItem
from tests.builders import Shop
from tests.constraints import refused
from tests.project.piecework.paying import cancel, item, left, paid


def test_canceled_payment_needs_user_time_and_reason(shop: Shop) -> None:
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


@pytest.mark.parametrize("values", [{"quantity": 0}, {"price": -1}, {"amount": -1}, {"mg": -1}], ids=str)
def test_impossible_item_is_refused(shop: Shop, values: dict[str, Any]) -> None:
    paid(shop.ana, item(left(shop)))
    assert refused(PaymentItem.objects.all(), **values)


def test_payment_has_each_record_only_once(shop: Shop) -> None:
    paid(shop.ana, item(left(shop)), item(left(shop)))
    first, second = PaymentItem.objects.order_by("id")
    assert refused(PaymentItem.objects.filter(pk=second.pk), record=first.record_id)


def test_paid_quantity_stays_between_0_and_the_records_pieces(shop: Shop) -> None:
    made = paid(shop.ana, item(left(shop, 10)))
    assert refused(ProcessRecord.objects.all(), quantity_paid=11)
    cancel(shop.ana, made["id"])
    assert refused(ProcessRecord.objects.all(), quantity_paid=-1)
