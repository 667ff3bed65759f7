"""Bills: what they hold and refuse, and how they change their lines."""

import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.billing.models import Bill
from project.catalogs.models import Company, Customer
from project.orders.models import Line
from realtime.models import OutboxEvent
from tests.builders import Answer, Shop, buyer, customer, somebody
from tests.project.billing.billing import PATH, asked, billed, done, of, pre_billed, prepare


@pytest.fixture(autouse=True)
def prepared(shop: Shop) -> Company:
    return prepare(shop)


def refused(answer: Answer, status: int, code: str) -> dict[str, str]:
    assert (answer.status, answer.code) == (status, code), answer
    assert Bill.objects.count() == 0
    return answer.fields


def test_bill_has_pieces_amounts_tax_and_total(shop: Shop) -> None:
    order = done(shop, 10)
    delivery = billed(shop, of(order, 1, 4), invoiceNumber="F-1", shippingPrice=120.5, customRegime="EXD")
    assert {name: delivery[name] for name in ("status", "number", "subtotal", "tax", "total", "currency")} == {
        "status": "Billed",
        "number": "F-0001",
        "subtotal": 42.0,
        "tax": 6.72,
        "total": 169.22,
        "currency": "MXN",
    }
    assert delivery["lines"] == [
        {
            "salesOrderId": order,
            "position": 1,
            "customerSalesOrderId": shop.line(order)["customerSalesOrderId"],
            "itemId": shop.item.pk,
            "itemKey": shop.item.key,
            "itemName": "Anillo",
            "itemNameEnglish": "",
            "tariffItem": "",
            "quantity": 4,
            "price": 10.5,
            "taxAmount": 16.0,
            "amount": 42.0,
            "tax": 6.72,
            "remaining": 0,
            "metalGrams": None,
        }
    ]
    line = shop.line(order)
    assert (line["status"], line["quantityBilled"], line["orderStatus"]) == ("Done", 4, "Done")


def test_fully_billed_line_is_invoiced_and_done_again_after_a_cancellation(shop: Shop) -> None:
    order = done(shop, 10)
    first, second = billed(shop, of(order, 1, 4)), billed(shop, of(order, 1, 6))
    assert (first["number"], second["number"]) == ("F-0001", "F-0002")
    line = shop.line(order)
    assert (line["status"], line["orderStatus"], line["quantityBilled"]) == ("Invoiced", "Invoiced", 10)
    answer = shop.ana.delete(f"{PATH}/{first['id']}")
    assert (answer.status, answer.json["status"], answer.json["canceledBy"]) == (200, "Canceled", "Ana Torres")
    line = shop.line(order)
    assert (line["status"], line["orderStatus"], line["quantityBilled"]) == ("Done", "Done", 6)
    answer = shop.ana.delete(f"{PATH}/{first['id']}")
    assert (answer.status, answer.code) == (409, "already_canceled")
    assert shop.line(order)["quantityBilled"] == 6
    assert billed(shop, of(order, 1, 4))["number"] == "F-0003"


def test_pre_bill_reserves_nothing_and_becomes_a_bill(shop: Shop) -> None:
    order = done(shop, 10)
    draft = pre_billed(shop, of(order, 1, 10))
    assert (draft["status"], draft["number"]) == ("PreBill", "P-0001")
    assert shop.line(order)["quantityBilled"] == 0
    path = f"{PATH}/{draft['id']}"
    answer = shop.ana.put(path, {"preBill": False})
    assert (answer.status, answer.code, answer.fields) == (
        422,
        "guide_number_required",
        {"guideNumber": "guide_number_required"},
    )
    answer = shop.ana.put(path, {"preBill": False, "guideNumber": " G-7 "}, if_match=f'"{draft["version"]}"')
    assert (answer.status, answer.json["status"], answer.json["number"]) == (200, "Billed", "F-0001")
    assert (answer.json["guideNumber"], answer.json["billedBy"]) == ("G-7", "Ana Torres")
    assert shop.line(order)["status"] == "Invoiced"
    for body in ({"notes": "tarde"}, {"preBill": False}):
        answer = shop.ana.put(path, body)
        assert (answer.status, answer.code) == (409, "already_billed")


