"""Announces to the staff what needs attention, once for each cause, and marks notifications as read.

See infra/docs/rules.md#notifications.
"""

from collections.abc import Collection, Sequence

from django.db import transaction

from project.access.principal import Principal
from project.core import clock
from project.core.errors import NotFound
from project.core.idempotency import unit_of_work
from project.notices import causes
from project.notices.causes import Notification
from project.notices.events import (
    EndedData,
    NotificationChanged,
    NotificationCreated,
    NotificationEnded,
    NotificationRead,
    document,
)
from project.notices.models import Announcement, ReadMark
from project.notices.rules import Cause, Kind
from realtime import outbox
from realtime.registry import Actor


@transaction.atomic
def announce(orders: Collection[int] | None = None, *, changed: Collection[int] = ()) -> int:
    """Announce each new cause, and the end of each cause that is gone. At most 7 queries.

    `orders`: only causes of these orders; None: of all. The notifications of the orders in `changed` are published
    again. Returns the number of new causes. Raises IntegrityError, and does nothing, if another process announces one
    of the causes at the same moment: the next pass announces the rest.
    """
    gone = list(causes.gone(orders))
    Announcement.objects.filter(pk__in=[one.pk for one in gone]).delete()
    altered = causes.announced(changed) if changed else []
    found = causes.new(orders)
    # Insert them sorted, so that two passes at the same moment cannot deadlock.
    new = sorted(map(_announcement, found), key=lambda one: (one.kind, one.cause_id))
    Announcement.objects.bulk_create(new)
    events: list[outbox.AnyEvent] = [
        NotificationEnded(data=EndedData(id=Cause(Kind(one.kind), one.cause_id).notification_id)) for one in gone
    ]
    events += [NotificationChanged(data=document(one)) for one in altered]
    events += [_created(one) for one in found]
    outbox.publish_all(events, by=None)
    return len(found)


def cause_announce(one: Notification) -> None:
    """Announce a cause that a `causes.Source` stores. Call this in the unit of work that stores the cause."""
    Announcement.objects.bulk_create([_announcement(one)])
    outbox.publish(_created(one), by=None)


def cause_end(cause: Cause) -> None:
    """End the notification of a cause that a `causes.Source` stores. Call this in the unit of work that ends it."""
    Announcement.objects.filter(kind=cause.kind, cause_id=cause.cause_id).delete()
    outbox.publish(NotificationEnded(data=EndedData(id=cause.notification_id)), by=None)


@unit_of_work
def notification_read(*, notification_id: int, by: Principal) -> Notification:
    """Mark a notification as read; idempotent. Raises `NotFound` for an id that is unknown or not for the caller."""
    notification = causes.find(notification_id, by)
    if notification is None:
        raise NotFound
    _mark([notification], by, current=causes.stands(notification.cause))
    return notification


@unit_of_work
def notification_read_all(*, by: Principal) -> list[Notification]:
    """Mark all unread notifications as read. Return the first `causes.MOST_UNREAD` of them.

    A no-op if there are none. A fixed number of queries for each `MOST_UNREAD` notifications.
    """
    first = more = causes.unread(by)
    while more:
        _mark(more, by, current=True)
        more = causes.unread(by) if len(more) == causes.MOST_UNREAD else []
    return first


def forget_reader(user_id: int) -> None:
    """Delete a person's read marks."""
    ReadMark.objects.filter(user=user_id).delete()


def _mark(notifications: list[Notification], by: Principal, *, current: bool) -> None:
    new = _not_announced(notifications)
    # A notification may be read before a pass has announced it. Then announce it here to the other people.
    Announcement.objects.bulk_create(map(_announcement, new), ignore_conflicts=True)
    now = clock.now()
    ReadMark.objects.bulk_create(
        [ReadMark(user=by.user_id, announcement_id=id_, read_at=now) for id_ in _announced(notifications).values()],
        ignore_conflicts=True,
    )
    outbox.publish_all([_created(one) for one in new if current], by=None)
    read = [NotificationRead(data=document(one, read=True)) for one in notifications]
    outbox.publish_all([outbox.Personal(event, by.user_id) for event in read], by=Actor.of(by))


def _announced(notifications: Sequence[Notification]) -> dict[tuple[str, int], int]:
    """Return the ids of announcements by kind and cause. 1 query."""
    wanted = {(one.cause.kind.value, one.cause.cause_id) for one in notifications}
    rows = Announcement.objects.filter(cause_id__in={cause_id for _, cause_id in wanted})
    return {
        (kind, cause_id): id_
        for id_, kind, cause_id in rows.values_list("id", "kind", "cause_id")
        if (kind, cause_id) in wanted
    }


def _not_announced(notifications: Sequence[Notification]) -> list[Notification]:
    announced = _announced(notifications)
    return [one for one in notifications if (one.cause.kind.value, one.cause.cause_id) not in announced]


def _announcement(one: Notification) -> Announcement:
    return Announcement(
        kind=one.cause.kind, cause_id=one.cause.cause_id, order_id=one.order_id, announced_at=clock.now()
    )


def _created(one: Notification) -> NotificationCreated:
    return NotificationCreated(data=document(one))
