"""The outbox: an event exists if and only if its change committed (contract, section 7)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from project.core import clock
from realtime import wakeup
from realtime.events import FRAMES, Actor, Event
from realtime.models import OutboxCounter, OutboxEvent

KEEP = timedelta(days=2)
"""How long an event stays: longer than any client waits before it loads afresh."""


@dataclass(frozen=True)
class Personal:
    """A personal event and its one receiver."""

    event: Event
    to_user: int


@dataclass(frozen=True)
class ForCustomer:
    """An event for the accounts of one customer, and for nobody else: what he gained or lost is no news to staff."""

    event: Event
    customer: int


Told = Event | Personal | ForCustomer

_TAKE_IDS = f"UPDATE {OutboxCounter._meta.db_table} SET last_id = last_id + %s WHERE id = 1 RETURNING last_id"  # noqa: S608


def record(event: Event, *, by: Actor | None, to_user: int | None = None) -> int:
    """Store `event` in the change's transaction and wake the hubs once it commits. 2 queries. Returns its id.

    Call it last: from here to the commit every other change waits for its turn, which is what puts ids in
    commit order. `to_user` names the one receiver of a personal event, and of no other.
    Raises TransactionManagementError outside a transaction, ValueError for a wrong receiver.
    """
    return record_all([event if to_user is None else Personal(event, to_user)], by=by)


def record_all(events: Sequence[Told], *, by: Actor | None) -> int:
    """As `record`, for several events one after the other; 2 queries whatever the number, none for none.

    Returns the last one's id.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("an event is recorded in the transaction of its change")
    for told in events:
        event = _event_of(told)
        if bool(event.readers()) == isinstance(told, Personal):
            raise ValueError(f"{event.type} is {'for its audience' if event.readers() else 'for one user'}")
    if not events:
        return 0
    last, at = _take_ids(len(events)), clock.now()
    first = last - len(events) + 1
    OutboxEvent.objects.bulk_create(_row(told, number, at, by) for number, told in enumerate(events, start=first))
    transaction.on_commit(wakeup.wake, robust=True)
    return last


def _event_of(told: Told) -> Event:
    return told if isinstance(told, Event) else told.event


def _row(told: Told, number: int, at: datetime, by: Actor | None) -> OutboxEvent:
    event = _event_of(told)
    frame = FRAMES[type(event)](id=number, type=event.type, at=at, by=by, data=event.data)
    return OutboxEvent(
        id=number,
        type=event.type,
        audience="" if isinstance(told, ForCustomer) else " ".join(sorted(event.readers())),
        to_user=told.to_user if isinstance(told, Personal) else None,
        customer=told.customer if isinstance(told, ForCustomer) else event.customer(),
        payload=frame.model_dump_json(by_alias=True),
        created_at=at,
    )


def _take_ids(count: int) -> int:
    """The last of `count` new ids."""
    with connection.cursor() as cursor:
        row = _take(cursor, count)
        if row is None:
            OutboxCounter.ensure()
            row = _take(cursor, count)
    return int(row[0])


def newest_id() -> int:
    """The id of the newest committed event: what is read after this call holds everything up to it."""
    return OutboxCounter.objects.filter(id=1).values_list("last_id", flat=True).first() or 0


def prune(*, older_than: timedelta = KEEP) -> int:
    """Forget events older than `older_than`; ids go on from where they are. Returns how many went."""
    gone, _ = OutboxEvent.objects.filter(created_at__lt=clock.now() - older_than).delete()
    return gone


@transaction.atomic
def renew_epoch() -> str:
    """Start a new epoch, for a database that was restored or reset: every client loads afresh. Returns it."""
    epoch = uuid.uuid4()
    OutboxCounter.ensure()
    OutboxCounter.objects.filter(id=1).update(epoch=epoch)
    transaction.on_commit(wakeup.wake, robust=True)
    return epoch.hex


def _take(cursor: Any, count: int) -> Any:
    if connection.vendor != "postgresql":
        return cursor.execute(_TAKE_IDS, [count]).fetchone()
    # Foreign keys are looked at now and not at the commit: with the counter held, this change would wait there for
    # somebody who deletes what it points at, and he for the counter. Both go in one message.
    cursor.execute(f"SET CONSTRAINTS ALL IMMEDIATE; {_TAKE_IDS}", [count])
    cursor.nextset()
    return cursor.fetchone()
