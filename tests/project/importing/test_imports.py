"""From a file to the catalog: preview, apply, audit and events."""

from decimal import Decimal
from typing import Any

import pytest

from project.audit.models import AuditEntry
from project.catalogs.models import Customer, CustomerType, ExportTaxItem, Item, Material, TaxSection
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Shop, somebody
from tests.project.importing.uploads import (
    IMPORTABLE,
    XLSX,
    applied,
    csv_of,
    imported,
    previewed,
    refusals,
    rows_of,
    settled,
    upload,
    xlsx_of,
)

TARIFF = "export-tax-items"


def test_preview_has_the_outcome_of_each_row_and_writes_nothing(shop: Shop) -> None:
    for name, description in (("Plata", "Plata .925"), ("Cobre", "Rojo")):
        Material.objects.create(name=name, description=description)
    raw = csv_of(["name", "description"], ["plata", "Plata .999"], ["Cobre", "Rojo"], ["Oro", "Amarillo"], [" ", "x"])
    result = previewed(shop.ana, "materials", raw)
    assert result["counts"] == {"new": 1, "changed": 1, "unchanged": 1, "refused": 1}
    assert (result["rowsTotal"], result["rowsDone"]) == (4, 4)
    changed, unchanged, new, refused = rows_of(shop.ana, result)
    assert [row["number"] for row in (changed, unchanged, new, refused)] == [2, 3, 4, 5]
    assert changed["changes"] == [
        {"field": "name", "before": "Plata", "after": "plata"},
        {"field": "description", "before": "Plata .925", "after": "Plata .999"},
    ]
    assert (unchanged["outcome"], unchanged["changes"]) == ("unchanged", [])
    assert new["changes"] == [
        {"field": "name", "before": None, "after": "Oro"},
        {"field": "description", "before": None, "after": "Amarillo"},
    ]
    assert [(error["field"], error["code"]) for error in refused["errors"]] == [("name", "required")]
    assert set(Material.objects.values_list("name", "description")) == {("Plata", "Plata .925"), ("Cobre", "Rojo")}


def test_apply_writes_new_and_changed_rows_with_audit_rows_and_one_event(shop: Shop) -> None:
    kept = Material.objects.create(name="Plata", description="Vieja")
    raw = csv_of(["name", "description"], ["Plata", "Nueva"], ["Oro", "Amarillo"], ["", "nadie"])
    result = imported(shop.ana, "materials", raw)
    assert result["counts"] == {"new": 1, "changed": 1, "unchanged": 0, "refused": 1}
    kept.refresh_from_db()
    assert (kept.description, kept.version) == ("Nueva", 2)
    entries = (
        AuditEntry.objects.filter(entity="materials").order_by("id").values("label", "action", "changes", "user_id")
    )
    assert [(one["label"], one["action"], one["user_id"]) for one in entries] == [
        ("Oro", "created", shop.ana.id),
        ("Plata", "changed", shop.ana.id),
    ]
    assert entries[1]["changes"] == {"description": {"before": "Vieja", "after": "Nueva"}}
    events = OutboxEvent.objects.filter(type="catalog.changed").values_list("payload", flat=True)
    assert len(events) == 1
    assert '"catalog":"materials","change":"imported"' in events[0]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_second_import_of_the_same_file_changes_nothing(shop: Shop, kind: str) -> None:
    builders.tariff_item("71131199")
    builders.component("Aro")
    builders.material("Plata .925")
    rows = (
        ["key", "name", "taxItemKey", "taxAmount", "sellPrice", "priority", "antique", "components", "status"],
        ["AN-1", "Anillo uno", "71131199", "16", "1850.5", "3", "no", "aro | plata .925 | sin | pulir", "sí"],
        ["AN-2", "Anillo dos", "", "0", "0.1234", "0", "true", "Aro\nAro | | dos \\| tres", "false"],
    )
    rows[1][7] = "aro | plata .925 | sin \\| pulir"
    raw, content_type = (csv_of(*rows), "text/csv") if kind == "csv" else (xlsx_of(*rows), XLSX)
    assert imported(shop.ana, "items", raw, content_type)["counts"]["new"] == 2
    again = previewed(shop.ana, "items", raw, content_type)
    assert again["counts"] == {"new": 0, "changed": 0, "unchanged": 2, "refused": 0}
    assert shop.ana.post(f"/api/imports/{again['id']}/apply").code == "import_empty"
    one, two = (Item.objects.get(key=key) for key in ("AN-1", "AN-2"))
    assert [(row.component.name, row.notes) for row in one.components.all()] == [("Aro", "sin | pulir")]
    assert [(row.component.name, row.material, row.notes) for row in two.components.order_by("place")] == [
        ("Aro", None, ""),
        ("Aro", None, "dos | tres"),
    ]
    assert (one.tax_item and one.tax_item.code, one.antique, two.antique, two.status) == (
        "71131199",
        False,
        True,
        False,
    )


