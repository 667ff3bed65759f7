"""The live events of payments."""

from typing import Literal

from project.access.permissions import Permission
from project.core.schemas import Document
from project.piecework.documents import payment_document
from project.piecework.models import Payment
from project.piecework.schemas import PaymentDocument
from realtime.privacy import Private
from realtime.registry import Event

PAYMENTS = frozenset({Permission.ReportPaidOrders})
MOST_ITEMS = 200
"""What an event of a payment carries at most."""


class PaymentData(Document):
    """A payment after a change, and the orders of which it pays or paid pieces. `payment` is null where it is to be
    loaded, since it has more than MOST_ITEMS; it and `status` are for those who read payments."""

    id: int
    status: str | None
    sales_order_ids: list[int]
    payment: PaymentDocument | None


class EarnerData(Document):
    """The user whose earnings changed."""

    id: int


class PaymentChanged(Event):
    """A payment was made or canceled. Those who read what is left to pay receive it as well, without the payment itself
    and who made it: it changes what they see paid of each record."""

    audience = frozenset({Permission.ReportPaidOrders, Permission.ReportPayOrders})
    private = (Private("by", PAYMENTS), Private("data.status", PAYMENTS), Private("data.payment", PAYMENTS))
    type: Literal["payment.changed"] = "payment.changed"
    data: PaymentData


class EarningsChanged(Event):
    """A payment of what somebody took out was made or canceled; `id` is that user. His earnings do not say by whom."""

    private = (Private("by", PAYMENTS),)
    type: Literal["earnings.changed"] = "earnings.changed"
    data: EarnerData


def payment_changed(payment: Payment) -> PaymentChanged:
    """The event of a payment loaded by the selectors. No query."""
    items = list(payment.items.all())
    return PaymentChanged(
        data=PaymentData(
            id=payment.pk,
            status=payment.status,
            sales_order_ids=sorted({item.record.line.order_id for item in items}),
            payment=payment_document(payment) if len(items) <= MOST_ITEMS else None,
        )
    )
