"""Reads an uploaded XLSX or CSV file within limits: first its headings, then its rows one by one.

Runs in a reading process (`reading`), without the catalogs and the database. `Wanted` describes the headings to find.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from openpyxl.utils import get_column_letter

from project.core.errors import FieldError, InvalidFields, Refusal
from project.core.folding import folded
from project.importing.encodings import Encoding, decoded
from project.importing.refusals import (
    ColumnTwice,
    FileTooLarge,
    KeyColumnMissing,
    TooManyColumns,
    TooManyRows,
    UnknownSheet,
    UnreadableFile,
    UnsupportedFile,
)
from project.importing.tables import (
    ALTERED,
    COLUMNS,
    ENCODING,
    FOOTER,
    FORMULA,
    HIDDEN,
    MIXED_DATES,
    MOST_COLUMNS,
    OPEN_QUOTE,
    OTHER_SHEETS,
    DoubtCode,
    Row,
    Table,
    filled,
    text_of,
)
from project.importing.text_files import SeparatedText, separated
from project.importing.workbooks import sheets

if TYPE_CHECKING:
    from project.catalogs.cells import Cell

MOST_BYTES = 10 * 1024 * 1024
MOST_UNZIPPED = 120 * 1024 * 1024
MOST_TEXTS = 40 * 1024 * 1024
MOST_PARTS = 500
MOST_ROWS = 50_000
LONGEST_CELL = 131_072
MOST_READ = 40 * 1024 * 1024
"""Maximum bytes of the rows as JSON. They may exceed the unpacked file, which stores a text of many cells only once."""
LOOKED_THROUGH = 20
"""The number of first rows that are searched for the headings: a title may be above the headings."""
NAMED = 20
"""Maximum number of row numbers or unknown headings in a doubt's parameters."""
LONGEST_SHOWN = 200
"""Maximum number of characters of a heading or a sample."""
XLSX, CSV = "xlsx", "csv"
_ZIP, _NEVER_TEXT = b"PK\x03\x04", (b"\xd0\xcf\x11\xe0", b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_MARKUP = re.compile(rb"[\s\xef\xbb\xbf\xfe\xff]*<(!--|!doctype|html|head|body|table|meta|style|div|\?xml)", re.I)
"""The beginning of HTML and XML files, which some programs name as spreadsheets."""
_DOCUMENT_TYPE = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))

WHOLE_FILE = frozenset({ENCODING, OTHER_SHEETS, COLUMNS})
"""Doubts about all rows. The other doubts concern the rows that they mark."""

_TOTAL = re.compile(r"((sub|gran|grand|suma|sum) ?)?total(es|s)?( general)?( ?[:(].*|[ .:]*[\d$].*|[.: ]*)")
_MONTH = "ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sept?|oct|nov|dic|dec"
_ALTERED = re.compile(
    rf"[+-]?\d([.,]\d+)?E[+-]\d{{1,3}}|\d{{1,2}}[-/ ]({_MONTH})\.?([-/ ](\d{{4}}|\d{{2}}))?|({_MONTH})\.?[-/ ]\d{{2}}"
    r"|\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d{2}-\d{2}( 00:00(:00)?)?",
    re.IGNORECASE | re.ASCII,
)
"""What spreadsheets make of codes: a number with an exponent of `7501060000001`, a date of `12-5`."""
_DAY_IN_NUMBERS = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(\s.*)?")


@dataclass(frozen=True)
class Wanted:
    """The headings that a file may have. They are compared after normalization by `compared`.

    - `key`: the column that the file must have.
    - `passed_over`: known headings to ignore.
    - `also_called`: further headings, each with its column.
    - `proposed`: for each column, headings that probably mean it, the likeliest first. The user confirms them.
    - `words`: the columns' names in the caller's language.
    - `titles`: names of the sheet to read.
    - `codes`: columns of tariff codes.
    - `exact`: columns of keys, codes and telephones, which spreadsheets may have altered.
    - `as_it_is`: True for an order file, False for a catalog's file. All rows of an order file are read, also its
      dates. Its columns are named by their numbers, from 0.
    """

    catalog: str
    key: str
    heads: tuple[str, ...]
    also_called: Mapping[str, str]
    passed_over: frozenset[str]
    words: Mapping[str, str]
    as_it_is: bool = False
    most_rows: int = MOST_ROWS
    titles: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()
    proposed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def meanings(self) -> Mapping[str, str]:
        """Maps each known heading, normalized by `compared`, to its column."""
        own = {name: name for name in self.heads}
        return {compared(head): name for head, name in {**self.also_called, **own}.items()}

    @cached_property
    def unread(self) -> frozenset[str]:
        return frozenset(map(compared, self.passed_over))


