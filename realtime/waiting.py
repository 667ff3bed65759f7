"""How long a hub waits: for sockets that cannot follow a burst at once, and between two bursts."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS = 5.0
REGAINED = 0.05
"""The most time to wait, and how much of it each second gives back: a reader that is always slow delays the others by a
twentieth at most."""
BETWEEN_CHECKS = 0.02
RESTS = 5.0
"""A hub rests this many times as long as it worked. With twenty sockets that is below a millisecond. With many, all
that comes meanwhile is one write a socket, and calls are answered."""
LONGEST_REST = 0.25
"""Seconds."""


class WaitingTime:
    """What a hub may still wait."""

    def __init__(self) -> None:
        self._left = SECONDS
        self._as_of = time.monotonic()

    async def wait_while(self, condition: Callable[[], bool]) -> None:
        """Return once `condition` no longer holds, or no time is left."""
        begun = time.monotonic()
        self._left = min(SECONDS, self._left + (begun - self._as_of) * REGAINED)
        while condition() and time.monotonic() - begun <= self._left:
            await asyncio.sleep(BETWEEN_CHECKS)
        self._as_of = time.monotonic()
        self._left -= self._as_of - begun


class Rest:
    """The pause of a hub after it handed events out: others use the event loop meanwhile."""

    def __init__(self) -> None:
        self._worked = 0.0

    @contextmanager
    def after(self) -> Iterator[None]:
        """What is done in this block makes the next rest longer."""
        begun = time.monotonic()
        yield
        self._worked += time.monotonic() - begun

    async def take(self) -> None:
        """Rest for what was done since the last rest."""
        seconds, self._worked = min(LONGEST_REST, RESTS * self._worked), 0.0
        await asyncio.sleep(seconds)
