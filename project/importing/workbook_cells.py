"""What a cell of a workbook holds, for the processes that read uploaded files."""

import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from project.catalogs.cells import Cell

_CONTROL = re.compile(r"_x00([01][0-9A-Fa-f])_")
_ZEROS = re.compile(r"0{2,30}")
_NO_SIGN = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
"""What a number format writes beside the number."""

_CURRENCY = re.compile(r'\[\$([^$\-\]]+\$?)[^\]]*\]|"(€|£|US\$|MX\$|[A-Z]{3}) ?"')
"""A currency that a number format names; `$` alone names none."""


def is_day(value: Any) -> bool:
    return isinstance(value, date)


def cell_read(cell: Any) -> "Cell":
    """What a cell holds: an error and a date are named as what is not read; a percentage and an amount of a named
    currency are texts as they are shown."""
    value = cell.value
    match value:
        case None | bool():
            return value
        case str():
            if cell.data_type == "e":
                return {"code": "invalid"}
            # A workbook writes control characters, above all a carriage return, as _x000D_.
            return _CONTROL.sub(lambda match: chr(int(match[1], 16)), value) if "_x00" in value else value
        case int() | float():
            if abs(value) >= 1e30:
                return {"code": "invalid_type"}
            shown = cell.number_format or ""
            if isinstance(value, int) and value >= 0 and _ZEROS.fullmatch(shown):
                return str(value).zfill(len(shown))  # shown with its leading zeros, and meant so
            if "%" in shown and "%" in _NO_SIGN.sub("", shown):
                return f"{(Decimal(repr(value)) * 100).normalize():f}%"
            if named := _CURRENCY.search(shown):
                return f"{named[1] or named[2]} {Decimal(repr(value)).normalize():f}"
            return value
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
