"""REST of notifications (infra/docs/rules.md#notifications)."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Path

from project.access.guard import SignedIn, caller
from project.core.errors import NotFound
from project.core.idempotency import Repeat
from project.core.routing import domain_router
from project.core.schemas import MOST_ID
from project.notifications import selectors, services
from project.notifications.events import NotificationDocument, document

router = domain_router("notifications")


@router.get(
    "/unread",
    auth=SignedIn("their own notifications only"),
    operation_id="notification_unread",
)
def unread(request: HttpRequest) -> list[NotificationDocument]:
    """Return the caller's unread notifications. Those of pieces without exit come first."""
    return [document(row) for row in selectors.unread(caller(request))]


def _notification(request: HttpRequest, notification_id: int) -> NotificationDocument:
    row = selectors.find(notification_id, caller(request))
    if row is None:
        raise NotFound
    return document(row, read=True)


def _none_left_unread(request: HttpRequest) -> list[NotificationDocument]:
    return []


@router.post(
    "/{int:notification_id}/read",
    auth=SignedIn("their own notifications only"),
    operation_id="notification_read",
    repeat=Repeat(_notification),
)
def read(request: HttpRequest, notification_id: Annotated[int, Path(ge=0, le=MOST_ID)]) -> NotificationDocument:
    """Mark a notification as read."""
    return document(services.notification_read(notification_id=notification_id, by=caller(request)), read=True)


@router.post(
    "/read/all",
    auth=SignedIn("their own notifications only"),
    operation_id="notification_read_all",
    repeat=Repeat(_none_left_unread),
)
def read_all(request: HttpRequest) -> list[NotificationDocument]:
    """Mark all notifications as read. Returns the notifications that were unread, at most 1,000."""
    return [document(row, read=True) for row in services.notification_read_all(by=caller(request))]
