"""A catalog's exported list can be imported again, in both languages and both formats, and changes nothing."""

import csv
import io

import pytest
from openpyxl import load_workbook

from project.access.permissions import Permission
from project.catalogs.definition import CATALOGS
from project.catalogs.models import (
    Alloy,
    Company,
    Customer,
    CustomerType,
    ExportTaxItem,
    Item,
    Material,
    ProductionProcess,
)
from project.core.texts import LANGUAGES, texts
from tests import builders
from tests.builders import Caller, Shop, somebody
from tests.project.importing.test_words import SPEAKS
from tests.project.importing.uploads import IMPORTABLE, XLSX, previewed, rows_of

PLACE = {"street": "Av. | Juárez", "exteriorNumber": "12", "city": "Taxco", "country": "MX"}


@pytest.fixture
def full_shop(shop: Shop) -> Shop:
    """A shop with a record in each catalog that fills every column, also with texts that look like formulas."""
    kind = CustomerType.objects.create(key="trade", name_spanish="Mayorista", name_english="Wholesale")
    Customer.objects.create(
        name="=Joyas",
        customer_type=kind,
        quinto="-5",
        currency="USD",
        addresses=[{"kind": "Shipping", **PLACE}, {"kind": "Commercial", "street": "Otra"}],
        phones=[{"countryCode": "+52", "number": "762 622 0000", "extension": "12"}],
        emails=["a@b.mx", "c@d.mx"],
        status=False,
    )
    Company.objects.create(name="@Platería", phone="+52 762", commercial_address=PLACE)
    Material.objects.create(name="Plata", description="'=1+1")
    tax_item = ExportTaxItem.objects.create(code="0711311401", spanish_description="De plata\ny oro")
    silver = Alloy.objects.create(
        name="Ley =925", fineness=9_255, material=Material.objects.get(), wax_ratio="10.5", status=False
    )
    ring = Item.objects.create(
        key="007",
        name="Sello redondo",
        tax_item=tax_item,
        sell_price="1850.5",
        tax_amount="16",
        priority=3,
        antique=True,
        description_english="Ring",
        origin="US",
        alloy=silver,
        net_mg=4_255,
        other_mg=120,
    )
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(weighs="required", allowed_loss="12.5", recovers=True)
    for place, one in enumerate((shop.polishing, shop.casting), start=1):
        ring.way.create(place=place, process=one)
    ring.components.create(place=1, component=builders.component("Aro"), notes="sin | pulir")
    return shop


@pytest.mark.parametrize("catalog", IMPORTABLE)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_exported_list_changes_nothing(full_shop: Shop, catalog: str, language: str, kind: str) -> None:
    by = Caller(full_shop.ana.user, accept_language=SPEAKS[language])
    raw = by.raw(f"/api/{catalog}?format={kind}&ordering=-id")
    result = previewed(full_shop.ana, catalog, raw, XLSX if kind == "xlsx" else "text/csv")
    found = rows_of(full_shop.ana, result)
    counts = result["counts"]
    assert counts["unchanged"] == len(found) > 0, [row for row in found if row["outcome"] != "unchanged"]


@pytest.mark.parametrize("catalog", IMPORTABLE)
def test_each_sheet_of_the_workbook_changes_nothing(full_shop: Shop, catalog: str) -> None:
    raw = full_shop.ana.raw("/assets/catalogs.xlsx")
    counts = previewed(full_shop.ana, catalog, raw, XLSX)["counts"]
    assert counts["unchanged"] == sum(counts.values()) > 0


def test_file_has_the_rows_and_words_of_the_screen(full_shop: Shop) -> None:
    by = Caller(full_shop.ana.user, accept_language="en-US")
    rows = [*csv.DictReader(io.StringIO(by.raw("/api/customers?format=csv&status=false").decode("utf-8-sig")))]
    assert [(row["Name"], row["Active"], row["Customer type"]) for row in rows] == [("'=Joyas", "No", "Wholesale")]
    assert rows[0]["Addresses"].startswith("Shipping | Av. \\| Juárez")
    sheet = load_workbook(io.BytesIO(full_shop.ana.raw("/api/items?format=xlsx&search=redondo"))).worksheets[0]
    heads, *found = sheet.values
    assert heads == tuple(texts("es")[f"field_{name}"] for name in CATALOGS["items"].heads)
    assert [row[0] for row in found] == ["007"]
    assert (found[0][6], found[0][7], found[0][9], found[0][10]) == (16, 1850.5, 3, True)


def test_export_needs_permission_to_list_the_catalog(full_shop: Shop) -> None:
    other = somebody(Permission.ListMaterials)
    assert other.get("/api/customers?format=csv").status == 403
    assert other.get("/api/customers?fields=options&format=csv").fields == {"format": "not_with_options"}
    assert full_shop.ana.get("/api/customers?format=pdf").status == 422
    assert other.raw("/api/materials?format=csv")
