"""Reads the sheets of an XLSX workbook: values as shown, hidden rows and columns, and computed cells."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any
from xml.parsers import expat

from openpyxl.reader.excel import ExcelReader
from openpyxl.utils import column_index_from_string

from project.core.errors import Refusal
from project.importing.refusals import TooManyRows, UnreadableFile, UnsupportedFile
from project.importing.tables import MOST_COLUMNS, Row, Table, filled

if TYPE_CHECKING:
    from project.catalogs.cells import Cell

LAST_ROW = 1_048_576
"""The last row that the XLSX format allows."""
MOST_SHEETS = 50
_MAIN_PART = re.compile(rb"(sheet|template)(\.macroEnabled)?\.main\+xml")
_CONTENT_TYPES = "[Content_Types].xml"
_WORKBOOK = re.compile(r"workbook\d*\.xml$")
_STRICT = b"http://purl.oclc.org/ooxml/"
_AS_USUAL = {
    b"http://purl.oclc.org/ooxml/spreadsheetml/main": b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    b"http://purl.oclc.org/ooxml/officeDocument/": b"http://schemas.openxmlformats.org/officeDocument/2006/",
    b"http://purl.oclc.org/ooxml/drawingml/": b"http://schemas.openxmlformats.org/drawingml/2006/",
}
"""Maps the namespaces of Strict Open XML to those of Transitional, which openpyxl reads."""
_PIECE = 65_536
_CONTROL = re.compile(r"_x00([01][0-9A-Fa-f])_")
_ZEROS = re.compile(r"0{2,30}")
_NO_SIGN = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
"""The literal parts of a number format: a percent sign in them does not mean a percentage."""

_CURRENCY = re.compile(r'\[\$([^$\-\]]+\$?)[^\]]*\]|"(€|£|US\$|MX\$|[A-Z]{3}) ?"')
"""A currency that a number format names; `$` alone names none."""


def sheets(raw: bytes, *, as_it_is: bool, most_rows: int) -> list[Table]:
    """Return the sheets of a workbook in order. Raises `UnreadableFile`, and `UnsupportedFile` for another ZIP file.

    `as_it_is`: read dates as texts (`YYYY-MM-DD`) instead of as cells that cannot be read.
    """
    with _readable():
        return _sheets(_usual(raw), _cell_or_day if as_it_is else _cell_read, most_rows)


@contextmanager
def _readable() -> Iterator[None]:
    """Turn any exception that openpyxl raises for a broken package into `UnreadableFile`."""
    try:
        yield
    except (Refusal, MemoryError):
        raise
    except Exception as error:
        raise UnreadableFile from error


def _usual(raw: bytes) -> bytes:
    """Return the package with Transitional namespaces. Raises `UnsupportedFile` if it is not a workbook."""
    with zipfile.ZipFile(io.BytesIO(raw)) as package:
        if _CONTENT_TYPES not in package.namelist() or not _MAIN_PART.search(package.read(_CONTENT_TYPES)):
            raise UnsupportedFile
        if not any(_STRICT in package.read(part) for part in package.namelist() if _WORKBOOK.search(part)):
            return raw
        usual = io.BytesIO()
        with zipfile.ZipFile(usual, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written:
            for part in package.namelist():
                content = package.read(part)
                for strict, name in _AS_USUAL.items():
                    content = content.replace(strict, name)
                written.writestr(part, content)
        return usual.getvalue()


def _sheets(raw: bytes, cell_of: Any, most_rows: int) -> list[Table]:
    reader = ExcelReader(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
    reader.read()
    parts = {sheet.name: relation.target for sheet, relation in reader.parser.find_sheets()}
    found = []
    for sheet in reader.wb.worksheets[:MOST_SHEETS]:
        part = parts[sheet.title]
        claimed = sheet.max_row
        sheet.reset_dimensions()  # the size that the file states may be wrong
        with reader.archive.open(part) as content:
            columns = _Marks(content, columns_only=True).hidden_columns

        def beginning(last: int, sheet: Any = sheet) -> list[Row]:
            with _readable():
                rows = sheet.iter_rows(max_row=last, max_col=MOST_COLUMNS + 1)
                return [*_rows(rows, _Marks(), cell_of, most_rows)]

        def rows(sheet: Any = sheet, part: str = part) -> Iterator[Row]:
            with _readable():
                with reader.archive.open(part) as content:
                    marks = _Marks(content)
                yield from _rows(sheet.iter_rows(max_col=MOST_COLUMNS + 1), marks, cell_of, most_rows)

        found.append(Table(sheet.title, beginning, rows, sheet.sheet_state != "visible", columns, claimed))
    return found


def _rows(rows: Iterable[Any], marks: "_Marks", cell_of: Any, most_rows: int) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        if number > LAST_ROW:
            raise TooManyRows(limit=most_rows)
        formulas: Set[int] = marks.formulas.get(number, frozenset())
        held = {place: cell for place, cell in enumerate(row) if cell.value is not None}
        cells: list[Cell] = [None] * (max([*held, *formulas], default=-1) + 1)
        for place in formulas:
            cells[place] = {"code": "formula_not_read"}  # the file has no computed value
        for place, cell in held.items():
            cells[place] = cell_of(cell)
        if any(map(filled, cells)):
            days = frozenset(place for place, cell in held.items() if _is_day(cell.value))
            yield Row(number, cells, number in marks.hidden_rows, frozenset(held.keys() & formulas), days)


class _Marks:
    """The hidden rows, hidden columns and formulas of a sheet. Columns are counted from 0."""

    def __init__(self, content: IO[bytes] | None = None, *, columns_only: bool = False) -> None:
        self.hidden_rows: set[int] = set()
        self.formulas: dict[int, set[int]] = {}
        """The columns with a formula, by row number."""
        self._hidden_columns: set[int] = set()
        self._row = self._place = 0
        self._reference = ""
        self._enough = False
        self._columns_only = columns_only
        if content is not None:
            parser = expat.ParserCreate()
            parser.StartElementHandler = self._begin
            while not self._enough and (piece := content.read(_PIECE)):
                parser.Parse(piece)

    @property
    def hidden_columns(self) -> frozenset[int]:
        return frozenset(self._hidden_columns)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        match name.rpartition(":")[2]:
            case "c":
                self._place += 1
                self._reference = attributes.get("r", "")
            case "f":
                place = self._column() if self._reference else self._place
                if place <= MOST_COLUMNS + 1:
                    self.formulas.setdefault(self._row, set()).add(place - 1)
            case "row":
                self._row = int(float(attributes["r"])) if "r" in attributes else self._row + 1
                self._place = 0
                if _hides(attributes, "ht"):
                    self.hidden_rows.add(self._row)
            case "col" if _hides(attributes, "width"):
                last = min(int(attributes["max"]), MOST_COLUMNS + 1)
                self._hidden_columns.update(range(int(attributes["min"]) - 1, last))
            case "sheetData":
                self._enough = self._columns_only

    def _column(self) -> int:
        return column_index_from_string(self._reference.rstrip("0123456789"))


def _hides(attributes: dict[str, str], size: str) -> bool:
    return attributes.get("hidden") in ("1", "true") or float(attributes.get(size, "1") or 1) == 0


def _is_day(value: Any) -> bool:
    return isinstance(value, date)


def _cell_read(cell: Any) -> "Cell":
    """Return a cell's value. Errors and dates become cells that cannot be read; percentages and amounts with a named
    currency become texts as shown."""
    value = cell.value
    match value:
        case None | bool():
            return value
        case str():
            if cell.data_type == "e":
                return {"code": "invalid"}
            # Workbooks escape control characters; a carriage return is _x000D_.
            return _CONTROL.sub(lambda match: chr(int(match[1], 16)), value) if "_x00" in value else value
        case int() | float():
            if abs(value) >= 1e30:
                return {"code": "invalid_type"}
            shown = cell.number_format or ""
            if isinstance(value, int) and value >= 0 and _ZEROS.fullmatch(shown):
                return str(value).zfill(len(shown))  # the format shows leading zeros, which belong to the value
            if "%" in shown and "%" in _NO_SIGN.sub("", shown):
                return f"{(Decimal(repr(value)) * 100).normalize():f}%"
            if named := _CURRENCY.search(shown):
                return f"{named[1] or named[2]} {Decimal(repr(value)).normalize():f}"
            return value
        case datetime() | date() | time() | timedelta():
            return {"code": "text_expected"}
        case _:
            return {"code": "formula_not_read"}


def _cell_or_day(cell: Any) -> "Cell":
    """As `_cell_read`, but a date becomes a text, `YYYY-MM-DD`."""
    value = cell.value
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else _cell_read(cell)
