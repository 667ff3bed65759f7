"""A table of an uploaded file, whatever the file is: its rows and what the file says about them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from project.catalogs.cells import Cell

MOST_COLUMNS = 100

DoubtCode = Literal["encoding", "hidden_rows", "mixed_dates", "footer", "formula_values", "other_sheets"]
ENCODING: DoubtCode = "encoding"
OTHER_SHEETS: DoubtCode = "other_sheets"
HIDDEN: DoubtCode = "hidden_rows"
MIXED_DATES: DoubtCode = "mixed_dates"
FOOTER: DoubtCode = "footer"
FORMULA: DoubtCode = "formula_values"


class Row(NamedTuple):
    """A row that is not blank. `number` counts as a spreadsheet does; columns are counted from 0.

    `formulas` and `days`: the columns of cells that a formula computed, and of true dates.
    """

    number: int
    cells: "list[Cell]"
    hidden: bool = False
    formulas: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Table:
    """A sheet of a workbook, or a text file. `beginning`: its rows up to a number, without what is said about them."""

    name: str
    beginning: Callable[[int], list[Row]]
    rows: Callable[[], Iterator[Row]]
    hidden: bool = False
    hidden_columns: frozenset[int] = frozenset()
    claimed: int | None = None
    """The last row's number as the file says it: no more than a hint."""


def text_of(cell: "Cell") -> str:
    """A cell as a text; empty for one that cannot be read."""
    return "" if cell is None or isinstance(cell, dict) else str(cell).strip()


def filled(cell: "Cell") -> bool:
    return cell is not None and (not isinstance(cell, str) or bool(cell.strip()))
