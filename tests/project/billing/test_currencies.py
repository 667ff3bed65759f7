"""A bill has one currency, and an amount in one currency is never taken for an amount in another."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given, strategies as st

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.billing import rules
from project.billing.models import Bill
from project.catalogs.models import Company, Customer, Item
from project.core.money import currency_codes
from tests.builders import Shop, customer, item, somebody
from tests.project.billing.billing import PATH, asked, billed, done, of, pre_billed, prepare

CURRENCY = st.sampled_from(["MXN", "USD", "EUR"])


@pytest.fixture(autouse=True)
def prepared(shop: Shop) -> Company:
    return prepare(shop)


def in_dollars(shop: Shop, *, customer: str = "USD", item: str = "USD") -> None:
    Customer.objects.filter(pk=shop.customer.pk).update(currency=customer)
    Item.objects.filter(pk=shop.item.pk).update(currency=item)


@given(own=CURRENCY, of_bill=CURRENCY, price=st.decimals(0, 9_999, places=2))
def test_price_is_proposed_only_in_its_own_currency(own: str, of_bill: str, price: Any) -> None:
    assert rules.proposed_price(price, own, of_bill=of_bill) == (price if own == of_bill else None)


def test_bill_defaults_to_the_customers_currency_and_the_products_prices(shop: Shop) -> None:
    in_dollars(shop)
    order = done(shop, 10)
    for body in ({}, {"customerId": shop.customer.pk}):
        bill = billed(shop, of(order, 1, 2), **body)
        assert (bill["currency"], bill["lines"][0]["price"], bill["subtotal"]) == ("USD", 10.5, 21)


def test_bill_defaults_to_the_plants_currency(shop: Shop) -> None:
    assert billed(shop, of(done(shop, 10)))["currency"] == "MXN"


@pytest.mark.parametrize(
    ("of_customer", "of_item", "asked_for"),
    [("MXN", "USD", None), ("USD", "MXN", None), ("USD", "USD", "MXN"), ("USD", "EUR", "MXN")],
)
def test_price_in_another_currency_must_be_typed(
    shop: Shop, of_customer: str, of_item: str, asked_for: str | None
) -> None:
    in_dollars(shop, customer=of_customer, item=of_item)
    order = done(shop, 10, 10)
    chosen = {} if asked_for is None else {"currency": asked_for}
    for pre_bill in (True, False):
        answer = asked(shop.ana, of(order, 1, price=1), of(order, 2), preBill=pre_bill, **chosen)
        assert (answer.status, answer.code) == (422, "price_required"), answer
        assert answer.fields == {"lines.1.price": "price_required"}
        assert asked(shop.ana, of(order, 1, price=None), preBill=pre_bill, **chosen).code == "price_required"
    assert Bill.objects.count() == 0
    bill = billed(shop, of(order, 1, price=180.25), **chosen)
    assert (bill["currency"], bill["total"]) == (asked_for or of_customer, 209.09)


def test_proposed_and_typed_prices_can_share_a_bill(shop: Shop) -> None:
    in_dollars(shop)
    ring = item("Dije")
    order = done(shop, 10, 10, items=[{"itemId": one.pk, "quantity": 10} for one in (shop.item, ring)])
    assert asked(shop.ana, of(order, 1), of(order, 2), preBill=True).fields == {"lines.1.price": "price_required"}
    draft = pre_billed(shop, of(order, 1), of(order, 2, price=3))
    assert [line["price"] for line in draft["lines"]] == [10.5, 3]


def test_new_currency_of_a_pre_bill_requires_every_amount_again(shop: Shop) -> None:
    in_dollars(shop)
    order = done(shop, 10)
    draft = pre_billed(shop, of(order, 1, 2), shippingPrice=5)
    path = f"{PATH}/{draft['id']}"

    def refused(**body: Any) -> dict[str, str]:
        answer = shop.ana.put(path, body)
        assert (answer.status, answer.code) == (422, "price_required"), answer
        assert shop.ana.get(path).json == draft
        return answer.fields

    both = {"lines.0.price": "price_required", "shippingPrice": "price_required"}
    assert refused(currency="MXN") == both
    assert refused(currency="MXN", preBill=False, guideNumber="G") == both
    assert refused(currency="MXN", shippingPrice=90) == {"lines.0.price": "price_required"}
    assert refused(currency="MXN", lines=[of(order, 1, 2, price=190)]) == {"shippingPrice": "price_required"}
    assert refused(currency="MXN", lines=[of(order, 1, 2)], shippingPrice=90) == {"lines.0.price": "price_required"}
    body = {"currency": "MXN", "lines": [of(order, 1, 2, price=190)], "shippingPrice": 90}
    answer = shop.ana.put(path, body)
    assert (answer.status, answer.json["currency"], answer.json["subtotal"]) == (200, "MXN", 380)


def test_pre_bill_is_billed_at_its_own_prices(shop: Shop) -> None:
    order = done(shop, 10)
    draft = pre_billed(shop, of(order, 1, 2))
    in_dollars(shop)
    path = f"{PATH}/{draft['id']}"
    again = shop.ana.put(path, {"preBill": False, "guideNumber": "G", "lines": [of(order, 1, 2)]})
    assert (again.status, again.code) == (422, "price_required")
    answer = shop.ana.put(path, {"preBill": False, "guideNumber": "G", "currency": "MXN"})
    assert (answer.status, answer.json["currency"], answer.json["subtotal"]) == (200, "MXN", 21)


def test_billable_rows_have_the_currency_of_their_price(shop: Shop) -> None:
    in_dollars(shop, customer="MXN")
    done(shop, 10)
    (row,) = shop.ana.get(f"{PATH}/billable").json
    assert (row["price"], row["currency"]) == (10.5, "USD")


def test_currencies_of_a_customer_are_its_own_and_that_of_the_last_bill(shop: Shop) -> None:
    in_dollars(shop)
    order = done(shop, 10)
    path = f"{PATH}/currencies?customerId={shop.customer.pk}"
    assert shop.ana.get(path).json == {"customer": "USD", "last": None}
    pre_billed(shop, of(order, 1, 1, price=9), currency="EUR")
    assert shop.ana.get(path).json == {"customer": "USD", "last": "EUR"}
    bill = billed(shop, of(order, 1, 1, price=9), currency="MXN")
    assert shop.ana.get(path).json["last"] == "MXN"
    shop.ana.delete(f"{PATH}/{bill['id']}")
    assert shop.ana.get(path).json["last"] == "EUR"
    assert somebody(Permission.UpdateDelivery).get(path).status == 200
    assert shop.carla.get(path).status == 403
    assert shop.ana.get(f"{PATH}/currencies?customerId=999999").status == 404
    assert shop.ana.get(f"{PATH}/currencies").status == 422


def test_totals_never_add_two_currencies(shop: Shop) -> None:
    in_dollars(shop)
    order = done(shop, 10)
    billed(shop, of(order, 1, 2))
    billed(shop, of(order, 1, 2, price=190), currency="MXN")
    sums = {row["currency"]: row["subtotal"] for row in shop.ana.get(f"{PATH}/totals").json}
    assert sums == {"MXN": 380, "USD": 21}
    rows = list(csv.DictReader(io.StringIO(shop.ana.raw(f"{PATH}/search?format=csv").decode("utf-8-sig"))))
    assert {(row["Moneda"], row["Subtotal"]) for row in rows} == {("MXN", "380.00"), ("USD", "21.00")}


def test_new_currency_of_a_customer_leaves_bills_unchanged(shop: Shop) -> None:
    order = done(shop, 10)
    bill, draft = billed(shop, of(order, 1, 2)), pre_billed(shop, of(order, 1, 2))
    assert shop.ana.put(f"/api/customers/{shop.customer.pk}", {"currency": "USD"}).status == 200
    for one in (bill, draft):
        assert shop.ana.get(f"{PATH}/{one['id']}").json == one


@pytest.mark.parametrize("catalog", ["customers", "items"])
def test_customers_and_products_have_a_currency(shop: Shop, settings: Any, catalog: str) -> None:
    settings.PLANT_CURRENCY = "EUR"
    plain = {"name": "Uno"} | ({"key": "U-1"} if catalog == "items" else {})
    made = shop.ana.post(f"/api/{catalog}", plain)
    assert (made.status, made.json["currency"]) == (201, "EUR")
    path = f"/api/{catalog}/{made.json['id']}"
    for wrong, code in (("XYZ", "unknown"), ("usd", "unknown"), ("", "unknown"), (None, "invalid_type")):
        answer = shop.ana.put(path, {"currency": wrong})
        assert (answer.status, answer.code, answer.fields) == (422, "invalid_fields", {"currency": code})
    changed = shop.ana.put(path, {"currency": "USD"})
    assert (changed.status, changed.json["currency"]) == (200, "USD")
    entry = AuditEntry.objects.filter(entity=catalog).latest("id")
    assert entry.changes == {"currency": {"before": "EUR", "after": "USD"}}


def test_accepted_currencies_are_those_of_the_shared_catalog(shop: Shop) -> None:
    catalogs = {row["key"]: row["entries"] for row in shop.carla.get("/api/catalogs").json}
    assert {entry["code"] for entry in catalogs["currencies"]} == currency_codes()


def test_change_of_customer_keeps_the_bills_currency(shop: Shop) -> None:
    in_dollars(shop)
    other = customer("Otro")
    draft = pre_billed(shop, of(done(shop, 10), 1, 2))
    theirs = done(shop, 10, customerId=other.pk)
    answer = shop.ana.put(f"{PATH}/{draft['id']}", {"customerId": other.pk, "lines": [of(theirs, 1, 2)]})
    assert (answer.status, answer.json["currency"], answer.json["lines"][0]["price"]) == (200, "USD", 10.5)