def test_customers_are_imported_with_addresses_phones_and_e_mails(shop: Shop) -> None:
    kind = CustomerType.objects.create(key="consignment", name_spanish="Consignación", name_english="On consignment")
    section = TaxSection.objects.create(key="699", name_spanish="Régimen de Prueba", name_english="Trial regime")
    raw = csv_of(
        ["name", "customerType", "taxSection", "addresses", "phones", "emails"],
        [
            "Joyas",
            "ON CONSIGNMENT",
            "régimen de prueba",
            "Shipping | Calle | 1 | | Centro | Taxco | Gro | 40200 | MX",
            "52 | 55 1234",
            "a@b.mx\nc@d.mx",
        ],
        ["Nadie", "no hay", "699", "Home | Calle", "x", "no mail"],
    )
    result = imported(shop.ana, "customers", raw)
    assert refusals(shop.ana, result) == {3: {"customerType": "unknown_name"}}
    joyas = Customer.objects.get(name="Joyas")
    answer = shop.ana.get(f"/api/customers/{joyas.pk}").json
    assert answer["customerTypeId"] == kind.pk
    assert answer["taxSectionId"] == section.pk
    assert answer["addresses"][0]["postalCode"] == "40200"
    assert answer["phones"] == [{"countryCode": "52", "number": "55 1234", "extension": ""}]
    assert answer["emails"] == ["a@b.mx", "c@d.mx"]
    assert previewed(shop.ana, "customers", raw)["counts"]["unchanged"] == 1


def test_missing_column_keeps_the_records_values(shop: Shop) -> None:
    Material.objects.create(name="Plata", description="Fina", status=False)
    imported(shop.ana, "materials", csv_of(["NAME ", "status"], ["Plata", "true"], ["Oro", ""]))
    assert set(Material.objects.values_list("name", "description", "status")) == {
        ("Plata", "Fina", True),
        ("Oro", "", True),
    }


def test_currency_may_be_blank_but_not_unknown(shop: Shop) -> None:
    raw = csv_of(["name", "currency"], ["Norte", "USD"], ["Sur", ""], ["Este", "conchas"])
    result = imported(shop.ana, "customers", raw)
    assert refusals(shop.ana, result) == {4: {"currency": "unknown"}}
    kept = Customer.objects.exclude(pk=shop.customer.pk)
    assert set(kept.values_list("name", "currency")) == {("Norte", "USD"), ("Sur", "MXN")}
    imported(shop.ana, "customers", csv_of(["name", "currency", "quinto"], ["Norte", "", "Q-1"]))
    assert Customer.objects.get(name="Norte").currency == "USD"
    imported(shop.ana, "items", csv_of(["key", "name", "sellPrice"], ["A-1", "Aro", "5"]))
    assert Item.objects.get(key="A-1").currency == "MXN"


def test_refused_rows_are_never_applied_and_have_errors(shop: Shop) -> None:
    raw = csv_of(
        ["code", "spanishDescription", "spanishMetalName"],
        ["0711311401", "buena", ""],
        ["711311", "corta", ""],
        ["0711311402", "uno", ""],
        ["0711311402", "dos", ""],
        ["0711311403", "x" * 4_001, "y" * 201],
        ["0711311404", "nul\x00", ""],
    )
    result = imported(shop.ana, TARIFF, raw)
    assert refusals(shop.ana, result) == {
        3: {"code": "invalid"},
        4: {"code": "duplicate_row"},
        5: {"code": "duplicate_row"},
        6: {"spanishDescription": "too_long", "spanishMetalName": "too_long"},
        7: {"spanishDescription": "invalid_text"},
    }
    twins = [row["errors"][0]["message"] for row in rows_of(shop.ana, result, outcome="refused")[1:3]]
    assert [twin[-1] for twin in twins] == ["5", "4"], "each error names the other row"
    assert list(ExportTaxItem.objects.values_list("code", flat=True)) == ["0711311401"]


def test_row_needs_permission_to_create_or_update(shop: Shop) -> None:
    Material.objects.create(name="Plata", description="Fina")
    raw = csv_of(["name", "description"], ["Plata", "Otra"], ["Oro", ""])
    maker, mender = somebody("CreateMaterial"), somebody("UpdateMaterial")
    assert refusals(maker, imported(maker, "materials", raw)) == {2: {"name": "permission_denied"}}
    assert set(Material.objects.values_list("name", "description")) == {("Plata", "Fina"), ("Oro", "")}
    assert imported(mender, "materials", raw)["counts"] == {"new": 0, "changed": 1, "unchanged": 1, "refused": 0}
    assert upload(somebody("CreateItem"), "materials", raw).status == 403


