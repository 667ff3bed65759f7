"""The outbox: stores and reads events. An event exists if and only if its change committed.

Ids follow commit order without a gap, because a transaction that takes ids locks the counter's row until it commits.
To keep that lock short, ids are taken last, together with the rows; on PostgreSQL in one message.
"""

import json
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Length
from prometheus_client import Histogram

from realtime import wakeup
from realtime.application import application
from realtime.audience import Reader
from realtime.models import OutboxCounter, OutboxEvent
from realtime.registry import Actor, Event, frame_of
from realtime.window import BYTES, SIZE, Entry, text_of

PORTION = 250
"""Events read and sent at a time."""
LATELY = timedelta(seconds=30)
"""How far back a page begins: longer than a call waits for its turn."""
FAR = 10 * SIZE
"""A hub that is more events behind than this starts again with the newest ones."""
MOST_CHANGES = 1_000

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
    """An event for the accounts of one customer only. Staff receive another event about the same change."""

    event: Event
    customer: int


AnyEvent = Event | Personal | ForCustomer


@dataclass(frozen=True)
class _Published:
    """An event to store, with its time and the user who caused it."""

    event: AnyEvent
    at: datetime
    by: Actor | None


_TAKE_IDS = f"UPDATE {OutboxCounter._meta.db_table} SET last_id = last_id + %s WHERE id = 1 RETURNING last_id"  # noqa: S608
# Check foreign keys before locking the counter, not at the commit. Else this transaction, which holds the counter,
# could wait for a transaction that deletes a referenced row and waits for the counter: a deadlock. All goes in one
# message.
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
# The commit goes in the same message, so that no other transaction waits until this process sends it (decision 1).
_TAKE_IDS_STORE_AND_COMMIT = _TAKE_IDS_AND_STORE + "; COMMIT"


def publish(event: Event, *, by: Actor | None, to_user: int | None = None) -> None:
    """Store `event` in the transaction of its change and wake the hubs after the commit.

    A unit of work stores its events at its end. Outside a unit of work, call `publish` last: from this call to the
    commit, every other change waits for the counter, which keeps ids in commit order. `to_user`: the receiver of a
    personal event, else None. Raises TransactionManagementError outside a transaction. Raises ValueError if a personal
    event has no receiver, or another event has one.
    """
    publish_all([event if to_user is None else Personal(event, to_user)], by=by)


