"""Presence: shows all viewers of a line who else views it. Presence is stored nowhere (infra/docs/rules.md#presence).

A client says which line it views. If its user may read the line, all viewers receive the user's name. Each process
knows its own sockets, and publishes its whole list of viewers every few seconds. So a later message replaces a lost
one, and the viewers of a dead process are forgotten.
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
"""A process that published nothing for this long counts as dead: three of its messages are missing."""
CHECK_SECONDS = 10.0

logger = logging.getLogger(__name__)

People = tuple[tuple[int, str], ...]
"""Ids and full names: each person once, sorted by name."""


@dataclass(frozen=True)
class _Elsewhere:
    """The viewers in another process according to its last message, and when it came (monotonic seconds)."""

    people: People
    received_at: float


class Presence:
    """Who views which subject in this process. Runs on the event loop. `ask` runs a function that uses the database."""

    def __init__(self, ask: Callable[[Callable[[], Any]], Awaitable[Any]]) -> None:
        self._ask = ask
        self._origin = uuid.uuid4().hex
        self._said: dict[LiveSocket, Viewed | None] = {}
        self._viewed: dict[LiveSocket, Viewed] = {}
        self._here: dict[Viewed, set[LiveSocket]] = {}
        self._elsewhere: dict[Viewed, dict[str, _Elsewhere]] = {}
        self._sent: dict[Viewed, People] = {}
        self._to_send: set[LiveSocket] = set()
        self._wanted: dict[LiveSocket, Viewed | None] = {}
        self._settling: dict[LiveSocket, asyncio.Task[None]] = {}
        self._to_publish: dict[Viewed, bool] = {}
        self._publishing: asyncio.Task[None] | None = None
        self._beaten = monotonic()

    # Messages from clients.

    def take_message(self, socket: LiveSocket, text: str) -> None:
        """Take a client's message: what the client views now, or that it views nothing. Ignores other messages."""
        try:
            viewed = registry.viewing_of(text)
        except ValidationError:
            return
        self._said[socket] = viewed
        self._want(socket, viewed)

    def check_again(self, socket: LiveSocket) -> None:
        """Check again whether `socket` may view the subject it named last. Call this if the user's rights changed."""
        if socket in self._said:
            self._want(socket, self._said[socket])

    def catch_up(self, socket: LiveSocket) -> None:
        """Send `socket` the current viewers, if it missed a list and is ready again."""
        if socket in self._to_send and socket.ready:
            self._to_send.discard(socket)
            self._send_to(socket)

    def leave(self, socket: LiveSocket) -> None:
        """Forget `socket`. No-op if it views nothing."""
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
        """Make the socket a viewer of the subject that it last named, or of none if its user may not view it."""
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
            logger.warning("who may view a line cannot be read, so nobody is added: %s", error)
            return False

    # Viewers in this process.

    def _place(self, socket: LiveSocket, viewed: Viewed | None) -> None:
        before = self._viewed.pop(socket, None)
        if before is not None and before != viewed:
            self._to_send.discard(socket)
            self._here[before].discard(socket)
            if not self._here[before]:
                self._forget(before)
            self._send(before)
            self._publish(before)
        if viewed is None:
            return
        self._viewed[socket] = viewed
        if before == viewed:
            return
        first = viewed not in self._here
        self._here.setdefault(viewed, set()).add(socket)
        if not self._send(viewed):
            self._send_to(socket)
        self._publish(viewed, ask=first)

    def _forget(self, viewed: Viewed) -> None:
        del self._here[viewed]
        self._elsewhere.pop(viewed, None)
        self._sent.pop(viewed, None)

    def _people_here(self, viewed: Viewed) -> People:
        people = (socket.principal for socket in self._here.get(viewed, ()))
        return _each_once((one.user_id, one.full_name) for one in people)

    def _people(self, viewed: Viewed) -> People:
        elsewhere = (one for said in self._elsewhere.get(viewed, {}).values() for one in said.people)
        return _each_once([*self._people_here(viewed), *elsewhere])

    def _send(self, viewed: Viewed) -> bool:
        """Send the list to all viewers in this process, unless they have it already. Returns whether it was sent."""
        people = self._people(viewed)
        if viewed not in self._here or self._sent.get(viewed) == people:
            return False
        self._sent[viewed] = people
        for socket in self._here[viewed]:
            self._send_to(socket)
        return True

    def _send_to(self, socket: LiveSocket) -> None:
        if socket.ready:
            viewed = self._viewed[socket]
            socket.say(registry.presence_frame(viewed, self._sent[viewed]))
        else:
            self._to_send.add(socket)  # gets only the newest list, once it is ready

    # Between processes.

    def _publish(self, viewed: Viewed, *, ask: bool = False) -> None:
        """Publish the viewers in this process to the other processes. `ask`: ask the others for their viewers."""
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
            await wakeup.publish_presence(message)

    def receive(self, message: dict[str, Any]) -> None:
        """Store the viewers in another process from its message. No-op if no socket here views the same subject."""
        viewed = registry.viewed_of(message["viewed"])
        if message["origin"] == self._origin or viewed not in self._here:
            return
        people = _each_once((user_id, full_name) for user_id, full_name in message["people"])
        self._elsewhere.setdefault(viewed, {})[message["origin"]] = _Elsewhere(people, monotonic())
        self._send(viewed)
        if message["ask"]:
            self._publish(viewed)

    def tend(self) -> None:
        """Publish the viewers again every BEAT_SECONDS, and forget dead processes. Call it every second."""
        now = monotonic()
        for viewed, processes in self._elsewhere.items():
            dead = [origin for origin, said in processes.items() if now - said.received_at > FORGOTTEN_SECONDS]
            for origin in dead:
                del processes[origin]
            if dead:
                self._send(viewed)
        if now - self._beaten > BEAT_SECONDS:
            self._beaten = now
            for viewed in self._here:
                self._publish(viewed)

    async def stop(self) -> None:
        """Cancel the running tasks."""
        tasks = [*self._settling.values(), *([self._publishing] if self._publishing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _each_once(people: Iterable[tuple[int, str]]) -> People:
    return tuple(sorted(dict(people).items(), key=lambda one: (one[1], one[0])))
