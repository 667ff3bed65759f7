"""REST of notifications (infra/docs/rules.md#notifications)."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path

from project.access.guard import SignedIn, caller
from project.core.routing import domain_router
from project.core.schemas import MOST_ID, Instant, Out
from project.notifications import selectors, services
from project.notifications.events import NotificationMessage, message_of
from project.notifications.rules import Kind
from project.notifications.selectors import Notification

router = domain_router("notifications")


class NotificationOut(Out):
    id: int
    read: bool
    type: Kind
    created_at: Instant
    message: NotificationMessage


def present(row: Notification, *, read: bool) -> NotificationOut:
    return NotificationOut(
        id=row.cause.notification_id,
        read=read,
        type=row.cause.kind,
        created_at=row.created_at,
        message=message_of(row),
    )


@router.get("/unread", response=list[NotificationOut], auth=SignedIn(), operation_id="notification_unread")
def unread(request: HttpRequest) -> Any:
    """The caller's unread notifications, those without exit first."""
    return [present(row, read=False) for row in selectors.unread(caller(request))]


@router.post("/{int:notification_id}/read", response=NotificationOut, auth=SignedIn(), operation_id="notification_read")
def read(request: HttpRequest, notification_id: Annotated[int, Path(ge=0, le=MOST_ID)]) -> Any:
    """Mark one as read."""
    return present(services.notification_read(notification_id=notification_id, by=caller(request)), read=True)


@router.post("/read/all", response=list[NotificationOut], auth=SignedIn(), operation_id="notification_read_all")
def read_all(request: HttpRequest) -> Any:
    """Mark all as read; answers those that were unread."""
    return [present(row, read=True) for row in services.notification_read_all(by=caller(request))]
