"""The CFDI folio and the tracking number of a bill are the only fields that can change after it is issued."""

from typing import Any

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from realtime.models import OutboxEvent
from tests.builders import Answer, Caller, Shop, buyer, somebody
from tests.project.billing.billing import PATH, billed, done, of, pre_billed, prepare


@pytest.fixture
def bill(shop: Shop) -> dict[str, Any]:
    prepare(shop)
    return billed(shop, of(done(shop, 10), 1, 10), notes="Frágil")


def put(by: Caller, bill: dict[str, Any], body: dict[str, Any], **headers: str) -> Answer:
    return by.put(f"{PATH}/{bill['id']}", body, **headers)


@pytest.mark.parametrize("name", ["invoiceNumber", "guideNumber"])
def test_folio_and_guide_can_be_written_after_billing_with_audit_and_event(
    shop: Shop, bill: dict[str, Any], name: str
) -> None:
    OutboxEvent.objects.all().delete()
    answer = put(shop.beto, bill, {name: "CFDI-77"}, if_match=f'"{bill["version"]}"')
    assert (answer.status, answer.json["version"]) == (200, bill["version"] + 1)
    assert answer.json == bill | {name: "CFDI-77", "version": bill["version"] + 1}
    entry = AuditEntry.objects.filter(entity="delivery", entity_id=bill["id"]).latest("pk")
    assert (entry.action, entry.user_id) == ("changed", shop.beto.id)
    assert entry.changes == {name: {"before": bill[name], "after": "CFDI-77"}}
    [event] = OutboxEvent.objects.all()
    assert event.type == "delivery.changed"
    assert '"CFDI-77"' in event.payload
    assert shop.ana.get(f"{PATH}/{bill['id']}").json[name] == "CFDI-77"


def test_search_finds_the_bill_by_its_new_folio(shop: Shop, bill: dict[str, Any]) -> None:
    assert put(shop.ana, bill, {"invoiceNumber": "A-1", "guideNumber": "G-2"}).status == 200
    [row] = shop.ana.get(f"{PATH}/search?search=A-1").json
    assert (row["invoiceNumber"], row["guideNumber"]) == ("A-1", "G-2")


@pytest.mark.parametrize(
    "beside",
    [
        {"notes": "otra"},
        {"preBill": True},
        {"preBill": False},
        {"lines": []},
        {"customRegime": ""},
        {"date": "2026-03-01"},
        {"shippingPrice": 1},
        {"currency": "USD"},
        {"customerId": 1},
        {"companyId": 1},
    ],
)
def test_any_other_field_of_a_bill_gets_409_and_nothing_is_written(
    shop: Shop, bill: dict[str, Any], beside: dict[str, Any]
) -> None:
    answer = put(shop.ana, bill, {"invoiceNumber": "A-1", **beside})
    assert (answer.status, answer.code) == (409, "already_billed")
    assert put(shop.ana, bill, {}).code == "already_billed"
    assert shop.ana.get(f"{PATH}/{bill['id']}").json == bill


def test_unchanged_guide_is_a_no_op(shop: Shop, bill: dict[str, Any]) -> None:
    entries = AuditEntry.objects.count()
    answer = put(shop.ana, bill, {"guideNumber": f"  {bill['guideNumber']} "})
    assert (answer.status, answer.json) == (200, bill)
    assert AuditEntry.objects.count() == entries


def test_bill_needs_a_guide_but_no_folio(shop: Shop, bill: dict[str, Any]) -> None:
    refused = put(shop.ana, bill, {"guideNumber": "  "})
    assert (refused.status, refused.code, refused.fields) == (
        422,
        "guide_number_required",
        {"guideNumber": "guide_number_required"},
    )
    assert put(shop.ana, bill, {"invoiceNumber": "A-1"}).status == 200
    assert put(shop.ana, bill, {"invoiceNumber": ""}).json["invoiceNumber"] == ""
    assert put(shop.ana, bill, {"invoiceNumber": "A" * 61}).fields == {"invoiceNumber": "too_long"}


def test_second_writer_gets_412_when_the_bill_has_changed(shop: Shop, bill: dict[str, Any]) -> None:
    version = f'"{bill["version"]}"'
    assert put(shop.ana, bill, {"invoiceNumber": "A-1"}, if_match=version).status == 200
    refused = put(shop.beto, bill, {"invoiceNumber": "A-2"}, if_match=version)
    assert (refused.status, refused.code) == (412, "stale_version")


def test_canceled_bill_refuses_a_folio(shop: Shop, bill: dict[str, Any]) -> None:
    shop.ana.delete(f"{PATH}/{bill['id']}")
    refused = put(shop.ana, bill, {"invoiceNumber": "A-1"})
    assert (refused.status, refused.code) == (409, "already_canceled")


def test_pre_bill_accepts_folio_and_guide(shop: Shop) -> None:
    prepare(shop)
    draft = pre_billed(shop, of(done(shop, 10), 1, 10))
    answer = put(shop.ana, draft, {"guideNumber": "G-2", "invoiceNumber": "A-1"})
    assert (answer.status, answer.json["status"], answer.json["guideNumber"]) == (200, "PreBill", "G-2")
    assert put(shop.ana, draft, {"guideNumber": ""}).status == 200


def test_folio_and_guide_need_permission_to_update_bills(shop: Shop, bill: dict[str, Any]) -> None:
    reader, clerk = (
        somebody(Permission.ReportListBills),
        somebody(Permission.ReportListBills, Permission.UpdateDelivery),
    )
    assert put(reader, bill, {"invoiceNumber": "A-1"}).status == 403
    assert put(buyer(shop.customer, Permission.UpdateDelivery), bill, {"invoiceNumber": "A-1"}).status == 403
    assert put(clerk, bill, {"invoiceNumber": "A-1"}).status == 200
    for by, may in ((reader, False), (clerk, True), (shop.ana, True)):
        assert by.get(f"{PATH}/{bill['id']}").json["actions"]["numbers"] is may
