"""The live events of notifications."""

from typing import Literal

from project.access.permissions import P
from project.core.schemas import Document, Instant
from realtime.registry import Event


class NotificationMessage(Document):
    notes: str
    position: int
    sales_order_id: int


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
    audience = frozenset({P.ListOrders})
    type: Literal["notification.created"] = "notification.created"
    data: NotificationData


class NotificationRead(Event):
    type: Literal["notification.read"] = "notification.read"
    data: ReadData
