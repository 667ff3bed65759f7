"""Parts of the product are on when they are first used or switched on, and off only without records."""

from typing import Any

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Company, ExportTaxItem, Item
from project.parts.contents import PARTS, PartKey
from project.parts.models import Part
from tests.builders import Answer, Caller, Shop, person
from tests.project.billing.billing import billed, done, of, prepare

PATH = "/api/parts"


@pytest.fixture
def shop(shop: Shop) -> Shop:
    """A new workshop, which uses no part yet."""
    Part.objects.all().delete()
    return shop


def parts(by: Caller) -> dict[str, bool]:
    return {row["key"]: row["on"] for row in by.get(PATH).json}


def switch(by: Caller, key: str, *, on: bool) -> Answer:
    return by.put(f"{PATH}/{key}", {"on": on})


def test_a_new_workshop_has_no_part_on(shop: Shop) -> None:
    rows = Caller(person("worker")).get(PATH).json
    assert [row["key"] for row in rows] == [*PartKey]
    assert all(row == {"key": row["key"], "on": False, "since": None} for row in rows)


@pytest.mark.parametrize("key", PartKey)
def test_a_part_is_switched_on_and_off_and_the_audit_says_who(shop: Shop, key: str) -> None:
    on = switch(shop.ana, key, on=True)
    assert (on.status, on.json["key"], on.json["on"]) == (200, key, True)
    assert on.json["since"] is not None
    assert switch(shop.ana, key, on=True).json == on.json
    assert switch(shop.ana, key, on=False).json["on"] is False
    rows = AuditEntry.objects.filter(entity="parts").order_by("id")
    assert [(row.label, row.changes["on"]["after"], row.user_id) for row in rows] == [
        (key, True, shop.ana.id),
        (key, False, shop.ana.id),
    ]


def certificate(shop: Shop) -> dict[str, Any]:
    """The body of a certificate of origin, with all that it needs."""
    company = Company.objects.create(
        name="Obrador",
        email="ventas@obrador.test",
        phone="762 1",
        commercial_address={"street": "Calle 1"},
        certifier_name="María",
        certifier_title="Gerente",
        certifier_role="producer",
    )
    tariff = ExportTaxItem.objects.create(code="7113119900")
    Item.objects.filter(pk=shop.item.pk).update(tax_item=tariff, origin_criterion="B")
    shop.order(5)
    return {"customerId": shop.customer.pk, "companyId": company.pk, "begins": "2026-01-01", "ends": "2026-12-31"}


FIRST: dict[str, tuple[str, dict[str, Any]]] = {
    "metal": ("/api/metal/trays", {"code": "CH-1", "grams": 12.5}),
    "integrations": ("/api/service-accounts", {"name": "Tienda", "permissions": ["ListItems"]}),
}


@pytest.mark.parametrize("key", ["metal", "integrations", "customerLinks", "export"])
def test_the_first_write_turns_a_part_on_and_its_records_keep_it_on(shop: Shop, key: str) -> None:
    links = ("/api/customer-links", {"customerId": shop.customer.pk})
    path, body = FIRST.get(key, links)
    if key == "export":
        path, body = "/api/deliveries/certificates", certificate(shop)
    answer = shop.ana.post(path, body)
    assert answer.status == 201, answer
    assert parts(shop.ana)[key] is True
    assert sum(parts(shop.ana).values()) == 1
    refused = switch(shop.ana, key, on=False)
    assert (refused.status, refused.code, list(refused.json["params"]["by"].values())) == (409, "in_use", [1])
    assert refused.json["message"]


def test_a_write_that_is_refused_turns_nothing_on(shop: Shop) -> None:
    assert shop.ana.post("/api/metal/trays", {"code": "", "grams": 12.5}).status == 422
    assert not Part.objects.exists()


def test_a_part_with_records_of_before_is_on(shop: Shop) -> None:
    """Nobody has switched it: the records were written by a former release."""
    shop.ana.post("/api/metal/trays", {"code": "CH-1", "grams": 12.5})
    Part.objects.all().delete()
    [metal] = [row for row in shop.ana.get(PATH).json if row["key"] == "metal"]
    assert metal == {"key": "metal", "on": True, "since": None}


def test_terms_of_a_bill_abroad_keep_the_export_on(shop: Shop) -> None:
    prepare(shop)
    bill = billed(shop, of(done(shop, 10)))["id"]
    switch(shop.ana, "export", on=True)
    switch(shop.ana, "export", on=False)
    assert shop.ana.put(f"/api/deliveries/{bill}/export", {"incoterm": "FCA"}).status == 200
    assert parts(shop.ana)["export"] is True
    assert switch(shop.ana, "export", on=False).code == "in_use"


def test_only_who_may_change_the_company_switches_and_no_customer_reads(shop: Shop) -> None:
    assert switch(Caller(person("clerk", Permission.ListCompanies)), "metal", on=True).status == 403
    assert switch(shop.ana, "gold", on=True).status == 404
    assert shop.ana.put(f"{PATH}/metal", {"on": "yes"}).status == 422
    assert not Part.objects.exists()


def test_a_part_decides_about_no_call(shop: Shop) -> None:
    assert shop.ana.get("/api/metal/trays").status == 200
    assert parts(shop.ana)["metal"] is False


def test_every_entity_of_a_part_belongs_to_one_part() -> None:
    entities = [entity for contents in PARTS.values() for entity in contents.entities]
    assert len(entities) == len(set(entities))


def test_a_wrong_code_of_a_screen_turns_nothing_on(shop: Shop) -> None:
    """It is recorded as a guess, and nothing was written."""
    for _ in range(6):
        shop.ana.post("/api/displays", {"code": "00000000", "name": "Muro"})
    assert AuditEntry.objects.filter(entity="displays", action="guessed").exists()
    assert parts(shop.ana)["displays"] is False


def test_a_switch_that_changes_nothing_writes_nothing(shop: Shop) -> None:
    assert switch(shop.ana, "export", on=False).json == {"key": "export", "on": False, "since": None}
    assert not Part.objects.exists()
    assert not AuditEntry.objects.filter(entity="parts").exists()
