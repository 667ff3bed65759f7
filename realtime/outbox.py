"""The outbox: an event exists if and only if its change committed (infra/docs/rules.md#live-events).

Ids are in commit order without a gap, because who takes some holds the counter's row until his commit. So they are
taken last, with the rows, in one statement on PostgreSQL.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from prometheus_client import Histogram

from realtime import wakeup
from realtime.application import application
from realtime.models import OutboxCounter, OutboxEvent
from realtime.registry import Actor, Event, frame_of

STORE_SECONDS = Histogram(
    "obrador_outbox_store_seconds", "Waiting for the counter of events, storing them and the commit."
)


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


AnyEvent = Event | Personal | ForCustomer


@dataclass(frozen=True)
class _Published:
    """An event to be stored, as `by` caused it."""

    event: AnyEvent
    at: datetime
    by: Actor | None


_TAKE_IDS = f"UPDATE {OutboxCounter._meta.db_table} SET last_id = last_id + %s WHERE id = 1 RETURNING last_id"  # noqa: S608
# Foreign keys are looked at now and not at the commit: with the counter held, this change would wait there for
# somebody who deletes what it points at, and he for the counter. All goes in one message.
_TAKE_IDS_AND_STORE = f"""
SET CONSTRAINTS ALL IMMEDIATE;
INSERT INTO {OutboxCounter._meta.db_table} (id, last_id, epoch) VALUES (1, 0, gen_random_uuid()) ON CONFLICT DO NOTHING;
WITH taken AS (
  UPDATE {OutboxCounter._meta.db_table} SET last_id = last_id + %s WHERE id = 1 RETURNING last_id - %s AS before
)
INSERT INTO {OutboxEvent._meta.db_table} (id, type, audience, to_user, customer, payload, created_at)
SELECT before + place, type, audience, to_user, customer, '{{"id":' || (before + place)::text || ',' || rest, created_at
FROM taken, unnest(%s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::timestamptz[])
  WITH ORDINALITY AS published (type, audience, to_user, customer, rest, created_at, place)
ORDER BY place"""  # noqa: S608
# With the commit in the same message nobody waits for this process while it comes to sending it (decision 20).
_TAKE_IDS_STORE_AND_COMMIT = _TAKE_IDS_AND_STORE + "; COMMIT"


def publish(event: Event, *, by: Actor | None, to_user: int | None = None) -> None:
    """Store `event` in the change's transaction and wake the hubs once it commits.

    A unit of work stores what is published in it at its end. Outside one call it last: from here to the commit every
    other change waits for its turn, which is what puts ids in commit order. `to_user` names the one receiver of a
    personal event, and of no other. Raises TransactionManagementError outside a transaction, ValueError for a wrong
    receiver.
    """
    publish_all([event if to_user is None else Personal(event, to_user)], by=by)


def publish_all(events: Sequence[AnyEvent], *, by: Actor | None) -> None:
    """As `publish`, for several events one after the other. 1 statement on PostgreSQL whatever their number, none for
    none; 2 on SQLite."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("an event is published in the transaction of its change")
    for published in events:
        event = _event_of(published)
        if bool(event.readers()) == isinstance(published, Personal):
            raise ValueError(f"{event.type} is {'for its audience' if event.readers() else 'for one user'}")
    at = application().now()
    application().collect(_store, [_Published(event, at, by) for event in events])


def _event_of(published: AnyEvent) -> Event:
    return published if isinstance(published, Event) else published.event


def _store(published: Sequence[_Published], *, commits: bool) -> None:
    """Take as many ids, and store the events with them. `commits`: the transaction may be committed with that."""
    rows = [_row(one) for one in published]
    transaction.on_commit(wakeup.wake, robust=True)
    with STORE_SECONDS.time(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _store_in_one_message(cursor, rows, commits=commits)
        else:
            _store_in_two_steps(cursor, rows)


def _row(one: _Published) -> OutboxEvent:
    """The row without its id, which stands first in the payload too."""
    published, event = one.event, _event_of(one.event)
    frame = frame_of(type(event))(id=0, type=event.type, at=one.at, by=one.by, data=event.data)
    return OutboxEvent(
        type=event.type,
        audience="" if isinstance(published, ForCustomer) else " ".join(sorted(event.readers())),
        to_user=published.to_user if isinstance(published, Personal) else None,
        customer=published.customer if isinstance(published, ForCustomer) else event.customer(),
        payload=frame.model_dump_json(by_alias=True, exclude={"id"}).removeprefix("{"),
        created_at=one.at,
    )


def _store_in_one_message(cursor: Any, rows: list[OutboxEvent], *, commits: bool) -> None:
    """After a commit the connection is in no transaction, and Django's own commit finds nothing left to do."""
    columns = zip(
        *((row.type, row.audience, row.to_user, row.customer, row.payload, row.created_at) for row in rows), strict=True
    )
    statements = _TAKE_IDS_STORE_AND_COMMIT if commits else _TAKE_IDS_AND_STORE
    cursor.execute(statements, [len(rows), len(rows), *map(list, columns)])


def _store_in_two_steps(cursor: Any, rows: list[OutboxEvent]) -> None:
    cursor.execute(_TAKE_IDS, [len(rows)])
    taken = cursor.fetchone()
    if taken is None:
        OutboxCounter.ensure()
        cursor.execute(_TAKE_IDS, [len(rows)])
        taken = cursor.fetchone()
    for number, row in enumerate(rows, start=taken[0] - len(rows) + 1):
        row.id = number
        row.payload = f'{{"id":{number},{row.payload}'
    OutboxEvent.objects.bulk_create(rows)


def newest_id() -> int:
    """The id of the newest committed event: what is read after this call holds everything up to it."""
    return OutboxCounter.objects.filter(id=1).values_list("last_id", flat=True).first() or 0


def oldest_after(position: int) -> datetime | None:
    """When the first of the stored events after `position` was stored."""
    rows = OutboxEvent.objects.filter(id__gt=position).order_by("id")
    return rows.values_list("created_at", flat=True).first()


def last_of_before(instant: datetime) -> int:
    """The id of the last event before the first one that was stored at `instant` or later. 2 queries."""
    newest = newest_id()
    kept = OutboxEvent.objects.filter(created_at__gte=instant).order_by("id").values_list("id", flat=True).first()
    return newest if kept is None else kept - 1


def prune(*, up_to: int) -> int:
    """Forget the events up to an id; ids go on from where they are. Returns how many went."""
    gone, _ = OutboxEvent.objects.filter(id__lte=up_to).delete()
    return gone


@transaction.atomic
def renew_epoch() -> str:
    """Start a new epoch, for a database that was restored or reset: every client loads afresh. Returns it."""
    epoch = uuid.uuid4()
    OutboxCounter.ensure()
    OutboxCounter.objects.filter(id=1).update(epoch=epoch)
    transaction.on_commit(wakeup.wake, robust=True)
    return epoch.hex
