"""The end of a process: at SIGTERM it takes no more connections, answers what began, and closes its live sockets.

daphne itself ends every request at once, so that a caller does not know whether their write happened.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from project.serving.daphne_http import BoundedChannel, listening_ports
from project.serving.daphne_sockets import close_live_sockets

DRAIN_SECONDS = 30.0
"""Requests that are not answered by then are cut."""
CHECK_SECONDS = 0.05


class Shutdown:
    """The requests that this process is answering, and its end."""

    def __init__(self) -> None:
        from twisted.internet import reactor  # only now: daphne, imported above, has chosen which

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
        """Whether a request waits for its answer."""
        return self._answering > 0

    def begin_at_sigterm(self) -> None:
        """Call it once. Takes the place of daphne's own handler. No effect in a process that daphne does not serve."""

        def begin(number: int, frame: object) -> None:
            self._reactor.callFromThread(self._begin)

        self._reactor.callWhenRunning(signal.signal, signal.SIGTERM, begin)
        self._reactor.addSystemEventTrigger("before", "shutdown", close_live_sockets)

    def _begin(self) -> None:
        """Take no more connections, and stop when all is answered. Stop at once when told a second time."""
        for port in listening_ports():
            port.stopListening()
        if self._deadline is not None:
            self._stop()
            return
        self._deadline = self._reactor.seconds() + DRAIN_SECONDS
        self._reactor.callLater(CHECK_SECONDS, self._check, False)

    def _check(self, was_done: bool) -> None:
        """Stop if all was answered at two checks: a request whose body has just come is not counted yet."""
        # An answer that its caller has not taken yet is still being written. Live sockets are closed later.
        writing = any(isinstance(getattr(one, "protocol", None), BoundedChannel) for one in self._reactor.getWriters())
        done = not (self._answering or BoundedChannel.incoming or writing)
        if (done and was_done) or self._reactor.seconds() > (self._deadline or 0):
            self._stop()
        elif not self._stopped:
            self._reactor.callLater(CHECK_SECONDS, self._check, done)

    def _stop(self) -> None:
        """Once: the reactor refuses to be stopped while it stops."""
        if not self._stopped:
            self._stopped = True
            self._reactor.stop()
