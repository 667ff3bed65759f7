"""A PUT that changes nothing writes nothing: no version, no audit row, no event."""

from collections.abc import Callable

import pytest

from project.audit.models import AuditEntry
from project.catalogs.models import ItemComponent
from realtime.models import OutboxEvent
from tests.builders import Shop, component, line_path
from tests.contract.operations import operations, schema
from tests.project.audit.test_every_write import RECORDS, drafted
from tests.project.batches.batching import BATCHES, new_batch
from tests.project.customer_links.linking import LINKS, shared

NO_FIELDS = {
    "user_change_password": "a new password always differs",
    "sales_order_position_update_status": "the same status again is refused",
    "sales_order_position_process_in": "moves",
    "sales_order_position_process_out": "moves",
    "user_change_pin": "cannot be read back: tested with operators",
    "payment_cancel": "a second time is refused",
    "sales_order_position_record_weigh": "writes what a record weighs: tested with weights",
    "csd_put": "its key cannot be read back: tested with CSDs",
    "demo_people_move": "writes no record: tested with the demo",
    "part_put": "has no entry of its own to read: tested with parts",
    "process_item_price_set": "sets many records: tested with piece prices",
}
ENTRIES: dict[str, Callable[[Shop], tuple[str, str]]] = {
    f"{name}_update": lambda shop, record=record: (record.entry(shop),) * 2  # type: ignore[misc]
    for name, record in RECORDS.items()
} | {
    "sales_order_update": lambda shop: (f"/api/sales-order/{shop.order(5, 2)}",) * 2,
    "sales_order_position_update": lambda shop: (f"{(line := line_path(shop.order(5, 2)))}/full", line),
    "delivery_update": lambda shop: (drafted(shop),) * 2,
    "delivery_export_update": lambda shop: (f"{(path := drafted(shop))}/export", path),
    "batch_update": lambda shop: (f"{BATCHES}/{new_batch(shop)['id']}",) * 2,
    "customer_link_update": lambda shop: (f"{LINKS}/{shared(shop, mailTo='compras@cliente.example.com')['id']}",) * 2,
    "user_change_language": lambda shop: (f"/identity/users/{shop.ana.id}/language", f"/identity/users/{shop.ana.id}"),
    "notice_preferences_update": lambda shop: ("/api/notices/preferences",) * 2,
}
"""Operation → function that returns the paths to change and to read an entry."""
ROWS = {"items", "components", "lines"}
"""Fields that have more in an answer than in a request."""


def test_every_put_is_tested_or_excluded_with_a_reason() -> None:
    assert {one.name for one in operations() if one.method == "PUT"} - set(NO_FIELDS) == set(ENTRIES)


def writable(name: str) -> set[str]:
    """The fields of the body of a PUT."""
    (operation,) = (one for one in operations() if one.name == name)
    reference = operation.description["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    return set(schema()["components"]["schemas"][reference.rsplit("/", 1)[1]]["properties"])


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_a_put_that_changes_nothing_keeps_version_audit_and_events(
    shop: Shop, quick_passwords: None, name: str
) -> None:
    ItemComponent.objects.create(item=shop.item, place=1, component=component(), notes="de plata")
    put, get = ENTRIES[name](shop)
    before = shop.ana.get(get)
    left = AuditEntry.objects.count(), OutboxEvent.objects.count()
    fields = {field: before.json[field] for field in writable(name) & before.json.keys() - ROWS}
    for body in [fields] if name == "user_change_language" else [{}, fields]:
        answer = shop.ana.put(put, body, if_match=before.headers["ETag"])
        assert (answer.status, answer.json["version"]) == (200, before.json["version"]), answer
        assert answer.headers["ETag"] == before.headers["ETag"]
        assert (AuditEntry.objects.count(), OutboxEvent.objects.count()) == left
    after = shop.ana.get(get)
    assert (after.json, after.headers["ETag"]) == (before.json, before.headers["ETag"])
    if name != "user_change_language":
        assert shop.ana.put(put, {}, if_match='"99"').status == 412


def test_writing_rows_as_they_are_changes_nothing(shop: Shop) -> None:
    """Components of a product, lines of an order and lines of a pre-bill."""
    row = {"componentId": component().pk, "materialId": None, "notes": "de plata"}
    product = f"/api/items/{shop.item.pk}"
    order = f"/api/sales-order/{shop.order(5)}"
    line = {"position": 1, "itemId": shop.item.pk, "quantity": 5}
    pre_bill = drafted(shop)
    (billed,) = shop.ana.get(pre_bill).json["lines"]
    billed = {name: billed[name] for name in ("salesOrderId", "position", "quantity", "price", "taxAmount")}
    assert shop.ana.put(product, {"components": [row]}).status == 200
    for path, body in ((product, {"components": [row]}), (order, {"items": [line]}), (pre_bill, {"lines": [billed]})):
        left = AuditEntry.objects.count(), OutboxEvent.objects.count()
        before = shop.ana.get(path).json
        assert shop.ana.put(path, body).json == before
        assert (AuditEntry.objects.count(), OutboxEvent.objects.count()) == left


def test_a_repeated_key_of_a_put_that_changes_nothing_replays_its_answer(shop: Shop) -> None:
    path = f"/api/customers/{shop.customer.pk}"
    assert shop.ana.put(path, {}, idempotency_key="k1").status == 200
    assert shop.ana.put(path, {}, idempotency_key="k1").headers["Idempotent-Replayed"] == "true"
