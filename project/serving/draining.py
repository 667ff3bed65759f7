"""A process that is told to stop (SIGTERM) takes no more connections, answers what it was asked, and then stops.

daphne itself ends every request at once: a caller would not know whether his write happened.
"""

import signal
from collections.abc import Awaitable, Callable
from typing import Any

from twisted.internet import tcp

from project.serving.connections import BoundedChannel

DRAIN_SECONDS = 30.0
"""After this, requests that are still not answered are cut."""
LOOK_SECONDS = 0.05


class Draining:
    """The requests of this process that are being answered, and its end."""

    def __init__(self) -> None:
        from twisted.internet import reactor  # only now: daphne, imported above, has chosen which

        self._reactor: Any = reactor
        self._answering = 0
        self._deadline: float | None = None
        self._stopped = False

    def counted(self, application: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """The application, its requests counted from their whole body to their whole answer."""

        async def counting(scope: Any, receive: Any, send: Any) -> None:
            self._answering += 1
            try:
                await application(scope, receive, send)
            finally:
                self._answering -= 1

        return counting

    def begin_at_sigterm(self) -> None:
        """Once daphne runs, in the place of its own handler. Nothing for a process that daphne does not serve."""

        def handle(number: int, frame: object) -> None:
            self._reactor.callFromThread(self.begin)

        self._reactor.callWhenRunning(signal.signal, signal.SIGTERM, handle)

    def begin(self) -> None:
        """Take no more connections, and stop when all is answered; at once when asked for a second time."""
        listening = [one for one in self._reactor.getReaders() if isinstance(one, tcp.Port)]
        for port in listening:
            port.stopListening()
        if self._deadline is not None:
            self._stop()
            return
        self._deadline = self._reactor.seconds() + DRAIN_SECONDS
        self._reactor.callLater(LOOK_SECONDS, self._look, False)

    def _look(self, was_done: bool) -> None:
        """Stop where all was answered at the last look, too: a request whose body has just come is not counted yet."""
        if self._stopped:
            return  # it was told a second time
        over = self._deadline is not None and self._reactor.seconds() > self._deadline
        done = not (self._answering or BoundedChannel.pending.count or self._being_sent())
        if over or (done and was_done):
            self._stop()
        else:
            self._reactor.callLater(LOOK_SECONDS, self._look, done)

    def _stop(self) -> None:
        """Once: the reactor refuses to be stopped while it stops."""
        if not self._stopped:
            self._stopped = True
            self._reactor.stop()

    def _being_sent(self) -> bool:
        """Whether an answer still waits for its caller to take it. Live sockets have an end of their own."""
        return any(isinstance(getattr(one, "protocol", None), BoundedChannel) for one in self._reactor.getWriters())
