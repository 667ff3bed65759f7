"""Bills in currencies with no, two and three decimals: amounts, total, PDF and files."""

import csv
import io
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from project.audit.models import AuditEntry
from project.billing.models import Bill
from project.catalogs.models import Customer, Item
from tests.builders import Shop
from tests.project.billing.billing import PATH, asked, billed, done, of, pre_billed, prepare
from tests.project.printing.papers import read

CASES = [
    # currency, price of a piece, shipping; amount, tax and total of 3 pieces at 16 %; texts in the PDF
    ("JPY", 0.5, 100, (2, 0, 102), ("0.5 JPY", "2 JPY", "0 JPY", "100 JPY", "102 JPY")),
    ("CLP", 1990.1234, 0, (5970, 955, 6925), ("1,990.1234 CLP", "5,970 CLP", "955 CLP", "0 CLP", "6,925 CLP")),
    ("MXN", 1.333333, 4.5, (4, 0.64, 9.14), ("1.333333 MXN", "4.00 MXN", "0.64 MXN", "4.50 MXN", "9.14 MXN")),
    ("BHD", 0.3335, 1.125, (1.001, 0.16, 2.286), ("0.3335 BHD", "1.001 BHD", "0.160 BHD", "1.125 BHD", "2.286 BHD")),
    ("KWD", 0.0000001, 0, (0, 0, 0), ("0.0000001 KWD", "0.000 KWD")),
]


