"""Reads CSV and other delimited texts."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from project.core.spreadsheets import as_meant
from project.importing.refusals import UnreadableFile
from project.importing.tables import MOST_COLUMNS, OPEN_QUOTE, Row, Table, filled

if TYPE_CHECKING:
    from project.catalogs.cells import Cell

SEPARATORS = ",;\t"
MOST_OPEN_QUOTES = 100
"""Maximum number of rows with an open quote. A text with more of them is no table."""
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?[,;\t ]*(?:\r\n|\r|\n|$)', re.IGNORECASE)


@dataclass(frozen=True)
class SeparatedText:
    """A text with cells delimited by `separator`."""

    text: str
    separator: str
    as_it_is: bool
    """Keep the apostrophe that marks a cell as not a formula."""

    @property
    def table(self) -> Table:
        return Table("", self.beginning, self.rows)

    def beginning(self, records: int) -> list[Row]:
        """Read the first records that can be read, because this separator may be the wrong one.

        Raises `UnreadableFile` if not even the first one can be read.
        """
        read: list[list[Cell]] = []
        try:
            for record in islice(self._records(), records):
                read.append(record)
        except csv.Error as error:
            if not read:
                raise UnreadableFile from error
        return [*self._rows(read)]

    def rows(self) -> Iterator[Row]:
        """Yield the rows that are not blank. Raises `UnreadableFile`."""
        try:
            yield from self._rows(self._records())
        except csv.Error as error:
            raise UnreadableFile from error

    def count(self, most: int) -> int:
        """Count the rows, up to `most`. Raises `UnreadableFile`."""
        try:
            return sum(1 for _ in islice(filter(any, self._records()), most))
        except csv.Error as error:
            raise UnreadableFile from error

    def _records(self) -> "Iterator[list[Cell]]":
        """Yield the records. Raises `csv.Error`.

        A line with a stray quote, as in `"Luna" anillo`, is one record, read as Excel reads it. If a quote of that line
        is never closed, its last cell is an `OPEN_QUOTE`.
        """
        source = io.StringIO(self.text, newline="")
        reader = csv.reader(source, delimiter=self.separator, strict=True)
        still_open = 0
        while True:
            begin = source.tell()
            try:
                yield [*next(reader)]
            except StopIteration:
                return
            except csv.Error:
                source.seek(begin)
                line = source.readline().rstrip("\r\n")
                record, *rest = csv.reader([line + "\n", "."], delimiter=self.separator)
                still_open += not rest
                if still_open > MOST_OPEN_QUOTES:
                    raise
                *cells, last = record
                yield [*cells, last if rest else {"code": OPEN_QUOTE, "text": last.removesuffix("\n.")}]
                reader = csv.reader(source, delimiter=self.separator, strict=True)

    def _rows(self, records: "Iterable[list[Cell]]") -> Iterator[Row]:
        for number, record in enumerate(records, start=1):
            if any(record) and any(map(filled, record)):
                cells = record[: MOST_COLUMNS + 1]
                if any(map(filled, record[MOST_COLUMNS + 1 :])):
                    cells[-1] = cells[-1] or "…"  # show that there are values beyond the last allowed column
                meant = [as_meant(cell) if isinstance(cell, str) else cell for cell in cells]
                yield Row(number, cells if self.as_it_is else meant)


def separated(text: str, *, as_it_is: bool) -> list[SeparatedText]:
    """Return the text with each possible separator. If a `sep=` line declares the separator, only with this one.

    The `sep=` line is dropped.
    """
    declared = _SEPARATOR_LINE.match(text)
    if declared:
        return [SeparatedText(text[declared.end() :], declared[1], as_it_is)]
    return [SeparatedText(text, separator, as_it_is) for separator in SEPARATORS]
