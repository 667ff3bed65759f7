"""Exported lists of orders, lines, users and the audit.

A file has the rows, filters and order of the screen, and only what the reader may see.
"""

import csv
import io
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.core.texts import LANGUAGES, texts
from tests.builders import Caller, Shop, buyer, customer

ORDERS, LINES = "/api/sales-order", "/api/sales-order/positions"
LOCALES = Path(__file__).parents[3] / "web/src/locales"


def rows(by: Caller, path: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(by.raw(path).decode("utf-8-sig"), newline=""))]


def test_orders_are_exported_with_the_filters_and_order_of_the_list(shop: Shop) -> None:
    first, second = shop.order(2, 3, customerSalesOrderId="A-1"), shop.order(5, customerSalesOrderId="B-2")
    shop.order(1, customerSalesOrderId="C-3", customerId=customer("Otro").pk)
    own = f"{ORDERS}?format=csv&customerId={shop.customer.pk}"
    assert [row["PO#"] for row in rows(shop.ana, f"{own}&ordering=customerSalesOrderId&limit=1")] == ["A-1", "B-2"]
    assert [row["PO#"] for row in rows(shop.ana, f"{own}&search=b-2")] == ["B-2"]
    row = rows(shop.ana, f"{own}&search=A-1")[0]
    assert (row["Líneas"], row["Cantidad"], row["Estado"], row["Avance (%)"]) == ("2", "5", "Nuevo", "0")
    assert first != second
    kept = AuditEntry.objects.filter(action="exported").latest("id")
    assert (kept.label, kept.changes["rows"]["after"]) == ("orders.csv", 1)


def test_lines_are_exported_with_the_processes_of_their_pieces(shop: Shop) -> None:
    order = shop.approved(4, 2)
    shop.enter(order, shop.casting, 3)
    book = load_workbook(io.BytesIO(shop.ana.raw(f"{LINES}?format=xlsx&productionProcessId={shop.casting.pk}")))
    heads, *found = book.worksheets[0].values
    assert len(found) == 1
    row = dict(zip(heads, found[0], strict=True))
    assert (row["Línea"], row["Proceso"], row["Cantidad"]) == (1, f"{shop.casting.name}: 3", 4)
    assert row["Dentro desde"] is not None
    assert len(rows(shop.ana, f"{LINES}?format=csv&status=Approved")) == 1


def test_customer_account_exports_its_own_rows_without_notes(shop: Shop) -> None:
    for order in (shop.order(2, notes="para el taller"), shop.order(1, customerId=customer("Otro").pk)):
        shop.status(order, 1, "Approved")
    own = buyer(shop.customer)
    for path in (ORDERS, LINES):
        found = rows(own, f"{path}?format=csv")
        assert [(row["Cliente"], row["Notas"]) for row in found] == [(shop.customer.name, "")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_exported_users_and_audit_use_the_words_of_the_screen(shop: Shop, language: str) -> None:
    words, ours = json.loads((LOCALES / language / "audit.json").read_text(encoding="utf-8")), texts(language)
    for family in ("entity", "action"):
        for name, word in words[family].items():
            assert ours[f"{family}_{name}"] == word
    types = json.loads((LOCALES / language / "administration.json").read_text(encoding="utf-8"))["user"]["type"]
    assert {name: ours[f"user_{name}"] for name in types} == types


def test_users_are_exported_with_their_roles(shop: Shop) -> None:
    found = rows(shop.ana, "/identity/users?format=csv&search=beto")
    assert [(row["Correo electrónico"], row["Tipo de usuario"], row["Activo"]) for row in found] == [
        ("beto@obrador.test", "Interno", "Sí")
    ]
    assert found[0]["Roles"]
    assert buyer(shop.customer, Permission.ListUsers).get("/identity/users?format=csv").status == 403


def test_the_audit_is_exported_with_its_changes(shop: Shop) -> None:
    order = shop.order(2)
    shop.ana.put(f"/api/sales-order/{order}", {"notes": "Urge"})
    found = rows(shop.ana, "/api/audit?format=csv&entity=sales-order&action=changed")
    assert [(row["Tipo de registro"], row["Acción"], row["Cambios"]) for row in found] == [
        ("Orden de venta", "Cambio", "Notas:  → Urge")
    ]
    assert shop.carla.get("/api/audit?format=csv").status == 403
