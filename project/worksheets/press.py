"""The printing processes of this process: few, bounded in time and memory, and none of them its own."""

import atexit
import logging
import multiprocessing
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from pebble import ProcessPool

from project.core.errors import Unavailable
from project.worksheets import tasks

PAGE_SECONDS = 10.0
BIND_SECONDS = 60.0
AT_ONCE = 8
"""Prints that may wait for a printing process at the same time."""
TASKS_OF_A_PROCESS = 500

logger = logging.getLogger(__name__)
_turns = threading.BoundedSemaphore(AT_ONCE)


class PdfUnavailable(Unavailable):
    """The sheets cannot be printed now: the service is down, busy, or gave up on a page."""

    code = "pdf_unavailable"


@contextmanager
def turn() -> Iterator[None]:
    """A place in the short queue. Raises `PdfUnavailable` where it is full."""
    if not _turns.acquire(blocking=False):
        raise PdfUnavailable
    try:
        yield
    finally:
        _turns.release()


def start_page(markup: str, pictures: dict[str, bytes], look: str) -> "Future[bytes]":
    """Have one page of markup printed; its process is killed after 10 s or at 512 MB."""
    return _schedule(tasks.print_page, markup, pictures, look, seconds=PAGE_SECONDS)


def start_binding(parts: list[str], whole: str) -> "Future[None]":
    """Have the PDFs in the files `parts` made one, the file `whole`."""
    return _schedule(tasks.bind, parts, whole, seconds=BIND_SECONDS)


def printed[Result](work: "Future[Result]") -> Result:
    """Wait for it. Raises `PdfUnavailable` where the process was killed or failed."""
    try:
        return work.result()
    except Exception as error:
        logger.exception("a page could not be printed")
        raise PdfUnavailable from error


def _schedule[Result](work: Callable[..., Result], *args: Any, seconds: float) -> "Future[Result]":
    future: Future[Result] = _Press.of_this_process().pool.schedule(work, args=args, timeout=seconds)
    return future


class _Press:
    """Starts with the first print: most processes never print."""

    _lock = threading.Lock()
    _current: "_Press | None" = None

    def __init__(self) -> None:
        # Forked from a clean process, so that no thread and no connection of this one comes along.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["project.worksheets.printing"])
        self.pool = ProcessPool(
            max_workers=settings.PDF_WORKERS,
            max_tasks=TASKS_OF_A_PROCESS,
            initializer=tasks.prepare,
            context=context,
        )
        atexit.register(self._end)

    @classmethod
    def of_this_process(cls) -> "_Press":
        with cls._lock:
            if cls._current is None or not cls._current.pool.active:
                cls._current = cls()
            return cls._current

    def _end(self) -> None:
        self.pool.stop()
        self.pool.join()
