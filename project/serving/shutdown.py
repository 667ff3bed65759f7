"""The end of a process: at SIGTERM it accepts no more connections, answers open requests and closes live sockets.

daphne alone ends every request at once, so that a caller does not know whether their write happened.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from project.serving.daphne_http import BoundedChannel, listening_ports
from project.serving.daphne_sockets import close_live_sockets

DRAIN_SECONDS = 30.0
"""Requests that are not answered after this are cut."""
CHECK_SECONDS = 0.05


class Shutdown:
    """Counts the requests that this process is answering, and ends the process."""

    def __init__(self) -> None:
        from twisted.internet import reactor  # imported here, after daphne has installed its reactor

        self._reactor: Any = reactor
        self._answering = 0
        self._deadline: float | None = None
        self._stopped = False

    @contextmanager
    def answer(self) -> Iterator[None]:
        """Count a request as being answered while the block lasts."""
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1

    def calls_wait(self) -> bool:
        """Return whether a request waits for its answer."""
        return self._answering > 0

    def begin_at_sigterm(self) -> None:
        """Replace daphne's own handler of SIGTERM. Call it once. No effect in a process that daphne does not serve."""

        def begin(number: int, frame: object) -> None:
            self._reactor.callFromThread(self._begin)

        self._reactor.callWhenRunning(signal.signal, signal.SIGTERM, begin)
        self._reactor.addSystemEventTrigger("before", "shutdown", close_live_sockets)

    def _begin(self) -> None:
        """Accept no more connections, and stop when all requests are answered. Stop at once at the second call."""
        for port in listening_ports():
            port.stopListening()
        if self._deadline is not None:
            self._stop()
            return
        self._deadline = self._reactor.seconds() + DRAIN_SECONDS
        self._reactor.callLater(CHECK_SECONDS, self._check, False)

    def _check(self, was_done: bool) -> None:
        """Stop if nothing was open at two checks in a row: a request that has just come in is not counted at once."""
        # An answer counts as open until its caller has taken it. Live sockets are closed later.
        writing = any(isinstance(getattr(one, "protocol", None), BoundedChannel) for one in self._reactor.getWriters())
        done = not (self._answering or BoundedChannel.incoming or writing)
        if (done and was_done) or self._reactor.seconds() > (self._deadline or 0):
            self._stop()
        elif not self._stopped:
            self._reactor.callLater(CHECK_SECONDS, self._check, done)

    def _stop(self) -> None:
        """Stop the reactor, but only once: the reactor raises an error if it is stopped again while it stops."""
        if not self._stopped:
            self._stopped = True
            self._reactor.stop()
