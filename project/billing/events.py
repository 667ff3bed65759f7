"""The live event of bills and pre-bills."""

from typing import Literal

from project.access.permissions import P
from project.core.schemas import Document
from realtime.registry import Event


class DeliveryData(Document):
    """A bill, and the customer whose it is."""

    id: int
    status: str
    customer_id: int


class DeliveryChanged(Event):
    audience = frozenset({P.ReportListBills})
    type: Literal["delivery.changed"] = "delivery.changed"
    data: DeliveryData

    def customer(self) -> int | None:
        return self.data.customer_id
