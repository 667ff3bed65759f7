"""`assets/catalogs.xlsx`: one sheet a catalog, real types, and no formula ever starts a cell (contract, section 3)."""

import io
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Value
from openpyxl import Workbook

from project.access.permissions import P
from project.access.principal import Principal
from project.catalogs import selectors
from project.catalogs.terms import shared_catalogs
from project.core.money import plant_currency
from project.core.spreadsheets import cell, head

Row = Iterable[Any]
BATCH = 2_000


def workbook(by: Principal) -> tuple[bytes, int]:
    """The catalogs that `by` may list, and the shared ones, as an XLSX file, and how many rows it has."""
    written = 0
    book = Workbook(write_only=True)
    for title, permission, heads, rows in _sheets():
        if by.holds(permission):
            written += _sheet(book, title, heads, rows)
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


def _sheets() -> Iterator[tuple[str, P, tuple[str, ...], Iterable[Row]]]:
    """Title, the permission that lists it, heads and rows; rows are read in batches."""
    yield (
        "companies",
        P.ListCompanies,
        ("id", "name", "legalName", "taxId", "email", "phone", "status"),
        (
            selectors.companies()
            .order_by("id")
            .values_list("id", "name", "legal_name", "tax_id", "email", "phone", "status")
            .iterator(BATCH)
        ),
    )
    yield (
        "customers",
        P.ListCustomers,
        ("id", "name", "taxId", "quinto", "currency", "status"),
        (
            selectors.customers()
            .order_by("id")
            .values_list("id", "name", "tax_id", "quinto", "currency", "status")
            .iterator(BATCH)
        ),
    )
    yield (
        "components",
        P.ListComponents,
        ("id", "name", "status"),
        (selectors.components().order_by("id").values_list("id", "name", "status").iterator(BATCH)),
    )
    yield (
        "materials",
        P.ListMaterials,
        ("id", "name", "description", "status"),
        (selectors.materials().order_by("id").values_list("id", "name", "description", "status").iterator(BATCH)),
    )
    tariff = ("code", "englishDescription", "spanishDescription", "englishMetalName", "spanishMetalName")
    yield (
        "export-tax-items",
        P.ListExportTax,
        tariff,
        (
            selectors.export_tax_items()
            .order_by("code")
            .values_list(
                "code", "english_description", "spanish_description", "english_metal_name", "spanish_metal_name"
            )
            .iterator(BATCH)
        ),
    )
    yield (
        "production-processes",
        P.ListProductionProcesses,
        ("id", "order", "name", "price", "currency", "status"),
        (
            selectors.production_processes()
            .order_by("order")
            .values_list("id", "order", "name", "price", Value(plant_currency()), "status")
            .iterator(BATCH)
        ),
    )
    items = (
        "key",
        "name",
        "taxItemKey",
        "satUnitMeasurement",
        "taxAmount",
        "sellPrice",
        "currency",
        "measures",
        "status",
    )
    yield (
        "items",
        P.ListItems,
        items,
        (
            selectors.items()
            .order_by("key")
            .values_list(
                "key",
                "name",
                "tax_item__code",
                "sat_unit_measurement",
                "tax_amount",
                "sell_price",
                "currency",
                "measures",
                "status",
            )
            .iterator(BATCH)
        ),
    )
