"""The request being answered: the address it comes from, and whether its caller still waits for the answer."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest

LONGEST = 64
current_address: ContextVar[str] = ContextVar("current_address", default="")
"""The address of the request being answered; empty on the command line."""


def address_of(request: HttpRequest) -> str:
    """The caller's address: the socket's, or what the outermost of our own proxies saw."""
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    trusted = settings.TRUSTED_PROXIES
    if trusted and len(hops) >= trusted:
        return hops[-trusted][:LONGEST]
    return str(request.META.get("REMOTE_ADDR", ""))[:LONGEST]


class Caller:
    """The caller of a request. A write that has begun is finished even if he leaves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stops: list[Callable[[], object]] = []
        self.left = False

    def leave(self) -> None:
        """He has left: stop the work that only he waited for."""
        with self._lock:
            self.left = True
            stops = [*self._stops]
        for stop in stops:
            stop()

    @contextmanager
    def ends(self, stop: Callable[[], object]) -> Iterator[None]:
        """While the block lasts, call `stop` when he leaves; at once where he has left already."""
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
"""The caller of work that no request asked for: he never leaves."""
_current: ContextVar[Caller] = ContextVar("caller", default=_NOBODY)


def caller() -> Caller:
    """The caller of the request being answered."""
    return _current.get()


@contextmanager
def answering(one: Caller) -> Iterator[None]:
    """Within the block, this is the caller who is answered."""
    token = _current.set(one)
    try:
        yield
    finally:
        _current.reset(token)
