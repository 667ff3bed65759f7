"""Cells of XLSX and CSV files: values keep their types, and no text becomes a formula."""

import re
from decimal import Decimal
from typing import Any

from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def harmless(text: str) -> str:
    """Escape a text for CSV: put an apostrophe before anything that a spreadsheet would take for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def as_meant(text: str) -> str:
    """Undo `harmless`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def head(sheet: Any, text: str) -> Any:
    """Return a cell for a column's heading."""
    made = WriteOnlyCell(sheet, text)
    made.font = Font(bold=True)
    return made


def cell(sheet: Any, value: Any) -> Any:
    """Return what openpyxl writes for a value, with its own type; a text never becomes a formula.

    A plain value costs a fraction of a cell object, so only texts that Excel would interpret become cell objects.
    """
    if isinstance(value, Decimal):
        return float(value)
    if not isinstance(value, str):
        return value
    if "\r" in value:
        value = value.replace("\r", "_x000D_")  # XML would make it a line feed
    if value[:1] not in ("=", "#") and not ILLEGAL_CHARACTERS_RE.search(value):
        return value
    made = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub(" ", value))
    made.data_type = "s"
    return made
