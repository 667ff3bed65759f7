"""How many live sockets a user has open, over all processes of the installation.

A socket takes one of its user's numbered seats, a row that the database lets nobody else have. The row has the id of
the socket's ticket, and outlives the socket for a while: a ticket that was used opens nothing. Each process says every
few seconds that it lives; the seats of one that no longer does are free, so that a kill leaves nobody outside for long.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now

from realtime.application import Principal
from realtime.models import LiveProcess, LiveSeat

BEAT_SECONDS = 3.0
LASTS = timedelta(seconds=10)
"""A process that was not seen for so long has no sockets. By the database's clock, which all of them share."""
FORGOTTEN = timedelta(hours=1)
"""Long after every ticket of a process, or of a seat that was left, is over."""
_TABLE = LiveSeat._meta.db_table
_TAKE = (
    f"INSERT INTO {_TABLE} (id, process_id, user_id, number)"  # noqa: S608
    f" SELECT %s, %s, %s, column1 FROM (VALUES {', '.join(f'({n})' for n in range(1, LiveSeat.MOST + 1))}) AS numbers"
    f" WHERE column1 NOT IN (SELECT number FROM {_TABLE} WHERE user_id = %s) ORDER BY random() LIMIT 1"
    f" ON CONFLICT (id) DO NOTHING RETURNING number"
)
"""Takes any number that nobody holds, so that those who come at once seldom want the same: none where all are held, or
a socket was opened with this id."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Seat:
    """One socket of `user_id`. Its id, which is its ticket's, says which: the rest is known once it is taken."""

    id: uuid.UUID
    user_id: int = field(default=0, compare=False)
    number: int = field(default=0, compare=False)


type Taken = tuple[Principal | None, Seat | None]
"""Whose ticket it was and his seat: None where he has none."""


