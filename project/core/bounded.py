"""Run work on untrusted files in child processes. Their number, memory and time are limited.

The processes are forked from a clean server process, so they inherit no thread and no connection. A task that exceeds
its time is killed with its process, and the next task gets a new process. A task that needs too much memory fails with
`MemoryError`.
"""

import gc
import multiprocessing
import os
import resource
import signal
import threading
import time
import traceback
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from multiprocessing.connection import Connection, wait
from typing import Any, ClassVar

MEBIBYTE = 1024 * 1024
TASKS_OF_A_PROCESS = 500
START_SECONDS = 120.0
"""A process that has not begun its task after this time is taken for hung."""
NICENESS = 10
"""A process of this niceness gets a tenth of a core beside a busy application process. At 19 it would get a
seventieth, and its tasks would time out on a busy machine."""
PATIENCE = 6
"""Wall-clock limit of a task, as a multiple of its CPU seconds: these processes have low priority and often wait."""

_CONTEXT = multiprocessing.get_context("forkserver")


class ProcessEnded(Exception):
    """The process crashed or was killed before it finished its task. The exception's argument is the exit code."""


@dataclass(frozen=True)
class _Task:
    work: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: float
    result: "Future[Any]" = field(default_factory=Future)


class _Process:
    """A child process and its own pipe. It shares no lock with other processes, so killing it blocks none of them."""

    _starting_or_ending: ClassVar = threading.Lock()
    """Held while a process starts or ends.

    An exit code can be read only once, and starting a process reads the exit codes of all processes that have ended.
    """

    def __init__(self, memory: int, prepare: Callable[[], object]) -> None:
        self._pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(theirs, memory, prepare), daemon=True)
        with self._starting_or_ending:
            self._process.start()
        theirs.close()
        self._left = TASKS_OF_A_PROCESS

    def outcome(self, task: _Task) -> Any:
        """Run the task and return its result.

        Raises what the work raised, `MemoryError`, `TimeoutError` or `ProcessEnded`.
        """
        self._left -= 1
        try:
            self._pipe.send((task.seconds, task.work, task.args))
            self._receive(START_SECONDS)  # the process begins the task
            result, error = self._receive(task.seconds * PATIENCE)
        except TimeoutError:
            self.end()
            raise
        except (EOFError, OSError) as broken:  # the process closed the pipe, perhaps mid-result
            exitcode = self.end()
            if exitcode == -signal.SIGXCPU:
                raise TimeoutError from broken
            raise ProcessEnded(exitcode) from broken
        if error is not None:
            raise error
        return result

    def _receive(self, seconds: float) -> Any:
        if not wait([self._pipe, self._process.sentinel], seconds):
            raise TimeoutError
        return self._pipe.recv()

    def usable(self) -> bool:
        with self._starting_or_ending:
            return self._left > 0 and self._process.is_alive()

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> int | None:
        """Kill the process and wait until it is gone. Return its exit code."""
        with self._starting_or_ending:
            self._process.kill()
            self._process.join()
        self._pipe.close()
        return self._process.exitcode


