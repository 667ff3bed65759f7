"""Clerks who bill and cancel at once: nothing is billed twice, nothing is given back twice."""

import pytest

from project.deliveries.models import DeliveryLine
from tests.builders import Shop, at_once
from tests.project.deliveries.billing import PATH, asked, billed, done, of, pre_billed, prepare


@pytest.mark.parametrize("clerks", [8])
def test_clerks_who_bill_the_same_last_pieces_at_once_exceed_nothing(busy_shop: Shop, clerks: int) -> None:
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
    assert sum(DeliveryLine.objects.filter(delivery__status="Billed").values_list("quantity", flat=True)) == 8


def test_a_bill_that_two_cancel_at_once_gives_its_pieces_back_once(busy_shop: Shop) -> None:
    prepare(busy_shop)
    order = done(busy_shop, 10)
    bills = [billed(busy_shop, of(order, 1, 5)) for _ in range(2)]
    answers = at_once([lambda: busy_shop.ana.delete(f"{PATH}/{bills[0]['id']}")] * 4)
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
    line = busy_shop.line(order)
    assert (line["quantityBilled"], line["status"]) == (5, "Done")
