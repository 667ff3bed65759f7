"""How long a burst waits for sockets that cannot follow it at once."""

import asyncio
import time
from collections.abc import Callable

SECONDS = 5.0
REGAINED = 0.05
"""What there is of it at most, and how much of that each second brings back: who always takes little, and for long,
holds up everybody else by a twentieth at most."""
LOOK_SECONDS = 0.02


class Patience:
    """What a hub has left of it."""

    def __init__(self) -> None:
        self._left = SECONDS
        self._as_of = time.monotonic()

    async def last_while(self, condition: Callable[[], bool]) -> None:
        """Return once `condition` no longer holds, or patience is at its end."""
        begun = time.monotonic()
        self._left = min(SECONDS, self._left + (begun - self._as_of) * REGAINED)
        while condition() and time.monotonic() - begun <= self._left:
            await asyncio.sleep(LOOK_SECONDS)
        self._as_of = time.monotonic()
        self._left -= self._as_of - begun
