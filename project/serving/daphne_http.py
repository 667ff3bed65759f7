"""HTTP under daphne: deadlines for slow clients, and a limit for bodies in memory.

The limits are needed because a process may run without a proxy in front. Decision 12 names each place where the product
uses daphne's internals, and how to work without them.
"""

import resource
from typing import Any, ClassVar

import daphne.server
from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from django.http import HttpResponse
from twisted.internet import tcp
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel

from project.core.errors import BadRequest
from project.core.middleware import refused
from project.serving.body_limits import closing, most_bytes, refusal_of_long_body

HEAD_SECONDS = 10
"""Deadline for the request line and the headers, from the start of the connection."""
IDLE_SECONDS = 75
"""Deadline for the next request of a connection, from the end of an answer."""
BODY_SECONDS, BODY_BYTES_PER_SECOND = 20, 16_384
"""Deadline for a body: these seconds, plus the time that the bytes that have come take at this rate."""
REFUSED_SECONDS = 5
"""How long a connection stays open after its body was refused, so that the caller reads the answer."""
OPEN_FILES = 65_536
LISTEN_BACKLOG = 4_096
"""Connections that the kernel holds until the process accepts them. Twisted's default is 50: if a thousand screens
reconnected at once, most would have to try again after one, three and seven seconds."""


class BoundedRequest(WebRequest):
    """A request that keeps at most one byte more of its body than the limit: enough to see that the body is too long.

    daphne passes a body on in one piece, so a longer body would cost disk and then memory even if the application
    refuses it. Forms are not parsed here but by Django: Twisted would answer a broken form without a body.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)

    def handleContentChunk(self, data: bytes) -> None:
        room = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1 - self.content.tell()
        if room > 0:
            self.content.write(data[:room])


class BoundedChannel(HTTPChannel):
    """An HTTP connection with deadlines. Twisted's own timeout starts again with each byte received."""

    transport: Any
    _path: Any  # Twisted's own: the address of the request
    abortTimeout = 5
    incoming: ClassVar[set["BoundedChannel"]] = set()
    """Connections that have not received their first request completely."""

    _deadline: Any = None
    _refused = False

    def connectionMade(self) -> None:
        super().connectionMade()
        self.incoming.add(self)
        self._expect(HEAD_SECONDS)

    def allHeadersReceived(self) -> None:
        headers = self.requests[-1].requestHeaders
        sent = {name.lower(): values[-1] for name, values in headers.getAllRawHeaders()}
        path = self._path.partition(b"?")[0].decode("latin-1")
        if self.length is not None and self.length > most_bytes(sent, path):
            self._refuse_body(path, sent)
            return
        super().allHeadersReceived()
        self._expect(BODY_SECONDS)

    def dataReceived(self, data: bytes) -> None:
        if not self._refused:  # what follows a refused head is no request
            super().dataReceived(data)

    def rawDataReceived(self, data: bytes) -> None:
        if self._refused:
            return
        if self._deadline is not None and self._deadline.active():
            self._deadline.delay(len(data) / BODY_BYTES_PER_SECOND)
        super().rawDataReceived(data)

    def _refuse_body(self, path: str, headers: dict[bytes, bytes]) -> None:
        """Answer 413 to a request that announces a body which is too long, and close the connection."""
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "query_string": b"",
            "headers": [*headers.items()],
        }
        self._answer_and_close(refusal_of_long_body(scope))

    def _answer_and_close(self, answer: HttpResponse) -> None:
        head = [f"HTTP/1.1 {answer.status_code} {answer.reason_phrase}"]
        head += [f"{name}: {value}" for name, value in answer.items()]
        self.transport.write("\r\n".join([*head, "", ""]).encode() + answer.content)
        self._refused = True
        # Close only the own side: what still comes would else reset the connection before the answer is read.
        self.transport.loseWriteConnection()
        self._expect(REFUSED_SECONDS)

    def allContentReceived(self) -> None:
        self._expect(None)
        self.incoming.discard(self)
        super().allContentReceived()

    def requestDone(self, request: Any) -> None:
        self._expect(IDLE_SECONDS)
        super().requestDone(request)

    def lineLengthExceeded(self, line: bytes) -> None:
        """Answer 400 to an address or a header that is too long. Twisted alone only closes the connection."""
        self._answer_and_close(closing(refused(BadRequest())))

    def connectionLost(self, reason: Failure) -> None:  # type: ignore[override]
        self._expect(None)
        self.incoming.discard(self)
        super().connectionLost(reason)

    def _expect(self, seconds: float | None) -> None:
        """Replace the connection's deadline: close it after `seconds`. None: no deadline."""
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
    """Make daphne use `BoundedFactory`, and raise the limits of open files and of waiting connections."""
    from twisted.internet import reactor  # imported here, after daphne has installed its reactor

    daphne.server.HTTPFactory = BoundedFactory
    reactor.callWhenRunning(_lift_limits)


def _lift_limits() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    for port in listening_ports():
        port.socket.listen(LISTEN_BACKLOG)


def listening_ports() -> list[tcp.Port]:
    """Return the ports on which this process accepts connections."""
    from twisted.internet import reactor

    running: Any = reactor
    return [one for one in running.getReaders() if isinstance(one, tcp.Port)]
