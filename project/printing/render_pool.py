"""The printing processes of this process: few, bounded in time and memory, and none of them its own."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from time import perf_counter

from django.conf import settings
from prometheus_client import Histogram

from project.core.bounded import MEBIBYTE, Processes
from project.core.errors import Unavailable
from project.core.requests import caller
from project.printing import tasks

PAGE_SECONDS = 10.0
PAPER_SECONDS = 40.0
"""A bill or a pay slip is one page of markup, however many of its thousand rows it has: those take 11 s where the
machine is busy, and more where their texts are long."""
BIND_SECONDS = 60.0
MOST_MEMORY = 512 * MEBIBYTE
AT_ONCE = 8
"""Prints that may wait for a printing process at the same time."""
OF_ONE_PERSON = 2
RETRY_SECONDS = 5
PRINT_SECONDS = Histogram(
    "obrador_print_seconds",
    "Of a page or a binding: its wait and its work.",
    ("work",),
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)

logger = logging.getLogger(__name__)


class PdfUnavailable(Unavailable):
    """The sheets cannot be printed now: the service is down, busy, or gave up on a page."""

    code = "pdf_unavailable"


_processes = Processes(
    count=settings.PDF_WORKERS,
    memory=MOST_MEMORY,
    prepare=tasks.prepare,
    modules=("project.printing.rendering",),
    places=AT_ONCE,
    each=OF_ONE_PERSON,
    busy=lambda: PdfUnavailable(retryAfter=RETRY_SECONDS),
)


class RenderPool:
    """The printing processes as one person's print has them; the pages of others take turns with its own."""

    def __init__(self, whose: int) -> None:
        self._whose = whose

    def start_page(
        self, markup: str, pictures: dict[str, bytes], stylesheet: str, seconds: float = PAGE_SECONDS
    ) -> "Future[bytes]":
        """Have one page of markup printed; its process is killed after so many seconds of a processor or at 512 MB."""
        return self.start(tasks.print_page, markup, pictures, stylesheet, seconds=seconds)

    def start_binding(self, parts: list[str], whole: str) -> "Future[None]":
        """Have the PDFs in the files `parts` made one, the file `whole`."""
        return self.start(tasks.bind, parts, whole, seconds=BIND_SECONDS)

    def start[Result](self, work: Callable[..., Result], *args: object, seconds: float) -> "Future[Result]":
        began = perf_counter()
        started = _processes.start(work, *args, seconds=seconds, whose=self._whose)
        started.add_done_callback(lambda _: PRINT_SECONDS.labels(work.__name__).observe(perf_counter() - began))
        return started


def waiting() -> int:
    """Pages and bindings that wait for a printing process of this process."""
    return _processes.waiting


@contextmanager
def slot(whose: int) -> Iterator[RenderPool]:
    """A place in the short queue. Raises `PdfUnavailable` where it is full, or has two of this person's already."""
    with _processes.place(whose):
        yield RenderPool(whose)


def printed[Result](work: "Future[Result]") -> Result:
    """Wait for it. Raises `PdfUnavailable` where the process was killed or failed, or nobody waits for it any more."""
    try:
        with caller().ends(work.cancel):
            return work.result()
    except CancelledError as error:
        raise PdfUnavailable from error
    except Exception as error:
        logger.exception("a page could not be printed")
        raise PdfUnavailable(retryAfter=RETRY_SECONDS) from error
