"""Creating, changing and deleting orders and lines."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.core import clock
from project.orders.models import Line, SalesOrder
from tests.builders import Caller, Shop, customer, item, line_path

ORDERS = "/api/sales-order"


def order_body(shop: Shop, **fields: object) -> dict[str, object]:
    lines = [{"itemId": shop.item.pk, "quantity": 3}]
    return {"customerId": shop.customer.pk, "customerSalesOrderId": "PO-1", "items": lines} | fields


def test_created_order_is_returned_with_lines_numbered_from_1(shop: Shop) -> None:
    ring, chain = item("Anillo grande"), item("Cadena")
    lines = [
        {"itemId": ring.pk, "quantity": 3, "deliveryDate": "2026-03-09", "notes": "pulido espejo"},
        {"itemId": chain.pk, "quantity": 5, "shipmentDate": "2026-03-01", "shippingDate": "2026-03-08"},
    ]
    body = order_body(shop, items=lines, notes="urge", salesOrderDate="2026-02-20")
    answer = shop.ana.post(ORDERS, body)
    order = answer.json
    assert answer.status == 201
    assert answer.headers["ETag"] == f'"{order["version"]}"'
    assert (order["customerSalesOrderId"], order["customerName"]) == ("PO-1", "Platería del Sur")
    assert (order["salesOrderDate"], order["notes"], order["status"]) == ("2026-02-20", "urge", "New")
    first, second = order["items"]
    assert [(line["position"], line["itemName"], line["quantity"]) for line in order["items"]] == [
        (1, "Anillo grande", 3),
        (2, "Cadena", 5),
    ]
    assert (first["deliveryDate"], first["notes"], first["quinto"]) == ("2026-03-09", "pulido espejo", "Q-7")
    assert (second["shipmentDate"], second["shippingDate"]) == ("2026-03-01", "2026-03-08")
    assert first["salesOrderStatusName"] == first["status"] == "New"
    assert first["salesOrderNotes"] == "urge"
    assert shop.ana.get(f"{ORDERS}/{order['id']}").json == order


@pytest.mark.usefixtures("in_mexico_city")
def test_order_without_a_date_gets_the_plants_today(shop: Shop) -> None:
    with clock.at(datetime(2026, 3, 2, 4, 30, tzinfo=UTC)):  # 22:30 on 1 March in Mexico City
        answer = Caller(shop.ana.user).post(ORDERS, order_body(shop))
    assert answer.json["salesOrderDate"] == "2026-03-01"


def test_order_without_lines_gets_422(shop: Shop) -> None:
    answer = shop.ana.post(ORDERS, order_body(shop, items=[]))
    assert (answer.status, answer.code, answer.fields) == (422, "no_items", {"items": "no_items"})
    assert SalesOrder.objects.count() == 0


@pytest.mark.parametrize("quantity", [0, -5, True, "3", 2.5, None])
def test_quantity_of_a_line_must_be_a_positive_whole_number(shop: Shop, quantity: object) -> None:
    answer = shop.ana.post(ORDERS, order_body(shop, items=[{"itemId": shop.item.pk, "quantity": quantity}]))
    assert answer.status == 422
    assert set(answer.fields) == {"items.0.quantity"}


def test_unknown_ids_are_named_in_the_422(shop: Shop) -> None:
    lines = [{"itemId": shop.item.pk, "quantity": 1}, {"itemId": 999_999, "quantity": 1}]
    answer = shop.ana.post(ORDERS, order_body(shop, customerId=888_888, items=lines))
    assert answer.status == 422
    assert answer.fields == {"customerId": "unknown", "items.1.itemId": "unknown"}


def test_po_is_unique_per_customer_regardless_of_case(shop: Shop) -> None:
    assert shop.ana.post(ORDERS, order_body(shop, customerSalesOrderId="Po-7")).status == 201
    answer = shop.ana.post(ORDERS, order_body(shop, customerSalesOrderId="PO-7"))
    assert (answer.status, answer.code, answer.fields) == (
        409,
        "already_exists",
        {"customerSalesOrderId": "already_exists"},
    )
    other = customer("Joyería Norte")
    body = order_body(shop, customerId=other.pk, customerSalesOrderId="PO-7")
    assert shop.ana.post(ORDERS, body).status == 201


def test_fields_left_out_of_a_change_keep_their_values(shop: Shop) -> None:
    order = shop.order(3, 5, notes="urge", salesOrderDate="2026-02-20")
    before = shop.ana.get(f"{ORDERS}/{order}").json
    after = shop.ana.put(f"{ORDERS}/{order}", {"notes": "ya no urge"}).json
    assert after["notes"] == "ya no urge"
    assert after["version"] == before["version"] + 1
    kept = ("customerId", "customerSalesOrderId", "salesOrderDate", "status", "creationDate")
    assert [after[name] for name in kept] == [before[name] for name in kept]
    assert [line["quantity"] for line in after["items"]] == [3, 5]


def test_lines_with_a_position_change_and_those_without_are_added(shop: Shop) -> None:
    order = shop.order(3, 5)
    lines = [{"position": 2, "quantity": 8}, {"itemId": shop.item.pk, "quantity": 1, "notes": "nueva"}]
    answer = shop.ana.put(f"{ORDERS}/{order}", {"items": lines})
    assert [(line["position"], line["quantity"]) for line in answer.json["items"]] == [(1, 3), (2, 8), (3, 1)]


def test_new_line_needs_product_and_quantity(shop: Shop) -> None:
    order = shop.order(3)
    answer = shop.ana.put(f"{ORDERS}/{order}", {"items": [{"position": 1, "notes": "a"}, {"notes": "b"}]})
    assert answer.status == 422
    assert answer.fields == {"items.1.itemId": "required", "items.1.quantity": "required"}
    assert shop.line(order)["notes"] == ""


def test_unknown_position_gets_422_and_nothing_is_written(shop: Shop) -> None:
    order = shop.order(3)
    body = {"notes": "otra", "items": [{"position": 1, "quantity": 9}, {"position": 7, "quantity": 1}]}
    answer = shop.ana.put(f"{ORDERS}/{order}", body)
    assert (answer.status, answer.fields) == (422, {"items.1.position": "unknown"})
    assert shop.line(order)["quantity"] == 3
    assert shop.ana.get(f"{ORDERS}/{order}").json["notes"] == ""


def test_added_line_gets_the_next_position_and_the_order_is_partially_approved(shop: Shop) -> None:
    order = shop.approved(3)
    answer = shop.ana.post(f"{ORDERS}/{order}/position", {"itemId": shop.item.pk, "quantity": 2})
    assert (answer.status, answer.json["position"], answer.json["status"]) == (201, 2, "New")
    assert answer.json["orderStatus"] == "PartiallyApproved"


def test_line_fields_change_but_not_its_status_or_picture(shop: Shop) -> None:
    order = shop.order(3)
    other = item("Arete")
    body = {
        "itemId": other.pk,
        "quantity": 4,
        "shipmentDate": "2026-03-01",
        "deliveryDate": "2026-03-09",
        "shippingDate": None,
        "notes": "con caja",
        "image": "data:image/jpeg;base64,AAAA",
        "updateImage": True,
        "type": "x",
        "status": "New",
    }
    line = shop.ana.put(f"{line_path(order)}/full", body).json
    assert (line["itemName"], line["quantity"], line["notes"]) == ("Arete", 4, "con caja")
    assert (line["shipmentDate"], line["deliveryDate"], line["shippingDate"]) == ("2026-03-01", "2026-03-09", None)
    assert (line["status"], line["image"]) == ("New", None)


@pytest.mark.parametrize("status", ["Approved", "Done", "Undefined", ""])
def test_another_status_in_a_line_change_gets_422(shop: Shop, status: str) -> None:
    order = shop.order(3)
    answer = shop.ana.put(f"{line_path(order)}/full", {"quantity": 9, "status": status})
    assert (answer.status, answer.code, answer.fields) == (422, "status_not_here", {"status": "status_not_here"})
    assert shop.line(order)["quantity"] == 3


@pytest.mark.parametrize("status", ["Canceled", "Invoiced"])
def test_closed_line_cannot_be_changed(shop: Shop, status: str) -> None:
    order = shop.order(3)
    Line.objects.filter(order=order).update(status=status, quantity_billed=3 if status == "Invoiced" else 0)
    answer = shop.ana.put(f"{line_path(order)}/full", {"notes": "tarde"})
    assert (answer.status, answer.code) == (409, "line_closed")
    answer = shop.ana.put(f"{ORDERS}/{order}", {"items": [{"position": 1, "notes": "tarde"}]})
    assert answer.code == "line_closed"
    assert shop.line(order)["actions"]["edit"] is False


def test_quantity_cannot_be_less_than_the_pieces_inside_completed_or_billed(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 6)
    shop.leave(order, shop.casting, 4)
    shop.enter(order, shop.polishing, 1)
    full = f"{line_path(order)}/full"
    answer = shop.ana.put(full, {"quantity": 5})  # 4 completed casting and 2 are inside it
    assert (answer.status, answer.code, answer.json["params"]) == (409, "quantity_in_use", {"minimum": 6})
    assert shop.ana.put(full, {"quantity": 6}).status == 200
    Line.objects.filter(order=order).update(quantity=10, quantity_billed=9, quantity_inside=0, status="Done")
    assert shop.ana.put(full, {"quantity": 8}).json["params"] == {"minimum": 9}


def test_larger_quantity_reopens_a_completed_process(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.ana.put(f"{line_path(order)}/full", {"quantity": 12})
    assert shop.enter(order, shop.casting)["quantityInside"] == 2


def test_untouched_order_is_deleted_and_returned_as_it_was(shop: Shop) -> None:
    order = shop.order(3, 5)
    before = shop.ana.get(f"{ORDERS}/{order}").json
    assert before["actions"]["delete"] is True
    answer = shop.ana.delete(f"{ORDERS}/{order}")
    assert (answer.status, answer.json) == (200, before)
    assert shop.ana.get(f"{ORDERS}/{order}").status == 404
    assert Line.objects.count() == 0


def test_order_with_a_movement_cannot_be_deleted_even_after_its_release(shop: Shop) -> None:
    order = shop.approved(3)
    shop.enter(order, shop.casting)
    shop.ana.delete(f"{line_path(order)}/production-process/{shop.casting.pk}")
    answer = shop.ana.delete(f"{ORDERS}/{order}")
    assert (answer.status, answer.code) == (409, "has_movements")
    assert shop.ana.get(f"{ORDERS}/{order}").json["actions"]["delete"] is False


def test_order_with_a_billed_line_cannot_be_deleted(shop: Shop) -> None:
    order = shop.order(3)
    Line.objects.filter(order=order).update(quantity_billed=1, status="Done")
    assert shop.ana.delete(f"{ORDERS}/{order}").code == "has_movements"


@pytest.mark.parametrize("version", ['"0"', '"99"', 'W/"99"', '"98", "99"', "rubbish"])
def test_stale_if_match_gets_412_for_orders_and_lines(shop: Shop, version: str) -> None:
    order = shop.order(3)
    for path in (f"{ORDERS}/{order}", f"{line_path(order)}/full"):
        answer = shop.ana.put(path, {"notes": "tarde"}, if_match=version)
        assert (answer.status, answer.code) == (412, "stale_version")
    assert shop.line(order)["notes"] == ""


@pytest.mark.parametrize("form", ["{}", '"{}"', 'W/"{}"', '"77", "{}"', "*"])
def test_current_if_match_is_accepted_in_every_form(shop: Shop, form: str) -> None:
    order = shop.order(3)
    fresh = shop.line(order)["version"]
    answer = shop.ana.put(f"{line_path(order)}/full", {"notes": "a tiempo"}, if_match=form.format(fresh))
    assert answer.status == 200
    assert answer.headers["ETag"] == f'"{fresh + 1}"'


@pytest.mark.parametrize(
    "body",
    [{"id": 5}, {"version": 5}, {"customerName": "X"}, {"creationDate": "2026-01-01"}, {"isSuperuser": True}],
    ids=str,
)
def test_read_only_fields_get_422_on_write(shop: Shop, body: dict[str, object]) -> None:
    order = shop.order(3)
    answer = shop.ana.put(f"{ORDERS}/{order}", body)
    assert (answer.status, answer.fields) == (422, dict.fromkeys(body, "unknown_field"))


@pytest.mark.parametrize("body", [{"customerId": None}, {"notes": None}, {"salesOrderDate": None}], ids=str)
def test_null_in_a_required_field_gets_422(shop: Shop, body: dict[str, object]) -> None:
    order = shop.order(3)
    answer = shop.ana.put(f"{ORDERS}/{order}", body)
    assert answer.status == 422
    assert set(answer.fields) == set(body)


@pytest.mark.parametrize("day", ["2026-02-30", "26-02-01", "2026-02-01T00:00:00Z", 20260201, True])
def test_date_with_a_time_or_another_format_gets_422(shop: Shop, day: object) -> None:
    answer = shop.ana.post(ORDERS, order_body(shop, salesOrderDate=day))
    assert (answer.status, answer.fields) == (422, {"salesOrderDate": "invalid_date"})


def test_inactive_customers_and_products_cannot_be_chosen(shop: Shop) -> None:
    gone, old = customer(), item()
    order = shop.order(3)
    for row in (gone, old):
        type(row).objects.filter(pk=row.pk).update(status=False)
    line = {"itemId": old.pk, "quantity": 1}
    body = {"customerId": gone.pk, "customerSalesOrderId": "PO-17", "items": [line]}
    named = {"customerId": "inactive", "items.0.itemId": "inactive"}
    assert shop.ana.post(ORDERS, body).fields == named
    assert shop.ana.put(f"{ORDERS}/{order}", {"customerId": gone.pk, "items": [line]}).fields == named
    changed = {"items": [{"position": 1, "itemId": old.pk}]}
    assert shop.ana.put(f"{ORDERS}/{order}", changed).fields == {"items.0.itemId": "inactive"}
    answer = shop.ana.post(f"{ORDERS}/{order}/position", line)
    assert (answer.status, answer.fields) == (422, {"items.0.itemId": "inactive"})
    assert shop.ana.put(f"{line_path(order)}/full", {"itemId": old.pk}).fields == {"itemId": "inactive"}


def test_order_keeps_customers_and_products_that_became_inactive(shop: Shop) -> None:
    order = shop.order(3)
    for row in (shop.customer, shop.item):
        type(row).objects.filter(pk=row.pk).update(status=False)
    kept = {"customerId": shop.customer.pk, "items": [{"position": 1, "itemId": shop.item.pk, "quantity": 4}]}
    assert shop.ana.put(f"{ORDERS}/{order}", kept).status == 200
    assert shop.ana.put(f"{line_path(order)}/full", {"itemId": shop.item.pk, "quantity": 5}).status == 200


def test_position_named_twice_gets_422(shop: Shop) -> None:
    order = shop.order(3)
    items = [{"position": 1, "quantity": 4}, {"position": 1, "quantity": 5}]
    answer = shop.ana.put(f"{ORDERS}/{order}", {"items": items})
    assert (answer.status, answer.fields) == (422, {"items.1.position": "named_twice"})
    assert shop.line(order)["quantity"] == 3


@pytest.mark.parametrize("change", ["alter", "add"])
def test_writing_50_lines_costs_as_many_queries_as_2(shop: Shop, change: str) -> None:
    asking = []
    for lines in (2, 50):
        order = shop.order(*[3] * lines)
        new = {"itemId": shop.item.pk, "quantity": 4, "notes": "urgente"}
        alter = [{"position": position + 1, **new} for position in range(lines)]
        items = alter if change == "alter" else [new] * lines
        with CaptureQueriesContext(connection) as queries:
            answer = shop.ana.put(f"{ORDERS}/{order}", {"items": items})
        assert answer.status == 200, answer
        assert {line["quantity"] for line in answer.json["items"][-lines:]} == {4}
        asking.append(len(queries))
    assert asking[0] == asking[1]