def test_preview_hides_records_that_the_user_may_not_update(shop: Shop) -> None:
    Material.objects.create(name="Plata", description="Fina")
    maker = somebody("CreateMaterial")
    for guess in ("Fina", "Otra"):
        (row,) = rows_of(maker, previewed(maker, "materials", csv_of(["name", "description"], ["Plata", guess])))
        assert (row["outcome"], row["changes"]) == ("refused", [])
        assert [error["code"] for error in row["errors"]] == ["permission_denied"]


def test_user_who_lost_the_permission_cannot_apply(shop: Shop) -> None:
    maker = somebody("CreateMaterial", "UpdateMaterial")
    result = previewed(maker, "materials", csv_of(["name"], ["Oro"]))
    assert maker.user is not None
    maker.user.roles.get().permissions.filter(action="CreateMaterial").delete()
    assert maker.post(f"/api/imports/{result['id']}/apply").code == "permission_denied"
    maker.user.roles.all().delete()
    assert maker.get(f"/api/imports/{result['id']}").code == "permission_denied"


def test_import_is_visible_only_to_its_uploader(shop: Shop) -> None:
    result = previewed(shop.ana, "materials", csv_of(["name"], ["Oro"]))
    path = f"/api/imports/{result['id']}"
    calls = [("GET", path), ("GET", f"{path}/rows"), ("POST", f"{path}/apply"), ("POST", f"{path}/preview")]
    for method, address in [*calls, ("DELETE", path)]:
        assert shop.beto.call(method, address).status == 404, (method, address)
    assert applied(shop.ana, result["id"])["state"] == "applied"


def test_import_can_be_discarded_and_applied_only_once(shop: Shop) -> None:
    result = imported(shop.ana, "materials", csv_of(["name"], ["Oro"]))
    path = f"/api/imports/{result['id']}"
    assert shop.ana.post(f"{path}/apply").code == "import_applied"
    assert shop.ana.post(f"{path}/preview").code == "import_applied"
    assert shop.ana.delete(path).status == 200
    assert shop.ana.get(path).status == 404
    assert Material.objects.filter(name="Oro").exists(), "applied records stay"


def test_rows_are_paged_and_searched(shop: Shop) -> None:
    result = previewed(shop.ana, "materials", csv_of(["name"], *([f"M{n:03}"] for n in range(60))))
    first = shop.ana.get(f"/api/imports/{result['id']}/rows?limit=25&outcome=new")
    assert (len(first.json), first.headers["X-Total-Count"]) == (25, "60")
    address = first.headers["Link"].split(">")[0].removeprefix("<")
    assert [row["number"] for row in shop.ana.get(address).json] == list(range(27, 52))
    assert [row["key"] for row in rows_of(shop.ana, result, search="m007")] == ["M007"]


@pytest.mark.parametrize("catalog", IMPORTABLE)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_template_can_be_uploaded_itself(shop: Shop, catalog: str, kind: str) -> None:
    raw = shop.ana.raw(f"/api/imports/{catalog}/template.{kind}")
    result = settled(shop.ana, upload(shop.ana, catalog, raw, XLSX if kind == "xlsx" else "text/csv"))
    assert (result["state"], result["rowsTotal"]) == ("ready", 0)


def test_price_has_the_decimals_of_the_rows_or_the_records_currency(shop: Shop) -> None:
    Item.objects.filter(pk=shop.item.pk).update(key="BHD-1", name="Dinares", currency="BHD")
    heads = ["key", "name", "sellPrice", "currency"]
    rows = [
        ["BHD-1", "Dinares", "1.1234567", ""],
        ["NEW-1", "Uno", "1.1234567", ""],
        ["NEW-2", "Dos", "1.12345", "JPY"],
        ["NEW-3", "Tres", "1.1234", "JPY"],
    ]
    assert refusals(shop.ana, previewed(shop.ana, "items", csv_of(heads, *rows))) == {
        3: {"sellPrice": "too_many_decimals"},
        4: {"sellPrice": "too_many_decimals"},
    }
    imported(shop.ana, "items", csv_of(heads, rows[0], rows[3]))
    assert dict(Item.objects.filter(key__in=["BHD-1", "NEW-3"]).values_list("currency", "sell_price")) == {
        "BHD": Decimal("1.1234567"),
        "JPY": Decimal("1.1234"),
    }


def test_piece_price_has_the_decimals_of_the_plants_currency(shop: Shop, settings: Any) -> None:
    settings.PLANT_CURRENCY = "CLP"
    heads = ["name", "order", "price"]
    rows = ["Esmalte", "3", "9.25255"], ["Baño", "4", "9.2525"]
    assert refusals(shop.ana, previewed(shop.ana, "production-processes", csv_of(heads, *rows))) == {
        2: {"price": "too_many_decimals"}
    }
