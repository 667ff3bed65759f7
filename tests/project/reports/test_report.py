"""The report of sales orders: filters, pages, totals and files."""

import csv
import io
import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from project.core import clock
from project.orders.models import Line
from tests.builders import Shop, customer, item, somebody

REPORT = "/api/reports"
HEADS = {"es": "Cantidad", "en": "Quantity"}


def positions(shop: Shop, query: str = "") -> list[dict[str, Any]]:
    answer = shop.ana.get(f"{REPORT}{query}")
    assert answer.status == 200, answer
    assert list(answer.json) == ["salesOrderPositions"]
    rows: list[dict[str, Any]] = answer.json["salesOrderPositions"]
    return rows


def places(rows: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return [(row["salesOrderId"], row["position"]) for row in rows]


@pytest.fixture
def three(shop: Shop) -> tuple[int, int, int]:
    """Three orders of different days: the second is of another customer, the third has a Done line."""
    first = shop.order(3, salesOrderDate="2026-02-01")
    second = shop.order(5, salesOrderDate="2026-02-10", customerId=customer("Joyería Norte").pk)
    third = shop.order(7, 11, salesOrderDate="2026-02-20")
    shop.status(third, 1, "Approved")
    shop.status(third, 1, "Done")
    return first, second, third


def test_report_is_filtered_by_inclusive_dates_customer_and_status(shop: Shop, three: tuple[int, int, int]) -> None:
    first, second, third = three
    for query, found in (
        ("", [(third, 2), (third, 1), (second, 1), (first, 1)]),
        ("?ordering=salesOrderDate", [(first, 1), (second, 1), (third, 1), (third, 2)]),
        ("?from=2026-02-10", [(third, 2), (third, 1), (second, 1)]),
        ("?to=2026-02-10", [(second, 1), (first, 1)]),
        ("?from=2026-02-10&to=2026-02-10", [(second, 1)]),
        (f"?customerId={shop.customer.pk}", [(third, 2), (third, 1), (first, 1)]),
        ("?customerId=0&status=all", [(third, 2), (third, 1), (second, 1), (first, 1)]),
        ("?status=Done", [(third, 1)]),
        ("?status=PartiallyApproved", []),
        ("?search=norte", [(second, 1)]),
        ("?customerId=999999", []),
    ):
        assert places(positions(shop, query)) == found, query


def test_path_with_filters_returns_the_same_lines(shop: Shop, three: tuple[int, int, int]) -> None:
    for customer_id, status, first, last, query in (
        (0, "all", "2026-02-01", "2026-02-28", "?from=2026-02-01&to=2026-02-28"),
        (shop.customer.pk, "all", "2026-02-10", "2026-02-20", f"?customerId={shop.customer.pk}&from=2026-02-10"),
        (0, "Done", "2026-02-01", "2026-02-20", "?status=Done"),
    ):
        path = f"/customer/{customer_id}/sales-orders/status/{status}/start-date/{first}/end-date/{last}"
        assert positions(shop, path) == positions(shop, query)


def test_path_with_filters_is_sorted_paged_and_exported_like_the_report(
    shop: Shop, three: tuple[int, int, int]
) -> None:
    path = f"{REPORT}/customer/{shop.customer.pk}/sales-orders/status/New/start-date/2026-02-01/end-date/2026-02-28"
    general = f"{REPORT}?customerId={shop.customer.pk}&status=New&from=2026-02-01&to=2026-02-28"
    for query in ("ordering=salesOrderDate&limit=1", "ordering=-quantity&limit=1", "limit=1", "search=zzz"):
        assert pages(shop, f"{path}?{query}") == pages(shop, f"{general}&{query}"), query
    assert pages(shop, f"{path}?ordering=quantity&limit=1") == [[(three[0], 1)], [(three[2], 2)]]
    assert shop.ana.raw(f"{path}?format=csv") == shop.ana.raw(f"{general}&format=csv")


def pages(shop: Shop, path: str) -> list[list[tuple[int, int]]]:
    """Every page of a list, following the cursors."""
    answer = shop.ana.get(path)
    found = [places(answer.json["salesOrderPositions"])]
    while cursor := re.search(r"[?&]cursor=([^&>]+)", answer.headers.get("Link", "")):
        answer = shop.ana.get(f"{path}&cursor={cursor[1]}")
        found.append(places(answer.json["salesOrderPositions"]))
    return found


def test_row_has_the_fields_of_the_line(shop: Shop) -> None:
    yesterday = (clock.today() - timedelta(days=1)).isoformat()
    dates = {"shipmentDate": "2026-01-02", "deliveryDate": yesterday, "shippingDate": "2026-01-09"}
    order = shop.order(items=[{"itemId": shop.item.pk, "quantity": 9, "notes": "con caja", **dates}])
    (row,) = positions(shop)
    assert row | dates == row
    assert (row["salesOrderId"], row["position"], row["itemKey"], row["itemName"]) == (
        order,
        1,
        shop.item.key,
        "Anillo",
    )
    assert (row["customerName"], row["notes"], row["late"]) == ("Platería del Sur", "con caja", True)
    assert (row["quantity"], row["quantityDone"], row["quantityBilled"]) == (9, 0, 0)
    assert row["status"] == row["salesOrderStatusName"] == "New"


def test_scrapped_pieces_are_told_in_the_list_and_its_file(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.scrap(order, shop.casting, 4)
    (row,) = positions(shop)
    assert (row["quantity"], row["quantityGood"], row["quantityScrapped"]) == (10, 6, 4)
    file = shop.ana.get(f"{REPORT}?format=csv", accept_language="en").content.decode("utf-8-sig")
    (told,) = csv.DictReader(io.StringIO(file, newline=""))
    assert (told["Quantity"], told["Good"], told["Scrapped"]) == ("10", "6", "4")


@pytest.mark.parametrize(
    ("path", "field", "code"),
    [
        ("?from=2026-02-11&to=2026-02-10", "to", "before_start"),
        ("/totals?from=2026-02-11&to=2026-02-10", "to", "before_start"),
        ("?status=Undefined", "status", "not_a_choice"),
        ("?from=2025-02-29", "from", "invalid_date"),
        ("?format=pdf", "format", "not_a_choice"),
        ("?ordering=colour", "ordering", "not_a_choice"),
        ("?cursor=x", "cursor", "unknown"),
        ("/customer/0/sales-orders/status/all/start-date/2026-02-11/end-date/2026-02-10", "endDate", "before_start"),
        ("/customer/0/sales-orders/status/all/start-date/2025-02-29/end-date/2026-02-10", "startDate", "invalid_date"),
        ("/customer/0/sales-orders/status/Lost/start-date/2026-02-01/end-date/2026-02-10", "status", "not_a_choice"),
    ],
)
def test_invalid_parameter_gets_422(shop: Shop, path: str, field: str, code: str) -> None:
    answer = shop.ana.get(REPORT + path)
    assert (answer.status, answer.code) == (422, "invalid_fields")
    assert code in {answer.fields.get(field), *(value for name, value in answer.fields.items() if field in name)}


@pytest.mark.parametrize(
    ("first", "last"),
    [("2024-02-29", "2024-02-29"), ("2016-01-01", "2026-12-31"), ("2024-04-07", "2024-04-07")],
)
def test_leap_days_long_ranges_and_days_of_clock_changes_work(shop: Shop, first: str, last: str) -> None:
    order = shop.order(1, salesOrderDate=first)
    shop.order(1, salesOrderDate=(date.fromisoformat(first) - timedelta(days=1)).isoformat())
    assert places(positions(shop, f"?from={first}&to={last}")) == [(order, 1)]
    path = f"/customer/0/sales-orders/status/New/start-date/{first}/end-date/{last}"
    assert places(positions(shop, path)) == [(order, 1)]


def test_pages_follow_each_other_without_a_total_count(shop: Shop, three: tuple[int, int, int]) -> None:
    answer = shop.ana.get(f"{REPORT}?limit=3&from=2026-02-01")
    assert "X-Total-Count" not in answer.headers
    following = answer.headers["Link"].removeprefix("<").partition(">")[0]
    both = [*answer.json["salesOrderPositions"], *shop.ana.get(following).json["salesOrderPositions"]]
    assert both == positions(shop)


def test_totals_are_of_all_filtered_lines(shop: Shop, three: tuple[int, int, int]) -> None:
    Line.objects.filter(quantity=11).update(delivery_date=clock.today() - timedelta(days=1))
    Line.objects.filter(status="Done").update(quantity_billed=2)
    assert shop.ana.get(f"{REPORT}/totals").json == {
        "lines": 4,
        "quantity": 26,
        "quantityDone": 7,
        "quantityBilled": 2,
        "late": 1,
    }
    assert shop.ana.get(f"{REPORT}/totals?to=2026-02-10").json["quantity"] == 8
    assert set(shop.ana.get(f"{REPORT}/totals?from=2030-01-01").json.values()) == {0}


@pytest.mark.parametrize("language", ["es", "en"])
def test_files_hold_every_line_and_sum_to_the_totals(shop: Shop, three: tuple[int, int, int], language: str) -> None:
    path = f"{REPORT}?from=2026-02-01&limit=1&format="
    plain = shop.ana.get(f"{path}csv", accept_language=language)
    rows = list(csv.DictReader(io.StringIO(plain.content.decode("utf-8-sig"), newline="")))
    book = load_workbook(io.BytesIO(shop.ana.get(f"{path}xlsx", accept_language=language).content))
    heads, *cells = book.worksheets[0].values
    column = heads.index(HEADS[language])
    totals = shop.ana.get(f"{REPORT}/totals?from=2026-02-01").json
    assert sum(int(row[HEADS[language]]) for row in rows) == totals["quantity"] == 26
    assert sum(row[column] for row in cells) == 26
    assert len(rows) == len(cells) == totals["lines"] == 4
    assert cells[0][heads.index({"es": "Fecha de orden", "en": "Order date"}[language])].date() == date(2026, 2, 20)


def test_file_of_the_path_with_filters_is_filtered_too(shop: Shop, three: tuple[int, int, int]) -> None:
    path = "/customer/0/sales-orders/status/Done/start-date/2026-02-01/end-date/2026-02-28?format=csv"
    answer = shop.ana.get(REPORT + path)
    assert answer.content.decode("utf-8-sig").count("\n") == 2
    assert answer.headers["Content-Disposition"] == 'attachment; filename="sales-orders.csv"'


def test_report_needs_its_own_permission(shop: Shop) -> None:
    assert somebody("ReportListSalesOrders").get(REPORT).status == 200
    assert somebody("ListSalesOrders", "Dashboard").get(REPORT).status == 403
    assert somebody("Dashboard").get(f"{REPORT}/totals").status == 403


@pytest.mark.parametrize(
    "path", ["", "/totals", "/customer/0/sales-orders/status/all/start-date/2020-01-01/end-date/2030-01-01"]
)
def test_report_costs_as_many_queries_for_1_line_as_for_50(shop: Shop, path: str) -> None:
    counts = []
    for more in (1, 49):
        for _ in range(more):
            shop.order(items=[{"itemId": item().pk, "quantity": 5}], customerId=customer().pk)
        with CaptureQueriesContext(connection) as queries:
            assert shop.ana.get(REPORT + path).status == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 5
