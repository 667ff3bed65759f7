"""The catalogs over REST: create, list, read, change, delete, and what they refuse."""

from typing import Any
from urllib.parse import quote

import pytest

from project.catalogs.models import CustomerType, ProductionProcess, TaxSection
from tests.builders import Shop, component, item, material, tariff_item

# A full body for each catalog.
ADDRESS = {
    "kind": "Commercial",
    "street": "Calle 5",
    "exteriorNumber": "10",
    "interiorNumber": "",
    "neighborhood": "Centro",
    "city": "Taxco",
    "state": "Guerrero",
    "postalCode": "40200",
    "country": "México",
}
BODIES: dict[str, dict[str, Any]] = {
    "customers": {
        "name": "Joyería Norte",
        "customerTypeId": None,
        "taxSectionId": None,
        "taxId": "XAXX010101000",
        "quinto": "Q-9",
        "addresses": [ADDRESS, ADDRESS | {"kind": "Shipping"}],
        "phones": [{"countryCode": "52", "number": "762 622 0000", "extension": "12"}],
        "emails": ["compras@norte.test"],
        "status": True,
    },
    "materials": {
        "name": "Plata",
        "nameEnglish": "Silver",
        "description": "Ley .925",
        "descriptionEnglish": "Sterling",
        "status": True,
    },
    "alloys": {"name": "Ley 900", "fineness": 900.5, "materialId": None, "waxRatio": 10.4, "status": True},
    "components": {"name": "Broche", "nameEnglish": "Clasp", "status": True},
    "production-processes": {
        "name": "Vaciado",
        "nameEnglish": "Casting",
        "order": 3,
        "status": True,
        "price": 1.25,
        "weighs": "optional",
        "allowedLoss": 12.5,
        "recovers": True,
        "userIds": [],
    },
    "items": {
        "key": "AN-1",
        "taxItemKey": "71131101",
        "satUnitMeasurement": "H87",
        "name": "Anillo liso",
        "descriptionSpanish": "Anillo",
        "descriptionEnglish": "Ring",
        "taxAmount": 16,
        "sellPrice": 1250.5,
        "priority": 9,
        "antique": True,
        "measures": "17 mm",
        "alloyId": None,
        "netGrams": 4.255,
        "otherGrams": 0.5,
        "components": [],
        "status": True,
    },
}
CATALOGS = sorted(BODIES)


@pytest.fixture(autouse=True)
def tariff(db: None) -> None:
    tariff_item("71131101")


def created(shop: Shop, catalog: str, **fields: Any) -> dict[str, Any]:
    answer = shop.ana.post(f"/api/{catalog}", BODIES[catalog] | fields)
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made


@pytest.mark.parametrize("catalog", CATALOGS)
def test_an_entry_is_created_read_listed_changed_and_deleted(shop: Shop, catalog: str) -> None:
    made = created(shop, catalog)
    path = f"/api/{catalog}/{made['id']}"
    assert made == made | BODIES[catalog]
    assert made["version"] == 1
    read = shop.ana.get(path)
    assert (read.json, read.headers["ETag"]) == (made, '"1"')
    assert made in shop.ana.get(f"/api/{catalog}").json
    changed = shop.ana.put(path, {"status": False})
    assert changed.json == made | {"status": False, "version": 2}
    assert changed.headers["ETag"] == '"2"'
    deleted = shop.ana.delete(path)
    assert (deleted.status, deleted.json) == (200, changed.json)
    assert [shop.ana.call(method, path, {}).status for method in ("GET", "PUT", "DELETE")] == [404] * 3


@pytest.mark.parametrize("catalog", CATALOGS)
def test_entry_name_is_unique_regardless_of_case(shop: Shop, catalog: str) -> None:
    made = created(shop, catalog)
    twin = {"name": made["name"].upper()} | ({"key": "OTRA"} if catalog == "items" else {})
    answer = shop.ana.post(f"/api/{catalog}", BODIES[catalog] | twin)
    assert (answer.status, answer.code, answer.fields) == (409, "already_exists", {"name": "already_exists"})
    other = {"name": "Otro nombre"} | ({"key": "OTRA"} if catalog == "items" else {})
    second = created(shop, catalog, **other)
    answer = shop.ana.put(f"/api/{catalog}/{second['id']}", {"name": made["name"].upper()})
    assert answer.code == "already_exists"
    assert shop.ana.get(f"/api/{catalog}/{second['id']}").json == second
    assert shop.ana.put(f"/api/{catalog}/{made['id']}", {"name": made["name"].upper()}).status == 200


def test_product_key_is_unique_regardless_of_case(shop: Shop) -> None:
    created(shop, "items")
    answer = shop.ana.post("/api/items", BODIES["items"] | {"name": "Otro", "key": "an-1"})
    assert (answer.code, answer.fields) == ("already_exists", {"key": "already_exists"})


