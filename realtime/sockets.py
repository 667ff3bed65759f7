"""A live socket as the hub sees it: a position in the window, and methods that write without waiting."""

import asyncio
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, Protocol

from realtime.application import Principal
from realtime.audience import Reader
from realtime.window import Chunk

FOLLOWS_SECONDS = 1.0
"""The hub does not wait for a socket that has taken nothing for this long."""
SLOW_CLOSE_SECONDS = 10.0
"""How long a slow client may take to read why it is closed."""

logger = logging.getLogger(__name__)

Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Reason(NamedTuple):
    """Why a socket is closed."""

    code: int
    text: str


SESSION_OVER = Reason(4401, "session over")
TOO_SLOW = Reason(4408, "too slow")
TOO_MANY_SOCKETS = Reason(4429, "too many sockets")
TOO_TALKATIVE = Reason(1008, "too many messages")
TOO_BIG = Reason(1009, "message too big")
RESTART = Reason(1012, "restart")
TRY_AGAIN_LATER = Reason(1013, "try again later")


class LiveSocket(ABC):
    """The part of a live socket that does not depend on the server."""

    __slots__ = ("_taken", "blocked_since", "drained", "held", "position", "principal", "reader", "stale")

    def __init__(self, principal: Principal, drained: "Drained") -> None:
        self.principal = principal
        self.reader = Reader.of(principal)
        """What the socket may receive. Sockets are grouped by it."""
        self.position = 0
        self.held = False
        """True while its rights are being read again: it then receives no events."""
        self.stale = False
        """True if its rights changed after they were last read."""
        self.blocked_since: float | None = None
        """When it was blocked or last took a part of its data (monotonic seconds). None while it takes everything."""
        self._taken: object = None
        self.drained = drained

    @property
    def ready(self) -> bool:
        return self.blocked_since is None and not self.held

    @property
    def follows(self) -> bool:
        """Whether the socket is not ready, but took data within FOLLOWS_SECONDS or only waits for its rights."""
        return not self.ready and (
            self.blocked_since is None or time.monotonic() - self.blocked_since < FOLLOWS_SECONDS
        )

    @property
    @abstractmethod
    def taken(self) -> object:
        """A value that changes whenever the client takes some of the bytes it was sent."""

    def notice(self) -> None:
        """Restart the clock of a blocked socket if it has taken data since the last call. Call it regularly."""
        if self.blocked_since is not None and self.taken != self._taken:
            self._taken = self.taken
            self.blocked_since = time.monotonic()

    @abstractmethod
    def say(self, message: dict[str, Any]) -> None:
        """Send a frame that is not an event: hello, reset or presence."""

    @abstractmethod
    def push(self, chunk: Chunk) -> None:
        """Send events. May block the socket, which then calls `drained` once it can take more."""

    @abstractmethod
    def close(self, reason: Reason) -> None: ...

    def stop(self) -> None:  # noqa: B027 - not every socket has something to release
        """Release what the socket holds, such as a task."""

    def _block(self) -> None:
        if self.blocked_since is None:
            self.blocked_since = time.monotonic()
            self._taken = self.taken

    def _unblock(self) -> None:
        self.blocked_since = None
        self.drained(self)


Drained = Callable[[LiveSocket], None]
"""Called when a blocked socket can take more data again."""


class AsgiSocket(LiveSocket):
    """Writes through ASGI's `send`: a task sends one frame at a time and waits until the server has taken it."""

    __slots__ = ("_owner", "_queue", "_send", "_sent", "_writer")

    def __init__(self, principal: Principal, drained: Drained, send: Send) -> None:
        super().__init__(principal, drained)
        self._send = send
        self._sent = 0
        self._owner = asyncio.current_task()
        self._queue: asyncio.Queue[dict[str, Any] | Chunk] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    @property
    def taken(self) -> object:
        return self._sent

    def say(self, message: dict[str, Any]) -> None:
        self._queue.put_nowait({"type": "websocket.send", "text": json.dumps(message)})

    def push(self, chunk: Chunk) -> None:
        self._block()
        self._queue.put_nowait(chunk)

    def close(self, reason: Reason) -> None:
        self._queue.put_nowait({"type": "websocket.close", "code": reason.code, "reason": reason.text})
        if self.blocked_since is not None and self._owner is not None:
            asyncio.get_running_loop().call_later(SLOW_CLOSE_SECONDS, self._owner.cancel)

    def stop(self) -> None:
        self._writer.cancel()

    async def _write(self) -> None:
        try:
            while True:
                item = await self._queue.get()
                if isinstance(item, Chunk):
                    for text in item.texts:
                        await self._send({"type": "websocket.send", "text": text})
                        self._sent += 1
                    self._unblock()
                else:
                    await self._send(item)
                    if item["type"] == "websocket.close":
                        return
        except Exception as error:  # each server raises its own type; the disconnect that follows ends the socket
            logger.debug("a live socket went away while it was written to: %s", error)


class LiveServer(Protocol):
    """How live sockets are opened and closed on an ASGI server."""

    def socket(self, principal: Principal, drained: Drained, send: Send) -> LiveSocket | None:
        """The live socket of an accepted connection. None if the client has left already."""

    async def close(self, send: Send, reason: Reason) -> None:
        """Close an accepted connection that the hub does not know."""


class AsgiServer:
    """Any ASGI server: every frame goes through `send`."""

    def socket(self, principal: Principal, drained: Drained, send: Send) -> LiveSocket | None:
        return AsgiSocket(principal, drained, send)

    async def close(self, send: Send, reason: Reason) -> None:
        await send({"type": "websocket.close", "code": reason.code, "reason": reason.text})
