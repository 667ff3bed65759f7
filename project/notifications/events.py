"""The live events of notifications."""

from typing import Literal

from project.access.permissions import Permission
from project.core.schemas import Day, Document, Instant
from project.notifications.selectors import Notification
from realtime.registry import Event


class NotificationMessage(Document):
    """`notes` is the customer's PO#.

    `productionProcessId` and `productionProcessName` are where pieces are inside for too long, `insideSince` when they
    entered, `deliveryDate` what is near or past: each null where the notification is of the other kind.
    """

    notes: str
    position: int
    sales_order_id: int
    production_process_id: int | None
    production_process_name: str | None
    inside_since: Instant | None
    delivery_date: Day | None


def message_of(one: Notification) -> NotificationMessage:
    """What a notification is about, in its list and in its event alike."""
    return NotificationMessage(
        notes=one.po,
        position=one.position,
        sales_order_id=one.order_id,
        production_process_id=one.process_id,
        production_process_name=one.process_name,
        inside_since=one.inside_since,
        delivery_date=one.delivery_date,
    )


class NotificationData(Document):
    id: int
    read: bool
    type: str
    created_at: Instant
    message: NotificationMessage


class ReadData(Document):
    """The notification that its reader has read."""

    id: int


class NotificationCreated(Event):
    """Pieces are inside a process for too long, or a delivery date is near or past."""

    audience = frozenset({Permission.ListOrders})
    type: Literal["notification.created"] = "notification.created"
    data: NotificationData


class NotificationRead(Event):
    """A person has read a notification, in whichever of his browsers."""

    type: Literal["notification.read"] = "notification.read"
    data: ReadData
