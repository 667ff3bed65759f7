"""The current request: its network address, and whether the caller still waits for the answer."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest

LONGEST = 64
current_address: ContextVar[str] = ContextVar("current_address", default="")
"""The network address of the current request; empty on the command line."""


def address_of(request: HttpRequest) -> str:
    """Return the caller's address: the socket's, or the one that the outermost trusted proxy saw."""
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    trusted = settings.TRUSTED_PROXIES
    if trusted and len(hops) >= trusted:
        return hops[-trusted][:LONGEST]
    return str(request.META.get("REMOTE_ADDR", ""))[:LONGEST]


class Caller:
    """The caller of a request. A write that has begun is finished even if the caller disconnects."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stops: list[Callable[[], object]] = []
        self.left = False

    def leave(self) -> None:
        """Note that the caller disconnected, and stop work that only they waited for."""
        with self._lock:
            self.left = True
            stops = [*self._stops]
        for stop in stops:
            stop()

    @contextmanager
    def ends(self, stop: Callable[[], object]) -> Iterator[None]:
        """Call `stop` if the caller disconnects during the block; at once if they already did."""
        with self._lock:
            self._stops.append(stop)
            left = self.left
        try:
            if left:
                stop()
            yield
        finally:
            with self._lock:
                self._stops.remove(stop)


_NOBODY = Caller()
"""The caller of work outside of a request, who never disconnects."""
_current: ContextVar[Caller] = ContextVar("caller", default=_NOBODY)


def caller() -> Caller:
    return _current.get()


@contextmanager
def answering(one: Caller) -> Iterator[None]:
    """Make `one` the current caller inside the block."""
    token = _current.set(one)
    try:
        yield
    finally:
        _current.reset(token)
