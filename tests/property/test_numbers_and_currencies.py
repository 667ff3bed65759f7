"""After any sequence of billing calls, the numbers have no gap and no amount has changed its currency."""

from collections import Counter, defaultdict
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from project.billing.models import Bill
from project.catalogs.models import Company, Customer, Item
from project.core.money import rounded
from tests.builders import Answer, Shop, at_once
from tests.project.billing.billing import PATH, asked, billed, company, done, of, pre_billed, prepare
from tests.property.walking import walk

CURRENCIES = ("MXN", "USD", "JPY", "BHD")
PIECES = 1_000_000


def of_two(cost: float, currency: str) -> float:
    """The amount of two pieces, rounded half up to the decimals of the currency."""
    return float(rounded(2 * Decimal(repr(cost)), currency))


class Books(RuleBasedStateMachine):
    """One line of many pieces and two companies. The product costs 10.50 in a currency that changes."""

    shop: Shop

    @initialize(of_customer=st.sampled_from(CURRENCIES))
    def begin(self, of_customer: str) -> None:
        Bill.objects.all().delete()
        self.companies = [prepare(self.shop).pk, (Company.objects.filter(name="Otra").first() or company("Otra")).pk]
        Customer.objects.filter(pk=self.shop.customer.pk).update(currency=of_customer)
        self.of_customer = of_customer
        self.of_item = Item.objects.get(pk=self.shop.item.pk).currency
        self.order = done(self.shop, PIECES)
        self.last: Counter[tuple[int, str]] = Counter()
        self.drafts: dict[int, tuple[int, str, float]] = {}

    wanted = st.sampled_from([None, *CURRENCIES])
    price = st.sampled_from([None, 3.25, 7, 0.1234])
    place = st.integers(0, 1)

    def numbered(self, company: int, kind: str) -> str:
        self.last[company, kind] += 1
        return f"{kind}-{self.last[company, kind]:04}"

    def unpriced(self, answer: Answer) -> None:
        assert (answer.status, answer.code) == (422, "price_required"), answer

    @rule(currency=st.sampled_from(CURRENCIES))
    def reprice(self, currency: str) -> None:
        self.of_item = currency
        Item.objects.filter(pk=self.shop.item.pk).update(currency=currency)

    @rule(currency=wanted, price=price, place=place, pre_bill=st.booleans())
    def make(self, currency: str | None, price: float | None, place: int, pre_bill: bool) -> None:
        its = currency or self.of_customer
        fields: dict[str, Any] = {"companyId": self.companies[place], "preBill": pre_bill}
        fields |= {} if currency is None else {"currency": currency}
        answer = asked(self.shop.ana, of(self.order, 1, 2, price=price), **fields)
        if price is None and self.of_item != its:
            self.unpriced(answer)
            return
        assert answer.status == 201, answer
        cost = 10.5 if price is None else price
        made = answer.json
        assert (made["currency"], made["subtotal"]) == (its, of_two(cost, its))
        assert made["number"] == self.numbered(self.companies[place], "P" if pre_bill else "F")
        if pre_bill:
            self.drafts[made["id"]] = (self.companies[place], its, cost)

    @rule(data=st.data(), currency=wanted, price=price, again=st.booleans(), pre_bill=st.booleans())
    def change(
        self, data: st.DataObject, currency: str | None, price: float | None, again: bool, pre_bill: bool
    ) -> None:
        """Edit a pre-bill or bill it. `again`: send its lines too."""
        if not self.drafts:
            return
        draft = data.draw(st.sampled_from(sorted(self.drafts)))
        at, was, cost = self.drafts[draft]
        its = currency or was
        body: dict[str, Any] = {"preBill": pre_bill} | ({} if currency is None else {"currency": currency})
        body |= {"lines": [of(self.order, 1, 2, price=price)]} if again else {}
        answer = self.shop.ana.put(f"{PATH}/{draft}", body)
        if (self.of_item != its and price is None) if again else its != was:
            self.unpriced(answer)
            return
        assert answer.status == 200, answer
        if again:
            cost = 10.5 if price is None else price
        assert (answer.json["currency"], answer.json["subtotal"]) == (its, of_two(cost, its))
        if pre_bill:
            self.drafts[draft] = (at, its, cost)
        else:
            del self.drafts[draft]
            assert answer.json["number"] == self.numbered(at, "F")

    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        standing = sorted(Bill.objects.exclude(status="Canceled").values_list("pk", flat=True))
        if not standing:
            return
        one = data.draw(st.sampled_from(standing))
        number = Bill.objects.get(pk=one).number_text
        answer = self.shop.ana.delete(f"{PATH}/{one}")
        assert (answer.status, answer.json["number"]) == (200, number)
        self.drafts.pop(one, None)

    @invariant()
    def no_number_is_missing_or_given_twice(self) -> None:
        given: dict[tuple[int, str], list[int]] = defaultdict(list)
        for at, bill, pre_bill in Bill.objects.values_list("company", "number", "pre_bill_number"):
            for kind, number in (("F", bill), ("P", pre_bill)):
                if number is not None:
                    given[at, kind].append(number)
        for key, numbers in given.items():
            assert sorted(numbers) == list(range(1, self.last[key] + 1))


def test_numbers_and_currencies_agree_with_the_model(shop: Shop) -> None:
    class OfThisShop(Books):
        pass

    OfThisShop.shop = shop
    walk(OfThisShop, steps=200, a_life=20)


@pytest.mark.parametrize("clerks", [8])
def test_bills_and_pre_bills_created_at_once_leave_no_gap_in_the_numbers(busy_shop: Shop, clerks: int) -> None:
    prepare(busy_shop)
    order = done(busy_shop, 6)
    drafts = [pre_billed(busy_shop, of(order)) for _ in range(3)]
    answers = at_once(
        [lambda: asked(busy_shop.ana, of(order))] * clerks
        + [lambda: asked(busy_shop.ana, of(order), preBill=True)] * clerks
        + [
            lambda one=one: busy_shop.ana.put(f"{PATH}/{one['id']}", {"preBill": False, "guideNumber": "G"})
            for one in drafts
        ]
    )
    made = [answer.json["number"] for answer in answers if answer.status in (200, 201)]
    assert sorted(made) == [
        *(f"F-{number:04}" for number in range(1, 7)),
        *(f"P-{number:04}" for number in range(4, 4 + clerks)),
    ]
    assert {answer.code for answer in answers if answer.status == 409} == {"quantity_exceeds_remaining"}
    assert billed(busy_shop, of(done(busy_shop, 1)))["number"] == "F-0007"