class Seats:
    """The seats of one process. It lives on the event loop; `ask` lets it wait for the database in a thread.

    A statement that was given up may be done later, and another process may take this one for dead. So the rows of this
    process are compared with its sockets every few seconds: a row without a socket is given back, and a missing row is
    taken again.
    """

    def __init__(self, ask: Callable[[Callable[[], Any]], Awaitable[Any]]) -> None:
        self._process = uuid.uuid4()
        self._held: set[Seat] = set()
        self._asked_for: set[Seat] = set()
        self._vacated: set[Seat] = set()
        self._beaten: float | None = None
        self._settling: asyncio.Task[None] | None = None
        self._ask = ask

    async def take(self, ticket: uuid.UUID, who: Callable[[], Principal | None]) -> Taken:
        """Whom `who` finds, which may wait for the database, and a seat of his: None where he has them all.

        Nobody where `ticket` opened a socket before. Give the seat back by `vacate`. 1 query as a rule beside those of
        `who`, in one visit to the database.
        """
        asked_for = Seat(ticket)
        if asked_for in self._held or asked_for in self._asked_for:
            return None, None
        taking = asyncio.ensure_future(self._ask(partial(self._find_and_take, ticket, who, frozenset(self._vacated))))
        self._asked_for.add(asked_for)
        try:
            principal, seat = await asyncio.shield(taking)
        except (asyncio.CancelledError, Exception):  # nobody waits for it any more, and it may be taken all the same
            taking.add_done_callback(partial(self._vacate_unasked, asked_for))
            raise
        self._asked_for.discard(asked_for)
        self._beaten = self._beaten or time.monotonic()
        if seat is not None:
            self._held.add(seat)
        return principal, seat

    def vacate(self, seat: Seat) -> None:
        """The socket that had `seat` has gone."""
        self._held.discard(seat)
        self._vacated.add(seat)
        self.settle()

    def settle(self) -> None:
        """Store which seats were given back and, every few seconds, that this process lives. It runs in the background.

        Call it every second: what failed is tried again.
        """
        if (self._vacated or self._beat_is_due) and (self._settling is None or self._settling.done()):
            self._settling = asyncio.create_task(self._settle())

    async def leave(self) -> None:
        """Give back everything at once: no socket of this process is left."""
        if self._settling is not None:
            await asyncio.wait([self._settling])
        if self._beaten is not None:
            await self._ask(partial(_give_up, [self._process]))

    @property
    def _beat_is_due(self) -> bool:
        return self._beaten is None or time.monotonic() - self._beaten > BEAT_SECONDS

    async def _settle(self) -> None:
        try:
            while self._vacated or self._beat_is_due:
                gone = frozenset(self._vacated)
                await self._ask(partial(self._store_vacated, gone))
                self._vacated -= gone
                if self._beat_is_due:
                    stored = await self._ask(partial(self._reconcile, frozenset(self._held)))
                    self._vacated |= stored - self._held - self._asked_for
                    self._beaten = time.monotonic()
        except Exception as error:
            logger.warning("live seats cannot be written down, trying on: %s", error)

    def _vacate_unasked(self, asked_for: Seat, taking: asyncio.Future[Taken]) -> None:
        """Whatever became of the taking: where the database was not heard any more, it may have given the seat."""
        if not taking.cancelled():
            taking.exception()  # looked at, so that it is not logged as lost
        self._asked_for.discard(asked_for)
        self.vacate(asked_for)

    # In a thread.

    def _find_and_take(self, ticket: uuid.UUID, who: Callable[[], Principal | None], gone: frozenset[Seat]) -> Taken:
        self._store_vacated(gone)
        principal = who()
        if principal is None:
            return None, None
        for _ in range(LiveSeat.MOST):
            try:
                number = self._take_a_number(ticket, principal.user_id)
            except IntegrityError:  # somebody took it at this moment, or this process is not stored
                self._heartbeat()
                continue
            if number is not None:
                return principal, Seat(ticket, principal.user_id, number)
            if LiveSeat.objects.filter(pk=ticket).exists():
                return None, None
            if not _free_those_of_the_dead(principal.user_id):
                break
        return principal, None

    def _take_a_number(self, ticket: uuid.UUID, user_id: int) -> int | None:
        ids = [LiveSeat._meta.pk.get_db_prep_value(id_, connection) for id_ in (ticket, self._process)]
        with connection.cursor() as cursor:
            cursor.execute(_TAKE, [*ids, user_id, user_id])
            found = cursor.fetchone()
        return None if found is None else int(found[0])

    def _store_vacated(self, gone: frozenset[Seat]) -> None:
        if gone:
            _leave(Q(pk__in=[seat.id for seat in gone], process=self._process))

    def _heartbeat(self) -> None:
        """Store that this process lives. One that was given up is stored again."""
        if not LiveProcess.objects.filter(pk=self._process).update(seen_at=Now()):
            LiveProcess.objects.bulk_create([LiveProcess(id=self._process, seen_at=Now())], ignore_conflicts=True)

    def _reconcile(self, held: frozenset[Seat]) -> set[Seat]:
        """Store that this process lives, and take again what is missing of `held`. Returns what was stored before.

        A seat whose number somebody else has by now stays left: its ticket opens nothing.
        """
        self._heartbeat()
        ids = LiveSeat.objects.filter(process=self._process).values_list("pk", flat=True)
        stored = {Seat(id_) for id_ in ids}
        if missing := held - stored:
            rows = [self._row(seat) for seat in missing]
            left = [LiveSeat(id=seat.id, number=seat.number, left_at=Now()) for seat in missing]
            with transaction.atomic():
                LiveSeat.objects.filter(pk__in=[seat.id for seat in missing]).delete()
                LiveSeat.objects.bulk_create(rows, ignore_conflicts=True)
                LiveSeat.objects.bulk_create(left, ignore_conflicts=True)
        return stored

    def _row(self, seat: Seat) -> LiveSeat:
        return LiveSeat(id=seat.id, process_id=self._process, user_id=seat.user_id, number=seat.number)


def present(users: Collection[int]) -> set[int]:
    """Those of `users` who have a socket open, in any process that lives. 1 query."""
    held = LiveSeat.objects.filter(_seen_within("process__", LASTS), user_id__in=users)
    return {user for user in held.values_list("user_id", flat=True) if user is not None}


def forget_dead() -> None:
    """Forget processes that died long ago, with their seats, and seats that were left as long ago."""
    LiveProcess.objects.exclude(_seen_within("", FORGOTTEN)).delete()
    LiveSeat.objects.filter(left_at__lt=Now() - FORGOTTEN).delete()


def _free_those_of_the_dead(user_id: int) -> bool:
    """Whether processes that died still held seats of the user; they hold none any more."""
    dead = LiveProcess.objects.filter(liveseat__user_id=user_id).exclude(_seen_within("", LASTS))
    found = {*dead.values_list("pk", flat=True)}
    if found:
        _give_up(found)
    return bool(found)


def _give_up(processes: Collection[uuid.UUID]) -> None:
    """Let these processes hold nothing. One that lives all the same finds that it is gone, and comes again."""
    with transaction.atomic():
        _leave(Q(process__in=processes))
        LiveProcess.objects.filter(pk__in=processes).delete()


def _leave(which: Q) -> None:
    """Let these seats be nobody's. Their rows stay, so that nobody gets in with the same tickets."""
    LiveSeat.objects.filter(which).update(user_id=None, process=None, left_at=Now())


def _seen_within(prefix: str, within: timedelta) -> Q:
    """Neither long ago, nor in a future that a clock has since stepped back from."""
    return Q(**{f"{prefix}seen_at__gt": Now() - within, f"{prefix}seen_at__lt": Now() + within})