@dataclass(frozen=True)
class Choices:
    """The caller's answers to a file's doubts. A doubt without an answer is open."""

    encoding: Encoding | None = None
    sheet: str | None = None
    include_hidden: bool = False
    include_footer: bool = False
    accept_formulas: bool = False
    accept_altered: bool = False
    mixed_dates: Literal["keep", "swap"] | None = None
    """Whether to keep the date cells of a mixed column, or to swap the day and the month in them."""
    columns: str | None = None
    """The catalog's column for each column of the file, separated by commas; blank for a column that is not read."""

    def answered(self, doubt: DoubtCode) -> bool:
        return bool(
            {
                ENCODING: self.encoding,
                OTHER_SHEETS: self.sheet,
                HIDDEN: self.include_hidden,
                FOOTER: self.include_footer,
                FORMULA: self.accept_formulas,
                ALTERED: self.accept_altered,
                MIXED_DATES: self.mixed_dates,
                COLUMNS: self.columns,
            }[doubt]
        )


NOTHING_CHOSEN = Choices()


@dataclass(frozen=True)
class Doubt:
    """A question that the uploader must answer before the rows that it concerns are applied."""

    code: DoubtCode
    params: dict[str, Any]


@dataclass(frozen=True)
class SheetName:
    name: str
    hidden: bool


@dataclass(frozen=True)
class Head:
    """A column of a file: its heading, the column that it means (None if unknown), and a value below the heading."""

    head: str
    column: str | None
    sample: str


