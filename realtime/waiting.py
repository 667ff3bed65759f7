"""How the hub waits: for the database, for sockets that cannot follow a burst, and between two bursts."""

import asyncio
import contextvars
import functools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import connections

SECONDS = 5.0
REGAINED = 0.05
"""`SECONDS`: the most seconds that a hub waits for slow sockets. Each passing second gives back `REGAINED` seconds of
them. So a socket that is always slow delays the others by a twentieth at most."""
BETWEEN_CHECKS = 0.02
MOST_RESTS = 5
"""The hub rests as long as it worked, and up to five times as long while calls wait for an answer."""
LONGEST_REST = 0.05
"""The longest single rest, in seconds."""


class Database:
    """Threads that wait for the database on behalf of the event loop."""

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)

    async def run[T](self, work: Callable[[], T]) -> T:
        """Run `work` in a thread and return its result. Close its database connection afterwards."""

        def and_close() -> T:
            try:
                return work()
            finally:
                connections.close_all()

        return await self._submit(and_close)

    async def run_and_keep[T](self, work: Callable[[], T]) -> T:
        """As `run`, but keep the connection for the next call unless `work` raises."""

        def or_close() -> T:
            try:
                return work()
            except BaseException:
                connections.close_all()
                raise

        return await self._submit(or_close)

    async def close(self) -> None:
        """Close the connections and end the threads."""
        await self._submit(connections.close_all)
        self._threads.shutdown()

    async def _submit[T](self, work: Callable[[], T]) -> T:
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._threads, functools.partial(context.run, work))


class WaitingTime:
    """The time that a hub may still wait for slow sockets."""

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
    """The pause of a hub after it has handed events out. Other tasks of the event loop run in that time."""

    def __init__(self, calls_wait: Callable[[], bool]) -> None:
        self._calls_wait = calls_wait
        self._worked = 0.0

    @contextmanager
    def after(self) -> Iterator[None]:
        """Add the time of this block to the next rest."""
        begun = time.monotonic()
        yield
        self._worked += time.monotonic() - begun

    async def take(self) -> None:
        """Rest as long as the hub worked since the last rest. Repeat while calls wait, MOST_RESTS times in all."""
        seconds, self._worked = min(LONGEST_REST, self._worked), 0.0
        await asyncio.sleep(seconds)
        for _ in range(MOST_RESTS - 1):
            if not seconds or not self._calls_wait():
                return
            await asyncio.sleep(seconds)
