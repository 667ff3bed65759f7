"""An issued bill and a paid pay slip never change, whatever happens to the records they name."""

import io
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.db import models
from django.db.models import Model

from project.access.permissions import Permission
from project.billing.documents import bill_document
from project.billing.models import Bill, BillLine
from project.billing.selectors import bill_get
from project.catalogs.models import Company, Customer, ExportTaxItem, Item, ProductionProcess
from project.core.pictures import thumbnail_of
from project.identity.models import User
from project.operations import backing_up
from project.orders.models import ProcessRecord, SalesOrder
from project.piecework.documents import payment_document
from project.piecework.models import Payment, PaymentItem
from project.piecework.selectors import payment_get
from project.printing import services
from project.printing.pages import Page
from tests.builders import Caller, Shop, buyer, person
from tests.project.billing.billing import PATH, billed, done, of, pre_billed, prepare
from tests.project.pictures import picture, upload
from tests.project.piecework.paying import PAYMENTS, cancel, item, paid

EXPORTS = ("packing-list", "commercial-invoice")
PAPERS: tuple[type[Model], ...] = (Bill, BillLine, Payment, PaymentItem)


@pytest.fixture(autouse=True)
def trade(shop: Shop, settings: Any, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records with every text that papers show. Printing returns the markup and makes no PDF."""
    settings.MEDIA_ROOT = tmp_path
    company = prepare(shop)
    Company.objects.filter(pk=company.pk).update(
        legal_name="Obrador SA de CV", tax_id="OBR010101AB1", email="ventas@obrador.test", phone="55 1234"
    )
    Customer.objects.filter(pk=shop.customer.pk).update(tax_id="74-1234567")
    tariff = ExportTaxItem.objects.create(
        code="71131199",
        spanish_description="Artículos de joyería",
        english_description="Articles of jewelry",
        english_metal_name="Silver",
        spanish_metal_name="Plata",
    )
    Item.objects.filter(pk=shop.item.pk).update(tax_item=tariff, description_english="Ring", description_spanish="Aro")
    upload(shop.ana, f"/api/companies/{company.pk}/document/logo.jpeg", picture())
    monkeypatch.setattr(services, "_printed", _markup)


def _markup(own: object, page: Page) -> bytes:
    pictures = [services._stored(name) for name in sorted(page.pictures)]
    return page.markup.encode() + b"".join(pictures)


def issued(shop: Shop, **fields: Any) -> dict[str, Any]:
    """A bill with its export part."""
    order = done(shop, 10)
    bill = billed(shop, of(order, 1, 10), invoiceNumber="F-9", **fields)
    return _with_export(shop, bill, order)


def _with_export(shop: Shop, bill: dict[str, Any], order: int) -> dict[str, Any]:
    boxes = [{"netKg": 1, "grossKg": 2, "lines": [{"salesOrderId": order, "position": 1, "quantity": 10}]}]
    answer = shop.ana.put(f"{PATH}/{bill['id']}/export", {"incoterm": "FCA", "place": "Laredo", "boxes": boxes})
    assert answer.status == 200, answer
    saved: dict[str, Any] = answer.json
    return saved


def paid_slip(shop: Shop) -> dict[str, Any]:
    """A payment by Beto to Ana, for her pieces and Zeno's."""
    order = shop.approved(10)
    for process, earner in ((shop.casting, shop.ana.user), (shop.polishing, person("zeno"))):
        shop.enter(order, process)
        shop.leave(order, process)
        ProcessRecord.objects.filter(process=process).update(output_by=earner)
    records = ProcessRecord.objects.filter(line__order=order).order_by("pk")
    return paid(shop.beto, *(item(record.pk) for record in records), userId=shop.ana.id)


def bills_said(shop: Shop, bill_id: int) -> dict[str, bytes]:
    """Every answer, file, print and live document of a bill."""
    customer = buyer(shop.customer, Permission.ReportListBills)
    said = {f"{who}: {path}": answer for who, by in _callers(shop, customer) for path, answer in _files(by, PATH)}
    for who, by in _callers(shop, customer):
        said[f"{who}: detail"] = by.get(f"{PATH}/{bill_id}").content
        for language in ("es", "en"):
            body = {"deliveryId": bill_id, "language": language}
            said[f"{who}: bill, {language}"] = by.post("/pdf/create-delivery", body).content
            for paper in EXPORTS:
                answer = by.post("/pdf/create-export", {**body, "paper": paper})
                assert answer.status == 200, answer
                said[f"{who}: {paper}, {language}"] = answer.content
    said["live"] = bill_document(bill_get(bill_id)).model_dump_json().encode()
    return said


def _callers(shop: Shop, customer: Caller) -> tuple[tuple[str, Caller], ...]:
    return (("staff", shop.ana), ("customer", customer))


def _files(by: Caller, path: str) -> Iterator[tuple[str, bytes]]:
    """A list as JSON, CSV and a workbook without its document properties, which hold the time."""
    listed = f"{path}/search" if path == PATH else path
    yield "list", by.get(listed).content
    yield "csv", by.get(f"{listed}?format=csv").content
    with zipfile.ZipFile(io.BytesIO(by.get(f"{listed}?format=xlsx").content)) as book:
        yield "xlsx", b"".join(book.read(name) for name in sorted(book.namelist()) if "docProps" not in name)


def slip_said(shop: Shop, payment_id: int) -> dict[str, bytes]:
    """Every answer, file, print and live document of a payment."""
    said = dict(_files(shop.ana, PAYMENTS))
    said["detail"] = shop.ana.get(f"{PAYMENTS}/{payment_id}").content
    for language in ("es", "en"):
        answer = shop.ana.post("/pdf/create-receipt", {"paymentId": payment_id, "language": language})
        assert answer.status == 200, answer
        said[f"slip, {language}"] = answer.content
    said["live"] = payment_document(payment_get(payment_id)).model_dump_json().encode()
    return said


def records() -> set[type[Model]]:
    """Every model that the papers reference, directly or indirectly, without the papers themselves."""
    found: set[type[Model]] = set()
    left = [*PAPERS]
    while left:
        for field in left.pop()._meta.get_fields():
            target = field.related_model if isinstance(field, models.ForeignKey) else None
            if target and target not in found and target not in PAPERS:
                found.add(target)
                left.append(target)
    return found


def edit_everything() -> set[str]:
    """Change every text in the rows of `records`, and every other value in catalogs. Return the changed columns."""
    changed = set()
    for model in records():
        for field in model._meta.concrete_fields:
            if field.primary_key or field.is_relation or field.generated or field.choices:
                continue
            for row in model._base_manager.all():
                if (other := _other(field, getattr(row, field.name), model)) is not None:
                    model._base_manager.filter(pk=row.pk).update(**{field.name: other})
                    changed.add(f"{model._meta.label}.{field.name}")
    return changed


def _other(field: models.Field, value: Any, model: type[Model]) -> Any:
    whole = model._meta.app_label == "catalogs"
    match value:
        case str() if whole or value:
            return value[::-1] if 0 < len(value) <= 3 else f"x{value}"[: field.max_length]
        case dict() if whole:
            return {key: f"x{one}" for key, one in value.items()}
        case list() if whole:
            return [{key: one if key == "kind" else f"x{one}" for key, one in row.items()} for row in value]
        case bool() if whole:
            return not value
        case int() | Decimal() if whole:
            return value + 1
    return None


def test_walk_reaches_every_record_that_papers_name() -> None:
    assert {Customer, Company, Item, ExportTaxItem, SalesOrder, ProductionProcess, User} <= records()


@pytest.mark.parametrize("canceled", [False, True])
def test_issued_bill_is_the_same_after_every_record_it_names_changed(shop: Shop, canceled: bool) -> None:
    bill = issued(shop, customRegime="EXD")
    if canceled:
        assert shop.ana.delete(f"{PATH}/{bill['id']}").status == 200
    before = bills_said(shop, bill["id"])
    company = Company.objects.get()
    upload(shop.ana, f"/api/companies/{company.pk}/document/nuevo.jpeg", picture(size=(40, 30)))
    assert {
        "catalogs.Customer.addresses",
        "catalogs.Company.commercial_address",
        "catalogs.Item.origin",
        "catalogs.ExportTaxItem.english_metal_name",
        "orders.SalesOrder.customer_sales_order_id",
        "identity.User.last_name",
    } <= edit_everything()
    after = bills_said(shop, bill["id"])
    assert [what for what in before if before[what] != after[what]] == []


@pytest.mark.parametrize("canceled", [False, True])
def test_pay_slip_is_the_same_after_every_record_it_names_changed(shop: Shop, canceled: bool, settings: Any) -> None:
    payment = paid_slip(shop)
    if canceled:
        assert cancel(shop.beto, payment["id"]).status == 200
    before = slip_said(shop, payment["id"])
    company = Company.objects.get()
    upload(shop.ana, f"/api/companies/{company.pk}/document/nuevo.jpeg", picture(size=(40, 30)))
    assert {"catalogs.ProductionProcess.order", "catalogs.ProductionProcess.name"} <= edit_everything()
    settings.PLANT_CURRENCY = "USD"
    after = slip_said(shop, payment["id"])
    assert [what for what in before if before[what] != after[what]] == []


def test_pay_slip_is_the_same_byte_for_byte_after_every_price_changed(shop: Shop) -> None:
    payment = paid_slip(shop)
    before = slip_said(shop, payment["id"])
    for item_id, unit, price in ((None, "piece", 99), (shop.item.pk, "gram", 3.2)):
        processes = [shop.casting.pk, shop.polishing.pk]
        cells = [{"productionProcessId": pk, "itemId": item_id, "unit": unit, "price": price} for pk in processes]
        assert shop.ana.put("/api/process-item-prices", {"cells": cells}).status == 200
    assert shop.ana.put(f"/api/production-processes/{shop.casting.pk}", {"price": 98}).status == 200
    after = slip_said(shop, payment["id"])
    assert [what for what in before if before[what] != after[what]] == []


@pytest.mark.parametrize("canceled", [False, True])
def test_pre_bill_follows_the_records(shop: Shop, canceled: bool) -> None:
    order = done(shop, 10)
    bill = _with_export(shop, pre_billed(shop, of(order, 1, 10)), order)
    if canceled:
        assert shop.ana.delete(f"{PATH}/{bill['id']}").status == 200
    before = bills_said(shop, bill["id"])
    edit_everything()
    after = bills_said(shop, bill["id"])
    assert [what for what in before if before[what] == after[what]] == []


def test_pre_bill_keeps_the_texts_of_the_moment_it_is_billed(shop: Shop) -> None:
    bill = pre_billed(shop, of(done(shop, 10), 1, 10))
    Customer.objects.filter(pk=shop.customer.pk).update(name="Joyas del Norte")
    answer = shop.beto.put(f"{PATH}/{bill['id']}", {"preBill": False, "guideNumber": "G-1"})
    assert (answer.status, answer.json["customerName"]) == (200, "Joyas del Norte")
    edit_everything()
    kept = shop.ana.get(f"{PATH}/{bill['id']}").json
    assert (kept["customerName"], kept["createdBy"], kept["billedBy"]) == (
        "Joyas del Norte",
        "Ana Torres",
        "Beto Torres",
    )


def test_bills_are_searched_and_sorted_by_the_customer_name_they_show(shop: Shop) -> None:
    first = billed(shop, of(done(shop, 10), 1, 10))
    name = first["customerName"]
    Customer.objects.filter(pk=shop.customer.pk).update(name="Abalorios Ágata")
    last = pre_billed(shop, of(done(shop, 10), 1, 10))

    def found(query: str) -> list[int]:
        return [row["id"] for row in shop.ana.get(f"{PATH}/search?{query}").json]

    assert found(f"search={name.split()[0]}") == [first["id"]]
    assert set(found("search=agata")) == {first["id"], last["id"]}
    assert found("ordering=customerName") == [last["id"], first["id"]]
    assert found("ordering=-customerName&limit=1") == [first["id"]]
    page = shop.ana.get(f"{PATH}/search?ordering=customerName&limit=1")
    following = page.headers["Link"].split(">")[0].removeprefix("<")
    assert [row["id"] for row in shop.ana.get(following).json] == [first["id"]]


def test_papers_are_found_by_the_old_and_the_new_po(shop: Shop) -> None:
    bill, payment = billed(shop, of(done(shop, 10, customerSalesOrderId="ANTES-7"), 1, 10)), paid_slip(shop)
    SalesOrder.objects.filter(pk=bill["lines"][0]["salesOrderId"]).update(customer_sales_order_id="DESPUES-7")
    paid_order = payment["items"][0]["salesOrderId"]
    named = payment["items"][0]["customerSalesOrderId"]
    SalesOrder.objects.filter(pk=paid_order).update(customer_sales_order_id="DESPUES-8")
    for asked in ("antes-7", "despues-7"):
        assert [row["id"] for row in shop.ana.get(f"{PATH}/search?search={asked}").json] == [bill["id"]]
    for asked in (named, "despues-8"):
        assert [row["id"] for row in shop.ana.get(f"{PAYMENTS}?search={asked}").json] == [payment["id"]]


def test_replaced_logo_stays_in_backups_while_a_paper_shows_it(
    shop: Shop, django_capture_on_commit_callbacks: Any
) -> None:
    bill, payment = issued(shop), paid_slip(shop)
    company = Company.objects.get()
    logo = company.image
    with django_capture_on_commit_callbacks(execute=True):
        upload(shop.ana, f"/api/companies/{company.pk}/document/nuevo.jpeg", picture(size=(40, 30)))
    assert Company.objects.get().image != logo
    named = set(backing_up._names_of(backing_up._now()))
    assert {logo, thumbnail_of(logo)} <= named
    for answer in (
        shop.ana.post("/pdf/create-delivery", {"deliveryId": bill["id"]}),
        shop.ana.post("/pdf/create-receipt", {"paymentId": payment["id"]}),
    ):
        assert answer.content.endswith(services._stored(logo))


def test_audit_does_not_repeat_the_copied_texts(shop: Shop) -> None:
    bill = issued(shop)
    [entry] = [
        row
        for row in shop.ana.get(f"/api/audit?entity=delivery&entityId={bill['id']}").json
        if row["action"] == "billed"
    ]
    assert not {"issued", "logo", "createdByName", "billedByName"} & set(entry["changes"])


def test_an_issued_bill_says_the_same_when_the_rest_of_its_line_is_billed(shop: Shop) -> None:
    order = done(shop, 10)
    bill = billed(shop, of(order, 1, 6))
    before = shop.ana.get(f"{PATH}/{bill['id']}").content
    billed(shop, of(order, 1, 4))
    assert shop.ana.get(f"{PATH}/{bill['id']}").content == before
    assert bill["lines"][0]["remaining"] == 0
