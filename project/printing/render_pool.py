"""The printing processes: child processes of this one, limited in number, time and memory."""

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
"""Limit for a bill or a pay slip, which is one page of markup. A thousand rows take 11 s on a busy machine, and more
with long texts."""
BIND_SECONDS = 60.0
MOST_MEMORY = 512 * MEBIBYTE
AT_ONCE = 8
"""Most prints that may wait or run at the same time."""
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
    """The PDF cannot be made now: the service is down, busy, or failed on a page."""

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
    """Gives work to the printing processes for one user. The pages of different users take turns."""

    def __init__(self, whose: int) -> None:
        self._whose = whose

    def start_page(
        self, markup: str, pictures: dict[str, bytes], stylesheet: str, seconds: float = PAGE_SECONDS
    ) -> "Future[bytes]":
        """Begin to print one page of markup. Its process is killed after `seconds` of processor time or at 512 MiB."""
        return self.start(tasks.print_page, markup, pictures, stylesheet, seconds=seconds)

    def start_binding(self, parts: list[str], whole: str, copies: list[int] | None = None) -> "Future[None]":
        """Begin to join the PDF files `parts` into the file `whole`. `copies`: the number of copies of each page."""
        return self.start(tasks.bind, parts, whole, copies, seconds=BIND_SECONDS)

    def start[Result](self, work: Callable[..., Result], *args: object, seconds: float) -> "Future[Result]":
        began = perf_counter()
        started = _processes.start(work, *args, seconds=seconds, whose=self._whose)
        started.add_done_callback(lambda _: PRINT_SECONDS.labels(work.__name__).observe(perf_counter() - began))
        return started


def waiting() -> int:
    """Return the number of pages and bindings that wait for a printing process."""
    return _processes.waiting


@contextmanager
def slot(whose: int) -> Iterator[RenderPool]:
    """Hold a place in the print queue during the block.

    Raises `PdfUnavailable` if the queue is full, or if this user already holds two places.
    """
    with _processes.place(whose):
        yield RenderPool(whose)


def printed[Result](work: "Future[Result]") -> Result:
    """Wait for the work and return its result. Cancels the work if the client disconnects.

    Raises `PdfUnavailable` if the work was canceled, failed, or its process was killed.
    """
    try:
        with caller().ends(work.cancel):
            return work.result()
    except CancelledError as error:
        raise PdfUnavailable from error
    except Exception as error:
        logger.exception("a page could not be printed")
        raise PdfUnavailable(retryAfter=RETRY_SECONDS) from error