@pytest.mark.parametrize("catalog", CATALOGS)
def test_stale_version_is_refused_and_current_one_accepted(shop: Shop, catalog: str) -> None:
    made = created(shop, catalog)
    path = f"/api/{catalog}/{made['id']}"
    assert shop.ana.put(path, {"status": False}, if_match='"1"').status == 200
    for stale in ('"1"', 'W/"1"', '"0", "1"', "x"):
        answer = shop.ana.put(path, {"status": True}, if_match=stale)
        assert (answer.status, answer.code) == (412, "stale_version")
    for fresh, version in (("*", 3), ('"1", "3"', 4), ('W/"4"', 5)):
        assert shop.ana.put(path, {"status": version % 2 == 1}, if_match=fresh).json["version"] == version


@pytest.mark.parametrize("catalog", CATALOGS)
@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"name": "\t "}, {"name": "required"}),
        ({"name": None}, {"name": "invalid_type"}),
        ({"name": 5}, {"name": "invalid_type"}),
        ({"name": "x" * 201}, {"name": "too_long"}),
        ({"status": "true"}, {"status": "invalid_type"}),
        ({"status": None}, {"status": "invalid_type"}),
        ({"id": 1}, {"id": "unknown_field"}),
        ({"version": 9}, {"version": "unknown_field"}),
        ({"paid": True}, {"paid": "unknown_field"}),
    ],
    ids=str,
)
def test_bad_fields_are_named_and_change_nothing(
    shop: Shop, catalog: str, fields: dict[str, Any], refused: dict[str, str]
) -> None:
    made = created(shop, catalog)
    for answer in (
        shop.ana.post(f"/api/{catalog}", BODIES[catalog] | {"name": "Nuevo"} | fields),
        shop.ana.put(f"/api/{catalog}/{made['id']}", fields),
    ):
        assert (answer.status, answer.fields) == (422, refused)
    assert shop.ana.get(f"/api/{catalog}/{made['id']}").json == made


@pytest.mark.parametrize(
    ("catalog", "fields", "refused"),
    [
        ("customers", {"customerTypeId": 999}, {"customerTypeId": "unknown"}),
        ("customers", {"taxSectionId": 999}, {"taxSectionId": "unknown"}),
        ("customers", {"addresses": [ADDRESS | {"kind": "Home"}]}, {"addresses.0.kind": "not_a_choice"}),
        ("customers", {"addresses": [{"street": "x"}]}, {"addresses.0.kind": "required"}),
        ("customers", {"phones": [{"number": "call me"}]}, {"phones.0.number": "invalid"}),
        ("customers", {"emails": ["no"]}, {"emails.0": "invalid"}),
        ("customers", {"emails": [1]}, {"emails.0": "invalid_type"}),
        ("production-processes", {"order": 0}, {"order": "too_small"}),
        ("production-processes", {"order": True}, {"order": "invalid_type"}),
        ("production-processes", {"order": 1.5}, {"order": "invalid_type"}),
        ("production-processes", {"price": -1}, {"price": "too_small"}),
        ("production-processes", {"price": True}, {"price": "invalid_type"}),
        ("production-processes", {"price": "1"}, {"price": "invalid_type"}),
        ("production-processes", {"price": 1.2345678}, {"price": "too_many_decimals"}),
        ("production-processes", {"price": 1e30}, {"price": "too_large"}),
        ("production-processes", {"userIds": [999_999]}, {"userIds.0": "unknown"}),
        ("items", {"components": [{"componentId": 999}]}, {"components.0.componentId": "unknown"}),
        ("items", {"components": [{}]}, {"components.0.componentId": "required"}),
        ("items", {"taxItemKey": "123"}, {"taxItemKey": "invalid"}),
        ("items", {"priority": 10}, {"priority": "too_large"}),
        ("items", {"priority": False}, {"priority": "invalid_type"}),
        ("items", {"taxAmount": 101}, {"taxAmount": "too_large"}),
        ("items", {"taxAmount": True}, {"taxAmount": "invalid_type"}),
        ("items", {"sellPrice": -0.01}, {"sellPrice": "too_small"}),
        ("items", {"antique": "no"}, {"antique": "invalid_type"}),
    ],
    ids=str,
)
def test_bad_field_of_one_catalog_is_named_in_the_422(
    shop: Shop, catalog: str, fields: dict[str, Any], refused: dict[str, str]
) -> None:
    made = created(shop, catalog)
    for answer in (
        shop.ana.post(f"/api/{catalog}", BODIES[catalog] | {"name": "Nuevo"} | fields),
        shop.ana.put(f"/api/{catalog}/{made['id']}", fields),
    ):
        assert (answer.status, answer.fields) == (422, refused)


def test_customer_keeps_its_type_and_tax_section(shop: Shop) -> None:
    kind, section = CustomerType.objects.get(key="wholesale"), TaxSection.objects.get(key="612")
    made = created(shop, "customers", customerTypeId=kind.pk, taxSectionId=section.pk)
    assert (made["customerTypeId"], made["taxSectionId"]) == (kind.pk, section.pk)
    cleared = shop.ana.put(f"/api/customers/{made['id']}", {"customerTypeId": None}).json
    assert (cleared["customerTypeId"], cleared["taxSectionId"]) == (None, section.pk)


