"""The live events of payments."""

from typing import Literal

from project.access.permissions import P
from project.core.schemas import Document
from realtime.privacy import Private
from realtime.registry import Event

PAYMENTS = frozenset({P.ReportPaidOrders})


class PaymentData(Document):
    """A payment, and the orders of which it pays or paid pieces; `status` for those who read payments."""

    id: int
    status: str | None
    sales_order_ids: list[int]


class EarnerData(Document):
    """The user whose earnings changed."""

    id: int


class PaymentChanged(Event):
    """Those who read what is left to pay are told as well: it changes what they see paid of each record. The payment
    itself, and who made it, they do not read."""

    audience = frozenset({P.ReportPaidOrders, P.ReportPayOrders})
    private = (Private("by", PAYMENTS), Private("data.status", PAYMENTS))
    type: Literal["payment.changed"] = "payment.changed"
    data: PaymentData


class EarningsChanged(Event):
    """A payment of what somebody took out was made or canceled; `id` is that user. His earnings do not say by whom."""

    private = (Private("by", PAYMENTS),)
    type: Literal["earnings.changed"] = "earnings.changed"
    data: EarnerData
