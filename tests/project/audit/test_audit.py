"""The audit: one row for each change, in the change's transaction, readable with its permission."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from project.access.permissions import ALL, Permission
from project.audit.models import AuditEntry
from tests.builders import Shop, line_path, release, somebody


def test_row_has_user_time_address_and_values_before_and_after(shop: Shop) -> None:
    made = shop.ana.post("/api/materials", {"name": "Plata .925"}).json
    shop.ana.put(f"/api/materials/{made['id']}", {"name": "Plata .950"})
    changed, created = shop.ana.get(f"/api/audit?entity=materials&entityId={made['id']}").json
    assert created["action"] == "created"
    assert created["changes"]["name"] == {"before": None, "after": "Plata .925"}
    assert changed | {"id": 0, "at": ""} == {
        "id": 0,
        "at": "",
        "userId": shop.ana.id,
        "userName": "Ana Torres",
        "address": "127.0.0.1",
        "entity": "materials",
        "entityId": made["id"],
        "label": "Plata .950",
        "action": "changed",
        "changes": {"name": {"before": "Plata .925", "after": "Plata .950"}},
    }


def test_row_of_a_deletion_has_the_values_before(shop: Shop) -> None:
    made = shop.ana.post("/api/components", {"name": "Broche"}).json
    shop.ana.delete(f"/api/components/{made['id']}")
    row = shop.ana.get("/api/audit?entity=components&action=deleted").json[0]
    assert row["changes"]["name"] == {"before": "Broche", "after": None}


@pytest.mark.parametrize("action", ["created", "deleted"])
def test_row_of_a_created_or_deleted_order_has_its_lines(shop: Shop, action: str) -> None:
    order = shop.order(3, 5, notes="urgente")
    shop.ana.delete(f"/api/sales-order/{order}")
    (row,) = shop.ana.get(f"/api/audit?entity=sales-order&action={action}&entityId={order}").json
    side = "after" if action == "created" else "before"
    lines = row["changes"]["lines"][side]
    assert [(line["position"], line["quantity"], line["itemId"]) for line in lines] == [
        (1, 3, shop.item.pk),
        (2, 5, shop.item.pk),
    ]
    assert row["changes"]["notes"][side] == "urgente"


@pytest.mark.parametrize(("movement", "side"), [("in", "in"), ("out", "out"), ("", "both")])
def test_row_of_a_release_has_record_process_pieces_and_side(shop: Shop, movement: str, side: str) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 7)
    if movement != "in":
        shop.leave(order, shop.casting)
    (record,) = shop.history(order)
    assert release(shop.ana, order, shop.casting, movement).status == 200
    changes = shop.ana.get("/api/audit?entity=sales-order-position&action=released").json[0]["changes"]
    named = {name: changes[name]["after"] for name in ("processRecordId", "productionProcessName", "pieces", "side")}
    assert named == {
        "processRecordId": record["id"],
        "productionProcessName": "Fundición",
        "pieces": 7,
        "side": side,
    }


def test_refused_change_leaves_no_row(shop: Shop) -> None:
    shop.ana.post("/api/components", {"name": "Broche"})
    before = AuditEntry.objects.count()
    assert shop.ana.post("/api/components", {"name": "BROCHE"}).status == 409
    assert AuditEntry.objects.count() == before


def test_password_is_never_in_the_audit(shop: Shop, quick_passwords: None) -> None:
    body = {"email": "eva@obrador.test", "firstName": "Eva", "password": "Secreto.26"}
    user = shop.ana.post("/identity/users", body).json
    shop.ana.put(f"/identity/users/{user['id']}", {"password": "Nuevo.2026"})
    rows = list(AuditEntry.objects.filter(entity="users", entity_id=user["id"]).order_by("id"))
    assert rows[-1].changes["password"]["after"] == "•••"
    assert not any("Secreto.26" in str(row.changes) or "Nuevo.2026" in str(row.changes) for row in rows)


def test_each_step_of_a_line_leaves_a_row(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.ana.delete(f"{line_path(order)}/production-process/{shop.casting.pk}")
    shop.ana.put(f"{line_path(order)}/full", {"notes": "urgente"})
    line = shop.line(order)["id"]
    rows = shop.ana.get(f"/api/audit?entity=sales-order-position&entityId={line}&ordering=id").json
    assert [row["action"] for row in rows] == ["status", "in", "out", "released", "changed"]
    assert rows[1]["changes"]["quantityInside"] == {"before": 0, "after": 10}
    assert rows[1]["changes"]["productionProcessName"] == {"before": None, "after": "Fundición"}


def test_reading_the_audit_needs_its_permission(shop: Shop) -> None:
    assert somebody(Permission.ViewAudit).get("/api/audit").status == 200
    assert somebody(*(ALL - {Permission.ViewAudit})).get("/api/audit").code == "permission_denied"


@pytest.mark.parametrize(
    "write",
    [
        lambda rows: rows.update(label="another"),
        lambda rows: rows.filter(entity="sales-order").delete(),
        lambda rows: rows.latest("id").delete(),
        lambda rows: rows.bulk_update([AuditEntry(pk=rows.latest("id").pk, label="another")], ["label"]),
        lambda rows: rows.latest("id").save(),
        lambda rows: _sql("UPDATE audit_auditentry SET user_id = 1"),
        lambda rows: _sql("DELETE FROM audit_auditentry WHERE id > 0"),
    ],
    ids=["update", "delete", "delete one", "bulk", "save", "raw update", "raw delete"],
)
def test_database_refuses_to_change_or_delete_a_row(shop: Shop, write: Callable[[Any], object]) -> None:
    shop.order(1)
    before = list(AuditEntry.objects.order_by("id").values())
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        write(AuditEntry.objects)
    assert list(AuditEntry.objects.order_by("id").values()) == before != []


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no TRUNCATE")
def test_database_refuses_to_truncate_the_table(shop: Shop) -> None:
    shop.order(1)
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        _sql("TRUNCATE audit_auditentry")
    assert AuditEntry.objects.exists()


def _sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_audit_days_are_in_plant_time_and_inclusive(shop: Shop) -> None:
    shop.order(1)
    today = shop.ana.get("/api/shop-floor").json["today"]
    assert shop.ana.get(f"/api/audit?from={today}&to={today}&entity=sales-order").json != []
    assert shop.ana.get("/api/audit?to=2020-01-01").json == []
