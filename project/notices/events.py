"""Live events of notifications, and of a person's own notices."""

from typing import Literal

from project.access.permissions import Permission
from project.core.schemas import Day, Document, Instant
from project.notices.causes import Notification
from project.notices.rules import Kind
from realtime.registry import Event


class NotificationMessage(Document):
    """What a notification is about. `notes` is the customer's PO#.

    `productionProcessId` and `productionProcessName`: where pieces are inside for too long. `insideSince`: when they
    entered. `deliveryDate`: the date that is near or past, or that will probably be missed. `answer`: what the customer
    answered on their page. Each is null in a notification of another kind.
    """

    notes: str
    position: int
    sales_order_id: int
    line_id: int
    production_process_id: int | None
    production_process_name: str | None
    inside_since: Instant | None
    delivery_date: Day | None
    answer: str | None


def message_of(one: Notification) -> NotificationMessage:
    """Return the part of a notification's document that says what it is about."""
    return NotificationMessage(
        notes=one.po,
        position=one.position,
        sales_order_id=one.order_id,
        line_id=one.line_id,
        production_process_id=one.process_id,
        production_process_name=one.process_name,
        inside_since=one.inside_since,
        delivery_date=one.delivery_date,
        answer=one.answer,
    )


class NotificationDocument(Document):
    """A notification, the same in lists and in events. `version` grows with every change of its line or order."""

    kind: Literal["notification"] = "notification"
    id: int
    version: int
    read: bool
    type: Kind
    created_at: Instant
    message: NotificationMessage


class EndedData(Document):
    """The notification that has ended because its cause is gone."""

    kind: Literal["notification"] = "notification"
    id: int


def document(one: Notification, *, read: bool = False) -> NotificationDocument:
    """Return a notification as lists and events show it. No query."""
    return NotificationDocument(
        id=one.cause.notification_id,
        version=one.version,
        read=read,
        type=one.cause.kind,
        created_at=one.created_at,
        message=message_of(one),
    )


class NotificationCreated(Event):
    """A notification begins.

    Pieces are inside a process for too long, a delivery date is near or past, a line is likely late, or a customer
    answered.
    """

    audience = frozenset({Permission.ListOrders})
    webhook = (
        "Piezas que tardan, entrega próxima o vencida, probable retraso o respuesta de un cliente",
        "Pieces that take long, a delivery that is near or past, a line that is likely late, or a customer's answer",
    )
    type: Literal["notification.created"] = "notification.created"
    data: NotificationDocument


class NotificationChanged(Event):
    """The content of a notification changed: the delivery date or the customer's PO#."""

    audience = frozenset({Permission.ListOrders})
    webhook = ("Cambia lo que dice una notificación", "What a notification says changes")
    type: Literal["notification.changed"] = "notification.changed"
    data: NotificationDocument


class NotificationEnded(Event):
    """The cause of a notification is gone.

    Pieces left the process, the line is finished, has a later date or is no longer likely late, or the customer's
    answer was handled or is 30 days old.
    """

    audience = frozenset({Permission.ListOrders})
    webhook = ("Termina la causa de una notificación", "The cause of a notification is over")
    type: Literal["notification.ended"] = "notification.ended"
    data: EndedData


class NotificationRead(Event):
    """A person has read a notification, in any of their browsers."""

    type: Literal["notification.read"] = "notification.read"
    data: NotificationDocument


class BellData(Document):
    """The number of unread notices of the person `id`. The client loads the notices."""

    id: int
    unread: int


class BellChanged(Event):
    """A person got a notice of their own, or has read such notices in one of their browsers."""

    type: Literal["notices.changed"] = "notices.changed"
    data: BellData
