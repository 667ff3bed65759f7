"""Live events of payments."""

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
"""The most items that an event of a payment carries."""


class PaymentData(Document):
    """A payment after a change, and the ids of the orders of its pieces.

    `payment` is null if it has more than MOST_ITEMS items, and must be loaded. `payment` and `status` are for readers
    of payments only.
    """

    id: int
    status: str | None
    sales_order_ids: list[int]
    payment: PaymentDocument | None


class EarnerData(Document):
    """The user whose earnings changed."""

    id: int


class PaymentChanged(Event):
    """A payment was made or canceled.

    Users who may only read the list of records to pay receive the event too, because it changes what is paid of each
    record. They receive neither the payment itself nor its author.
    """

    audience = frozenset({Permission.ReportPaidOrders, Permission.ReportPayOrders})
    private = (Private("by", PAYMENTS), Private("data.status", PAYMENTS), Private("data.payment", PAYMENTS))
    webhook = ("Se paga un destajo o se cancela el pago", "Piecework is paid, or the payment canceled")
    type: Literal["payment.changed"] = "payment.changed"
    data: PaymentData


class EarningsChanged(Event):
    """What a user earned by piece work was paid, or such a payment was canceled. `id`: the user who earned it.

    Only readers of payments receive the author of the change.
    """

    private = (Private("by", PAYMENTS),)
    type: Literal["earnings.changed"] = "earnings.changed"
    data: EarnerData


def payment_changed(payment: Payment) -> PaymentChanged:
    """Return the event of a payment loaded by the selectors. No query."""
    items = list(payment.items.all())
    return PaymentChanged(
        data=PaymentData(
            id=payment.pk,
            status=payment.status,
            sales_order_ids=sorted({item.record.line.order_id for item in items}),
            payment=payment_document(payment) if len(items) <= MOST_ITEMS else None,
        )
    )
