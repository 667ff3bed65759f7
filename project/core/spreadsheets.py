"""Cells of XLSX and CSV files: real types, and no text ever becomes a formula."""

import re
from decimal import Decimal
from typing import Any

from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def harmless(text: str) -> str:
    """A text as CSV has it: with an apostrophe before what a spreadsheet would take for a formula, as its users do."""
    return f"'{text}" if _FORMULA.match(text) else text


def as_meant(text: str) -> str:
    """The text that `harmless` was made of."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def head(sheet: Any, text: str) -> Any:
    """What is written for the head of a column."""
    made = WriteOnlyCell(sheet, text)
    made.font = Font(bold=True)
    return made


def cell(sheet: Any, value: Any) -> Any:
    """What is written for a value: its own type; a text stays a text whatever it begins with.

    A plain value costs a fraction of a cell object: only a text that would be taken for something else gets one.
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
