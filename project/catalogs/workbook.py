"""`assets/catalogs.xlsx`: one sheet a catalog, real types, and no formula ever starts a cell.

Its heads are the contract's names, and its cells what the import reads: each sheet can be imported again.
"""

import io
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from openpyxl import Workbook

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs import selectors
from project.catalogs.flat import FLAT
from project.catalogs.terms import shared_catalogs
from project.core.exporting import Column
from project.core.spreadsheets import cell, head

Row = Iterable[Any]
BATCH = 2_000
_ID = Column[Any]("id", lambda row: row.pk)


def workbook(by: Principal) -> tuple[bytes, int]:
    """The catalogs that `by` may list, and the shared ones, as an XLSX file, and how many rows it has."""
    written = 0
    book = Workbook(write_only=True)
    for title, permission, records, order in _sheets():
        if permission is None or by.holds(permission):
            columns = (_ID, *FLAT[title])
            rows = ([column.value(row) for column in columns] for row in records.order_by(order, "id").iterator(BATCH))
            written += _sheet(book, title, tuple(column.key for column in columns), rows)
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
    for written, row in enumerate(rows, start=1):  # noqa: B007 - how many there were is the answer
        sheet.append([cell(sheet, value) for value in row])
    return written


def _sheets() -> Iterator[tuple[str, Permission | None, QuerySet[Any], str]]:
    """Title, the permission that lists it (None: any of the staff may), its records and their order."""
    yield "companies", Permission.ListCompanies, selectors.companies(), "id"
    yield "customers", Permission.ListCustomers, selectors.customers(), "id"
    yield "components", Permission.ListComponents, selectors.components(), "id"
    yield "materials", Permission.ListMaterials, selectors.materials(), "id"
    yield "export-tax-items", Permission.ListExportTax, selectors.export_tax_items(), "code"
    yield "production-processes", Permission.ListProductionProcesses, selectors.production_processes(), "order"
    yield "items", Permission.ListItems, selectors.items(), "key"
    yield "customer-types", None, selectors.customer_types(), "key"
    yield "tax-sections", None, selectors.tax_sections(), "key"
    yield "release-reasons", None, selectors.release_reasons(), "key"
    yield "scrap-reasons", None, selectors.scrap_reasons(), "key"
