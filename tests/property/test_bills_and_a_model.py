"""Over any interleaving of bills, pre-bills and cancellations nothing is billed twice, and nothing is lost."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from project.deliveries.models import Delivery, DeliveryLine
from project.orders.models import Line
from tests.builders import Shop, at_once
from tests.project.deliveries.billing import PATH, asked, billed, done, of, pre_billed, prepare
from tests.property.walking import walk

PIECES = (10, 3, 1)


class Bills(RuleBasedStateMachine):
    """Three lines of an order beside a model that only counts."""

    shop: Shop

    @initialize()
    def begin(self) -> None:
        Delivery.objects.all().delete()
        prepare(self.shop)
        self.order = done(self.shop, *PIECES)
        self.billed: Counter[int] = Counter()
        self.open: dict[int, dict[int, int]] = {}
        self.drafts: dict[int, dict[int, int]] = {}
        self.numbers = 0

    wanted = st.dictionaries(st.integers(1, len(PIECES)), st.integers(1, 11), min_size=1)

    def fits(self, pieces: dict[int, int]) -> bool:
        return all(self.billed[place] + count <= PIECES[place - 1] for place, count in pieces.items())

    def took(self, delivery: dict[str, Any], pieces: dict[int, int]) -> None:
        self.numbers += 1
        assert delivery["number"] == f"F-{self.numbers:04}"
        self.billed.update(pieces)
        self.open[delivery["id"]] = pieces

    @rule(pieces=wanted)
    def bill(self, pieces: dict[int, int]) -> None:
        answer = asked(self.shop.ana, *(of(self.order, place, count) for place, count in pieces.items()))
        if self.fits(pieces):
            assert answer.status == 201, answer
            self.took(answer.json, pieces)
        else:
            assert (answer.status, answer.code) == (409, "quantity_exceeds_remaining")

    @rule(pieces=wanted)
    def pre_bill(self, pieces: dict[int, int]) -> None:
        draft = pre_billed(self.shop, *(of(self.order, place, count) for place, count in pieces.items()))
        self.drafts[draft["id"]] = pieces

    @rule(data=st.data())
    def bill_a_draft(self, data: st.DataObject) -> None:
        if not self.drafts:
            return
        draft = data.draw(st.sampled_from(sorted(self.drafts)))
        answer = self.shop.ana.put(f"{PATH}/{draft}", {"preBill": False, "guideNumber": "G"})
        if self.fits(self.drafts[draft]):
            assert answer.status == 200, answer
            self.took(answer.json, self.drafts.pop(draft))
        else:
            assert (answer.status, answer.code) == (409, "quantity_exceeds_remaining")

    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        if not self.open:
            return
        bill = data.draw(st.sampled_from(sorted(self.open)))
        assert self.shop.ana.delete(f"{PATH}/{bill}").status == 200
        self.billed.subtract(self.open.pop(bill))

    @invariant()
    def the_lines_agree(self) -> None:
        rows = Line.objects.filter(order=self.order).order_by("position").values_list("quantity_billed", "status")
        assert list(rows) == [
            (self.billed[place], "Invoiced" if self.billed[place] == pieces else "Done")
            for place, pieces in enumerate(PIECES, start=1)
        ]


def test_bills_and_a_model_agree(shop: Shop) -> None:
    class OfThisShop(Bills):
        pass

    OfThisShop.shop = shop
    walk(OfThisShop, steps=144, a_life=12)


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
