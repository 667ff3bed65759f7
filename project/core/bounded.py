"""Processes for work that a stranger's file decides: few, bounded in memory and time, and never this one.

They are forked from a clean process, so that no thread and no connection of this one comes along. A task that takes
more than it may is killed with its process; the next one finds another.
"""

import atexit
import gc
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import Any, ClassVar

from pebble import ProcessExpired, ProcessPool

MEBIBYTE = 1024 * 1024
TASKS_OF_A_PROCESS = 500
PATIENCE = 6
"""A task may take its processor seconds times this by the clock: these processes have a low priority and often wait."""


_ENDED = (CancelledError, TimeoutError, ProcessExpired, BrokenProcessPool)
"""After these a process is not used again: it was stopped, or it ended by itself."""


@dataclass(frozen=True)
class _Task:
    work: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float
    result: "Future[Any]" = field(default_factory=Future)


class Processes:
    """At most `count` processes of `memory` bytes each, started when there is work for them.

    Each is a pool of its own: processes that share one share its locks, and one that is killed while it holds a lock
    would stop the others. A process is used again only if its last task ended by itself.

    `prepare`, a function of the module that does the work, is called once in each of them. `places` is how many
    callers may wait for them at once, and `each` how many of these may be one person's; one more is refused by what
    `busy` makes. Who waits takes turns with the others, however much each of them asked for.
    """

    _modules: ClassVar[list[str]] = []
    """Loaded once, in the process that all the others are forked from: it is the same one for every pool."""

    def __init__(
        self,
        *,
        count: int,
        memory: int,
        prepare: Callable[[], object],
        modules: tuple[str, ...],
        places: int,
        each: int,
        busy: Callable[[], Exception],
    ) -> None:
        self._count, self._memory, self._prepare = count, memory, prepare
        self._places, self._each, self._busy = places, each, busy
        self._lock = threading.RLock()
        self._idle: list[Any] = []
        self._pools: set[Any] = set()
        self._held: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[_Task]] = OrderedDict()
        self._at_work = 0
        self._modules.extend(modules)
        atexit.register(self._end_all)

    @contextmanager
    def place(self, whose: Hashable) -> Iterator[None]:
        """One of the places, for as long as the block lasts. Raises what `busy` makes where there is none."""
        with self._lock:
            if self._held.total() >= self._places or self._held[whose] >= self._each:
                raise self._busy()
            self._held[whose] += 1
        try:
            yield
        finally:
            with self._lock:
                self._held[whose] -= 1
                self._held += Counter()  # forgets who holds none

    def start[Result](
        self, work: Callable[..., Result], *args: Any, seconds: float, whose: Hashable = None
    ) -> "Future[Result]":
        """Have `work(*args)` done; canceling the result ends it at once, and the process that is at it.

        The result raises what the work raised; `MemoryError` for too much memory, `TimeoutError` after `seconds` of a
        processor or six times as many by the clock, `pebble.ProcessExpired` where the process ended otherwise.
        """
        task = _Task(work, args, seconds)
        with self._lock:
            self._waiting.setdefault(whose, deque()).append(task)
        self._go_on()
        return task.result

    def _go_on(self) -> None:
        """Hand on as many tasks as there are processes: what was handed on cannot be overtaken any more."""
        while (task := self._next()) is not None:
            pool = self._pool()
            try:
                doing = pool.schedule(
                    _timed, args=(task.seconds, task.work, *task.args), timeout=task.seconds * PATIENCE
                )
            except RuntimeError as error:  # its process ended a moment ago, with nothing to do
                doing = Future()
                doing.set_exception(BrokenProcessPool(str(error)))
            task.result.add_done_callback(partial(_stop_if_canceled, doing))
            doing.add_done_callback(partial(self._done, task, pool))

    def _next(self) -> _Task | None:
        with self._lock:
            while self._at_work < self._count and self._waiting:
                whose, tasks = self._waiting.popitem(last=False)
                task = tasks.popleft()
                if tasks:
                    self._waiting[whose] = tasks  # the next turn is somebody else's
                if not task.result.cancelled():
                    self._at_work += 1
                    return task
            return None

    def _done(self, task: _Task, pool: Any, doing: "Future[Any]") -> None:
        error = CancelledError() if doing.cancelled() else doing.exception()
        if isinstance(error, _ENDED):
            threading.Thread(target=self._replace, args=(pool,), daemon=True).start()
        else:
            self._free(pool)
        if task.result.set_running_or_notify_cancel():
            if isinstance(error, ProcessExpired) and error.exitcode == -signal.SIGXCPU:
                error = TimeoutError()
            elif isinstance(error, BrokenProcessPool):  # it ended before it said that it had begun
                error = ProcessExpired(str(error))
            if error is not None:
                task.result.set_exception(error)
            else:
                task.result.set_result(doing.result())

    def _free(self, *pools: Any) -> None:
        with self._lock:
            self._idle.extend(pools)
            self._at_work -= 1
        self._go_on()

    def _replace(self, pool: Any) -> None:
        """End a pool whose process was stopped or ended by itself; only then may another process take its place."""
        try:
            self._end(pool)
        finally:
            self._free()

    def _pool(self) -> Any:
        """One that waits for work, or a new one."""
        with self._lock:
            while self._idle:
                if (pool := self._idle.pop()).active:
                    return pool
                threading.Thread(target=self._end, args=(pool,), daemon=True).start()
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload([*dict.fromkeys(self._modules)])
            pool = ProcessPool(
                max_workers=1,
                max_tasks=TASKS_OF_A_PROCESS,
                initializer=_begin,
                initargs=(self._memory, self._prepare),
                context=context,
            )
            self._pools.add(pool)
            return pool

    def _end(self, pool: Any) -> None:
        self._pools.discard(pool)
        pool.stop()
        pool.join()

    def _end_all(self) -> None:
        for pool in [*self._pools]:
            self._end(pool)


def _begin(memory: int, prepare: Callable[[], object]) -> None:
    """Limit this process's memory, and let the application's processes have the processor first."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(19)
    prepare()
    gc.collect()
    gc.freeze()


def _timed[Result](seconds: float, work: Callable[..., Result], *args: Any) -> Result:
    """Do the work. The system ends this process once it has used so many more seconds of a processor."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(time.process_time() + seconds), most))
    try:
        return work(*args)
    except MemoryError:
        pass
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))  # the result takes its time, too
    # Its frames held what filled the memory. Only without them is there room to say so.
    raise MemoryError


def _stop_if_canceled(doing: "Future[Any]", result: "Future[Any]") -> None:
    if result.cancelled():
        doing.cancel()
