"""Live sockets under daphne: frames go straight to the transport instead of ASGI's `send` (decision 12).

A burst costs one system call for each socket. The transport keeps the bytes that the kernel does not take, and the hub
skips the socket until the transport has sent them. Other servers, and daphne without this module, use
`sockets.AsgiServer`.
"""

import asyncio
import contextlib
import json
import socket as kernel
from typing import Any

from daphne.server import Server
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import defer, tcp
from twisted.internet.interfaces import IPullProducer, IPushProducer
from zope.interface import implementer  # type: ignore[import-untyped]

from realtime import sockets
from realtime.application import Principal
from realtime.hub import Hub
from realtime.sockets import SLOW_CLOSE_SECONDS, AsgiServer, Drained, LiveSocket, Reason, Send
from realtime.window import Chunk, text_frame

KERNEL_BYTES = 65_536
"""The kernel's send buffer for a socket. By default the kernel holds megabytes for a client that reads nothing."""
INCOMING_BYTES = 65_536
"""The most bytes in one message or frame of a client. The connection is dropped if a client sends more."""
GOODBYE_SECONDS = 2.0


class DaphneServer(AsgiServer):
    """Opens and closes live sockets on daphne's connections. Under another server it works as `AsgiServer`."""

    def socket(self, principal: Principal, drained: Drained, send: Send) -> LiveSocket | None:
        protocol = protocol_of(send)
        if protocol is None:
            return super().socket(principal, drained, send)
        return DaphneSocket(principal, drained, protocol) if protocol.state == WebSocketProtocol.STATE_OPEN else None

    async def close(self, send: Send, reason: Reason) -> None:
        """Close through the protocol: daphne's `send` passes on no reason, and no code below 3000."""
        protocol = protocol_of(send)
        if protocol is None:
            await super().close(send, reason)
        else:
            protocol.sendCloseFrame(code=reason.code, reasonUtf8=reason.text.encode())


def protocol_of(send: Any) -> WebSocketProtocol | None:
    """Return the connection behind an ASGI `send`; None for a `send` of another server.

    daphne's `send` is `partial(Server.handle_reply, protocol)`.
    """
    server = getattr(getattr(send, "func", None), "__self__", None)
    arguments = getattr(send, "args", ())
    if isinstance(server, Server) and arguments and isinstance(arguments[0], WebSocketProtocol):
        return arguments[0]
    return None


def close_live_sockets() -> "defer.Deferred[None]":
    """Close the live sockets of this process with code 1012.

    The returned `Deferred` fires when the sockets are closed, after 2 seconds at most.
    """
    ended = [socket for hub in Hub.of_this_process() for socket in hub.end_all(sockets.RESTART)]
    return defer.Deferred.fromFuture(asyncio.ensure_future(_until_gone(ended)))


async def _until_gone(ended: list[LiveSocket]) -> None:
    deadline = asyncio.get_running_loop().time() + GOODBYE_SECONDS
    ours = [socket for socket in ended if isinstance(socket, DaphneSocket)]
    while not all(socket.gone for socket in ours) and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(0.02)


@implementer(IPullProducer, IPushProducer)
class DaphneSocket(LiveSocket):
    """A live socket that writes to daphne's transport.

    The transport calls the socket, as its producer, when everything has been sent.
    """

    __slots__ = ("_direct", "_protocol", "_transport")

    def __init__(
        self,
        principal: Principal,
        drained: Drained,
        protocol: WebSocketProtocol,
    ) -> None:
        super().__init__(principal, drained)
        transport = protocol.transport
        self._protocol, self._transport = protocol, transport
        protocol.maxFramePayloadSize = protocol.maxMessagePayloadSize = INCOMING_BYTES
        # Under TLS, or on anything but a plain TCP connection, only the transport may write to the socket.
        self._direct = isinstance(transport, tcp.Connection) and not getattr(transport, "TLS", False)
        if self._direct:
            with contextlib.suppress(OSError):  # closed already: the next write finds out
                transport.getHandle().setsockopt(kernel.SOL_SOCKET, kernel.SO_SNDBUF, KERNEL_BYTES)
        transport.unregisterProducer()  # the HTTP channel of the handshake
        transport.registerProducer(self, not self._direct)
        if self._direct:
            self._block()  # until the handshake's answer is sent: no frame may overtake it

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
            # For a lost connection `taken` is an exception: the transport notices the loss at its next write.
            self._leave_first(data[taken if isinstance(taken, int) else 0 :])

    def _leave_first(self, data: bytes) -> None:
        """Leave the rest of a frame to the transport, before data that the transport has not started to send.

        Such data may be a pong, for example. A pong in the middle of a frame would end the connection.
        """
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
        """Return whether the connection has ended."""
        return bool(self._protocol.state == WebSocketProtocol.STATE_CLOSED)

    # Twisted's producer interface, called by the transport.

    def resumeProducing(self) -> None:
        if self.blocked_since is not None:
            self._unblock()

    def pauseProducing(self) -> None:
        self._block()

    def stopProducing(self) -> None:
        self._block()
