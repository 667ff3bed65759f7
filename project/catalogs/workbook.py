"""Builds `assets/catalogs.xlsx`: one sheet per catalog, with typed cells. No text is written as a formula.

Headings are the API's field names, and cells are written as the import reads them, so that sheets can be imported
again.
"""

import io
from collections.abc import Iterable
from typing import Any

from openpyxl import Workbook

from project.access.principal import Principal
from project.catalogs.definition import CATALOGS
from project.catalogs.selectors import BY_NAME
from project.catalogs.terms import shared_catalogs
from project.core.exporting import Column
from project.core.spreadsheets import cell, head

Row = Iterable[Any]
BATCH = 2_000
_ID = Column[Any]("id", lambda row: row.pk)


def workbook(by: Principal) -> tuple[bytes, int]:
    """Build an XLSX file of the shared catalogs and those that `by` may list. Returns the file and its row count."""
    written = 0
    book = Workbook(write_only=True)
    for name, catalog in CATALOGS.items():
        if catalog.reads is None or by.holds(catalog.reads):
            columns = (_ID, *catalog.columns)
            orderings = catalog.orderings
            order = "id" if orderings is BY_NAME else orderings.columns[orderings.default]
            records = catalog.rows().order_by(order, "id")
            rows = ([column.value(row) for column in columns] for row in records.iterator(BATCH))
            written += _sheet(book, name, tuple(column.key for column in columns), rows)
    for key, terms in shared_catalogs().items():
        written += _sheet(
            book, key, ("code", "nameEs", "nameEn"), ((term.code, term.name_es, term.name_en) for term in terms)
        )
    out = io.BytesIO()
    book.save(out)
    return out.getvalue(), written


def _sheet(book: Workbook, title: str, heads: tuple[str, ...], rows: Iterable[Row]) -> int:
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    sheet.append([head(sheet, name) for name in heads])
    written = 0
    for written, row in enumerate(rows, start=1):  # noqa: B007 - the last number is the row count
        sheet.append([cell(sheet, value) for value in row])
    return written
