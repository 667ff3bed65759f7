"""Templates to fill in: the heads of a catalog's file; the workbook shows an example on a second sheet."""

import csv
import io
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font

from project.importing.columns import Importable

CONTENT_TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}


def template(catalog: Importable, kind: str) -> bytes:
    """The template as an XLSX or CSV file."""
    return _workbook(catalog) if kind == "xlsx" else _text(catalog)


def _text(catalog: Importable) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerow(catalog.heads)
    return out.getvalue().encode("utf-8-sig")  # the mark tells spreadsheets that it is UTF-8


def _workbook(catalog: Importable) -> bytes:
    """All cells are formatted as text, so that a code typed in keeps its leading zeros."""
    book = Workbook(write_only=True)
    for title, rows in ((catalog.catalog, ()), ("example", (catalog.example,))):
        sheet = book.create_sheet(title)
        sheet.freeze_panes = "A2"
        for place, column in enumerate(catalog.columns):
            dimension = sheet.column_dimensions[chr(ord("A") + place)]
            dimension.width = max(14, len(column.name) + 4)
            dimension.number_format = "@"
        sheet.append([_cell(sheet, head, Font(bold=True)) for head in catalog.heads])
        for row in rows:
            sheet.append([_cell(sheet, text, Font()) for text in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _cell(sheet: Any, text: str, font: Font) -> Any:
    cell = WriteOnlyCell(sheet, text)
    cell.data_type, cell.number_format, cell.font = "s", "@", font
    cell.alignment = Alignment(wrap_text="\n" in text, vertical="top")
    return cell
