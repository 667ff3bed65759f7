"""Limits how often one secret address is called."""

from collections import Counter
from math import ceil
from threading import Lock
from time import monotonic

from project.core.errors import TooManyCalls

MINUTE = 60.0


class Pace:
    """Limits the calls through each address in a minute, within this process."""

    def __init__(self, most: int) -> None:
        self._most, self._begun, self._calls = most, monotonic(), Counter[int]()
        self._lock = Lock()

    def take(self, address_id: int) -> None:
        """Count a call. Raises `TooManyCalls` with `retryAfter` in seconds."""
        with self._lock:
            now = monotonic()
            if now - self._begun >= MINUTE:
                self._begun, self._calls = now, Counter()
            self._calls[address_id] += 1
            if self._calls[address_id] > self._most:
                raise TooManyCalls(retryAfter=ceil(self._begun + MINUTE - now))