def test_pre_bill_can_be_edited_and_its_lines_replaced(shop: Shop) -> None:
    order = done(shop, 10, 5)
    draft = pre_billed(shop, of(order, 1, 10), notes="uno")
    path = f"{PATH}/{draft['id']}"
    answer = shop.ana.put(path, {"lines": [of(order, 2, 3, price=2.5, taxAmount=0)], "shippingPrice": 1})
    assert (answer.status, answer.json["total"], answer.json["notes"]) == (200, 8.5, "uno")
    assert [(line["position"], line["price"]) for line in answer.json["lines"]] == [(2, 2.5)]
    answer = shop.ana.put(path, {"notes": "dos"}, if_match=f'"{draft["version"]}"')
    assert (answer.status, answer.code) == (412, "stale_version")
    assert shop.ana.put(path, {"lines": []}).code == "no_lines"
    assert shop.ana.put(path, {"number": 7}).fields == {"number": "unknown_field"}
    answer = shop.ana.delete(path)
    assert (answer.status, answer.json["status"]) == (200, "Canceled")
    assert shop.ana.put(path, {"notes": "tres"}).code == "already_canceled"


def test_new_product_price_leaves_pre_bills_unchanged(shop: Shop) -> None:
    order = done(shop, 10)
    draft = pre_billed(shop, of(order, 1, 1))
    prepare(shop, price="99")
    answer = shop.ana.put(f"{PATH}/{draft['id']}", {"preBill": False, "guideNumber": "G"})
    assert answer.json["lines"][0]["price"] == 10.5


@pytest.mark.parametrize("status", ["New", "Approved", "InProcess"])
def test_only_done_lines_can_be_billed(shop: Shop, status: str) -> None:
    order = shop.order(10)
    Line.objects.filter(order=order).update(status=status)
    assert refused(asked(shop.ana, of(order)), 409, "line_not_done") == {"lines.0.position": "line_not_done"}


def test_billing_more_than_the_remaining_pieces_gets_409(shop: Shop) -> None:
    order = done(shop, 10)
    answer = asked(shop.ana, of(order, 1, 11))
    assert refused(answer, 409, "quantity_exceeds_remaining") == {"lines.0.quantity": "quantity_exceeds_remaining"}
    assert answer.json["params"] == {"remaining": 10}
    billed(shop, of(order, 1, 10))
    answer = asked(shop.ana, of(order, 1, 1))
    assert (answer.status, answer.code) == (409, "quantity_exceeds_remaining")


def test_bill_has_only_one_customer(shop: Shop) -> None:
    order, other = done(shop, 10), done(shop, 10, customerId=customer("Otro").pk)
    fields = refused(asked(shop.ana, of(order), of(other)), 422, "mixed_customers")
    assert fields == {"lines.1.position": "mixed_customers"}
    refused(asked(shop.ana, of(order), customerId=Customer.objects.get(name="Otro").pk), 422, "mixed_customers")


@pytest.mark.parametrize(
    ("customer_has", "company_has", "message", "rows"),
    [
        (False, True, "dirección comercial del cliente", {"customerId": "del cliente"}),
        (True, False, "dirección comercial de la empresa", {"companyId": "de la empresa"}),
        (
            False,
            False,
            "dirección comercial del cliente y de la empresa",
            {"companyId": "de la empresa", "customerId": "del cliente"},
        ),
    ],
)
def test_refusal_names_only_the_missing_address(
    shop: Shop, customer_has: bool, company_has: bool, message: str, rows: dict[str, str]
) -> None:
    order = done(shop, 10)
    seller = Company.objects.get()
    if not customer_has:
        Customer.objects.update(addresses=[{"kind": "Commercial", "street": " "}])
    if not company_has:
        Company.objects.update(commercial_address=None)
    path = f"{PATH}/addresses"
    asking = f"{path}?customerId={shop.customer.pk}&companyId={seller.pk}"
    assert shop.ana.get(asking).json == {"customer": customer_has, "company": company_has}
    assert shop.ana.get(f"{path}?companyId={seller.pk}").json == {"customer": None, "company": company_has}
    refused = asked(shop.ana, of(order)).json
    assert refused["message"] == f"Para facturar se requiere la {message}"
    said = {row["field"]: row["message"] for row in refused["errors"]}
    assert said == {field: f"Para facturar se requiere la dirección comercial {whose}" for field, whose in rows.items()}


