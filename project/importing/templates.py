"""Builds templates to fill in, with a catalog's heads in the caller's language. The workbook has an example on a
second sheet."""

import csv
import io
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font

from project.catalogs.definition import CatalogDefinition
from project.core.texts import text

CONTENT_TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}


def template(catalog: CatalogDefinition[Any], kind: str) -> bytes:
    """Build the template as an XLSX or CSV file."""
    return _workbook(catalog) if kind == "xlsx" else _text(catalog)


def _heads(catalog: CatalogDefinition[Any]) -> list[str]:
    return [text(f"field_{name}") for name in catalog.heads]


def _text(catalog: CatalogDefinition[Any]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerow(_heads(catalog))
    return out.getvalue().encode("utf-8-sig")  # spreadsheets recognize UTF-8 by the byte order mark


def _workbook(catalog: CatalogDefinition[Any]) -> bytes:
    """Build the workbook. All cells are formatted as text, so that typed codes keep their leading zeros."""
    book = Workbook(write_only=True)
    heads = _heads(catalog)
    for title, rows in ((text(f"catalog_{catalog.name}"), ()), (text("example"), (catalog.example(),))):
        sheet = book.create_sheet(title)
        sheet.freeze_panes = "A2"
        for place, head in enumerate(heads):
            dimension = sheet.column_dimensions[chr(ord("A") + place)]
            dimension.width = max(14, len(head) + 4)
            dimension.number_format = "@"
        sheet.append([_cell(sheet, head, Font(bold=True)) for head in heads])
        for row in rows:
            sheet.append([_cell(sheet, value, Font()) for value in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _cell(sheet: Any, value: str, font: Font) -> Any:
    cell = WriteOnlyCell(sheet, value)
    cell.data_type, cell.number_format, cell.font = "s", "@", font
    cell.alignment = Alignment(wrap_text="\n" in value, vertical="top")
    return cell
