"""Links and customers' accounts see no order without an approved line, and no New line of other orders."""

import json

import pytest

from project.access.permissions import ALL
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, buyer, line_path
from tests.project.customer_links.linking import line_of, page_of, said, shared


@pytest.fixture
def account(shop: Shop) -> Caller:
    return buyer(shop.customer, *ALL)


def mixed(shop: Shop) -> int:
    """Make an order with an approved line of 5 pieces and a New one of 7."""
    order = shop.order(5, 7)
    shop.status(order, 1, "Approved")
    return order


def test_an_order_without_an_approved_line_is_not_found_by_an_account(shop: Shop, account: Caller) -> None:
    order = shop.order(5)
    po = shop.line(order)["customerSalesOrderId"]
    paths = (f"/api/sales-order/{order}", line_path(order))
    for path in paths:
        assert account.get(path).code == "not_found", path
    for path in ("/api/sales-order", "/api/sales-order/positions"):
        listed = account.get(path)
        assert (listed.json, listed.headers["X-Total-Count"]) == ([], "0"), path
    assert account.get(f"/api/search?q={po}").json["orders"] == []
    assert account.get(f"/api/search?q={po}").json["lines"] == []
    assert account.get("/api/customer-page").json["orders"] == []
    shop.status(order, 1, "Approved")
    assert [account.get(path).status for path in paths] == [200, 200]
    assert [one["id"] for one in account.get("/api/sales-order").json] == [order]
    assert [one["id"] for one in account.get(f"/api/search?q={po}").json["orders"]] == [order]


def test_a_new_line_of_another_order_is_hidden_and_counted_nowhere(shop: Shop, account: Caller) -> None:
    order = mixed(shop)
    assert account.get(line_path(order, 2)).code == "not_found"
    whole = account.get(f"/api/sales-order/{order}").json
    (row,) = account.get("/api/sales-order").json
    for found in (whole, row):
        assert (found["linesCount"], found["openLinesCount"], found["quantity"]) == (1, 1, 5)
    assert [one["position"] for one in whole["items"]] == [1]
    assert [one["position"] for one in account.get("/api/sales-order/positions").json] == [1]
    assert shop.ana.get(f"/api/sales-order/{order}").json["linesCount"] == 2


def test_a_page_by_link_shows_neither(shop: Shop) -> None:
    hidden, shown = shop.order(5), mixed(shop)
    assert page_of(shared(shop, hidden))["orders"] == []
    made = shared(shop)
    (order,) = page_of(made)["orders"]
    assert (order["id"], [line["position"] for line in order["lines"]]) == (shown, [1])
    assert said(made, hidden).fields == {"salesOrderId": "unknown"}
    assert said(made, shown, position=2).fields == {"position": "unknown"}


def test_an_order_whose_only_line_is_canceled_is_hidden_again(shop: Shop, account: Caller) -> None:
    order = shop.approved(5)
    shop.status(order, 1, "Canceled")
    assert account.get(f"/api/sales-order/{order}").code == "not_found"
    gone = OutboxEvent.objects.get(type="order.deleted")
    assert (gone.audience, gone.customer) == ("", shop.customer.pk)


def test_a_canceled_line_of_another_order_says_so(shop: Shop) -> None:
    order = shop.approved(5, 5)
    shop.status(order, 1, "Canceled")
    assert line_of(shared(shop, order))["stage"] == "canceled"


def for_customers() -> list[tuple[str, dict[str, object]]]:
    rows = OutboxEvent.objects.filter(customer__isnull=False).order_by("id")
    return [(row.type, json.loads(row.payload)["data"]) for row in rows]


def test_no_event_of_a_hidden_order_or_line_is_for_its_customer(shop: Shop) -> None:
    order = shop.order(5, 7)
    shop.ana.put(f"/api/sales-order/{order}", {"notes": "urgente"})
    shop.ana.put(f"{line_path(order)}/full", {"quantity": 6})
    shop.ana.delete(f"/api/sales-order/{order}")
    assert for_customers() == []
    order = mixed(shop)
    assert [type for type, _ in for_customers()] == ["line.status-changed"]
    shop.ana.put(f"{line_path(order, 2)}/full", {"quantity": 8})
    assert len(for_customers()) == 1, "of the New line nothing is told"
    shop.ana.put(f"/api/sales-order/{order}", {"customerSalesOrderId": "PO-NEW"})
    type, data = for_customers()[-1]
    assert (type, data["linesCount"], data["quantity"]) == ("order.changed", 1, 5)
    whole = OutboxEvent.objects.filter(type="order.changed", customer=None).last()
    assert whole is not None
    assert json.loads(whole.payload)["data"]["linesCount"] == 2
