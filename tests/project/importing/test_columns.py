"""Columns are mapped by hand where a head is unknown, and proposed where another program or an owner calls them so."""

from decimal import Decimal
from typing import Any

import pytest

from project.catalogs.models import Customer, ExportTaxItem, Item, Material
from project.importing.registry import IMPORTS
from project.importing.sheets import _bare
from tests.builders import Answer, Shop
from tests.project.importing.test_kinds import answered, doubts, outcomes, sheets_of
from tests.project.importing.uploads import XLSX, applied, csv_of, imported, previewed, refusals, rows_of, xlsx_of

OWNERS = csv_of(
    ["Código", "Artículo", "Precio", "Proveedor"],
    ["OW-1", "Anillo liso", "$320.00", "Taxco"],
    ["OW-2", "Aro", "1,250.50", ""],
    ["OW-3", "Dije", "320.00 MXN", ""],
    ["OW-4", "Arete", "doce", "Iguala"],
)


def chosen(found: dict[str, Any]) -> str:
    """The columns that the server proposes, as a user confirms them."""
    return "columns=" + ",".join(head["column"] or "" for head in found["heads"])


def again(shop: Shop, found: dict[str, Any], choices: str) -> Answer:
    return shop.ana.post(f"/api/imports/{found['id']}/preview?{choices}")


def test_owners_heads_are_proposed_and_applied_once_confirmed(shop: Shop) -> None:
    found = previewed(shop.ana, "items", OWNERS)
    assert found["heads"] == [
        {"head": "Código", "column": "key", "sample": "OW-1"},
        {"head": "Artículo", "column": "name", "sample": "Anillo liso"},
        {"head": "Precio", "column": "sellPrice", "sample": "$320.00"},
        {"head": "Proveedor", "column": None, "sample": "Taxco"},
    ]
    assert doubts(found) == {
        "columns": {
            "missing": [],
            "duplicate": [],
            "proposed": ["Código", "Artículo", "Precio"],
            "unknown": ["Proveedor"],
        }
    }
    assert {"name": "sellPrice", "label": "Precio de venta", "required": False} in found["fields"]
    assert [field["name"] for field in found["fields"] if field["required"]] == ["key"]
    assert (found["doubtful"], found["counts"]["refused"]) == (3, 1)
    assert shop.ana.post(f"/api/imports/{found['id']}/apply").code == "import_doubtful"
    confirmed = answered(shop.ana, found, chosen(found))
    assert (confirmed["doubts"], confirmed["counts"]["new"]) == ([], 3)
    assert confirmed["choices"]["columns"] == "key,name,sellPrice,"
    applied(shop.ana, found["id"])
    prices = Item.objects.filter(key__startswith="OW-").values_list("key", "sell_price")
    assert dict(prices) == {"OW-1": Decimal(320), "OW-2": Decimal("1250.5"), "OW-3": Decimal(320)}


