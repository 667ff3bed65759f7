"""Short lists: choices for forms, named in both languages, with permissions of their own."""

import json

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import CustomerType, TaxSection
from project.catalogs.terms import shared_catalogs
from realtime.models import OutboxEvent
from tests.builders import Shop, somebody

LISTS = {
    "customer-types": (Permission.CreateCustomer, Permission.UpdateCustomer),
    "tax-sections": (Permission.CreateCustomer, Permission.UpdateCustomer),
    "release-reasons": (Permission.UpdateProductionProcess, Permission.UpdateProductionProcess),
    "scrap-reasons": (Permission.UpdateProductionProcess, Permission.UpdateProductionProcess),
}
ROW = {"key": "consignment", "nameSpanish": "Consignación", "nameEnglish": "Consignment", "active": True}


@pytest.mark.parametrize("name", LISTS)
def test_a_new_database_has_rows_in_both_languages(shop: Shop, name: str) -> None:
    rows = shop.carla.get(f"/api/{name}").json
    assert len(rows) >= 5
    assert all(row["key"] and row["nameSpanish"] and row["nameEnglish"] and row["active"] for row in rows)


def test_tax_sections_are_the_fiscal_regimes(shop: Shop) -> None:
    regimes = {term.code: term.name_es for term in shared_catalogs()["fiscalRegimes"]}
    assert {row["key"]: row["nameSpanish"] for row in shop.carla.get("/api/tax-sections").json} == regimes
    assert len(regimes) == 19


@pytest.mark.parametrize("name", LISTS)
def test_a_row_is_created_read_changed_and_deleted(shop: Shop, name: str) -> None:
    made = shop.ana.post(f"/api/{name}", ROW)
    assert (made.status, made.json) == (201, made.json | ROW | {"name": "Consignación", "version": 1})
    path = f"/api/{name}/{made.json['id']}"
    assert shop.carla.get(path, accept_language="en").json["name"] == "Consignment"
    assert shop.carla.get(path).json == made.json
    assert made.json in shop.carla.get(f"/api/{name}?active=true&search=consign").json
    hidden = shop.ana.put(path, {"active": False})
    assert hidden.json == made.json | {"active": False, "version": 2}
    assert shop.carla.get(f"/api/{name}?active=true&search=consign").json == []
    assert shop.ana.put(path, {"active": True}, if_match='"1"').code == "stale_version"
    assert shop.ana.delete(path).status == 200
    assert shop.carla.get(path).status == 404


@pytest.mark.parametrize("name", LISTS)
def test_key_is_unique_regardless_of_case(shop: Shop, name: str) -> None:
    shop.ana.post(f"/api/{name}", ROW)
    answer = shop.ana.post(f"/api/{name}", ROW | {"key": "CONSIGNMENT"})
    assert (answer.status, answer.fields) == (409, {"key": "already_exists"})


@pytest.mark.parametrize(("field", "value"), [("key", ""), ("key", "a b"), ("nameSpanish", " "), ("nameEnglish", None)])
def test_row_without_key_or_name_gets_422(shop: Shop, field: str, value: str | None) -> None:
    answer = shop.ana.post("/api/scrap-reasons", ROW | {field: value})
    assert (answer.status, list(answer.fields)) == (422, [field])


@pytest.mark.parametrize("name", LISTS)
def test_each_write_needs_its_permission(shop: Shop, name: str) -> None:
    creates, updates = LISTS[name]
    every = {
        Permission.CreateCustomer,
        Permission.UpdateCustomer,
        Permission.DeleteCustomer,
        Permission.UpdateProductionProcess,
        Permission.CreateProductionProcess,
    }
    creator, changer = somebody(creates), somebody(updates)
    other, changing_nothing = somebody(*(every - {creates})), somebody(*(every - {updates}))
    assert other.post(f"/api/{name}", ROW).status == 403
    path = f"/api/{name}/{creator.post(f'/api/{name}', ROW).json['id']}"
    assert changing_nothing.put(path, {"active": False}).status == changing_nothing.delete(path).status == 403
    assert changer.put(path, {"active": False}).status == changer.delete(path).status == 200


def test_row_in_use_cannot_be_deleted(shop: Shop) -> None:
    kind, section = CustomerType.objects.get(key="wholesale"), TaxSection.objects.get(key="612")
    fields = {"customerTypeId": kind.pk, "taxSectionId": section.pk}
    assert shop.ana.put(f"/api/customers/{shop.customer.pk}", fields).status == 200
    for path in (f"/api/customer-types/{kind.pk}", f"/api/tax-sections/{section.pk}"):
        answer = shop.ana.delete(path)
        assert (answer.status, answer.code, answer.json["params"]) == (409, "in_use", {"by": {"customer": 1}})
        assert shop.ana.put(path, {"active": False}).json["active"] is False


@pytest.mark.parametrize("name", LISTS)
def test_change_is_audited_and_published(shop: Shop, name: str) -> None:
    made = shop.ana.post(f"/api/{name}", ROW).json
    row = AuditEntry.objects.latest("id")
    assert (row.entity, row.entity_id, row.label, row.action) == (name, made["id"], "Consignación", "created")
    event = OutboxEvent.objects.latest("id")
    data = json.loads(event.payload)["data"]
    assert data == {"id": made["id"], "catalog": name, "change": "created"}
    assert LISTS[name][1] in event.audience.split()
