"""A socket as the hub sees it: a position in the window, and a way to write that never waits.

Under daphne the shared frames go straight to the transport (one `send` a socket and burst); whatever the
kernel does not take is left with the transport, and the socket is passed over until that has drained.
"""

import asyncio
import contextlib
import json
import logging
import socket as sockets
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from daphne.server import Server
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import tcp
from twisted.internet.interfaces import IPullProducer, IPushProducer
from zope.interface import implementer  # type: ignore[import-untyped]

from realtime.application import Principal
from realtime.closing import Reason
from realtime.readers import Reader
from realtime.window import Chunk, text_frame

FOLLOWS_SECONDS = 1.0
"""A socket that has taken nothing for so long is not waited for."""
SLOW_CLOSE_SECONDS = 10.0
"""How long a slow reader may take to read why it is closed."""
KERNEL_BYTES = 65_536
"""The kernel's share of a socket's buffer: without it a reader that reads nothing takes megabytes."""
INCOMING_BYTES = 65_536
"""The most a client may send in one message before the connection is dropped unread."""

logger = logging.getLogger(__name__)

Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class LiveSocket(ABC):
    """The part that does not depend on the server."""

    __slots__ = ("_taken", "blocked_since", "drained", "held", "position", "principal", "reader", "stale")

    def __init__(self, principal: Principal, drained: Callable[["LiveSocket"], None]) -> None:
        self.principal = principal
        self.reader = Reader.of(principal)
        """What it may receive, by which sockets are grouped."""
        self.position = 0
        self.held = False
        """Receives nothing while its rights are being read again."""
        self.stale = False
        """Its rights changed since they were last asked for."""
        self.blocked_since: float | None = None
        """Since when it has taken nothing of what it was handed (monotonic seconds); None while it takes all."""
        self._taken: object = None
        self.drained = drained

    @property
    def ready(self) -> bool:
        return self.blocked_since is None and not self.held

    @property
    def follows(self) -> bool:
        """Whether it is busy with what it was handed, and has taken something lately."""
        return not self.ready and (
            self.blocked_since is None or time.monotonic() - self.blocked_since < FOLLOWS_SECONDS
        )

    @property
    @abstractmethod
    def taken(self) -> object:
        """Something that changes whenever the reader takes a part of what it was handed."""

    def notice(self) -> None:
        """Call every now and then: a slow reader that takes a little is not one that takes nothing."""
        if self.blocked_since is not None and self.taken != self._taken:
            self._taken = self.taken
            self.blocked_since = time.monotonic()

    @abstractmethod
    def say(self, message: dict[str, Any]) -> None:
        """Send a frame that is no event: hello, reset or presence."""

    @abstractmethod
    def push(self, chunk: Chunk) -> None:
        """Send events. May leave the socket blocked; `drained` is called once it takes more."""

    @abstractmethod
    def close(self, reason: Reason) -> None: ...

    def stop(self) -> None:  # noqa: B027 - not every socket has something that serves it
        """Let go of whatever still serves it."""

    def _block(self) -> None:
        if self.blocked_since is None:
            self.blocked_since = time.monotonic()
            self._taken = self.taken

    def _unblock(self) -> None:
        self.blocked_since = None
        self.drained(self)


@implementer(IPullProducer, IPushProducer)
class DaphneSocket(LiveSocket):
    """Writes to daphne's transport. As its producer it learns when everything handed over has left."""

    __slots__ = ("_direct", "_protocol", "_transport")

    def __init__(
        self,
        principal: Principal,
        drained: Callable[[LiveSocket], None],
        protocol: WebSocketProtocol,
    ) -> None:
        super().__init__(principal, drained)
        transport = protocol.transport
        self._protocol, self._transport = protocol, transport
        protocol.maxFramePayloadSize = protocol.maxMessagePayloadSize = INCOMING_BYTES
        # Under TLS, or on anything that is no plain TCP connection, only the transport may touch the socket.
        self._direct = isinstance(transport, tcp.Connection) and not getattr(transport, "TLS", False)
        if self._direct:
            with contextlib.suppress(OSError):  # closed already: the next write finds out
                transport.getHandle().setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, KERNEL_BYTES)
        transport.unregisterProducer()  # the HTTP channel that the connection began with
        transport.registerProducer(self, not self._direct)
        if self._direct:
            self._block()  # the handshake's answer is on its way: nothing may overtake it

    @property
    def taken(self) -> object:
        if not self._direct:
            return None
        return len(self._transport.dataBuffer), self._transport.offset

    @property
    def _open(self) -> bool:
        return bool(self._protocol.state == WebSocketProtocol.STATE_OPEN)

    def say(self, message: dict[str, Any]) -> None:
        if self._open:
            self._leave_to_transport(text_frame(json.dumps(message).encode()))

    def push(self, chunk: Chunk) -> None:
        if not self._open:
            return
        data, transport = chunk.data, self._transport
        if not self._direct or transport.dataBuffer:
            self._leave_to_transport(data)
            return
        taken = transport.writeSomeData(data)
        if taken != len(data):
            # A lost connection is answered with an exception: the transport will find out by itself.
            self._leave_first(data[taken if isinstance(taken, int) else 0 :])

    def _leave_first(self, data: bytes) -> None:
        """Leave the rest of a write to the transport, ahead of what it was given and has not begun with: a pong in the
        middle of a frame would end the connection."""
        self._block()
        self._transport.dataBuffer, self._transport.offset = data, 0
        self._transport.startWriting()

    def _leave_to_transport(self, data: bytes) -> None:
        if self._direct:
            self._block()
        self._transport.write(data)

    def close(self, reason: Reason) -> None:
        if self.blocked_since is not None:
            self._protocol.closeHandshakeTimeout = SLOW_CLOSE_SECONDS
        self._protocol.sendCloseFrame(code=reason.code, reasonUtf8=reason.text.encode())

    @property
    def gone(self) -> bool:
        """Whether the connection has ended."""
        return bool(self._protocol.state == WebSocketProtocol.STATE_CLOSED)

    # Twisted's producer interface, called by the transport.

    def resumeProducing(self) -> None:
        if self.blocked_since is not None:
            self._unblock()

    def pauseProducing(self) -> None:
        self._block()

    def stopProducing(self) -> None:
        self._block()


class AsgiSocket(LiveSocket):
    """Any other ASGI server: a task sends one chunk at a time and waits as the server bids it."""

    __slots__ = ("_owner", "_queue", "_send", "_sent", "_writer")

    def __init__(self, principal: Principal, drained: Callable[[LiveSocket], None], send: Send) -> None:
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
        except Exception as error:  # each server has its own; the disconnect that follows ends the socket
            logger.debug("a live socket went away while it was written to: %s", error)


def daphne_protocol(send: Any) -> WebSocketProtocol | None:
    """The connection behind an ASGI `send`: daphne's is `partial(Server.handle_reply, protocol)`."""
    server = getattr(getattr(send, "func", None), "__self__", None)
    arguments = getattr(send, "args", ())
    if isinstance(server, Server) and arguments and isinstance(arguments[0], WebSocketProtocol):
        return arguments[0]
    return None