def test_addresses_check_needs_permission_to_bill(shop: Shop) -> None:
    path = f"{PATH}/addresses?customerId={shop.customer.pk}"
    assert somebody(Permission.ReportListBills).get(path).status == 403
    assert buyer(shop.customer, Permission.UpdateDelivery).get(path).status == 403
    assert somebody(Permission.CreateDelivery).get(path).status == 200
    assert shop.ana.get(f"{PATH}/addresses?customerId=999999").status == 404


def test_bill_needs_both_commercial_addresses(shop: Shop) -> None:
    order = done(shop, 10)
    Customer.objects.update(addresses=[{"kind": "Shipping", "street": "Puerto 1"}])
    fields = refused(asked(shop.ana, of(order)), 422, "commercial_address_required")
    assert fields == {"customerId": "commercial_address_required"}
    Company.objects.update(commercial_address=None)
    fields = refused(asked(shop.ana, of(order)), 422, "commercial_address_required")
    assert fields == dict.fromkeys(("companyId", "customerId"), "commercial_address_required")
    assert pre_billed(shop, of(order))["status"] == "PreBill"


def test_unknown_or_missing_parts_are_named_in_the_422(shop: Shop) -> None:
    order = done(shop, 10)
    assert refused(asked(shop.ana), 422, "no_lines") == {"lines": "no_lines"}
    assert refused(asked(shop.ana, of(order), guideNumber=" "), 422, "guide_number_required")
    unknown = {"lines.1.position": "unknown", "lines.2.position": "named_twice", "lines.3.salesOrderId": "unknown"}
    asked_for = of(order), of(order, 9), of(order), of(999_999)
    assert refused(asked(shop.ana, *asked_for), 422, "invalid_fields") == unknown
    assert refused(asked(shop.ana, of(order), companyId=999_999), 422, "invalid_fields") == {"companyId": "unknown"}
    assert shop.ana.get(f"{PATH}/999999").status == 404


@pytest.mark.parametrize(
    ("fields", "line", "found"),
    [
        ({}, {"price": -1}, {"lines.0.price": "too_small"}),
        ({}, {"price": 1.0000001}, {"lines.0.price": "too_many_decimals"}),
        ({}, {"quantity": 0}, {"lines.0.quantity": "too_small"}),
        ({}, {"price": 9_999_999_999, "quantity": 10_000}, {"lines.0.price": "too_large"}),
        ({}, {"taxAmount": 101}, {"lines.0.taxAmount": "too_large"}),
        ({"shippingPrice": -0.01}, {}, {"shippingPrice": "too_small"}),
        ({"shippingPrice": 0.001}, {}, {"shippingPrice": "too_many_decimals"}),
        ({"currency": "XYZ"}, {}, {"currency": "unknown"}),
        ({"currency": "usd"}, {}, {"currency": "unknown"}),
        ({"customRegime": "NADA"}, {}, {"customRegime": "not_a_choice"}),
        ({"notes": "x" * 201}, {}, {"notes": "too_long"}),
        ({"date": "2026-02-29"}, {}, {"date": "invalid_date"}),
    ],
    ids=str,
)
def test_invalid_field_is_named_in_the_422(
    shop: Shop, fields: dict[str, Any], line: dict[str, Any], found: dict[str, str]
) -> None:
    order = done(shop, 10_000)
    assert refused(asked(shop.ana, of(order, **line), **fields), 422, "invalid_fields") == found


