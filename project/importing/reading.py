"""Reads uploaded files in separate processes. Their number, time and memory are limited, and they can be stopped."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, NamedTuple

from project.catalogs.cells import Cells
from project.catalogs.definition import CatalogDefinition
from project.core.bounded import MEBIBYTE, ProcessEnded, Processes
from project.core.errors import Unavailable
from project.core.queries import give_connection_back
from project.core.texts import LANGUAGES, texts
from project.importing import sheets
from project.importing.refusals import FileTooLarge, UnreadableFile
from project.importing.sheets import MOST_UNZIPPED, Choices, Looked, RowsRead, Wanted, compared

MOST_MEMORY = 512 * MEBIBYTE
AT_ONCE = 3
"""One process more than `task_threads.AT_ONCE`, so that checking the headings of a file never waits for a job."""
LOOK_SECONDS = 20.0
READ_SECONDS = 90.0
RETRY_SECONDS = 5

logger = logging.getLogger(__name__)


def _busy() -> Unavailable:
    return Unavailable(retryAfter=RETRY_SECONDS)


_processes = Processes(
    count=AT_ONCE,
    memory=MOST_MEMORY,
    prepare=sheets.prepare,
    modules=("project.importing.sheets",),
    places=12,
    each=5,
    busy=_busy,
)


class MarkedRow(NamedTuple):
    """A row as it was read: its number in the file, its cells, and the codes of its doubts."""

    number: int
    cells: Cells
    marks: list[str]


class Upload:
    """An uploaded file in a temporary folder, with its rows once they are read. `forget` and the end of a `with` block
    delete the folder. `whose`: the id of the uploader; the uploads of different users take turns."""

    def __init__(self, raw: bytes, wanted: Wanted, choices: Choices, *, whose: int) -> None:
        self._folder = TemporaryDirectory(prefix="obrador-import-")
        self._file, self._rows = Path(self._folder.name, "file"), Path(self._folder.name, "rows")
        self._file.write_bytes(raw)
        self._asked = (wanted, choices)
        self._whose = whose

    def __enter__(self) -> "Upload":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.forget()

    def forget(self) -> None:
        self._folder.cleanup()

    def look(self) -> Looked:
        """Check the headings. Holds no database connection while it waits.

        Raises what `sheets.opened` raises, `FileTooLarge` if the check takes too much time or memory, and `Unavailable`
        if too many uploads wait.
        """
        give_connection_back()
        with _processes.place(self._whose):
            return done(self._start(sheets.look, str(self._file), *self._asked, seconds=LOOK_SECONDS))

    def read_at_once(self) -> tuple[Looked, RowsRead]:
        """Check the file and read its rows while the caller waits. Only for few rows. Raises what `look` raises."""
        give_connection_back()
        with _processes.place(self._whose):
            looked = done(self._start(sheets.look, str(self._file), *self._asked, seconds=LOOK_SECONDS))
            read = self._start(sheets.read, str(self._file), str(self._rows), *self._asked, seconds=LOOK_SECONDS)
            return looked, done(read)

    def read(self) -> "Future[RowsRead]":
        """Let another process read the rows, and return its future. Canceling the future stops that process."""
        return self._start(sheets.read, str(self._file), str(self._rows), *self._asked, seconds=READ_SECONDS)

    def rows(self) -> Iterator[MarkedRow]:
        """Yield the rows that `read` has written."""
        with self._rows.open("rb") as lines:
            for line in lines:
                yield MarkedRow(*json.loads(line))

    def _start[Result](self, work: Callable[..., Result], *args: object, seconds: float) -> "Future[Result]":
        return _processes.start(work, *args, seconds=seconds, whose=self._whose)


def wanted(catalog: CatalogDefinition[Any]) -> Wanted:
    """Describe the headings of a catalog for a reading process."""
    exported_alone = {column.key for column in catalog.columns} - {*catalog.heads}
    return Wanted(
        catalog.name,
        catalog.key,
        catalog.heads,
        {**{word: column.key for column in catalog.read_columns for word in column.called}, **catalog.also_called},
        catalog.passed_over | {"id"} | exported_alone | _words(exported_alone).keys() | _reasons(),
        {column.key: column.head for column in catalog.read_columns},
        titles=frozenset(
            compared(title)
            for title in (catalog.name, *(texts(language)[f"catalog_{catalog.name}"] for language in LANGUAGES))
        ),
        codes=catalog.codes,
        exact=frozenset({catalog.key, *(column.key for column in catalog.read_columns if column.exact)}),
        proposed={name: heads for name, heads in catalog.proposed.items() if name in catalog.heads},
    )


def _words(names: Iterable[str]) -> dict[str, str]:
    """Map the form's label of each column, in each language, to the column's name."""
    return {texts(language)[f"field_{name}"]: name for name in names for language in LANGUAGES}


def _reasons() -> set[str]:
    """Return the heading of the column of reasons in a file of refused rows, in each language."""
    return {texts(language)["column_refusedBecause"] for language in LANGUAGES}


def done[Result](work: "Future[Result]") -> Result:
    """Wait for the work and return its result.

    Raises what the work raised; `FileTooLarge` if it took too much time or memory; `UnreadableFile` if its process
    crashed; `CancelledError` if it was stopped.
    """
    try:
        return work.result()
    except (MemoryError, TimeoutError) as error:
        raise FileTooLarge(limit=MOST_UNZIPPED) from error
    except ProcessEnded as error:
        logger.exception("a file ended the process that read it")
        raise UnreadableFile from error
