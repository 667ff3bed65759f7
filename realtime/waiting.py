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
LONGEST_REST = 0.25
"""So many times as long as it worked a hub rests, and how long at most (seconds). With twenty sockets that is nothing;
with many, what comes meanwhile costs one write a socket together, here and in the proxy, and calls are answered
between."""


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
    """How long a hub leaves the loop to others, by how long it kept it from them."""

    def __init__(self) -> None:
        self._worked = 0.0

    @contextmanager
    def after(self) -> Iterator[None]:
        """The next rest is for what is done in here, too."""
        begun = time.monotonic()
        yield
        self._worked += time.monotonic() - begun

    async def take(self) -> None:
        seconds, self._worked = min(LONGEST_REST, RESTS * self._worked), 0.0
        await asyncio.sleep(seconds)
