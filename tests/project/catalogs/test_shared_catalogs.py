"""The shared catalogs, and the workbook of all catalogs."""

import io

from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from project.access.permissions import Permission
from project.catalogs.models import CustomerType, Item
from tests import builders
from tests.builders import Shop, component, material, somebody


def test_codes_are_named_in_both_languages(shop: Shop) -> None:
    catalogs = {row["key"]: row["entries"] for row in shop.carla.get("/api/catalogs").json}
    assert {"code": "H87", "nameEs": "Pieza", "nameEn": "Piece"} in catalogs["satUnits"]
    assert {"code": "MX", "nameEs": "México", "nameEn": "Mexico"} in catalogs["countries"]
    assert {"code": "+52", "nameEs": "México", "nameEn": "Mexico"} in catalogs["callingCodes"]
    assert any(entry["code"] == "USD" for entry in catalogs["currencies"])


def test_workbook_has_a_sheet_for_each_catalog_the_caller_may_list(shop: Shop) -> None:
    book = load_workbook(io.BytesIO(somebody(Permission.ListMaterials).raw("/assets/catalogs.xlsx")))
    assert "materials" in book.sheetnames
    assert "customers" not in book.sheetnames
    short_lists = {"customer-types", "tax-sections", "release-reasons", "scrap-reasons"}
    assert short_lists <= set(book.sheetnames)  # every internal user may read these
    heads, first, *_ = book["customer-types"].values
    assert heads == ("id", "key", "nameSpanish", "nameEnglish", "active")
    kind = CustomerType.objects.order_by("key").first()
    assert kind is not None
    assert first == (kind.pk, kind.key, kind.name_spanish, kind.name_english, True)


def test_no_text_becomes_a_formula(shop: Shop) -> None:
    names = ["=1+1", "+1", "-1", "@x", "\tx"]
    for name in names:
        material(name)
    sheet = load_workbook(io.BytesIO(shop.ana.raw("/assets/catalogs.xlsx")))["materials"]
    cells = [row[1] for row in sheet.iter_rows(min_row=2)]
    assert [cell.value for cell in cells] == names
    assert {cell.data_type for cell in cells} == {"s"}


def test_numbers_and_flags_keep_their_types(shop: Shop) -> None:
    sheet = load_workbook(io.BytesIO(shop.ana.raw("/assets/catalogs.xlsx")))["items"]
    row = {head.value: cell for head, cell in zip(sheet[1], sheet[2], strict=True)}
    assert (row["sellPrice"].value, row["status"].value) == (10.5, True)


def test_every_amount_in_the_workbook_has_its_currency(shop: Shop) -> None:
    Item.objects.filter(pk=shop.item.pk).update(currency="USD")
    book = load_workbook(io.BytesIO(shop.ana.raw("/assets/catalogs.xlsx")))
    for sheet, currency in (("items", "USD"), ("customers", "MXN"), ("production-processes", "MXN")):
        heads = [cell.value for cell in book[sheet][1]]
        assert book[sheet][2][heads.index("currency")].value == currency


def test_workbook_holds_the_fields_of_the_forms(shop: Shop) -> None:
    kind = CustomerType.objects.create(key="trade", name_spanish="Mayorista", name_english="Wholesale")
    shop.customer.customer_type = kind
    shop.customer.addresses = [{"kind": "Shipping", "street": "Calle | 2", "city": "Taxco"}]
    shop.customer.phones = [{"countryCode": "+52", "number": "762 622 0000", "extension": "12"}]
    shop.customer.emails = ["a@b.mx", "c@d.mx"]
    shop.customer.save()
    Item.objects.filter(pk=shop.item.pk).update(description_english="Plain ring", priority=3, antique=True)
    for place, name in enumerate(("Aro", "Engaste"), start=1):
        shop.item.components.create(place=place, component=component(name), notes="pulido" if place == 1 else "")
    book = load_workbook(io.BytesIO(shop.ana.raw("/assets/catalogs.xlsx")))

    def row(sheet: str) -> dict[str, object]:
        heads, first = list(book[sheet].values)[:2]
        return dict(zip(map(str, heads), first, strict=True))

    customer, item = row("customers"), row("items")
    assert (customer["customerType"], customer["emails"]) == ("Mayorista", "a@b.mx\nc@d.mx")
    assert customer["addresses"] == "De envío | Calle \\| 2 |  |  |  | Taxco"
    assert customer["phones"] == "+52 | 762 622 0000 | 12"
    assert (item["descriptionEnglish"], item["priority"], item["antique"]) == ("Plain ring", 3, True)
    assert item["components"] == "Aro |  | pulido\nEngaste"
    assert (item["sellPrice"], item["taxAmount"]) == (10.5, 0)


def test_workbook_takes_as_many_queries_for_many_records_as_for_few(shop: Shop) -> None:
    with CaptureQueriesContext(connection) as few:
        shop.ana.raw("/assets/catalogs.xlsx")
    for number in range(5):
        builders.customer(f"Cliente {number}")
        builders.item(f"Pieza {number}").components.create(place=1, component=component(f"Parte {number}"))
    with CaptureQueriesContext(connection) as many:
        shop.ana.raw("/assets/catalogs.xlsx")
    assert len(many) == len(few)
