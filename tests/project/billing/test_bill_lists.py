"""Lists of bills: filters, search, sums, exports, and the pieces left to bill."""

import csv
import io
from typing import Any

import pytest
from openpyxl import load_workbook

from project.access.permissions import Permission
from project.catalogs.models import Company
from tests.builders import Shop, somebody
from tests.project.billing.billing import PATH, billed, done, of, pre_billed, prepare


@pytest.fixture(autouse=True)
def prepared(shop: Shop) -> Company:
    return prepare(shop)


def test_bills_are_filtered_searched_and_exported(shop: Shop) -> None:
    order = done(shop, 100, customerSalesOrderId="PO-X")
    bills = [billed(shop, of(order), date=f"2026-03-{day:02}", invoiceNumber=f"F-{day}") for day in (1, 2, 3)]
    shop.ana.delete(f"{PATH}/{bills[0]['id']}")
    draft = pre_billed(shop, of(order), date="2026-04-01")

    def found(query: str) -> list[int]:
        answer = shop.ana.get(f"{PATH}/search{query}")
        assert answer.status == 200, answer
        assert int(answer.headers["X-Total-Count"]) == len(answer.json)
        return [row["id"] for row in answer.json]

    one, two, three = (bill["id"] for bill in bills)
    assert found("") == [draft["id"], three, two, one]
    assert found("?status=Billed&ordering=date") == [two, three]
    assert found("?status=PreBill") == [draft["id"]]
    assert found("?from=2026-03-02&to=2026-03-03") == [three, two]
    assert found(f"?customerId={shop.customer.pk}&search=f-3") == [three]
    assert found("?search=po-x") == [draft["id"], three, two, one]
    assert found("?search=2&status=Billed") == [two]
    assert found("?customerId=999999") == []
    rows = list(csv.reader(io.StringIO(shop.ana.raw(f"{PATH}/search?format=csv").decode("utf-8-sig"))))
    sheet = load_workbook(io.BytesIO(shop.ana.raw(f"{PATH}/search?format=xlsx&status=Billed"))).worksheets[0]
    assert [row[1] for row in rows] == ["Estado", "Prefactura", "Facturada", "Facturada", "Cancelada"]
    totals = [row[rows[0].index("Total")] for row in sheet.iter_rows(values_only=True)]
    assert (totals[0], sum(totals[1:])) == ("Total", pytest.approx(24.36))


def test_totals_are_summed_for_each_currency(shop: Shop) -> None:
    order = done(shop, 100)
    billed(shop, of(order, 1, 4), shippingPrice=10.25)
    billed(shop, of(order, 1, 2))
    dollars = billed(shop, of(order, 1, 3, price=10.5), currency="USD")
    shop.ana.delete(f"{PATH}/{billed(shop, of(order, 1, 5, price=1), currency='USD')['id']}")
    pre_billed(shop, of(order, 1, 1))

    def totals(query: str = "") -> list[dict[str, Any]]:
        answer = shop.ana.get(f"{PATH}/totals{query}")
        assert answer.status == 200, answer
        rows: list[dict[str, Any]] = answer.json
        return rows

    pesos, in_dollars = totals()
    assert pesos == {
        "currency": "MXN",
        "bills": 2,
        "subtotal": 63.0,
        "tax": 10.08,
        "shippingPrice": 10.25,
        "total": 83.33,
        "preBills": 1,
        "preBilled": 12.18,
        "canceled": 0,
    }
    assert (in_dollars["bills"], in_dollars["total"], in_dollars["canceled"]) == (1, dollars["total"], 1)
    assert [row["total"] for row in totals("?status=Canceled")] == [0]
    assert totals("?customerId=999999") == []
    assert somebody(Permission.CreateDelivery).get(f"{PATH}/totals").status == 403


def test_billable_lists_the_pieces_left_to_bill(shop: Shop) -> None:
    order = done(shop, 10, 5)
    billed(shop, of(order, 1, 4), of(order, 2, 5))
    shop.order(7)
    answer = shop.ana.get(f"{PATH}/billable?customerId={shop.customer.pk}&search=anillo")
    assert [(row["position"], row["remaining"], row["price"], row["taxAmount"]) for row in answer.json] == [
        (1, 6, 10.5, 16.0)
    ]
    assert shop.ana.get(f"{PATH}/billable?customerId=999999").json == []


def test_lists_of_bills_cost_at_most_six_queries(shop: Shop, django_assert_max_num_queries: Any) -> None:
    order = done(shop, 100)
    billed(shop, of(order))
    for _ in range(50):
        pre_billed(shop, of(order))
    for limit in (1, 50):
        with django_assert_max_num_queries(6):
            assert len(shop.ana.get(f"{PATH}/search?limit={limit}").json) == limit
