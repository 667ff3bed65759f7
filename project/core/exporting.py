"""Export lists as CSV or XLSX files of any size. Rows are read in batches, so memory use is constant."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import chain
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, Literal

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils import translation
from pydantic import BaseModel
from xlsxwriter import Workbook

from project.core import erased
from project.core.clock import plant
from project.core.errors import InvalidFields
from project.core.pagination import ListQuery, Orderings, in_batches
from project.core.queries import give_connection_back
from project.core.requests import caller
from project.core.spreadsheets import harmless
from project.core.texts import active_language, either, text

BATCH = 2_000
PIECE = 256 * 1024
MOST_SHEET_ROWS = 1_048_575
"""Rows that an XLSX sheet holds below its header."""

CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


FileFormat = Literal["csv", "xlsx"]


class ExportQuery(ListQuery):
    """Query of a list that can also be exported whole, in the requested order (infra/docs/rules.md#lists)."""

    format: FileFormat | None = None


class TableQuery(BaseModel):
    """Query of a report without pages that can also be exported as a file."""

    format: FileFormat | None = None


@dataclass(frozen=True)
class Column[Row]:
    """One column of a file. `value` returns a text, number, flag, day or instant.

    `heads`: the heading in Spanish and in English. Without `heads`, the heading is the text of the code
    `<words>_<key>`.
    """

    key: str
    value: Callable[[Row], Any]
    words: str = "column"
    heads: tuple[str, str] | None = None

    @property
    def head(self) -> str:
        """The heading in the caller's language."""
        return either(*self.heads) if self.heads else text(f"{self.words}_{self.key}")


def export[Row: Model, Found, Shown](
    request: HttpRequest,
    rows: QuerySet[Row, Found],
    query: ExportQuery,
    orderings: Orderings,
    columns: Sequence[Column[Shown]],
    name: str,
    *,
    present: Callable[[list[Found]], list[Shown]] | None = None,
) -> HttpResponseBase:
    """Export all `rows` as the file `name`.`query.format`, with headings in the caller's language.

    `present` converts a batch of rows for the `columns`. Without `present` the columns get the rows themselves. 1 query
    per batch, and the queries of `present`; XLSX needs 1 more, to count the rows. No connection is held while the
    caller receives a batch. Raises `InvalidFields`: `not_a_choice` for an unknown ordering, `too_many_rows` for more
    rows than an XLSX sheet can hold.
    """
    kind = query.format or "csv"
    if kind == "xlsx" and rows.order_by()[: MOST_SHEET_ROWS + 1].count() > MOST_SHEET_ROWS:
        raise InvalidFields.of("format", "too_many_rows", limit=MOST_SHEET_ROWS)
    batches: Iterable[list[Any]] = in_batches(rows, query, orderings, BATCH)
    return _file(request, kind, columns, map(present, batches) if present else batches, name)


def export_table[Row](
    request: HttpRequest, rows: list[Row], kind: FileFormat, columns: Sequence[Column[Row]], name: str
) -> HttpResponseBase:
    """Export loaded rows as the file `name`.`kind`, with headings in the caller's language."""
    return _file(request, kind, columns, [rows], name)


def _file[Row](
    request: HttpRequest, kind: FileFormat, columns: Sequence[Column[Row]], batches: Iterable[list[Row]], name: str
) -> HttpResponseBase:
    heads = [column.head for column in columns]
    cells = _cells(batches, columns)
    chunks = _csv(heads, cells) if kind == "csv" else _xlsx(heads, cells, name)
    return download(request, chunks, f"{name}.{kind}", CONTENT_TYPES[kind])


def download(request: HttpRequest, chunks: Iterator[bytes], file_name: str, content_type: str) -> HttpResponseBase:
    """Stream a file for download while it is produced, all of it in the language of the request."""
    chunks = _in_language(chunks, active_language())
    body = _in_threads(chunks) if isinstance(request, ASGIRequest) else chunks
    response = StreamingHttpResponse(body, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{file_name}"'
    return response


def _in_language(chunks: Iterator[bytes], language: str) -> Iterator[bytes]:
    """Produce each chunk in `language`: later chunks are produced after the request's language is reset."""
    while True:
        with translation.override(language):
            chunk = next(chunks, None)
        if chunk is None:
            return
        yield chunk


def _cells[Row](batches: Iterable[list[Row]], columns: Sequence[Column[Row]]) -> Iterator[list[list[Any]]]:
    """Yield the cells of each batch. Stop reading when the caller disconnects."""
    asking = caller()
    for batch in batches:
        cells = [[_plain(column.value(row)) for column in columns] for row in batch]
        give_connection_back()
        if asking.left:
            return
        yield cells


def _plain(value: Any) -> Any:
    """Convert instants to the plant's local time, because spreadsheets have no time zones, and name erased people."""
    match value:
        case datetime():
            return value.astimezone(plant()).replace(tzinfo=None, microsecond=0)
        case str():
            return erased.shown(value)
        case _:
            return value


def _csv(heads: list[str], batches: Iterable[list[list[Any]]]) -> Iterator[bytes]:
    yield "\ufeff".encode()  # the byte order mark tells spreadsheets that it is UTF-8
    yield _lines([heads])
    for batch in batches:
        yield _lines(batch)


def _lines(rows: Iterable[list[Any]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([_written(value) for value in row] for row in rows)
    return out.getvalue().encode()


def _written(value: Any) -> Any:
    """Convert a value for CSV, which has only text: flags in the caller's language, numbers in plain digits."""
    match value:
        case str():
            return harmless(value)
        case bool():
            return text("yes" if value else "no")
        case Decimal():
            return f"{value:f}"  # 0.0000001, not 1E-7
        case _:
            return value


def _xlsx(heads: list[str], batches: Iterable[list[list[Any]]], name: str) -> Iterator[bytes]:
    """Write the rows to a temporary file, then yield it in pieces."""
    with TemporaryFile() as file, TemporaryDirectory() as folder:
        options = {"constant_memory": True, "tmpdir": folder, "use_zip64": True}
        book = Workbook(_WhileAwaited(file), options)
        write_sheet(book, name[:31], heads, chain.from_iterable(batches))
        try:
            book.close()
        except _Left:
            return
        file.seek(0)
        yield from iter(partial(file.read, PIECE), b"")


def write_sheet(book: Workbook, title: str, heads: Sequence[str], rows: Iterable[Iterable[Any]]) -> int:
    """Add a sheet to a workbook. Texts stay texts, whatever they begin with. Returns the number of rows."""
    bold = book.add_format({"bold": True})
    day, instant = (book.add_format({"num_format": form}) for form in ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"))
    sheet = book.add_worksheet(title)
    sheet.freeze_panes(1, 0)
    for column, head in enumerate(heads):
        sheet.write_string(0, column, head, bold)
    row = 0
    for row, values in enumerate(rows, start=1):
        for column, value in enumerate(values):
            _write_cell(sheet, row, column, value, day=day, instant=instant)
    return row


def _write_cell(sheet: Any, row: int, column: int, value: Any, *, day: Any, instant: Any) -> None:
    """Write a value as a cell of its type. `day` and `instant` are date formats. Raises `TypeError` for other types."""
    match value:
        case None:
            return
        case str():
            sheet.write_string(row, column, value)
        case bool():
            sheet.write_boolean(row, column, value)
        case int() | float() | Decimal():
            sheet.write_number(row, column, value)
        case datetime():
            sheet.write_datetime(row, column, value, instant)
        case date():
            sheet.write_datetime(row, column, value, day)
        case _:
            raise TypeError(f"A sheet has no cell for {value!r}.")


class _Left(Exception):
    """The caller disconnected while their file was packed."""


class _WhileAwaited:
    """A file whose next write fails once the caller has disconnected: packing a million rows takes half a minute."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._asking = caller()
        self._refused = False

    def write(self, data: bytes) -> int:
        if self._asking.left and not self._refused:
            self._refused = True  # only once: closing the package afterwards must succeed
            raise _Left
        return self._file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


async def _in_threads(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Produce each chunk in a thread. Django alone would read a whole sync iterator before it sends the first chunk."""
    following = sync_to_async(partial(next, chunks, None))
    asking = caller()
    while not asking.left and (chunk := await following()) is not None:
        yield chunk
