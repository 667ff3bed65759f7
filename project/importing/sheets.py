"""Reads an uploaded XLSX or CSV file: its heads at once, its rows one by one, never more than the limits allow.

This is what a reading process does (`reading`): it knows no catalog and no database, only which heads are looked for.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from openpyxl import load_workbook

from project.core.errors import FieldError, Refusal
from project.core.folding import folded
from project.core.spreadsheets import as_meant
from project.importing.refusals import (
    FileTooLarge,
    ImportColumns,
    TooManyColumns,
    TooManyRows,
    UnreadableFile,
    UnsupportedFile,
)
from project.importing.workbook_cells import cell_or_day, cell_read, head_read

if TYPE_CHECKING:
    from project.importing.cells import Cell

MOST_BYTES = 10 * 1024 * 1024
MOST_UNZIPPED = 120 * 1024 * 1024
MOST_TEXTS = 40 * 1024 * 1024
MOST_PARTS = 500
MOST_ROWS = 50_000
MOST_COLUMNS = 100
LAST_ROW = 1_048_576
"""Of a sheet, by its format; what says that it stands further down is no spreadsheet's."""
LONGEST_CELL = 131_072
MOST_READ = 40 * 1024 * 1024
"""Bytes of the rows as they are handed over: a text that many cells share is there once in the file."""
LOOKED_THROUGH = 20
"""Records of a text file that tell what separates its cells, where heads do not."""
XLSX, CSV = "xlsx", "csv"
_ZIP, _NEVER_TEXT = b"PK\x03\x04", (b"\xd0\xcf\x11\xe0", b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b")
_LETTERS_OF_WINDOWS = frozenset("áéíóúüñçÁÉÍÓÚÜÑÇ¿¡ªº°´«»“”‘’–—…·€£§®©™±²³µ×¼½¾Øø\u00a0")
_DOCUMENT_TYPE = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


@dataclass(frozen=True)
class Wanted:
    """The heads that a catalog's file may have: `key` it must have, `passed_over` are known and not read.

    `also_called` says which column a word means, `words` how the caller calls a column. All are compared without case,
    accents and superfluous blanks.

    `as_it_is`: no catalog's file: every row is read, dates too; its columns are named by their places, from 0.
    """

    catalog: str
    key: str
    heads: tuple[str, ...]
    also_called: Mapping[str, str]
    passed_over: frozenset[str]
    words: Mapping[str, str]
    as_it_is: bool = False
    most_rows: int = MOST_ROWS

    @cached_property
    def meanings(self) -> Mapping[str, str]:
        """The column that each head means, as heads are compared."""
        own = {name: name for name in self.heads}
        return {compared(head): name for head, name in {**self.also_called, **own}.items()}

    @cached_property
    def unread(self) -> frozenset[str]:
        return frozenset(map(compared, self.passed_over))


def compared(head: str) -> str:
    """A head as it is compared."""
    return " ".join(folded(head).split())


@dataclass(frozen=True)
class Sheet:
    """A file with known heads: for each place its column's name (None where it is passed over), and the rows."""

    columns: list[str | None]
    rows: "Iterator[tuple[int, list[Cell]]]"
    total: int | None


def prepare() -> None:
    """Nothing: the modules that read are loaded by now."""


def look(file: str, wanted: Wanted) -> int | None:
    """Check the heads of a file. Returns how many rows it says that it has, where it says so. Raises as `opened`."""
    return opened(Path(file).read_bytes(), wanted).total


def read(file: str, into: str, wanted: Wanted) -> int:
    """Write the rows of a file into another, each a line of JSON: its number, and its cells by their heads.

    Returns how many. Raises what `opened` does, and where the rows turn out to be so.
    """
    sheet = opened(Path(file).read_bytes(), wanted, looked_at=True)
    rows = written = 0
    with Path(into).open("wb") as out:
        for number, cells in sheet.rows:
            known = {name: _short(cell) for name, cell in zip(sheet.columns, cells, strict=False) if name}
            if wanted.as_it_is:
                known = {name: cell for name, cell in known.items() if cell not in (None, "")}
            line = json.dumps([number, known]).encode() + b"\n"
            rows, written = rows + 1, written + len(line)
            if written > MOST_READ:
                raise FileTooLarge(limit=MOST_READ)
            out.write(line)
    return rows


def _short(cell: "Cell") -> "Cell":
    return {"code": "invalid"} if isinstance(cell, str) and len(cell) > LONGEST_CELL else cell


def kind_of(raw: bytes) -> str:
    """XLSX or CSV by what the file is. Raises `UnsupportedFile`."""
    if raw.startswith(_ZIP):
        return XLSX
    if raw.startswith(_NEVER_TEXT) or b"\x00" in raw[:1_024]:
        raise UnsupportedFile
    return CSV


def opened(raw: bytes, wanted: Wanted, *, looked_at: bool = False) -> Sheet:
    """The file's heads, checked, and its rows to be read. Raises what stands above."""
    if len(raw) > MOST_BYTES:
        raise FileTooLarge(limit=MOST_BYTES)
    if not raw.strip():
        raise UnreadableFile
    return _workbook(raw, wanted, looked_at) if kind_of(raw) == XLSX else _text(raw, wanted)


def _decoded(raw: bytes) -> str:
    """UTF-8, or else Windows' own letters, as Excel writes CSV without being asked for UTF-8.

    Every file can be read as the latter. One that then holds letters which neither of our languages has was written
    in others: it is refused, because nobody would see that its names are wrong before they are in the catalog.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as not_utf8:
        try:
            text = raw.decode("cp1252")
        except UnicodeDecodeError:
            raise UnreadableFile from not_utf8
        if any(not letter.isascii() and letter not in _LETTERS_OF_WINDOWS for letter in text):
            raise UnreadableFile from not_utf8
        return text


def _text(raw: bytes, wanted: Wanted) -> Sheet:
    text = _decoded(raw)
    if wanted.as_it_is:
        heads: list[str] = []
        separator = max(",;\t", key=lambda one: sum(map(len, _beginning(text, one, LOOKED_THROUGH))))
    else:
        heads, separator = max(
            ((next(iter(_beginning(text, one, 1)), []), one) for one in ",;"),
            key=lambda found: sum(compared(head) in wanted.meanings for head in found[0][:MOST_COLUMNS]),
        )
    columns = _columns(heads, wanted)
    filled = (record for record in _records(text, separator) if any(record))
    first = 1 if wanted.as_it_is else 2
    total = sum(1 for _ in islice(filled, wanted.most_rows + 2)) - first + 1
    if total > wanted.most_rows:
        raise TooManyRows(limit=wanted.most_rows)

    def rows() -> "Iterator[tuple[int, list[Cell]]]":
        for number, record in enumerate(_records(text, separator), start=1):
            if number >= first and any(record) and wanted.as_it_is:
                yield number, list(record)
            elif number >= first and any(record):
                # A line with a cell too few or too many is not read at all: who knows which one it is.
                broken: Cell = {"code": "wrong_number_of_cells"}
                yield number, [*map(as_meant, record)] if len(record) == len(heads) else [broken] * len(heads)

    return Sheet(columns, rows(), total)


def _beginning(text: str, separator: str, records: int) -> list[list[str]]:
    """The first records, read leniently: with another separator than its own, a quoted cell ends in the middle."""
    try:
        return [*islice(csv.reader(io.StringIO(text, newline=""), delimiter=separator), records)]
    except csv.Error as error:
        raise UnreadableFile from error


def _records(text: str, separator: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    except csv.Error as error:
        raise UnreadableFile from error


def _workbook(raw: bytes, wanted: Wanted, looked_at: bool) -> Sheet:
    """The sheet named as the catalog, or the first one."""
    try:
        if not looked_at:
            _refuse_bomb(raw)
        book = load_workbook(io.BytesIO(raw), read_only=True, keep_links=False)
        sheet: Any = book[wanted.catalog] if wanted.catalog in book.sheetnames else book.worksheets[0]
        claimed = sheet.max_row
        sheet.reset_dimensions()  # what the file says of its size is anybody's claim
        rows = sheet.iter_rows(max_col=MOST_COLUMNS + 1)
        heads = [] if wanted.as_it_is else [head_read(cell) for cell in next(rows, ())]
    except (Refusal, MemoryError):
        raise
    except Exception as error:  # a broken package may raise anything in the library
        raise UnreadableFile from error
    columns = _columns(heads, wanted)
    cell_of = cell_or_day if wanted.as_it_is else cell_read

    def read() -> "Iterator[tuple[int, list[Cell]]]":
        found = 0
        try:
            for number, row in enumerate(rows, start=1 if wanted.as_it_is else 2):
                if number > LAST_ROW:
                    raise TooManyRows(limit=wanted.most_rows)
                cells = [cell_of(cell) for cell in row[: len(columns)]]
                if any(cell not in (None, "") for cell in cells):
                    found += 1
                    if found > wanted.most_rows:
                        raise TooManyRows(limit=wanted.most_rows)
                    yield number, cells
        except (Refusal, MemoryError):
            raise
        except Exception as error:
            raise UnreadableFile from error
        finally:
            book.close()

    return Sheet(columns, read(), claimed - 1 if claimed and 1 < claimed <= wanted.most_rows else None)


def _refuse_bomb(raw: bytes) -> None:
    """What the parts say of their size is what is unpacked at most: the unpacker stops there."""
    with zipfile.ZipFile(io.BytesIO(raw)) as package:
        parts = package.infolist()
        texts = sum(part.file_size for part in parts if "worksheets/" not in part.filename)
        if len(parts) > MOST_PARTS or texts > MOST_TEXTS or sum(part.file_size for part in parts) > MOST_UNZIPPED:
            raise FileTooLarge(limit=MOST_UNZIPPED)
        for part in parts:
            with package.open(part) as content:
                _refuse_entities(content)


def _refuse_entities(content: IO[bytes]) -> None:
    """A document type is where entities are declared, and no spreadsheet program writes one."""
    before = b""
    while chunk := content.read(1_048_576):
        if any(mark in before + chunk for mark in _DOCUMENT_TYPE):
            raise UnreadableFile
        before = chunk[-32:]


def _columns(heads: list[str], wanted: Wanted) -> list[str | None]:
    """The column at each place. Raises `ImportColumns`, `TooManyColumns`."""
    return [str(place) for place in range(MOST_COLUMNS)] if wanted.as_it_is else _checked(heads, wanted)


def _checked(heads: list[str], wanted: Wanted) -> list[str | None]:
    """The column at each place. Raises `ImportColumns`, whose parameters name heads as they are written and what is
    missing in the caller's words; `TooManyColumns`."""
    while heads and not heads[-1].strip():
        heads.pop()
    if len(heads) > MOST_COLUMNS:
        raise TooManyColumns(limit=MOST_COLUMNS)
    columns = [wanted.meanings.get(compared(head)) for head in heads]
    unknown: list[str] = []
    written: dict[str, list[str]] = {}
    for head, column in zip(heads, columns, strict=True):
        if column:
            written.setdefault(column, []).append(head.strip()[:200])
        elif compared(head) not in wanted.unread:
            unknown.append(head.strip()[:200])
    twice = {column: called for column, called in sorted(written.items()) if len(called) > 1}
    missing = [] if wanted.key in written else [wanted.key]
    if unknown or twice or missing:
        wrong = {"missing": missing, "unknown": unknown[:20], "duplicate": [*twice]}
        errors = [FieldError(name, f"{why}_column") for why, names in wrong.items() for name in names]
        raise ImportColumns(
            errors=errors,
            missing=[wanted.words.get(name, name) for name in missing],
            unknown=unknown[:20],
            duplicate=[head for called in twice.values() for head in called],
        )
    return columns