@pytest.fixture(autouse=True)
def prepared(shop: Shop, settings: Any, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path
    prepare(shop)


@pytest.mark.parametrize(("currency", "price", "shipping", "amounts", "texts"), CASES, ids=[one[0] for one in CASES])
def test_amounts_have_the_decimals_of_the_currency(
    shop: Shop, currency: str, price: float, shipping: float, amounts: tuple[float, ...], texts: tuple[str, ...]
) -> None:
    order = done(shop, 10)
    bill = billed(shop, of(order, 1, 3, price=price), currency=currency, shippingPrice=shipping)
    amount, tax, total = amounts
    (line,) = bill["lines"]
    assert (line["price"], line["amount"], line["tax"]) == (price, amount, tax)
    found = tuple(bill[name] for name in ("subtotal", "tax", "shippingPrice", "total"))
    assert found == (amount, tax, shipping, total)
    (sums,) = shop.ana.get(f"{PATH}/totals").json
    assert (sums["currency"], sums["subtotal"], sums["total"]) == (currency, amount, total)
    pdf = shop.ana.post("/pdf/create-delivery", {"deliveryId": bill["id"]}).content
    said = "\n".join(page.text for page in read(pdf))
    assert [text for text in texts if text not in said] == [], said
    (row,) = csv.DictReader(io.StringIO(shop.ana.raw(f"{PATH}/search?format=csv").decode("utf-8-sig")))
    written = [row[head].replace(",", "") for head in ("Subtotal", "Impuesto", "Precio de envío", "Total")]
    decimals = {"JPY": 0, "CLP": 0, "BHD": 3, "KWD": 3}.get(currency, 2)
    assert written == [f"{value:.{decimals}f}" for value in found]
    entry = AuditEntry.objects.get(entity="delivery", action="billed")
    assert entry.changes["total"]["after"] == total


@pytest.mark.parametrize(
    ("currency", "field", "number", "limit"),
    [
        ("JPY", "shippingPrice", 0.5, 0),
        ("CLP", "shippingPrice", 100.01, 0),
        ("MXN", "shippingPrice", 4.505, 2),
        ("BHD", "shippingPrice", 4.5055, 3),
        ("JPY", "lines.0.price", 1.00001, 4),
        ("MXN", "lines.0.price", 1.0000001, 6),
        ("BHD", "lines.0.price", 1.00000001, 7),
    ],
)
def test_too_many_decimals_are_refused_and_never_rounded(
    shop: Shop, currency: str, field: str, number: float, limit: int
) -> None:
    order = done(shop, 10)
    line = of(order, 1, 3, price=number if field == "lines.0.price" else 1)
    header = {} if field == "lines.0.price" else {field: number}
    for pre_bill in (True, False):
        answer = asked(shop.ana, line, currency=currency, preBill=pre_bill, **header)
        assert (answer.status, answer.fields) == (422, {field: "too_many_decimals"})
        assert f" {limit} " in answer.json["errors"][0]["message"]
    assert not Bill.objects.exists()


def test_pre_bill_in_a_new_currency_needs_amounts_with_its_decimals(shop: Shop) -> None:
    draft = pre_billed(shop, of(done(shop, 10), 1, 2, price=1.1234567), currency="BHD", shippingPrice=1.125)
    order = draft["lines"][0]["salesOrderId"]
    path = f"{PATH}/{draft['id']}"
    body = {"currency": "CLP", "lines": [of(order, 1, 2, price=1.1234567)], "shippingPrice": 1.125}
    assert shop.ana.put(path, body).fields == {
        "lines.0.price": "too_many_decimals",
        "shippingPrice": "too_many_decimals",
    }
    assert shop.ana.get(path).json == draft
    body = {"currency": "CLP", "lines": [of(order, 1, 2, price=900.1234)], "shippingPrice": 850}
    assert shop.ana.put(path, body).json["subtotal"] == 1800


@pytest.mark.parametrize(
    ("currency", "values"),
    [
        ("JPY", {"total": "102.5"}),
        ("JPY", {"total": "102.5", "shipping_price": "100.5"}),
        ("JPY", {"subtotal": "1.5", "total": "101.5"}),
        ("MXN", {"tax": "0.645", "total": "104.645"}),
        ("MXN", {"total": "104.66"}),
        ("BHD", {"total": "104.643"}),
    ],
    ids=str,
)
def test_database_refuses_parts_of_a_minor_unit_and_wrong_totals(
    shop: Shop, currency: str, values: dict[str, str]
) -> None:
    billed(shop, of(done(shop, 10), 1, 3, price=1.3333), currency=currency, shippingPrice=100)
    with pytest.raises(IntegrityError), transaction.atomic():
        Bill.objects.update(**{name: Decimal(value) for name, value in values.items()})


@pytest.mark.parametrize("currency", ["JPY", "MXN", "BHD"])
def test_database_accepts_the_largest_amounts(shop: Shop, currency: str) -> None:
    """SQLite adds binary fractions, so the check of the total must allow for them."""
    order = done(shop, 1_000, 1_000)
    price = {"JPY": 9_999_999_999, "MXN": 9_999_999_998.99, "BHD": 499_999_999.999}[currency]
    lines = [of(order, place, quantity, price=price, taxAmount=0) for place, quantity in ((1, 1), (2, 999))]
    bill = billed(shop, *lines, currency=currency, shippingPrice=1_009.99 if currency == "MXN" else 9_999_999)
    assert bill["total"] == float(1_000 * Decimal(repr(price))) + bill["shippingPrice"]
    assert Bill.objects.get().total == Decimal(repr(bill["total"]))


def test_price_of_a_product_must_fit_its_currency_whichever_changes(shop: Shop) -> None:
    path = f"/api/items/{shop.item.pk}"
    for body, status in (
        ({"sellPrice": 1.0000001}, 422),  # in pesos
        ({"sellPrice": 1.0000001, "currency": "BHD"}, 200),
        ({"currency": "MXN"}, 422),
        ({"currency": "MXN", "sellPrice": 1.000001}, 200),
        ({"currency": "JPY"}, 422),
        ({"name": "Otro"}, 200),
    ):
        answer = shop.ana.put(path, body)
        assert answer.status == status, (body, answer)
        assert status == 200 or answer.fields == {"sellPrice": "too_many_decimals"}
    assert shop.ana.get(path).json["sellPrice"] == 1.000001
    made = shop.ana.post("/api/items", {"key": "J-1", "name": "J", "sellPrice": 1.00001, "currency": "JPY"})
    assert made.fields == {"sellPrice": "too_many_decimals"}


def test_exported_prices_have_the_decimals_of_their_currency(shop: Shop) -> None:
    for currency, price, written in (("JPY", "1200", "1200"), ("MXN", "8", "8.00"), ("BHD", "0.0000001", "0.0000001")):
        Item.objects.filter(pk=shop.item.pk).update(currency=currency, sell_price=price)
        (row,) = csv.DictReader(io.StringIO(shop.ana.raw("/api/items?format=csv").decode("utf-8-sig")))
        assert row["Precio de venta"] == written


def test_bill_takes_the_products_price_with_all_its_decimals(shop: Shop) -> None:
    Item.objects.filter(pk=shop.item.pk).update(currency="BHD", sell_price="10.1234567")
    Customer.objects.filter(pk=shop.customer.pk).update(currency="BHD")
    bill = billed(shop, of(done(shop, 10), 1, 1))
    assert (bill["lines"][0]["price"], bill["subtotal"]) == (10.1234567, 10.123)
