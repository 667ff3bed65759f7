"""The live event of bills and pre-bills."""

from typing import Literal

from project.access.permissions import Permission
from project.billing.documents import bill_document
from project.billing.models import Bill
from project.billing.schemas import DeliveryDocument
from project.core.schemas import Document
from realtime.privacy import Private
from realtime.registry import Event

BILLS = frozenset({Permission.ReportListBills})
MOST_LINES = 200
"""Maximum number of lines of a bill in an event, and of lines in all boxes of the bill together."""


class DeliveryData(Document):
    """A bill after a change. `bill` is null if the receiver must load or drop it.

    It must be loaded if it or its boxes have more than MOST_LINES lines. The former customer of a bill that now belongs
    to another customer must drop it.
    """

    id: int
    status: str
    customer_id: int
    bill: DeliveryDocument | None


class DeliveryChanged(Event):
    """A bill or pre-bill was made, changed, issued or canceled. Customers' accounts receive no names of staff and no
    metal of the ledger.
    """

    audience = BILLS
    private = tuple(
        Private(f"data.bill.{field}", BILLS, instead, staff=True)
        for field, instead in (
            *(("createdBy", ""), ("billedBy", None), ("canceledBy", None)),
            *(("metalGrams", None), ("lines.metalGrams", None), ("export.boxes.metalKg", None)),
        )
    )
    followed = "bill.lines.salesOrderId"
    webhook = ("Cambia una factura o prefactura", "An invoice or pro-forma changes")
    type: Literal["delivery.changed"] = "delivery.changed"
    data: DeliveryData

    def customer(self) -> int | None:
        return self.data.customer_id


def delivery_changed(bill: Bill) -> DeliveryChanged:
    """Return the event of a bill loaded by the selectors. No query."""
    document = bill_document(bill)
    packed = sum(len(box.lines) for box in document.export.boxes)
    whole = document if max(len(document.lines), packed) <= MOST_LINES else None
    return DeliveryChanged(data=DeliveryData(id=bill.pk, status=bill.status, customer_id=bill.customer_id, bill=whole))


def delivery_left(bill: Bill) -> DeliveryChanged:
    """Return the event by which the pages of the bill's present customer remove it. Call it before the change."""
    return DeliveryChanged(data=DeliveryData(id=bill.pk, status=bill.status, customer_id=bill.customer_id, bill=None))
