"""Builds `assets/catalogs.xlsx`: one sheet per catalog, with typed cells. No text is written as a formula.

Headings are the API's field names, and cells are written as the import reads them, so that sheets can be imported
again.
"""

import io
from tempfile import TemporaryDirectory
from typing import Any

from xlsxwriter import Workbook

from project.access.principal import Principal
from project.catalogs.definition import CATALOGS
from project.catalogs.selectors import BY_NAME
from project.catalogs.terms import shared_catalogs
from project.core.exporting import Column, write_sheet

BATCH = 2_000
_ID = Column[Any]("id", lambda row: row.pk)


def workbook(by: Principal) -> tuple[bytes, int]:
    """Build an XLSX file of the shared catalogs and those that `by` may list. Returns the file and its row count."""
    written = 0
    out = io.BytesIO()
    with TemporaryDirectory() as folder, Workbook(out, {"constant_memory": True, "tmpdir": folder}) as book:
        for catalog in CATALOGS.values():
            if catalog.reads is None or by.holds(catalog.reads):
                columns = (_ID, *catalog.columns)
                orderings = catalog.orderings
                order = "id" if orderings is BY_NAME else orderings.columns[orderings.default]
                records = catalog.rows().order_by(order, "id")
                rows = ([column.value(row) for column in columns] for row in records.iterator(BATCH))
                written += write_sheet(book, catalog.file, [column.key for column in columns], rows)
        for key, terms in shared_catalogs().items():
            names = ((term.code, term.name_es, term.name_en) for term in terms)
            written += write_sheet(book, key, ("code", "nameEs", "nameEn"), names)
    return out.getvalue(), written
