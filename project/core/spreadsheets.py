"""Texts in spreadsheets: no text becomes a formula."""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def harmless(text: str) -> str:
    """Escape a text for CSV: put an apostrophe before anything that a spreadsheet would take for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def as_meant(text: str) -> str:
    """Undo `harmless`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