def test_order_with_a_pre_bill_cannot_be_deleted(shop: Shop) -> None:
    order = shop.order(10)
    draft = pre_billed(shop, of(order))
    answer = shop.ana.delete(f"/api/sales-order/{order}")
    assert (answer.status, answer.code) == (409, "has_movements")
    assert shop.ana.get(f"{PATH}/{draft['id']}").json["lines"][0]["salesOrderId"] == order


def test_bill_of_many_lines_sends_one_event_for_each_order_and_one_for_the_bill(shop: Shop) -> None:
    order, other = done(shop, 10, 10), done(shop, 5)
    OutboxEvent.objects.all().delete()
    bill = billed(shop, of(order, 1, 10), of(order, 2, 4), of(other, 1, 5))
    shop.ana.delete(f"{PATH}/{bill['id']}")
    events = [json.loads(payload) for payload in OutboxEvent.objects.order_by("id").values_list("payload", flat=True)]
    assert [event["type"] for event in events] == ["order.changed", "line.status-changed", "delivery.changed"] * 2
    data = events[0]["data"]
    assert (data["id"], data["linesCount"], data["quantityDone"]) == (order, 2, 20)
    shown = [(line["position"], line["status"], line["quantityBilled"]) for line in data["lines"]]
    assert shown == [(1, "Invoiced", 10), (2, "Done", 4)]


def test_one_billed_line_of_an_order_sends_an_event_of_that_line(shop: Shop) -> None:
    order = done(shop, 10, 10)
    OutboxEvent.objects.all().delete()
    billed(shop, of(order, 1, 10))
    billed(shop, of(order, 2, 4))
    types = list(OutboxEvent.objects.order_by("id").values_list("type", flat=True))
    assert types == ["line.status-changed", "delivery.changed", "line.changed", "delivery.changed"]


def test_bill_of_many_lines_costs_as_many_queries_as_one_of_two(shop: Shop) -> None:
    asking = []
    for lines in (2, 9):
        orders = [done(shop, *[1] * lines) for _ in range(2)]
        places = [of(order, position) for order in orders for position in range(1, lines + 1)]
        with CaptureQueriesContext(connection) as queries:
            delivery = billed(shop, *places)
        with CaptureQueriesContext(connection) as canceling:
            assert shop.ana.delete(f"{PATH}/{delivery['id']}").status == 200
        asking.append((len(queries), len(canceling)))
    assert asking[0] == asking[1]


def test_each_action_needs_its_permission(shop: Shop) -> None:
    order = done(shop, 10)
    reader, maker = somebody(Permission.ReportListBills), somebody(Permission.CreateDelivery)
    answer = asked(maker, of(order), preBill=True)
    path = f"{PATH}/{answer.json['id']}"
    assert answer.json == {"id": answer.json["id"], "version": 1}
    assert reader.get(path).json["actions"] == {
        "edit": False,
        "bill": False,
        "cancel": False,
        "export": False,
        "numbers": False,
        "settle": False,
        "print": True,
    }
    assert asked(reader, of(order)).status == 403
    assert maker.get(path).status == 403
    editor = somebody(Permission.UpdateDelivery, Permission.ReportListBills)
    assert editor.put(path, {"notes": "uno"}).json["actions"]["bill"] is True
    assert somebody(Permission.UpdateDelivery).delete(path).status == 403
    assert somebody(Permission.CancelDelivery).delete(path).status == 200


@pytest.mark.parametrize(
    "values",
    [{"number": None}, {"number": 0}, {"total": 1}, {"shipping_price": -1}, {"status": "PreBill"}, {"currency": ""}],
    ids=str,
)
def test_database_refuses_an_impossible_bill(shop: Shop, values: dict[str, Any]) -> None:
    billed(shop, of(done(shop, 10)))
    with pytest.raises(IntegrityError), transaction.atomic():
        Bill.objects.update(**values)
