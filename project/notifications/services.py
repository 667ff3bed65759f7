"""Marking notifications as read; a person's other tabs follow (specification 2, section 4)."""

from django.db import transaction

from project.access.principal import Principal
from project.core import clock
from project.core.errors import NotFound
from project.notifications.models import ReadMark
from project.notifications.selectors import Notification, find, unread
from realtime import outbox
from realtime.events import Actor, IdData, NotificationRead


@transaction.atomic
def notification_read(*, notification_id: int, by: Principal) -> Notification:
    """Mark one as read; again changes nothing. Raises `NotFound` for an id that is unknown or not the caller's."""
    notification = find(notification_id, by)
    if notification is None:
        raise NotFound
    _mark([notification], by)
    return notification


@transaction.atomic
def notification_read_all(*, by: Principal) -> list[Notification]:
    """Mark all unread ones as read; returns them. Does nothing where there are none."""
    notifications = unread(by)
    _mark(notifications, by)
    return notifications


def _mark(notifications: list[Notification], by: Principal) -> None:
    now = clock.now()
    marks = [
        ReadMark(user_id=by.user_id, kind=one.cause.kind, cause_id=one.cause.cause_id, read_at=now)
        for one in notifications
    ]
    ReadMark.objects.bulk_create(marks, ignore_conflicts=True)
    for one in notifications:
        event = NotificationRead(data=IdData(id=one.cause.notification_id))
        outbox.record(event, by=Actor.of(by), to_user=by.user_id)