def test_components_of_a_product_keep_their_order(shop: Shop) -> None:
    ring, chain = component("Aro"), component("Cadena")
    silver = material("Plata")
    rows = [
        {"componentId": chain.pk, "materialId": silver.pk, "notes": "45 cm"},
        {"componentId": ring.pk, "materialId": None, "notes": ""},
        {"componentId": chain.pk, "materialId": None, "notes": "extra"},
    ]
    made = created(shop, "items", components=rows)
    first = made["components"][0]
    assert (first["componentName"], first["materialName"], first["materialDescription"]) == (
        "Cadena",
        "Plata",
        "Plata .925",
    )
    assert [row["notes"] for row in made["components"]] == ["45 cm", "", "extra"]
    path = f"/api/items/{made['id']}"
    assert shop.ana.put(path, {"measures": "18 mm"}).json["components"] == made["components"]
    turned = shop.ana.put(path, {"components": made["components"][::-1]}).json["components"]
    assert turned == made["components"][::-1]
    assert shop.ana.put(path, {"components": []}).json["components"] == []


def test_money_keeps_four_decimals(shop: Shop) -> None:
    made = created(shop, "items", sellPrice=0.1, taxAmount=8.0005)
    assert (made["sellPrice"], made["taxAmount"]) == (0.1, 8.0005)
    made = created(shop, "production-processes", price=9_999_999_999)
    assert made["price"] == 9_999_999_999


def test_delete_of_an_entry_in_use_gets_409_that_names_its_uses_in_both_languages(shop: Shop) -> None:
    ring, silver = component(), material()
    product = item()
    product.components.create(place=1, component=ring, material=silver)
    order = shop.order(items=[{"itemId": product.pk, "quantity": 1}])
    shop.status(order, 1, "Approved")
    shop.enter(order, shop.casting)
    shop.ana.put(f"/identity/users/{shop.carla.id}", {"customerId": shop.customer.pk})
    for path, english, spanish in (
        (f"/api/components/{ring.pk}", "product components (1)", "componentes de producto"),
        (f"/api/materials/{silver.pk}", "product components (1)", "componentes de producto"),
        (f"/api/items/{product.pk}", "order lines (1)", "líneas"),
        (f"/api/customers/{shop.customer.pk}", "sales orders (1)", "órdenes de venta"),
        (f"/api/production-processes/{shop.casting.pk}", "movements (1)", "movimientos"),
    ):
        answer = shop.ana.delete(path, accept_language="en")
        assert (answer.status, answer.code) == (409, "in_use")
        assert english in answer.json["message"]
        assert spanish in shop.ana.delete(path).json["message"]
        assert sum(answer.json["params"]["by"].values()) >= 1
        assert shop.ana.put(path, {"status": False}).json["status"] is False


@pytest.mark.parametrize("catalog", CATALOGS)
def test_a_list_is_filtered_by_status_and_searched(shop: Shop, catalog: str) -> None:
    made = created(shop, catalog, name="Zafiro único")
    shop.ana.put(f"/api/{catalog}/{made['id']}", {"status": False})
    off = shop.ana.get(f"/api/{catalog}?status=false").json
    assert [row["id"] for row in off] == [made["id"]]
    assert made["id"] not in [row["id"] for row in shop.ana.get(f"/api/{catalog}?status=true").json]
    found = shop.ana.get(f"/api/{catalog}?search=ZAFIRO").json
    assert [row["id"] for row in found] == [made["id"]]
    assert shop.ana.get(f"/api/{catalog}?status=perhaps").fields == {"status": "invalid_type"}


def test_processes_are_found_by_either_name(shop: Shop) -> None:
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(name_english="Lost wax")
    for typed in ("lost WAX", shop.casting.name):
        found = shop.ana.get(f"/api/production-processes?search={quote(typed)}").json
        assert [row["id"] for row in found] == [shop.casting.pk], typed


@pytest.mark.parametrize(("catalog", "typed"), [("components", "CLASP"), ("materials", "silv"), ("materials", "sterl")])
def test_components_and_materials_are_found_by_their_english_texts(shop: Shop, catalog: str, typed: str) -> None:
    made = created(shop, catalog)
    component(), material()
    assert [row["id"] for row in shop.ana.get(f"/api/{catalog}?search={typed}").json] == [made["id"]]


def test_a_line_names_its_components_in_both_languages(shop: Shop) -> None:
    clasp, silver = created(shop, "components"), created(shop, "materials")
    rows = [{"componentId": clasp["id"], "materialId": silver["id"]}, {"componentId": clasp["id"]}]
    assert shop.ana.put(f"/api/items/{shop.item.pk}", {"components": rows}).status == 200
    with_material, without = shop.line(shop.order(2))["components"]
    assert with_material | {"componentId": 0, "materialId": 0} == {
        "componentId": 0,
        "componentName": "Broche",
        "componentNameEnglish": "Clasp",
        "materialId": 0,
        "materialName": "Plata",
        "materialNameEnglish": "Silver",
        "materialDescription": "Ley .925",
        "materialDescriptionEnglish": "Sterling",
        "notes": "",
    }
    assert [value for name, value in without.items() if name.startswith("material")] == [None] * 5