LAYOUTS: dict[str, tuple[str, list[list[str]], dict[str, str]]] = {
    "QuickBooks": (
        "customers",
        [
            ["Taller de Prueba, SA"],
            ["Customer Contact List"],
            [],
            ["Customer full name", "Phone numbers", "Email", "Full name", "Bill address", "Ship address"],
            ["Boutique Q", "Phone:(555) 010-1234", "a@b.test, c@d.test", "Ada F", "12 Larkspur Way\nSTE 4", ""],
        ],
        {"Customer full name": "name", "Phone numbers": "phones", "Email": "emails", "Bill address": "addresses"},
    ),
    "Shopify": (
        "items",
        [
            [
                "Handle",
                "Title",
                "Body (HTML)",
                "Vendor",
                "Type",
                "Variant SKU",
                "Variant Grams",
                "Variant Price",
                "Status",
            ],
            ["aro-liso", "Aro liso S", "<p>Plata .925</p>", "Taller", "Aretes", "AR-20", "4", "42.99", "active"],
        ],
        {"Title": "name", "Variant SKU": "key", "Variant Price": "sellPrice", "Status": "status"},
    ),
    "WooCommerce": (
        "items",
        [
            ["ID", "Type", "SKU", "Name", "Published", "Description", "Sale price", "Regular price"],
            ["44", "simple", "AN-900", 'Anillo "Luna"', "1", "Plata .925", "", "1.250,50"],
        ],
        {"SKU": "key", "Name": "name", "Description": "descriptionEnglish", "Regular price": "sellPrice"},
    ),
    "USITC": (
        "export-tax-items",
        [
            ["HTS Number", "Indent", "Description", "Unit of Quantity", "General Rate of Duty"],
            ["7113.11.50.80", "2", "Other", '["g"]', "5%"],
        ],
        {"HTS Number": "code", "Description": "englishDescription"},
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_of_another_program_needs_one_confirmation(shop: Shop, layout: str) -> None:
    catalog, rows, meant = LAYOUTS[layout]
    found = previewed(shop.ana, catalog, csv_of(*rows))
    assert {head["head"]: head["column"] for head in found["heads"] if head["column"]} == meant
    assert [*doubts(found)] == ["columns"]
    confirmed = answered(shop.ana, found, chosen(found))
    assert (confirmed["counts"]["new"], confirmed["counts"]["refused"]) == (1, 0), rows_of(shop.ana, confirmed)
    assert applied(shop.ana, found["id"])["state"] == "applied"


def test_values_of_those_layouts_are_read_as_they_write_them(shop: Shop) -> None:
    for catalog, rows, _ in LAYOUTS.values():
        found = previewed(shop.ana, catalog, csv_of(*rows))
        answered(shop.ana, found, chosen(found))
        applied(shop.ana, found["id"])
    boutique = Customer.objects.get(name="Boutique Q")
    assert boutique.phones == [{"countryCode": "", "number": "(555) 010-1234", "extension": ""}]
    assert boutique.emails == ["a@b.test", "c@d.test"]
    assert [(one["kind"], one["street"]) for one in boutique.addresses] == [
        ("Commercial", "12 Larkspur Way, STE 4"),
    ]
    prices = dict(Item.objects.filter(key__in=["AR-20", "AN-900"]).values_list("key", "sell_price"))
    assert prices == {"AR-20": Decimal("42.99"), "AN-900": Decimal("1250.5")}
    assert ExportTaxItem.objects.get().code == "7113115080"


@pytest.mark.parametrize(
    ("written", "phone"),
    [
        ("+52 762 622 0000 ext. 12", {"countryCode": "+52", "number": "762 622 0000", "extension": "12"}),
        ("Tel. 762 622 0000", {"countryCode": "", "number": "762 622 0000", "extension": ""}),
        ("Móvil: 762.622.0000", {"countryCode": "", "number": "762-622-0000", "extension": ""}),
    ],
)
def test_telephone_without_bars_is_read(shop: Shop, written: str, phone: dict[str, str]) -> None:
    imported(shop.ana, "customers", csv_of(["name", "phones"], ["Norte", written]))
    assert Customer.objects.get(name="Norte").phones == [phone]


def test_head_of_the_catalog_wins_over_a_proposed_one(shop: Shop) -> None:
    raw = csv_of(["Artículo", "Clave", "Nombre", "Descripción"], ["x", "K-9", "Aro", "y"])
    found = previewed(shop.ana, "items", raw)
    assert [head["column"] for head in found["heads"]] == [None, "key", "name", "descriptionSpanish"]


def test_no_row_is_read_before_the_key_is_known(shop: Shop) -> None:
    found = previewed(shop.ana, "items", csv_of(["Foo", "Nombre"], ["N-1", "Uno"], ["N-2", "Dos"]))
    assert doubts(found)["columns"]["missing"] == ["Clave"]
    assert (found["doubtful"], sum(found["counts"].values())) == (2, 0)
    confirmed = answered(shop.ana, found, "columns=key,name")
    assert outcomes(shop.ana, confirmed) == {"N-1": "new", "N-2": "new"}


def test_head_that_the_file_has_twice_is_chosen_by_the_user(shop: Shop) -> None:
    raw = csv_of(["Clave", "Key", "Nombre"], ["A-1", "B-1", "Aro"])
    found = previewed(shop.ana, "items", raw)
    assert doubts(found)["columns"]["duplicate"] == ["Clave", "Key"]
    assert outcomes(shop.ana, found) == {"A-1": "doubtful"}
    assert outcomes(shop.ana, answered(shop.ana, found, "columns=,key,name")) == {"B-1": "new"}


@pytest.mark.parametrize(
    ("columns", "code", "message"),
    [
        (
            "key,key,name",
            "column_twice",
            "«Clave» está elegida para varias columnas del archivo: Código, Modelo. Déjela en una sola",
        ),
        (
            ",,name",
            "key_column_missing",
            "Diga cuál columna del archivo es «Clave»: por ella se reconoce cada registro",
        ),
        ("key,peso,name", "invalid_fields", None),
    ],
)
def test_wrong_choice_of_columns_is_refused_and_the_preview_stays(
    shop: Shop, columns: str, code: str, message: str | None
) -> None:
    found = previewed(shop.ana, "items", csv_of(["Código", "Modelo", "Nombre"], ["A-1", "x", "Aro"]))
    answer = again(shop, found, f"columns={columns}")
    assert (answer.status, answer.code) == (422, code)
    assert message is None or answer.json["message"] == message
    kept = shop.ana.get(f"/api/imports/{found['id']}").json
    assert (kept["state"], kept["heads"]) == ("ready", found["heads"])


def test_chosen_columns_stay_with_their_sheet(shop: Shop) -> None:
    first, second = [["Foo", "Nombre"], ["x", "Oro"]], [["Nombre", "Descripción"], ["Plata", "y"]]
    found = previewed(shop.ana, "materials", sheets_of(("Uno", first), ("Dos", second)), XLSX)
    chosen = answered(shop.ana, found, "sheet=Uno&columns=description,name")
    assert (outcomes(shop.ana, chosen), chosen["doubts"]) == ({"Oro": "new"}, [])
    kept = answered(shop.ana, found, "includeHidden=true")
    assert kept["choices"]["columns"] == "description,name"
    other = answered(shop.ana, found, "sheet=Dos")
    assert (other["choices"]["columns"], outcomes(shop.ana, other)) == (None, {"Plata": "new"})


def test_column_with_values_and_no_head_can_be_chosen(shop: Shop) -> None:
    raw = csv_of(["Nombre", "", "Activo"], ["Oro", "amarillo", "Sí"])
    found = previewed(shop.ana, "materials", raw)
    assert (doubts(found)["columns"]["unknown"], refusals(shop.ana, found)) == ([""], {})
    answered(shop.ana, found, "columns=name,description,status")
    applied(shop.ana, found["id"])
    assert Material.objects.get(name="Oro").description == "amarillo"


def test_first_row_with_the_most_known_heads_is_found_by_proposed_ones(shop: Shop) -> None:
    raw = xlsx_of(["Lista de precios 2026"], [], ["Código", "Artículo", "Precio"], ["P-1", "Aro", 5])
    found = previewed(shop.ana, "items", raw, XLSX)
    assert [head["column"] for head in found["heads"]] == ["key", "name", "sellPrice"]


@pytest.mark.parametrize("catalog", IMPORTS)
def test_proposed_heads_are_written_as_they_are_compared(catalog: str) -> None:
    definition = IMPORTS[catalog]
    assert {*definition.proposed} <= {*definition.heads} | {"description"}
    for heads in definition.proposed.values():
        assert [_bare(head) for head in heads] == [*heads]
