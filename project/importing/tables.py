"""A table in an uploaded file of any kind: its rows, and what the file says about them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from project.catalogs.cells import Cell

MOST_COLUMNS = 100

DoubtCode = Literal[
    "encoding", "hidden_rows", "mixed_dates", "footer", "formula_values", "altered_values", "other_sheets", "columns"
]
ENCODING: DoubtCode = "encoding"
OTHER_SHEETS: DoubtCode = "other_sheets"
HIDDEN: DoubtCode = "hidden_rows"
MIXED_DATES: DoubtCode = "mixed_dates"
FOOTER: DoubtCode = "footer"
FORMULA: DoubtCode = "formula_values"
ALTERED: DoubtCode = "altered_values"
COLUMNS: DoubtCode = "columns"

OPEN_QUOTE = "open_quote"
"""The code of a cell with a quote that nothing closes: where the cell ends is unknown."""
UNSURE_CELLS = frozenset({"wrong_number_of_cells", OPEN_QUOTE})
"""Codes of a row whose cells are in doubt until the uploader has looked at the row."""


class Row(NamedTuple):
    """A row that is not blank. `number`: its number in the spreadsheet. Columns are counted from 0.

    `formulas`: the columns of cells that a formula computed. `days`: the columns of date cells.
    """

    number: int
    cells: "list[Cell]"
    hidden: bool = False
    formulas: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Table:
    """A sheet of a workbook, or a text file.

    `rows`: yields all rows. `beginning(n)`: returns the rows with a number up to n, without the marks `hidden` and
    `formulas`.
    """

    name: str
    beginning: Callable[[int], list[Row]]
    rows: Callable[[], Iterator[Row]]
    hidden: bool = False
    hidden_columns: frozenset[int] = frozenset()
    claimed: int | None = None
    """The number of the last row as the file states it, which may be wrong."""


def text_of(cell: "Cell") -> str:
    """Return a cell as a text. The text is empty if the cell cannot be read and its text is unknown."""
    match cell:
        case None:
            return ""
        case dict():
            return cell.get("text", "")
        case float() if cell.is_integer():
            return str(int(cell))
        case _:
            return str(cell).strip()


def filled(cell: "Cell") -> bool:
    return cell is not None and (not isinstance(cell, str) or bool(cell.strip()))
