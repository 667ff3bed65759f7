"""HTTP under daphne: deadlines for slow clients, and bodies that stay short in memory.

A process may stand alone, without a proxy in front. Decision 16 names each reach into daphne and the plain way.
"""

import resource
from typing import Any, ClassVar

import daphne.server
from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from twisted.internet import tcp
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
OPEN_FILES = 65_536
LISTEN_BACKLOG = 4_096
"""Connections that the kernel holds until the process takes them. Twisted has 50: of a thousand screens that come back
at once, most would have to try again, after one, three and seven seconds."""


class BoundedRequest(WebRequest):
    """A request that keeps one byte more of its body than any may have: enough to see that it is too long.

    daphne hands a body on in one piece. What is not kept here costs disk and then memory, even if the application
    refuses it. Twisted would also parse forms, a second time, and answer a broken one without a body.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)

    def handleContentChunk(self, data: bytes) -> None:
        room = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1 - self.content.tell()
        if room > 0:
            self.content.write(data[:room])


class BoundedChannel(HTTPChannel):
    """An HTTP connection with deadlines. Twisted's own timeout starts again with each byte that comes."""

    transport: Any
    abortTimeout = 5
    incoming: ClassVar[set["BoundedChannel"]] = set()
    """Connections whose first request has not come in whole."""

    _deadline: Any = None

    def connectionMade(self) -> None:
        super().connectionMade()
        self.incoming.add(self)
        self._expect(HEAD_SECONDS)

    def allHeadersReceived(self) -> None:
        super().allHeadersReceived()
        most = self.length if self.length is not None else settings.DATA_UPLOAD_MAX_MEMORY_SIZE  # chunked
        self._expect(BODY_SECONDS + most / BODY_BYTES_PER_SECOND)

    def allContentReceived(self) -> None:
        self._expect(None)
        self.incoming.discard(self)
        super().allContentReceived()

    def requestDone(self, request: Any) -> None:
        self._expect(IDLE_SECONDS)
        super().requestDone(request)

    def lineLengthExceeded(self, line: bytes) -> None:
        """Refuse an address or a header that is too long. Twisted only closes the connection."""
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

    def connectionLost(self, reason: Failure) -> None:  # type: ignore[override]
        self._expect(None)
        self.incoming.discard(self)
        super().connectionLost(reason)

    def _expect(self, seconds: float | None) -> None:
        """End the connection after `seconds` unless what it must send has come. None: no deadline."""
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.callLater(seconds, self.timeoutConnection)


class BoundedFactory(HTTPFactory):
    protocol = BoundedChannel

    def buildProtocol(self, addr: Any) -> Any:
        channel = super().buildProtocol(addr)
        channel.requestFactory = BoundedRequest
        return channel


def bound_connections() -> None:
    """Have daphne make such connections. Let the process open, and the kernel hold for it, as many as it can."""
    from twisted.internet import reactor  # only now: daphne, imported above, has chosen which

    daphne.server.HTTPFactory = BoundedFactory
    reactor.callWhenRunning(_lift_limits)


def _lift_limits() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    for port in listening_ports():
        port.socket.listen(LISTEN_BACKLOG)


def listening_ports() -> list[tcp.Port]:
    """The ports at which this process takes connections."""
    from twisted.internet import reactor

    running: Any = reactor
    return [one for one in running.getReaders() if isinstance(one, tcp.Port)]
