"""Takes as many connections as come at once, and ends those whose request does not come: a deadline for its head and
its body, and a limit for each address."""

import resource
from collections import OrderedDict, defaultdict
from typing import Any

import daphne.server
from daphne.http_protocol import HTTPFactory
from django.conf import settings
from twisted.internet.endpoints import serverFromString
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel

from project.core.errors import BadRequest
from project.core.middleware import refused, security_headers

HEAD_SECONDS = 10
"""For the request line and the headers, from the connection on."""
IDLE_SECONDS = 75
"""For the next request of the same connection, from the answer on."""
BODY_SECONDS, BODY_BYTES_PER_SECOND = 20, 16_384
"""For a body: this long, and what it takes at this rate."""
PENDING_OF_ADDRESS = 500
"""Connections of one address whose request has not come yet; behind a proxy of ours the proxy counts."""
OPEN_FILES = 65_536
LISTEN_BACKLOG = 4_096
"""Connections that the kernel holds until the process takes them. Of more, each tries again after a second, then after
three: a thousand screens that come back at once are no more than a second late. Twisted has 50."""


class PendingConnections:
    """Connections whose request has not come yet, by address, the oldest first."""

    def __init__(self, most: int = PENDING_OF_ADDRESS) -> None:
        self._most = most
        self._of: defaultdict[str, OrderedDict[BoundedChannel, None]] = defaultdict(OrderedDict)

    @property
    def count(self) -> int:
        return sum(map(len, self._of.values()))

    def add(self, channel: "BoundedChannel", address: str) -> None:
        """Count one more, and end the oldest where there are too many. A client that sends its request at once is never
        the oldest."""
        of = self._of[address]
        of[channel] = None
        if len(of) > self._most and not settings.TRUSTED_PROXIES:
            next(iter(of)).timeoutConnection()

    def remove(self, channel: "BoundedChannel", address: str) -> None:
        """Count one less; harmless for one that is not counted."""
        of = self._of[address]
        of.pop(channel, None)
        if not of:
            del self._of[address]


class BoundedChannel(HTTPChannel):
    """An HTTP connection with deadlines. Twisted's own timeout starts anew with each byte that comes."""

    transport: Any
    abortTimeout = 5
    pending = PendingConnections()

    _deadline: Any = None
    _address = ""

    def connectionMade(self) -> None:
        super().connectionMade()
        self._address = getattr(self.transport.getPeer(), "host", "")
        self.pending.add(self, self._address)
        self._expect(HEAD_SECONDS)

    def allHeadersReceived(self) -> None:
        super().allHeadersReceived()
        most = self.length if self.length is not None else settings.DATA_UPLOAD_MAX_MEMORY_SIZE  # chunked
        self._expect(BODY_SECONDS + most / BODY_BYTES_PER_SECOND)

    def allContentReceived(self) -> None:
        self._forget()
        super().allContentReceived()

    def requestDone(self, request: Any) -> None:
        self._expect(IDLE_SECONDS)
        super().requestDone(request)

    def lineLengthExceeded(self, line: bytes) -> None:
        """Refuse an address or a header that is too long: Twisted cuts who sends one, without a word."""
        body = refused(BadRequest()).content
        head = [
            "HTTP/1.1 400 Bad Request",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            "Cache-Control: no-store",
            *(f"{name}: {value}" for name, value in security_headers().items()),
            "Connection: close",
        ]
        self.transport.write("\r\n".join([*head, "", ""]).encode() + body)
        self.loseConnection()

    def timeoutConnection(self) -> None:
        self._forget()
        super().timeoutConnection()

    def connectionLost(self, reason: Failure) -> None:  # type: ignore[override]
        self._forget()
        super().connectionLost(reason)

    def _forget(self) -> None:
        self._expect(None)
        self.pending.remove(self, self._address)

    def _expect(self, seconds: float | None) -> None:
        """End the connection after `seconds` unless what it must send has come; None for no deadline."""
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.callLater(seconds, self.timeoutConnection)


class BoundedFactory(HTTPFactory):
    protocol = BoundedChannel


def _with_backlog(reactor: Any, description: str) -> Any:
    """The endpoint that daphne listens at, with room for those who come at once."""
    if description.startswith(("tcp:", "ssl:", "unix:")) and "backlog=" not in description:
        description += f":backlog={LISTEN_BACKLOG}"
    return serverFromString(reactor, description)


def bound_connections() -> None:
    """Have daphne make such connections, and allow the process as many as the machine lets it have."""
    daphne.server.HTTPFactory = BoundedFactory
    daphne.server.serverFromString = _with_backlog
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