@dataclass(frozen=True)
class Looked:
    """What is known of a file before its rows are read. `total`: the number of rows, None if unknown. `heads`: empty
    for an order file."""

    encoding: Encoding | None
    sheet: str | None
    sheets: tuple[SheetName, ...]
    total: int | None
    heads: tuple[Head, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A file with known headings.

    `columns`: the name of each column of the file, None for an ignored one. `marks`: the doubts about single rows; they
    are filled in while the caller iterates over `rows`.
    """

    columns: list[str | None]
    rows: "Iterator[tuple[int, list[Cell]]]"
    looked: Looked
    doubts: tuple[Doubt, ...]
    marks: "Marks"


@dataclass
class Marks:
    """The doubts about single rows, by row number."""

    rows: dict[int, list[str]] = field(default_factory=dict)
    hidden_columns: tuple[str, ...] = ()
    mixed_columns: tuple[str, ...] = ()
    samples: dict[str, str] = field(default_factory=dict)

    def add(self, number: int, code: str, sample: str = "") -> None:
        self.rows.setdefault(number, []).append(code)
        if sample:
            self.samples.setdefault(code, sample[:80])

    def doubts(self, choices: Choices) -> list[Doubt]:
        """Return the doubts without an answer."""
        columns = {HIDDEN: self.hidden_columns, MIXED_DATES: self.mixed_columns}
        found = []
        for code in (HIDDEN, FOOTER, FORMULA, ALTERED, MIXED_DATES):
            rows = [number for number, codes in self.rows.items() if code in codes]
            if (rows or columns.get(code)) and not choices.answered(code):
                params: dict[str, Any] = {"count": len(rows), "rows": rows[:NAMED]}
                if code in columns:
                    params["columns"] = [*columns[code]]
                if code in self.samples:
                    params["sample"] = self.samples[code]
                found.append(Doubt(code, params))
        return found


@dataclass(frozen=True)
class RowsRead:
    """The number of rows read, and the open doubts about the file and the rows."""

    rows: int
    doubts: list[Doubt]


def compared(head: str) -> str:
    """Normalize a heading for comparison: without case, accents and extra blanks."""
    return " ".join(folded(head).split())


def _bare(head: str) -> str:
    """Normalize a heading without punctuation marks: "Qty.", "Item #"."""
    return compared(re.sub(r"[.:#*_]+", " ", head))


def prepare() -> None:
    """Do nothing: importing this module has loaded all that reading needs."""


def look(file: str, wanted: Wanted, choices: Choices = NOTHING_CHOSEN) -> Looked:
    """Check the headings of a file. Raises what `opened` raises."""
    return opened(Path(file).read_bytes(), wanted, choices).looked


def read(file: str, into: str, wanted: Wanted, choices: Choices = NOTHING_CHOSEN) -> RowsRead:
    """Read the rows of `file` and write each as a JSON line to `into`: the number, the cells by column, the doubts.

    A cell that no column reads is named by its place, `@3`, because the file of refused rows contains it. Raises what
    `opened` raises, also while it reads the rows.
    """
    sheet = opened(Path(file).read_bytes(), wanted, choices, looked_at=True)
    rows = written = 0
    with Path(into).open("wb") as out:
        for number, cells in sheet.rows:
            names = [*sheet.columns, *[None] * (len(cells) - len(sheet.columns))]
            if wanted.as_it_is:
                known = {name: _short(cell) for name, cell in zip(names, cells, strict=True) if name}
                known = {name: cell for name, cell in known.items() if cell not in (None, "")}
            else:
                known = {
                    name or f"@{place}": _short(cell)
                    for place, (name, cell) in enumerate(zip(names, cells, strict=True))
                    if name or filled(cell)
                }
            line = json.dumps([number, known, sheet.marks.rows.get(number, [])]).encode() + b"\n"
            rows, written = rows + 1, written + len(line)
            if written > MOST_READ:
                raise FileTooLarge(limit=MOST_READ)
            out.write(line)
    return RowsRead(rows, [*sheet.doubts, *sheet.marks.doubts(choices)])


def _short(cell: "Cell") -> "Cell":
    return {"code": "invalid"} if isinstance(cell, str) and len(cell) > LONGEST_CELL else cell


def kind_of(raw: bytes) -> str:
    """Return whether a file is XLSX or CSV, judging by its content. Raises `UnsupportedFile`."""
    if raw.startswith(_ZIP):
        return XLSX
    is_text = raw.startswith(_UTF_16) or b"\x00" not in raw[:1_024]
    if raw.startswith(_NEVER_TEXT) or not is_text or _MARKUP.match(raw[:1_024].replace(b"\x00", b"")):
        raise UnsupportedFile
    return CSV


def opened(raw: bytes, wanted: Wanted, choices: Choices = NOTHING_CHOSEN, *, looked_at: bool = False) -> Sheet:
    """Check a file's headings and return its rows to be read. `looked_at`: the file has already passed `look`.

    Raises `FileTooLarge`, `UnsupportedFile`, `UnreadableFile`, `UnknownSheet`, `KeyColumnMissing`, `ColumnTwice`,
    `InvalidFields`, `TooManyColumns`, `TooManyRows`.
    """
    if len(raw) > MOST_BYTES:
        raise FileTooLarge(limit=MOST_BYTES)
    if not raw.strip():
        raise UnreadableFile
    if kind_of(raw) == CSV:
        return _text(raw, wanted, choices)
    if not looked_at:
        _refuse_bomb(raw)
    return _workbook(raw, wanted, choices)


def _text(raw: bytes, wanted: Wanted, choices: Choices) -> Sheet:
    read = decoded(raw, choices.encoding)
    if not read.text.strip():
        raise UnreadableFile

    def likeness(one: SeparatedText) -> tuple[tuple[int, ...], int]:
        rows = one.beginning(LOOKED_THROUGH)
        heads = _heads(one.table, wanted)
        return heads.score, 0 if any(heads.score) else sum(len(row.cells) for row in rows)

    found = max(separated(read.text, as_it_is=wanted.as_it_is), key=likeness)
    heads = _checked(_heads(found.table, wanted), wanted, choices)
    above = sum(row.number <= heads.number for row in found.beginning(LOOKED_THROUGH))
    total = found.count(wanted.most_rows + above + 1) - above
    if total > wanted.most_rows:
        raise TooManyRows(limit=wanted.most_rows)
    doubts = (
        ()
        if read.doubt is None
        else (Doubt(ENCODING, {"encoding": read.encoding, "likely": read.encoding, "sample": read.doubt}),)
    )
    looked = Looked(read.encoding, None, (), total, heads.shown)
    return _sheet(found.table, heads, wanted, choices, looked, doubts)


def _workbook(raw: bytes, wanted: Wanted, choices: Choices) -> Sheet:
    found = sheets(raw, as_it_is=wanted.as_it_is, most_rows=wanted.most_rows)
    if not found:
        raise UnreadableFile
    table, heads, others = _chosen(found, wanted, choices)
    heads = _checked(heads, wanted, choices)
    claimed = table.claimed
    looked = Looked(
        None,
        table.name,
        tuple(SheetName(one.name, one.hidden) for one in found),
        claimed - heads.number if claimed and heads.number < claimed <= wanted.most_rows else None,
        heads.shown,
    )
    doubts = (Doubt(OTHER_SHEETS, {"sheet": table.name, "others": others}),) if others else ()
    return _sheet(table, heads, wanted, choices, looked, doubts)


def _chosen(found: list[Table], wanted: Wanted, choices: Choices) -> "tuple[Table, _Heads, list[str]]":
    """Return the sheet to read, its headings, and the names of other possible sheets. Raises `UnknownSheet`.

    The first of these that exists is read: the sheet that the user chose; the visible sheet named like the catalog; the
    first visible sheet with understood headings; the first hidden sheet with them; the sheet with the best score.
    """
    if choices.sheet is not None:
        table = next((one for one in found if one.name == choices.sheet), None)
        if table is None:
            raise UnknownSheet(sheets=[one.name for one in found])
        return table, _heads(table, wanted), []
    headed = [(one, _heads(one, wanted)) for one in found]
    shown = [(one, heads) for one, heads in headed if not one.hidden]
    for one, heads in shown:
        if compared(one.name) in wanted.titles:
            return one, heads, []
    understood = [(one, heads) for one, heads in shown if heads.understood]
    if understood:
        (first, heads), *rest = understood
        return first, heads, [one.name for one, _ in rest]
    hidden = [(one, heads) for one, heads in headed if heads.understood]
    if hidden:  # the hidden sheet is read, but its rows are applied only after the doubt is answered
        first, heads = hidden[0]
        return first, heads, [one.name for one in found if one is not first]
    candidates = [(one, heads) for one, heads in shown if not heads.blank] or shown or headed
    first, heads = max(candidates, key=lambda one: one[1].score)
    return first, heads, [one.name for one, _ in candidates if one is not first]


@dataclass(frozen=True)
class _Heads:
    """A table's headings and the columns that they mean. `number`: the number of their row, 0 for none.

    `score`: how well they are understood; a higher score is better. `understood`: the key's column is among them; for
    an order file, its headings were found. `blank`: the table has no rows. `samples`: a value below each heading.
    `valued`: the places of the columns with a value in the first rows. `doubt`: what the user must confirm, as
    parameters of a doubt, or None.
    """

    number: int
    names: list[str]
    columns: list[str | None]
    score: tuple[int, ...]
    understood: bool
    blank: bool
    samples: tuple[str, ...] = ()
    valued: frozenset[int] = frozenset()
    doubt: dict[str, Any] | None = None

    @property
    def shown(self) -> tuple[Head, ...]:
        return tuple(
            Head(_shown(name), column, _shown(sample))
            for name, column, sample in zip(self.names, self.columns, self.samples, strict=False)
        )


def _heads(table: Table, wanted: Wanted) -> _Heads:
    """Find the headings: the first row with the most known headings, or the fullest row if none is known."""
    first = table.beginning(LOOKED_THROUGH)

    def score(row: Row) -> tuple[int, int]:
        texts = [text_of(cell) if isinstance(cell, str) else "" for cell in row.cells]
        if wanted.as_it_is:
            meant = {wanted.meanings.get(compared(text)) or wanted.meanings.get(_bare(text)) for text in texts} - {None}
            return 0, len(meant) if len(meant) > 1 else 0
        columns = {*_meant(texts, wanted)[0]} - {None}
        return int(wanted.key in columns), len(columns)

    def fullness(row: Row) -> int:
        return sum(map(filled, row.cells))

    best = max(first, key=score, default=None)
    if wanted.as_it_is:
        found = score(best) if best else (0, 0)
        number = best.number if best and any(found) else 0
        names = [text_of(cell) for cell in best.cells] if best and number else []
        columns: list[str | None] = [str(place) for place in range(MOST_COLUMNS)]
        return _Heads(number, names, columns, found, number > 0, not first)
    if best is None or not any(score(best)):
        fullest = max(first, key=fullness, default=None)
        best = fullest if fullest and (fullness(fullest) > 1 or fullest.number == 1) else Row(1, [])
    names = [text_of(cell) for cell in best.cells]
    while names and not names[-1]:
        names.pop()
    below = [row for row in first if row.number > best.number]
    valued = frozenset(place for row in below for place, cell in enumerate(row.cells) if filled(cell))
    columns, doubt = _columns(names, table.hidden_columns, valued, wanted)
    samples = tuple(
        next((text_of(row.cells[place]) for row in below if place < len(row.cells) and filled(row.cells[place])), "")
        for place in range(len(names))
    )
    return _Heads(
        best.number,
        names,
        columns,
        score(best),
        wanted.key in columns,
        not first,
        samples,
        valued,
        doubt,
    )


def _shown(text: str) -> str:
    """Return a heading or a sample to show: short, on one line, and without letters that a database cannot store."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST_SHOWN])


def _meant(names: list[str], wanted: Wanted) -> tuple[list[str | None], set[int]]:
    """Return the column that each heading means, and the places of the headings that only probably mean theirs."""
    columns = [wanted.meanings.get(compared(name)) or wanted.meanings.get(_bare(name)) for name in names]
    free = {
        _bare(name): place
        for place, name in reversed([*enumerate(names)])
        if name and not columns[place] and compared(name) not in wanted.unread
    }
    proposed = set()
    for column, heads in wanted.proposed.items():
        place = next((free[head] for head in heads if head in free), None)
        if place is not None and column not in columns:
            columns[place] = column
            proposed.add(place)
            del free[_bare(names[place])]
    return columns, proposed


def _columns(
    names: list[str], hidden: frozenset[int], valued: frozenset[int], wanted: Wanted
) -> tuple[list[str | None], dict[str, Any] | None]:
    """Return the column at each place, and the parameters of the doubt about the columns, or None.

    If several headings mean one column, the first one is used until the user chooses. The parameters name headings as
    the file writes them, and missing columns in the caller's language.
    """
    columns, proposed = _meant(names, wanted)
    unknown: list[str] = []
    twice: list[str] = []
    for place, name in enumerate(names):
        column = columns[place]
        if column and column in columns[:place]:
            twice += [] if names[columns.index(column)] in twice else [names[columns.index(column)]]
            twice.append(name)
            columns[place] = None
        elif not column and compared(name) not in wanted.unread and place not in hidden and (name or place in valued):
            unknown.append(name)
    doubt = {
        "missing": [] if wanted.key in columns else [wanted.words.get(wanted.key, wanted.key)],
        "duplicate": [*map(_shown, twice)],
        "proposed": [_shown(names[place]) for place in sorted(proposed)],
        "unknown": [*map(_shown, unknown[:NAMED])],
    }
    return columns, doubt if any(doubt.values()) else None


def _checked(heads: _Heads, wanted: Wanted, choices: Choices) -> _Heads:
    """Return the headings with the columns that the user chose.

    Raises `TooManyColumns`, `KeyColumnMissing`, `ColumnTwice`, and `InvalidFields` for a column that the catalog does
    not have.
    """
    if wanted.as_it_is:
        return heads
    if len(heads.names) > MOST_COLUMNS:
        raise TooManyColumns(limit=MOST_COLUMNS)
    if choices.columns is None:
        if not heads.names:
            raise _without_key(wanted)
        return heads
    chosen = [*choices.columns.split(","), *[""] * len(heads.names)][: len(heads.names)]
    if {*chosen} - {"", *wanted.heads}:
        raise InvalidFields.of("columns", "not_a_choice")
    for column in chosen:
        if column and chosen.count(column) > 1:
            called = [name or get_column_letter(place + 1) for place, name in enumerate(heads.names)]
            raise ColumnTwice(
                errors=[FieldError(column, "duplicate_column")],
                column=wanted.words.get(column, column),
                heads=[_shown(called[place]) for place, other in enumerate(chosen) if other == column],
            )
    if wanted.key not in chosen:
        raise _without_key(wanted)
    return replace(heads, columns=[column or None for column in chosen], doubt=None)


def _without_key(wanted: Wanted) -> KeyColumnMissing:
    return KeyColumnMissing(
        errors=[FieldError(wanted.key, "missing_column")], column=wanted.words.get(wanted.key, wanted.key)
    )


def _sheet(
    table: Table, heads: _Heads, wanted: Wanted, choices: Choices, looked: Looked, doubts: tuple[Doubt, ...]
) -> Sheet:
    marks = Marks()
    rows = table.rows()
    columns = heads.columns
    rows = _dated(rows, marks, choices) if wanted.as_it_is else (row for row in rows if row.number > heads.number)
    if table.hidden_columns and not choices.include_hidden:
        columns, rows = _without(table.hidden_columns, rows, heads, marks, wanted)
    marked = _marked(rows, heads, marks, wanted)
    if heads.doubt:
        doubts = (*doubts, Doubt(COLUMNS, heads.doubt))
    open_doubts = tuple(doubt for doubt in doubts if not choices.answered(doubt.code))
    return Sheet(columns, _counted(marked, columns, heads, wanted), looked, open_doubts, marks)


def _without(
    hidden: frozenset[int], rows: Iterator[Row], heads: _Heads, marks: Marks, wanted: Wanted
) -> tuple[list[str | None], Iterator[Row]]:
    """Return the columns and rows without hidden columns. The key's column stays, because it identifies a row."""
    if not wanted.as_it_is:
        gone = {place for place in hidden if place < len(heads.columns) and heads.columns[place] != wanted.key}
        marks.hidden_columns = tuple(heads.names[place] for place in sorted(gone) if heads.columns[place])
        return [None if place in gone else column for place, column in enumerate(heads.columns)], rows
    every = [*rows]
    gone = {place for row in every for place in hidden if place < len(row.cells) and filled(row.cells[place])}
    marks.hidden_columns = tuple(get_column_letter(place + 1) for place in sorted(gone))
    columns = [None if place in gone else column for place, column in enumerate(heads.columns)]
    return columns, iter(every)


def _marked(rows: Iterable[Row], heads: _Heads, marks: Marks, wanted: Wanted) -> Iterator[Row]:
    """Yield the rows. Marks rows below the headings that are hidden, contain computed or altered cells, or look like a
    footer."""
    first = next((place for place, name in enumerate(heads.names) if name), 0)
    exact = _exact_places(heads, wanted)
    before, in_footer, has_data = heads.number, False, False
    for row in rows:
        if row.number > heads.number:
            places = [place for place, cell in enumerate(row.cells) if filled(cell)]
            is_alone = len(places) == 1 and places[0] <= first
            text = text_of(row.cells[places[0]])
            follows = has_data and (in_footer or row.number > before + 1)
            in_footer = (is_alone and follows) or bool(_TOTAL.fullmatch(compared(text)))
            if in_footer:
                marks.add(row.number, FOOTER, text)
            has_data = has_data or not in_footer
            before = row.number
            if row.hidden:
                marks.add(row.number, HIDDEN)
            if any(place < len(heads.columns) and heads.columns[place] for place in row.formulas):
                marks.add(row.number, FORMULA)
            if sample := next(
                filter(None, (_altered(row.cells[place]) for place in exact if place < len(row.cells))), ""
            ):
                marks.add(row.number, ALTERED, sample)
        yield row


def _exact_places(heads: _Heads, wanted: Wanted) -> list[int]:
    """Return the places of the columns of keys, codes and telephones. An order file without headings begins with the
    keys."""
    if not wanted.as_it_is:
        return [place for place, column in enumerate(heads.columns) if column in wanted.exact]
    meant = [wanted.meanings.get(compared(name)) or wanted.meanings.get(_bare(name)) for name in heads.names]
    return [place for place, column in enumerate(meant) if column in wanted.exact] if heads.number else [0]


def _altered(cell: "Cell") -> str:
    """Return the part of a cell that a spreadsheet has probably altered; an empty text if there is none."""
    parts = map(str.strip, re.split(r"[|\n;]", cell)) if isinstance(cell, str) else ()
    return next(filter(_ALTERED.fullmatch, parts), "")


def _dated(rows: Iterable[Row], marks: Marks, choices: Choices) -> Iterator[Row]:
    """Yield the rows of an order file. Marks rows in columns with both date cells and dates written as numbers.

    A spreadsheet that expects the month first turns 03/04 into a date cell, but leaves 18/04 as a text.
    """
    every = [*rows]
    written = [
        {place for place, cell in enumerate(row.cells) if isinstance(cell, str) and _DAY_IN_NUMBERS.fullmatch(cell)}
        for row in every
    ]
    mixed = {place for row in every for place in row.days} & {place for places in written for place in places}
    marks.mixed_columns = tuple(get_column_letter(place + 1) for place in sorted(mixed))
    for row, places in zip(every, written, strict=True):
        doubtful = mixed & (row.days | places)
        if doubtful:
            marks.add(row.number, MIXED_DATES, text_of(row.cells[min(doubtful)]))
        yield _swapped(row, mixed & row.days) if choices.mixed_dates == "swap" else row


def _swapped(row: Row, places: Iterable[int]) -> Row:
    """Swap the day and the month of the date cells at these places, where the result is a date."""
    cells = [*row.cells]
    for place in places:
        year, month, day = text_of(cells[place]).split("-")
        if int(day) <= 12:
            cells[place] = f"{year}-{day}-{month}"
    return row._replace(cells=cells)


def _counted(
    rows: Iterable[Row], columns: list[str | None], heads: _Heads, wanted: Wanted
) -> "Iterator[tuple[int, list[Cell]]]":
    """Yield each row's number and cells; short rows are filled up to the number of columns. Raises `TooManyRows`."""
    codes = [place for place, column in enumerate(columns) if column in wanted.codes]
    for count, (number, read, *_) in enumerate(rows, start=1):
        if count > wanted.most_rows:
            raise TooManyRows(limit=wanted.most_rows)
        cells = [*read[: len(columns)], *[None] * (len(columns) - len(read))]
        if not wanted.as_it_is and any(_beside_heads(read, heads)):
            # Any of the cells may be the surplus one, so none can be trusted.
            refused = ({"code": "wrong_number_of_cells", "text": text_of(cell)} for cell in cells)
            cells = [*refused, *read[len(columns) :]]
        if read and isinstance(read[-1], dict) and read[-1]["code"] == OPEN_QUOTE:
            missing = max(len(heads.names) - len(read), 0)
            cells[len(read) : len(read) + missing] = [{"code": OPEN_QUOTE, "text": ""}] * missing
        for place in codes:
            cells[place] = plain_code(cells[place])
        yield number, cells


def _beside_heads(cells: "list[Cell]", heads: _Heads) -> Iterator[bool]:
    """Yield, for each cell without a heading, whether the cell has a value.

    A cell under a blank heading counts only if the column has no value in the first rows: the user is asked about such
    a column anyway.
    """
    names = heads.names
    return (
        filled(cell)
        for place, cell in enumerate(cells)
        if place >= len(names) or not (names[place] or place in heads.valued)
    )


def plain_code(cell: "Cell") -> "Cell":
    """Normalize a tariff code: drop dots and blanks between digits; turn a number of 8 or 10 digits into a text."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        digits = str(int(cell)) if cell == int(cell) else ""
        return digits if len(digits) in (8, 10) else cell
    if isinstance(cell, str):
        digits = re.sub(r"[.\s]", "", cell)
        return digits if digits.isascii() and digits.isdigit() else cell
    return cell


def _refuse_bomb(raw: bytes) -> None:
    """Refuse a package that unpacks to too many bytes. Its stated sizes suffice: zipfile never reads beyond them.

    Raises `FileTooLarge`, and `UnreadableFile` for a broken package or one that declares entities.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as package:
            parts = package.infolist()
            texts = sum(part.file_size for part in parts if "worksheets/" not in part.filename)
            if len(parts) > MOST_PARTS or texts > MOST_TEXTS or sum(part.file_size for part in parts) > MOST_UNZIPPED:
                raise FileTooLarge(limit=MOST_UNZIPPED)
            for part in parts:
                with package.open(part) as content:
                    _refuse_entities(content)
    except (Refusal, MemoryError):
        raise
    except Exception as error:  # a broken package may raise anything in the library
        raise UnreadableFile from error


def _refuse_entities(content: IO[bytes]) -> None:
    """Raise `UnreadableFile` for a part with a document type, which can declare entities.

    Spreadsheet programs write no document type.
    """
    before = b""
    while chunk := content.read(1_048_576):
        if any(mark in before + chunk for mark in _DOCUMENT_TYPE):
            raise UnreadableFile
        before = chunk[-32:]
