"""Limits how often one secret address is called."""

from collections import Counter
from math import ceil
from threading import Lock
from time import monotonic

from project.core.errors import TooManyCalls

MINUTE = 60.0


class Pace:
    """Limits how often each secret address may be called in a minute. Each server process counts alone."""

    def __init__(self, most: int) -> None:
        self._most, self._begun, self._calls = most, monotonic(), Counter[int]()
        self._lock = Lock()

    def take(self, address_id: int) -> None:
        """Count a call of this address. Raises `TooManyCalls` with `retryAfter` in seconds."""
        with self._lock:
            now = monotonic()
            if now - self._begun >= MINUTE:
                self._begun, self._calls = now, Counter()
            self._calls[address_id] += 1
            if self._calls[address_id] > self._most:
                raise TooManyCalls(retryAfter=ceil(self._begun + MINUTE - now))