def publish_all(events: Sequence[AnyEvent], *, by: Actor | None) -> None:
    """Publish several events in this order, as `publish` does.

    1 statement on PostgreSQL and 2 on SQLite for any number of events, none for an empty list.
    """
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
    """Take ids and store the events with them. `commits`: the commit may be sent in the same message."""
    rows = [_row(one) for one in published]
    transaction.on_commit(partial(wakeup.wake, _receivers(published)), robust=True)
    with STORE_SECONDS.time(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _store_in_one_message(cursor, rows, commits=commits)
        else:
            _store_in_two_steps(cursor, rows)


def _receivers(published: Sequence[_Published]) -> set[int] | None:
    """The users who receive these events. None if one of the events is not personal."""
    events = [one.event for one in published]
    personal = {event.to_user for event in events if isinstance(event, Personal)}
    return personal if all(isinstance(event, Personal) for event in events) else None


def _row(one: _Published) -> OutboxEvent:
    """The row without its id. Its payload lacks the opening brace and the id, which are added when the id is known."""
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
    """Take ids and store the rows, with the commit if `commits`. Django's own commit is then a no-op."""
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
    """The id of the newest committed event. Data read after this call includes the changes of all events up to it."""
    return OutboxCounter.objects.filter(id=1).values_list("last_id", flat=True).first() or 0


def oldest_after(position: int) -> datetime | None:
    """The time at which the oldest stored event after `position` was stored. None if there is no such event."""
    rows = OutboxEvent.objects.filter(id__gt=position).order_by("id")
    return rows.values_list("created_at", flat=True).first()


def last_of_before(instant: datetime) -> int:
    """The id before the first event stored at `instant` or later; the newest id if there is none. 2 queries."""
    newest = newest_id()
    kept = OutboxEvent.objects.filter(created_at__gte=instant).order_by("id").values_list("id", flat=True).first()
    return newest if kept is None else kept - 1


def position_lately() -> tuple[str, int]:
    """The epoch, and the id before the first event of the last `LATELY` (30 s). 3 queries.

    A page whose socket begins there misses no change to what it loads in the meantime.
    """
    epoch, _ = _counter()
    return epoch, last_of_before(application().now() - LATELY)


def prune(*, up_to: int) -> int:
    """Delete the events up to an id. New ids still continue from the counter. Returns the number of deleted events."""
    gone, _ = OutboxEvent.objects.filter(id__lte=up_to).delete()
    return gone


@transaction.atomic
def renew_epoch() -> str:
    """Start a new epoch after a database was restored or reset, so that every client loads again. Returns the epoch."""
    epoch = uuid.uuid4()
    OutboxCounter.ensure()
    OutboxCounter.objects.filter(id=1).update(epoch=epoch)
    transaction.on_commit(wakeup.wake, robust=True)
    return epoch.hex


# Read events in commit order.


@dataclass(frozen=True)
class OutboxBatch:
    """The result of one poll. `replaces`: `entries` replace those in the window; else they are appended."""

    epoch: str
    newest: int
    entries: list[Entry]
    replaces: bool


def poll_outbox(epoch: str | None, position: int, last: Entry | None) -> OutboxBatch:
    """Read the next PORTION of events after `position`, or the newest events if the window cannot be continued.

    `last`: the event that the hub has at `position`. If the database has another event there, the database was restored
    to an earlier state and used the ids again. At most 2 queries, and 2 more if the newest events are read.
    """
    now, last_id = _counter()
    if now != epoch or not position <= last_id <= position + FAR:
        return _newest_batch(now, last_id)
    if last_id == position:
        return OutboxBatch(now, last_id, [], replaces=False)
    entries = _entries(position if last is None else position - 1, PORTION)
    restored = last is not None and entries and entries[0].id == position and entries.pop(0) != last
    pruned = not entries or entries[0].id != position + 1
    if restored or pruned:
        return _newest_batch(now, last_id)
    return OutboxBatch(now, last_id, entries, replaces=False)


def _newest_batch(epoch: str, last_id: int) -> OutboxBatch:
    """Read the newest events, as many as a window holds. 2 queries."""
    sizes = OutboxEvent.objects.filter(id__gt=last_id - SIZE).order_by("-id").values_list("id", Length("payload"))
    after, held = last_id, 0
    for number, size in sizes:
        held += size
        if held > BYTES:
            break
        after = number - 1
    return OutboxBatch(epoch, last_id, _entries(after, SIZE), replaces=True)


def changes_after(position: int | None, types: Collection[str]) -> tuple[int, list[tuple[str, Any]] | None]:
    """The newest id, and the type and data of each event of `types` after `position`. At most 2 queries.

    None instead of the events if `position` is None or after the newest id, or if more than MOST_CHANGES events (of all
    types) came after `position`.
    """
    _, last_id = _counter()
    if position is None or not position <= last_id <= position + MOST_CHANGES:
        return last_id, None
    if last_id == position:
        return last_id, []
    rows = OutboxEvent.objects.filter(id__gt=position, id__lte=last_id, type__in=types).order_by("id")
    return last_id, [(type, json.loads(payload)["data"]) for type, payload in rows.values_list("type", "payload")]


@dataclass(frozen=True)
class Read:
    """An event as its reader may see it. `payload` is the JSON text of its frame."""

    id: int
    at: datetime
    type: str
    audience: frozenset[str]
    payload: str


@dataclass(frozen=True)
class Reading:
    """The events that a reader may see, up to `position`. `missed`: how many events were deleted before the read."""

    position: int
    events: list[Read]
    missed: int


def read_for(reader: Reader, position: int, types: Collection[str], limit: int) -> Reading:
    """Read the next `limit` events after `position`, at most PORTION. Return those of `types` that `reader` may see.

    Personal events are left out. The epoch does not matter: a new epoch makes browsers load again, but the stored
    events stay. A `position` after the newest event belongs to another database: then the oldest events are read. At
    most 2 queries.
    """
    last_id = newest_id()
    if position == last_id:
        return Reading(position, [], missed=0)
    after = position if position < last_id else 0
    columns = (*_COLUMNS, "created_at")
    rows = list(OutboxEvent.objects.filter(id__gt=after).order_by("id").values(*columns)[: min(limit, PORTION)])
    if not rows:
        return Reading(last_id, [], missed=last_id - after)
    received = [
        Read(entry.id, at, entry.type, entry.audience, text_of(entry.frame_for(reader)))
        for at, entry in ((row.pop("created_at"), Entry.of(**row)) for row in rows)
        if entry.type in types and entry.to_user is None and reader.receives(entry.audience, entry.customer)
    ]
    return Reading(rows[-1]["id"], received, missed=rows[0]["id"] - after - 1)


# Written as SQL, because each wake-up runs both queries, and Django takes longer to build them than the database to
# answer.
_COUNTER = f"SELECT epoch, last_id FROM {OutboxCounter._meta.db_table} WHERE id = 1"  # noqa: S608
_COLUMNS = ("id", "type", "audience", "to_user", "customer", "payload")
_EVENTS = f"SELECT {', '.join(_COLUMNS)} FROM {OutboxEvent._meta.db_table} WHERE id > %s ORDER BY id LIMIT %s"  # noqa: S608


def _counter() -> tuple[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(_COUNTER)
        found = cursor.fetchone()
        if found is None:
            OutboxCounter.ensure()
            cursor.execute(_COUNTER)
            found = cursor.fetchone()
    return uuid.UUID(str(found[0])).hex, found[1]


def _entries(after: int, limit: int) -> list[Entry]:
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS, [after, limit])
        rows = cursor.fetchall()
    return [Entry.of(**dict(zip(_COLUMNS, row, strict=True))) for row in rows]