class Processes:
    """Runs tasks in at most `count` child processes of `memory` bytes each. A process starts when there is work for it.

    `prepare`: a module's function, which each process calls once, at its start. `modules`: see `_modules`. `places`:
    how many places all callers together may hold. `each`: how many places one key may hold. `busy` returns the
    exception that a caller gets if no place is free. Keys take turns, however many tasks each key has queued.
    """

    _modules: ClassVar[list[str]] = []
    """Modules that the fork server loads once, for all processes."""

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
        self._memory, self._prepare = memory, prepare
        self._count, self._places, self._each, self._busy = count, places, each, busy
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._held: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[_Task]] = OrderedDict()
        self._at_work = 0
        self._modules.extend(modules)

    @property
    def waiting(self) -> int:
        """The number of tasks that no process has begun."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    @contextmanager
    def place(self, whose: Hashable) -> Iterator[None]:
        """Hold one place for the key `whose` while the block runs.

        Raises the exception that `busy` returns if all places are taken, or if the key already holds its most places.
        """
        with self._lock:
            if self._held.total() >= self._places or self._held[whose] >= self._each:
                raise self._busy()
            self._held[whose] += 1
        try:
            yield
        finally:
            with self._lock:
                self._held[whose] -= 1
                self._held += Counter()  # removes keys without a place

    def start[Result](
        self, work: Callable[..., Result], *args: Any, seconds: float, whose: Hashable = None
    ) -> "Future[Result]":
        """Queue `work(*args)` and return its future. Canceling the future kills the process that runs the task.

        The future raises what the work raised, `MemoryError` for too much memory, `TimeoutError` after `seconds` of CPU
        time or `PATIENCE` times as long by the clock, `ProcessEnded` if the process ended for another reason.
        """
        task = _Task(work, args, seconds)
        with self._lock:
            if self._at_work < self._count:
                threading.Thread(target=self._work, name="bounded", daemon=True).start()
                self._at_work += 1  # count it last: starting a thread can fail on a busy machine
            self._waiting.setdefault(whose, deque()).append(task)
        return task.result

    def _work(self) -> None:
        """Run tasks until the queue is empty."""
        while (task := self._next()) is not None:
            self._do(task)

    def _next(self) -> _Task | None:
        with self._lock:
            while self._waiting:
                whose, tasks = self._waiting.popitem(last=False)
                task = tasks.popleft()
                if tasks:
                    self._waiting[whose] = tasks  # the next turn goes to another key
                if not task.result.cancelled():
                    return task
            self._at_work -= 1
            return None

    def _do(self, task: _Task) -> None:
        process, result, failure = None, None, None
        try:
            process = self._process()
            task.result.add_done_callback(partial(_kill_if_canceled, process))
            result = process.outcome(task)
        except Exception as error:
            failure = error
        wanted = task.result.set_running_or_notify_cancel()  # from here on it cannot be canceled
        if process is not None:
            self._put_back(process, again=wanted)
        if failure is not None and wanted:
            task.result.set_exception(failure)
        elif wanted:
            task.result.set_result(result)

    def _process(self) -> _Process:
        """Return an idle process, or start one."""
        with self._lock:
            idle = self._idle.pop() if self._idle else None
        if idle is not None:
            if idle.usable():
                return idle
            idle.end()
        _CONTEXT.set_forkserver_preload([*dict.fromkeys(self._modules)])
        return _Process(self._memory, self._prepare)

    def _put_back(self, process: _Process, *, again: bool) -> None:
        if again:
            with self._lock:
                self._idle.append(process)
        else:
            process.end()


def _kill_if_canceled(process: _Process, result: "Future[Any]") -> None:
    if result.cancelled():
        process.kill()


def _serve(pipe: Connection, memory: int, prepare: Callable[[], object]) -> None:
    """Run the tasks that arrive through the pipe, until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the application ends this process
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(NICENESS)
    prepare()
    gc.collect()
    gc.freeze()
    with suppress(EOFError):
        while True:
            seconds, work, args = pipe.recv()
            pipe.send(None)
            _send(pipe, *_outcome(seconds, work, args))


def _send(pipe: Connection, result: Any, error: Exception | None) -> None:
    try:
        pipe.send((result, error))
    except MemoryError:  # pickling failed, so nothing was written yet
        result = None
        pipe.send((None, MemoryError()))
    except Exception as unsent:
        raise unsent from error


def _outcome(seconds: float, work: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    """Run the work. The system kills this process once it has used `seconds` more of CPU time."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(time.process_time() + seconds), most))
    try:
        return work(*args), None
    except MemoryError:
        pass
    except Exception as error:
        error.add_note(traceback.format_exc())
        return None, error
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))  # sending the result takes CPU time too
    # The frames of the work held the memory. Only after they are released is there room to report the error.
    return None, MemoryError()
