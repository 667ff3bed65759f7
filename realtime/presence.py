"""Who looks at the same thing, told to those who look at it: nothing of it is stored (contract, section 8).

A client says what it views; where its person may, he is one of the people whom all who view that hear of. Each process
knows its own sockets. What it tells the others is how it stands and never what changed, and it says it again every few
seconds: a lost message is mended by the next one, and a process that died is forgotten.
"""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pydantic import ValidationError

from realtime import registry, wakeup
from realtime.registry import Viewed
from realtime.sockets import LiveSocket

BEAT_SECONDS = 5.0
FORGOTTEN_SECONDS = 16.0
"""A process that said nothing of its people for so long has none: three times its word was lost."""
CHECK_SECONDS = 10.0

logger = logging.getLogger(__name__)

People = tuple[tuple[int, str], ...]
"""Ids and full names, each person once, by name."""


@dataclass(frozen=True)
class _Elsewhere:
    """What another process said last of its people, and when (monotonic seconds)."""

    people: People
    heard_at: float


class Presence:
    """The people behind the sockets of one process. It lives on the event loop; `ask` waits for the database."""

    def __init__(self, ask: Callable[[Callable[[], Any]], Awaitable[Any]]) -> None:
        self._ask = ask
        self._origin = uuid.uuid4().hex
        self._said: dict[LiveSocket, Viewed | None] = {}
        self._viewed: dict[LiveSocket, Viewed] = {}
        self._here: dict[Viewed, set[LiveSocket]] = {}
        self._elsewhere: dict[Viewed, dict[str, _Elsewhere]] = {}
        self._told: dict[Viewed, People] = {}
        self._untold: set[LiveSocket] = set()
        self._wanted: dict[LiveSocket, Viewed | None] = {}
        self._settling: dict[LiveSocket, asyncio.Task[None]] = {}
        self._to_publish: dict[Viewed, bool] = {}
        self._publishing: asyncio.Task[None] | None = None
        self._beaten = monotonic()

    # What sockets say.

    def hear(self, socket: LiveSocket, text: str) -> None:
        """A client's message: what it views now, or nothing more. What is no such message is thrown away."""
        try:
            viewed = registry.viewing_of(text)
        except ValidationError:
            return
        self._said[socket] = viewed
        self._want(socket, viewed)

    def check_again(self, socket: LiveSocket) -> None:
        """The rights behind `socket` are others now: what it said last may be refused, or allowed."""
        if socket in self._said:
            self._want(socket, self._said[socket])

    def catch_up(self, socket: LiveSocket) -> None:
        """`socket` takes more again: tell it how it stands now."""
        if socket in self._untold and socket.ready:
            self._untold.discard(socket)
            self._tell_one(socket)

    def leave(self, socket: LiveSocket) -> None:
        """Forget `socket`; harmless for one that views nothing."""
        self._said.pop(socket, None)
        self._wanted.pop(socket, None)
        if (task := self._settling.pop(socket, None)) is not None:
            task.cancel()
        self._place(socket, None)

    def _want(self, socket: LiveSocket, viewed: Viewed | None) -> None:
        self._wanted[socket] = viewed
        if socket not in self._settling:
            self._settling[socket] = asyncio.create_task(self._settle(socket))

    async def _settle(self, socket: LiveSocket) -> None:
        """Ask whether he may view what he wants, and put him there; the last word counts."""
        try:
            while socket in self._wanted:
                viewed = self._wanted.pop(socket)
                allowed = viewed is not None and await self._may_view(socket, viewed)
                if socket not in self._wanted:
                    self._place(socket, viewed if allowed else None)
        finally:
            if self._settling.get(socket) is asyncio.current_task():
                del self._settling[socket]

    async def _may_view(self, socket: LiveSocket, viewed: Viewed) -> bool:
        by = socket.principal
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                return bool(await self._ask(lambda: viewed.may_be_viewed_by(by)))
        except Exception as error:
            logger.warning("it cannot be asked who may view what, so nobody new does: %s", error)
            return False

    # Who is where.

    def _place(self, socket: LiveSocket, viewed: Viewed | None) -> None:
        before = self._viewed.pop(socket, None)
        if before is not None and before != viewed:
            self._untold.discard(socket)
            self._here[before].discard(socket)
            if not self._here[before]:
                self._forget(before)
            self._tell(before)
            self._publish(before)
        if viewed is None:
            return
        self._viewed[socket] = viewed
        if before == viewed:
            return
        first = viewed not in self._here
        self._here.setdefault(viewed, set()).add(socket)
        if not self._tell(viewed):
            self._tell_one(socket)
        self._publish(viewed, ask=first)

    def _forget(self, viewed: Viewed) -> None:
        del self._here[viewed]
        self._elsewhere.pop(viewed, None)
        self._told.pop(viewed, None)

    def _people_here(self, viewed: Viewed) -> People:
        people = (socket.principal for socket in self._here.get(viewed, ()))
        return _each_once((one.user_id, one.full_name) for one in people)

    def _people(self, viewed: Viewed) -> People:
        elsewhere = (one for said in self._elsewhere.get(viewed, {}).values() for one in said.people)
        return _each_once([*self._people_here(viewed), *elsewhere])

    def _tell(self, viewed: Viewed) -> bool:
        """Tell all who view it here, where the people are others now. Says whether they are."""
        people = self._people(viewed)
        if viewed not in self._here or self._told.get(viewed) == people:
            return False
        self._told[viewed] = people
        for socket in self._here[viewed]:
            self._tell_one(socket)
        return True

    def _tell_one(self, socket: LiveSocket) -> None:
        if socket.ready:
            viewed = self._viewed[socket]
            socket.say(registry.presence_frame(viewed, self._told[viewed]))
        else:
            self._untold.add(socket)  # the newest alone, once it takes more

    # Between processes.

    def _publish(self, viewed: Viewed, *, ask: bool = False) -> None:
        """Tell the other processes of the people here; `ask` them for theirs."""
        if not wakeup.between_processes():
            return
        self._to_publish[viewed] = ask or self._to_publish.get(viewed, False)
        if self._publishing is None or self._publishing.done():
            self._publishing = asyncio.create_task(self._publish_all())

    async def _publish_all(self) -> None:
        while self._to_publish:
            viewed, ask = self._to_publish.popitem()
            people = [list(one) for one in self._people_here(viewed)]
            message = {
                "origin": self._origin,
                "viewed": viewed.model_dump(by_alias=False),
                "people": people,
                "ask": ask,
            }
            await wakeup.tell_presence(message)

    def heard(self, message: dict[str, Any]) -> None:
        """What another process tells of its people; nothing of it is kept that nobody here views."""
        viewed = registry.viewed_of(message["viewed"])
        if message["origin"] == self._origin or viewed not in self._here:
            return
        people = _each_once((user_id, full_name) for user_id, full_name in message["people"])
        self._elsewhere.setdefault(viewed, {})[message["origin"]] = _Elsewhere(people, monotonic())
        self._tell(viewed)
        if message["ask"]:
            self._publish(viewed)

    def tend(self) -> None:
        """Say again who is here, and forget processes that no longer do. Call it every second."""
        now = monotonic()
        for viewed, processes in self._elsewhere.items():
            dead = [origin for origin, said in processes.items() if now - said.heard_at > FORGOTTEN_SECONDS]
            for origin in dead:
                del processes[origin]
            if dead:
                self._tell(viewed)
        if now - self._beaten > BEAT_SECONDS:
            self._beaten = now
            for viewed in self._here:
                self._publish(viewed)

    async def stop(self) -> None:
        """End what is under way."""
        tasks = [*self._settling.values(), *([self._publishing] if self._publishing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _each_once(people: Iterable[tuple[int, str]]) -> People:
    return tuple(sorted(dict(people).items(), key=lambda one: (one[1], one[0])))
