"""When clerks bill and cancel at once, no piece is billed twice and none is given back twice."""

from functools import partial

import pytest

from project.billing.models import BillLine
from project.orders.models import SalesOrder
from tests.builders import Answer, Shop, at_once, customer
from tests.project.billing.billing import PATH, asked, billed, done, of, pre_billed, prepare


@pytest.mark.parametrize("clerks", [8])
def test_concurrent_bills_never_exceed_the_pieces_of_the_line(busy_shop: Shop, clerks: int) -> None:
    prepare(busy_shop)
    order = done(busy_shop, 10)
    draft = pre_billed(busy_shop, of(order, 1, 4))
    as_draft = {"preBill": False, "guideNumber": "G"}
    answers = at_once(
        [lambda: busy_shop.ana.put(f"{PATH}/{draft['id']}", as_draft)] * 2
        + [lambda: asked(busy_shop.ana, of(order, 1, 4))] * clerks
    )
    won = [answer for answer in answers if answer.status in (200, 201)]
    assert len(won) == 2
    assert {answer.code for answer in answers if answer not in won} <= {"quantity_exceeds_remaining", "already_billed"}
    assert sorted(answer.json["number"] for answer in won) == ["F-0001", "F-0002"]
    assert busy_shop.line(order)["quantityBilled"] == 8
    assert sum(BillLine.objects.filter(bill__status="Billed").values_list("quantity", flat=True)) == 8


def test_a_bill_canceled_four_times_at_once_gives_its_pieces_back_once(busy_shop: Shop) -> None:
    prepare(busy_shop)
    order = done(busy_shop, 10)
    bills = [billed(busy_shop, of(order, 1, 5)) for _ in range(2)]
    answers = at_once([lambda: busy_shop.ana.delete(f"{PATH}/{bills[0]['id']}")] * 4)
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
    line = busy_shop.line(order)
    assert (line["quantityBilled"], line["status"]) == (5, "Done")


def test_a_pre_bill_can_be_edited_while_its_customer_changes(busy_shop: Shop) -> None:
    """An edit that waited for the lock reads the newest row, which may have another customer than before the wait."""
    shop = busy_shop
    prepare(shop)
    buyers = [shop.customer.pk, customer().pk]
    orders = [done(shop, 4, customerId=buyer) for buyer in buyers]
    draft = f"{PATH}/{pre_billed(shop, of(orders[0]))['id']}"

    def to_customer(number: int) -> Answer:
        one = number % 2
        return shop.ana.put(draft, {"customerId": buyers[one], "lines": [of(orders[one])]})

    changes = [partial(to_customer, number) for number in range(1, 9)]
    notes = [partial(shop.beto.put, draft, {"notes": f"Nota {number}"}) for number in range(8)]
    answers = at_once([call for pair in zip(changes, notes, strict=True) for call in pair])
    assert {answer.status for answer in answers} == {200}, answers


def test_lines_can_be_billed_while_the_customer_of_their_order_changes(busy_shop: Shop) -> None:
    shop = busy_shop
    prepare(shop)
    buyers = [shop.customer.pk, customer().pk]
    order = done(shop, 40)

    def to_customer(number: int) -> Answer:
        return shop.beto.put(f"/api/sales-order/{order}", {"customerId": buyers[number % 2]})

    changes = [partial(to_customer, number) for number in range(1, 9)]
    bills = [lambda: asked(shop.ana, of(order))] * 8
    answers = at_once([call for pair in zip(changes, bills, strict=True) for call in pair])
    refused = [answer for answer in answers if answer.status >= 400]
    # The other customer has no address to bill to; a billed order stays with its customer.
    assert {answer.code for answer in refused} <= {"already_billed", "commercial_address_required"}, refused
    billed = sum(answer.status == 201 for answer in answers)
    assert shop.line(order)["quantityBilled"] == billed
    if billed:
        assert SalesOrder.objects.get(pk=order).customer_id == shop.customer.pk
