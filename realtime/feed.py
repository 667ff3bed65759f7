"""Reads the outbox for the hub, from one thread of its own, in the order of commits."""

import asyncio
import contextvars
import functools
import json
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, connections
from django.db.models.functions import Length

from realtime.models import OutboxCounter, OutboxEvent
from realtime.outbox import newest_id
from realtime.readers import Reader
from realtime.window import BYTES, SIZE, Entry, text_of

PORTION = 250
"""Events read and sent at a time."""
FAR = 10 * SIZE
"""A hub this far behind begins afresh."""
MOST_CHANGES = 1_000


@dataclass(frozen=True)
class OutboxBatch:
    """What one poll found. `afresh`: `entries` replace what was known, else they follow it."""

    epoch: str
    newest: int
    entries: list[Entry]
    afresh: bool


class Database:
    """Threads that may wait for the database on behalf of the event loop."""

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def run[T](self, work: Callable[[], T]) -> T:
        """The answer of `work`, which gives its connection back at once."""

        def and_close() -> T:
            try:
                return work()
            finally:
                connections.close_all()

        return await self._submit(and_close)

    async def run_and_keep[T](self, work: Callable[[], T]) -> T:
        """As `run`, but the connection is kept for the next time unless the work failed."""

        def or_close() -> T:
            try:
                return work()
            except BaseException:
                connections.close_all()
                raise

        return await self._submit(or_close)

    async def close(self) -> None:
        """Give the connections back and end the threads."""
        await self._submit(connections.close_all)
        self._threads.shutdown()

    async def _submit[T](self, work: Callable[[], T]) -> T:
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._threads, functools.partial(context.run, work))


def poll_outbox(epoch: str | None, position: int, last: Entry | None) -> OutboxBatch:
    """What is new after `position` of `epoch`, a portion at a time; all afresh where the two no longer meet.

    `last` is the event at `position`: where the database holds another one by now, it was restored, and the numbers
    go on from an earlier day. 3 queries at most.
    """
    now, last_id = _counter()
    if now != epoch or not position <= last_id <= position + FAR:
        return _afresh(now, last_id)
    if last_id == position:
        return OutboxBatch(now, last_id, [], afresh=False)
    entries = _entries(position if last is None else position - 1, PORTION)
    restored = last is not None and entries and entries[0].id == position and entries.pop(0) != last
    pruned = not entries or entries[0].id != position + 1
    if restored or pruned:
        return _afresh(now, last_id)
    return OutboxBatch(now, last_id, entries, afresh=False)


def _afresh(epoch: str, last_id: int) -> OutboxBatch:
    """The newest events, as many as a window holds."""
    sizes = OutboxEvent.objects.filter(id__gt=last_id - SIZE).order_by("-id").values_list("id", Length("payload"))
    after, held = last_id, 0
    for number, size in sizes:
        held += size
        if held > BYTES:
            break
        after = number - 1
    return OutboxBatch(epoch, last_id, _entries(after, SIZE), afresh=True)


def changes_after(position: int | None, types: Collection[str]) -> tuple[int, list[tuple[str, Any]] | None]:
    """The newest id, and type and data of the events of `types` after `position`; None where the position is unknown,
    or more events came than are worth reading. 2 queries at most."""
    _, last_id = _counter()
    if position is None or not position <= last_id <= position + MOST_CHANGES:
        return last_id, None
    if last_id == position:
        return last_id, []
    rows = OutboxEvent.objects.filter(id__gt=position, id__lte=last_id, type__in=types).order_by("id")
    return last_id, [(type, json.loads(payload)["data"]) for type, payload in rows.values_list("type", "payload")]


@dataclass(frozen=True)
class Read:
    """An event as a reader may have it; `payload` is the text of its frame."""

    id: int
    at: datetime
    type: str
    audience: frozenset[str]
    payload: str


@dataclass(frozen=True)
class Reading:
    """What of the outbox a reader may have, up to `position`. `missed`: how many events are not stored any more."""

    position: int
    events: list[Read]
    missed: int


def read_for(reader: Reader, position: int, types: Collection[str], limit: int) -> Reading:
    """Read what follows `position`: events of `types` that `reader` may have, out of the next `limit` events, at most a
    portion. Personal events are left out.

    Ids alone say what was read: a new epoch makes browsers load again, and the stored events stay. A `position` after
    the newest event belongs to another database: read from the oldest event. 2 queries.
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


# Written out because each wake-up asks both: Django takes longer to write them than the database to answer.
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
    return UUID(str(found[0])).hex, found[1]


def _entries(after: int, limit: int) -> list[Entry]:
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS, [after, limit])
        rows = cursor.fetchall()
    return [Entry.of(**dict(zip(_COLUMNS, row, strict=True))) for row in rows]
