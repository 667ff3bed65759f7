"""Sessions, exported files and prints leave audit rows with user, address and content."""

from collections.abc import Callable

import pytest
from django.conf import LazySettings

from project.audit.models import AuditEntry
from project.catalogs.models import Item
from tests.builders import Caller, Shop, tariff_item
from tests.contract.operations import Operation, operations
from tests.project.billing.billing import done, of, pre_billed, prepare
from tests.project.metal.weighing import alloy, closed, count, issue, receive, vault_count
from tests.project.parts.test_parts import certificate
from tests.project.piecework.paying import item, left, paid
from tests.project.printing.test_cfdi import exports, invoiced

FILES = [operation for operation in operations() if operation.method == "GET" and "format" in operation.parameters]
SIGN_IN = "/identity/authentication/sign-in"


def written() -> AuditEntry:
    """The newest row, after checking that it is Ana's."""
    row = AuditEntry.objects.latest("id")
    assert (row.user_name, row.address) == ("Ana Torres", "127.0.0.1")
    return row


def after(row: AuditEntry) -> dict[str, object]:
    return {name: change["after"] for name, change in row.changes.items()}


def test_sign_in_and_sign_out_are_audited(shop: Shop, quick_passwords: None) -> None:
    assert shop.ana.user is not None
    shop.ana.user.set_password("Taller.2026")
    shop.ana.user.save()
    body = {"username": shop.ana.user.email, "password": "Taller.2026", "rememberLogin": True}
    assert Caller().post(SIGN_IN, body | {"password": "otra"}).status == 401
    assert not AuditEntry.objects.filter(action="signed-in").exists()
    answer = Caller().post(SIGN_IN, body)
    row = written()
    assert (row.entity, row.entity_id, row.user_id, row.action) == ("users", shop.ana.id, shop.ana.id, "signed-in")
    assert Caller(bearer=answer.json["access_token"]).post("/identity/authentication/sign-out").status == 200
    row = written()
    assert (row.entity, row.entity_id, row.user_id, row.action) == ("users", shop.ana.id, shop.ana.id, "signed-out")


@pytest.mark.parametrize("operation", FILES, ids=str)
def test_every_list_export_is_audited(shop: Shop, operation: Operation) -> None:
    rows = AuditEntry.objects.count()
    assert shop.ana.get(operation.path).status == 200
    assert AuditEntry.objects.count() == rows
    content = shop.ana.raw(f"{operation.path}?format=csv").decode("utf-8-sig")
    row = written()
    assert AuditEntry.objects.count() == rows + 1
    assert (row.entity, row.action, row.label.endswith(".csv")) == ("files", "exported", True)
    assert after(row)["rows"] == len(content.splitlines()) - 1


def test_export_row_has_the_filters(shop: Shop) -> None:
    shop.order(5)
    shop.ana.raw(f"/api/reports?format=xlsx&customerId={shop.customer.pk}&search=PO")
    assert after(written()) == {"customerId": str(shop.customer.pk), "search": "PO", "rows": 1}


def test_workbook_of_catalogs_is_audited(shop: Shop) -> None:
    shop.ana.raw("/assets/catalogs.xlsx")
    row = written()
    assert (row.entity, row.action, row.label) == ("files", "exported", "catalogs.xlsx")
    assert isinstance(after(row)["rows"], int)


def sheets(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    order = shop.order(items=[{"itemId": shop.item.pk, "quantity": 1}, {"itemId": shop.item.pk, "quantity": 2}])
    body = {"documents": [{"salesOrderId": order}]}
    return body, f"sales-order {order}", {"positions": [1, 2], "sheets": 2, "language": "es"}


def labels(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    order = shop.order(1, 20)
    body = {"documents": [{"salesOrderId": order}], "width": 50, "height": 25, "piecesEach": 8, "copies": 2}
    return body, f"sales-order {order}", {"positions": [1, 2], "labels": 8, "size": "50×25", "language": "es"}


def bill(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    prepare(shop)
    draft = pre_billed(shop, of(done(shop, 10)))["id"]
    return {"deliveryId": draft}, f"delivery {draft}", {"language": "es"}


def export_paper(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    prepare(shop)
    Item.objects.filter(pk=shop.item.pk).update(tax_item=tariff_item("71131101"))
    draft = pre_billed(shop, of(done(shop, 10)))["id"]
    shop.ana.put(f"/api/deliveries/{draft}/export", {"incoterm": "FCA"})
    body = {"deliveryId": draft, "paper": "commercial-invoice"}
    return body, f"delivery {draft}", {"language": "es", "paper": "commercial-invoice"}


def origin_paper(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    made = shop.ana.post("/api/deliveries/certificates", certificate(shop)).json["id"]
    return {"certificateId": made, "language": "en"}, f"certificates {made}", {"language": "en"}


def electronic_invoice(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    exports(shop)
    made = invoiced(shop, 10)
    return {"deliveryId": made}, f"delivery {made}", {"cfdi": "unsealed"}


def receipt(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    made = paid(shop.ana, item(left(shop)))["id"]
    return {"paymentId": made, "language": "en"}, f"payment {made}", {"language": "en"}


def receipts(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    body, record, kept = receipt(shop)
    return {"paymentIds": [body.pop("paymentId")], **body}, record, kept


def metal_slip(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    of = alloy()
    receive(shop.ana, of)
    issue(shop.ana, of, 10, shop.ana.id, shop.casting)
    day = closed(shop.ana, shop.casting, count(of, 9))["id"]
    return {"id": day, "language": "en"}, f"metal-day {day}", {"language": "en"}


def metal_count(shop: Shop) -> tuple[dict[str, object], str, dict[str, object]]:
    of = alloy()
    receive(shop.ana, of)
    made = shop.ana.post("/api/metal/counts", vault_count(shop, of)).json["id"]
    return {"id": made, "language": "en"}, f"metal-count {made}", {"language": "en"}


PRINTS: dict[str, Callable[[Shop], tuple[dict[str, object], str, dict[str, object]]]] = {
    "/pdf/create-pdf": sheets,
    "/pdf/create-labels": labels,
    "/pdf/create-delivery": bill,
    "/pdf/create-export": export_paper,
    "/pdf/create-certificate": origin_paper,
    "/pdf/create-cfdi": electronic_invoice,
    "/pdf/create-receipt": receipt,
    "/pdf/create-receipts": receipts,
    "/pdf/create-metal-slip": metal_slip,
    "/pdf/create-metal-count": metal_count,
}


def test_every_print_operation_is_tested() -> None:
    assert {one.template for one in operations() if one.template.startswith("/pdf/create-")} == set(PRINTS)


@pytest.mark.parametrize("path", PRINTS)
def test_print_is_audited_at_the_printed_record(
    shop: Shop, settings: LazySettings, tmp_path: object, path: str
) -> None:
    settings.MEDIA_ROOT = tmp_path
    body, record, kept = PRINTS[path](shop)
    rows = AuditEntry.objects.count()
    assert shop.ana.post(path, body).status == 200
    row = written()
    assert AuditEntry.objects.count() == rows + 1
    assert (f"{row.entity} {row.entity_id}", row.action, after(row)) == (record, "printed", kept)
