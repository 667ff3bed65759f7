"""Lines with billed pieces keep their status, product, customer and quantity until the bill is canceled."""

import pytest

from project.orders.models import Line
from tests.builders import Answer, Shop, customer, item, line_path
from tests.project.billing.billing import PATH, billed, done, of, pre_billed, prepare

ORDERS = "/api/sales-order"


@pytest.fixture(autouse=True)
def _billable(shop: Shop) -> None:
    prepare(shop)


def status_to(shop: Shop, order: int, status: str) -> Answer:
    return shop.ana.put(f"{line_path(order)}/update-status/{status}")


@pytest.mark.parametrize("pieces", [4, 10])
def test_line_with_billed_pieces_cannot_be_canceled(shop: Shop, pieces: int) -> None:
    order = done(shop, 10)
    billed(shop, of(order, 1, pieces))
    answer = status_to(shop, order, "Canceled")
    assert (answer.status, answer.code) == (409, "already_billed")
    assert status_to(shop, order, "InProcess").code == ("already_billed" if pieces == 4 else "illegal_status")
    assert shop.line(order)["actions"]["statuses"] == []
    assert Line.objects.get(order=order).quantity_billed == pieces


def test_line_can_be_reopened_and_canceled_after_its_bill_is_canceled(shop: Shop) -> None:
    order = done(shop, 10)
    bill = billed(shop, of(order, 1, 4))
    shop.ana.delete(f"{PATH}/{bill['id']}")
    shop.status(order, 1, "InProcess")
    assert shop.status(order, 1, "Canceled")["status"] == "Canceled"


def test_order_with_a_bill_keeps_its_customer(shop: Shop) -> None:
    order, other = done(shop, 10, 5), customer()
    bill = billed(shop, of(order, 1, 4))
    answer = shop.ana.put(f"{ORDERS}/{order}", {"customerId": other.pk})
    assert (answer.status, answer.code) == (409, "already_billed")
    same = {"customerId": shop.customer.pk, "notes": "urgente"}
    assert shop.ana.put(f"{ORDERS}/{order}", same).status == 200
    shop.ana.delete(f"{PATH}/{bill['id']}")
    assert shop.ana.put(f"{ORDERS}/{order}", {"customerId": other.pk}).json["customerId"] == other.pk


def test_pre_bill_reserves_nothing_and_cannot_be_billed_to_another_customer(shop: Shop) -> None:
    order, other = done(shop, 10), customer()
    draft = pre_billed(shop, of(order, 1, 4))
    assert shop.ana.put(f"{ORDERS}/{order}", {"customerId": other.pk}).status == 200
    answer = shop.ana.put(f"{PATH}/{draft['id']}", {"preBill": False, "guideNumber": "G"})
    assert (answer.status, answer.code) == (422, "mixed_customers")


@pytest.mark.parametrize("whole", [False, True])
def test_line_with_billed_pieces_keeps_its_product(shop: Shop, whole: bool) -> None:
    order, other = done(shop, 10), item()
    billed(shop, of(order, 1, 4))
    path, body = f"{line_path(order)}/full", {"itemId": other.pk}
    if whole:
        path, body = f"{ORDERS}/{order}", {"items": [{"position": 1, **body}]}
    answer = shop.ana.put(path, body)
    assert (answer.status, answer.code) == (409, "already_billed")


@pytest.mark.parametrize("whole", [False, True])
def test_line_is_invoiced_when_its_quantity_is_lowered_to_the_billed_pieces(shop: Shop, whole: bool) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    bill = billed(shop, of(order, 1, 4))
    assert shop.line(order)["status"] == "Done"
    path, body = f"{line_path(order)}/full", {"quantity": 4}
    if whole:
        path, body = f"{ORDERS}/{order}", {"items": [{"position": 1, **body}]}
    assert shop.ana.put(path, body).status == 200
    line = shop.line(order)
    assert (line["status"], line["orderStatus"], line["quantityBilled"]) == ("Invoiced", "Invoiced", 4)
    assert shop.ana.put(f"{line_path(order)}/full", {"quantity": 5}).code == "line_closed"
    shop.ana.delete(f"{PATH}/{bill['id']}")
    assert shop.line(order)["status"] == "Done"


def test_quantity_cannot_be_less_than_the_billed_pieces(shop: Shop) -> None:
    order = done(shop, 10)
    billed(shop, of(order, 1, 4))
    answer = shop.ana.put(f"{line_path(order)}/full", {"quantity": 3})
    assert (answer.status, answer.code) == (409, "quantity_in_use")
