"""How long a burst of events waits for sockets that cannot follow it at once."""

import asyncio
import time
from collections.abc import Callable

SECONDS = 5.0
REGAINED = 0.05
"""The most time to wait, and how much of it each second gives back: a reader that is always slow delays the others by a
twentieth at most."""
BETWEEN_CHECKS = 0.02


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
