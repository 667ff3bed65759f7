"""The shared catalogs and the workbook of all (contract, section 3; reliability, row 17)."""

import io

from openpyxl import load_workbook

from project.access.permissions import P
from project.catalogs.models import Item
from tests.builders import Shop, material, somebody


def test_codes_are_named_in_both_languages(shop: Shop) -> None:
    catalogs = {row["key"]: row["entries"] for row in shop.carla.get("/api/catalogs").json}
    assert {"code": "H87", "nameEs": "Pieza", "nameEn": "Piece"} in catalogs["satUnits"]
    assert {"code": "MX", "nameEs": "México", "nameEn": "Mexico"} in catalogs["countries"]
    assert {"code": "+52", "nameEs": "México", "nameEn": "Mexico"} in catalogs["callingCodes"]
    assert any(entry["code"] == "USD" for entry in catalogs["currencies"])


def test_the_workbook_has_a_sheet_for_each_catalog_one_may_list(shop: Shop) -> None:
    book = load_workbook(io.BytesIO(somebody(P.ListMaterials).raw("/assets/catalogs.xlsx")))
    assert "materials" in book.sheetnames
    assert "customers" not in book.sheetnames


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


def test_every_amount_of_the_workbook_says_its_currency(shop: Shop) -> None:
    Item.objects.filter(pk=shop.item.pk).update(currency="USD")
    book = load_workbook(io.BytesIO(shop.ana.raw("/assets/catalogs.xlsx")))
    for sheet, currency in (("items", "USD"), ("customers", "MXN"), ("production-processes", "MXN")):
        heads = [cell.value for cell in book[sheet][1]]
        assert book[sheet][2][heads.index("currency")].value == currency
