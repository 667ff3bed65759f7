"""Reads CSV and other delimited texts."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from project.core.spreadsheets import as_meant
from project.importing.refusals import UnreadableFile
from project.importing.tables import MOST_COLUMNS, Row, Table, filled

SEPARATORS = ",;\t"
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
        """Read the first records leniently, because this separator may be the wrong one.

        Raises `UnreadableFile` if not even the first one can be read.
        """
        read: list[list[str]] = []
        try:
            for record in islice(self._reader(strict=False), records):
                read.append(record)
        except csv.Error as error:
            if not read:
                raise UnreadableFile from error
        return [*self._rows(read)]

    def rows(self) -> Iterator[Row]:
        """Yield the rows that are not blank. Raises `UnreadableFile`."""
        try:
            yield from self._rows(self._reader(strict=True))
        except csv.Error as error:
            raise UnreadableFile from error

    def count(self, most: int) -> int:
        """Count the rows, up to `most`. Raises `UnreadableFile`."""
        try:
            return sum(1 for _ in islice(filter(any, self._reader(strict=True)), most))
        except csv.Error as error:
            raise UnreadableFile from error

    def _reader(self, *, strict: bool) -> Iterator[list[str]]:
        return csv.reader(io.StringIO(self.text, newline=""), delimiter=self.separator, strict=strict)

    def _rows(self, records: Iterable[list[str]]) -> Iterator[Row]:
        for number, record in enumerate(records, start=1):
            if any(record) and any(map(filled, record)):
                cells = record[: MOST_COLUMNS + 1]
                if any(map(filled, record[MOST_COLUMNS + 1 :])):
                    cells[-1] = cells[-1] or "…"  # show that there are values beyond the last allowed column
                yield Row(number, [*cells] if self.as_it_is else [*map(as_meant, cells)])


def separated(text: str, *, as_it_is: bool) -> list[SeparatedText]:
    """Return the text once for each possible separator; only for the one that a `sep=` line declares, if there is one.

    The `sep=` line is dropped.
    """
    declared = _SEPARATOR_LINE.match(text)
    if declared:
        return [SeparatedText(text[declared.end() :], declared[1], as_it_is)]
    return [SeparatedText(text, separator, as_it_is) for separator in SEPARATORS]
