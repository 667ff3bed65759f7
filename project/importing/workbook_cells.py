"""What a cell of a workbook holds, for the processes that read uploaded files."""

import re
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from project.importing.cells import Cell

_CONTROL = re.compile(r"_x00([01][0-9A-Fa-f])_")
_ZEROS = re.compile(r"0{2,30}")


def head_read(cell: Any) -> str:
    """The text of a head."""
    value = cell.value
    return "" if value is None else str(value)


def cell_read(cell: Any) -> "Cell":
    """What a cell holds: a formula, an error and a date are named as what is not read."""
    value = cell.value
    match value:
        case None | bool():
            return value
        case str():
            if cell.data_type == "f":
                return {"code": "formula_not_read"}
            if cell.data_type == "e":
                return {"code": "invalid"}
            # A workbook writes control characters, above all a carriage return, as _x000D_.
            return _CONTROL.sub(lambda match: chr(int(match[1], 16)), value) if "_x00" in value else value
        case int() if _ZEROS.fullmatch(cell.number_format or "") and value >= 0:
            return str(value).zfill(len(cell.number_format))  # shown with its leading zeros, and meant so
        case int() | float():
            return value if abs(value) < 1e30 else {"code": "invalid_type"}
        case datetime() | date() | time() | timedelta():
            return {"code": "text_expected"}
        case _:
            return {"code": "formula_not_read"}


def cell_or_day(cell: Any) -> "Cell":
    """As `cell_read`; a date is the text of its day."""
    value = cell.value
    if isinstance(value, datetime):
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else cell_read(cell)
