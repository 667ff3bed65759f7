"""The lists of payables and payments: filters, search, sorts, queries and files."""

import csv
import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import ProcessRecord, SalesOrder
from project.piecework.models import PaymentItem
from tests.builders import Caller, Shop, customer, person, release
from tests.project.piecework.paying import PAYABLES, PAYMENTS, cancel, item, left, many_left, order_of, paid

PLANT = clock.plant()


def ids(by: Caller, path: str, query: str = "") -> list[int]:
    answer = by.get(f"{path}?{query}")
    assert answer.status == 200, answer
    return [row["id"] for row in answer.json]


def left_at(shop: Shop, instant: datetime, **fields: Any) -> int:
    """A record that left casting at `instant`."""
    record = left(shop)
    ProcessRecord.objects.filter(pk=record).update(input_at=instant - timedelta(hours=1), output_at=instant, **fields)
    return record


def test_payable_has_every_field_needed_to_pay(shop: Shop) -> None:
    record = left(shop, 10)
    paid(shop.ana, item(record, 4))
    (row,) = shop.ana.get(PAYABLES).json
    order = SalesOrder.objects.get(pk=order_of(record))
    assert row.pop("inputDate") < row.pop("outputDate")
    assert row == {
        "id": record,
        "salesOrderId": order.pk,
        "position": 1,
        "customerSalesOrderId": order.customer_sales_order_id,
        "customerId": shop.customer.pk,
        "customerName": "Platería del Sur",
        "itemName": "Anillo",
        "itemNameEnglish": "",
        "productionProcessId": shop.casting.pk,
        "productionProcessName": "Fundición",
        "userId": shop.ana.id,
        "outputUsername": "Ana Torres",
        "outputReceivedAt": None,
        "quantity": 10,
        "paidQuantity": 4,
        "remainingQuantity": 6,
        "remainingGrams": None,
        "unit": "piece",
        "price": 9.25,
        "currency": "MXN",
    }


def test_exit_reported_over_ten_minutes_late_has_received_at(shop: Shop, noon: datetime) -> None:
    for minutes in (10, 11):
        order = shop.approved(10)
        for direction in ("in", "out"):
            at = utc_z(noon - timedelta(minutes=minutes))
            assert shop.move(direction, order, shop.casting, made_at=at).status == 200
    late, soon = shop.ana.get(PAYABLES).json
    assert (late["outputDate"], late["outputReceivedAt"]) == (utc_z(noon - timedelta(minutes=11)), utc_z(noon))
    assert soon["outputReceivedAt"] is None


def test_payables_are_closed_records_that_are_not_released(shop: Shop) -> None:
    closed, released = left(shop), left(shop)
    release(shop.ana, order_of(released), shop.casting)
    reopened = left(shop)
    release(shop.ana, order_of(reopened), shop.casting, "out")
    inside = shop.approved(5)
    shop.enter(inside, shop.casting)
    assert ids(shop.ana, PAYABLES) == ids(shop.ana, PAYABLES, "pending=true") == [closed]


def test_pending_filters_records_with_pieces_left_to_pay(shop: Shop) -> None:
    untouched, partly, whole = left(shop), left(shop), left(shop)
    paid(shop.ana, item(partly, 4), item(whole, 10))
    assert ids(shop.ana, PAYABLES) == [untouched, partly, whole]
    assert ids(shop.ana, PAYABLES, "pending=true") == [untouched, partly]
    assert ids(shop.ana, PAYABLES, "pending=false") == [whole]


def test_payables_are_filtered(shop: Shop) -> None:
    other = customer("Joyas")
    casting, polishing = left(shop), left(shop, 10, shop.polishing)
    dora = Caller(person("dora", *(), processes=[]))
    ProcessRecord.objects.filter(pk=polishing).update(output_by=dora.id)
    SalesOrder.objects.filter(pk=order_of(polishing)).update(customer=other, customer_sales_order_id="PO-ESPECIAL")
    for query in (
        f"productionProcessId={shop.polishing.pk}",
        f"userId={dora.id}",
        f"customerId={other.pk}",
        "search=especial",
    ):
        assert ids(shop.ana, PAYABLES, query) == [polishing], query
    assert ids(shop.ana, PAYABLES, f"userId={shop.ana.id}") == [casting]
    for bad in ("userId=x", "pending=tal vez", "from=2026-02-29", "format=pdf", "ordering=price", "cursor=x"):
        assert shop.ana.get(f"{PAYABLES}?{bad}").status == 422, bad


def test_payables_are_filtered_by_days_of_the_plant(shop: Shop) -> None:
    """23:30 in the plant is already the next day in UTC."""
    late = left_at(shop, datetime(2026, 3, 2, 23, 30, tzinfo=PLANT))
    early = left_at(shop, datetime(2026, 3, 3, 0, 30, tzinfo=PLANT))
    assert ids(shop.ana, PAYABLES, "from=2026-03-02&to=2026-03-02") == [late]
    assert ids(shop.ana, PAYABLES, "from=2026-03-03&to=2026-03-03") == [early]
    assert ids(shop.ana, PAYABLES, "to=2026-03-02") == [late]
    assert ids(shop.ana, PAYABLES, "from=2026-03-04&to=2026-03-01") == []


def test_oldest_exit_comes_first_on_every_page(shop: Shop) -> None:
    instants = [datetime(2026, 3, day, 12, tzinfo=UTC) for day in (3, 1, 2, 1)]
    made = [left_at(shop, instant) for instant in instants]
    expected = [made[1], made[3], made[2], made[0]]
    found, path = [], f"{PAYABLES}?limit=1"
    for _ in expected:
        page = shop.ana.get(path)
        assert page.headers["X-Total-Count"] == "4"
        found += [row["id"] for row in page.json]
        path = page.headers.get("Link", "<>").split("<")[1].split(">")[0]
    assert (found, path) == (expected, "")
    assert ids(shop.ana, PAYABLES, "ordering=-outputDate") == expected[::-1]


@pytest.mark.parametrize(
    "name", ["id", "inputDate", "quantity", "customerSalesOrderId", "customerName", "itemName", "productionProcessName"]
)
def test_payables_sort_by_the_columns_of_the_screen(shop: Shop, name: str) -> None:
    made = [left(shop, 3), left(shop, 5, shop.polishing), left(shop, 4)]
    upwards = shop.ana.get(f"{PAYABLES}?ordering={name}&limit=2")
    following = upwards.headers["Link"].split("<")[1].split(">")[0]
    rows = upwards.json + shop.ana.get(following).json
    assert sorted(row["id"] for row in rows) == sorted(made)
    assert [row[name] for row in rows] == sorted(row[name] for row in rows)


def test_payments_are_filtered_and_searched(shop: Shop) -> None:
    other = customer("Joyas")
    first, second = left(shop), left(shop)
    SalesOrder.objects.filter(pk=order_of(second)).update(customer=other, customer_sales_order_id="PO-ESPECIAL")
    plain = paid(shop.ana, item(first), date="2026-03-01")["id"]
    special = paid(shop.ana, item(second), date="2026-03-02", userId=shop.beto.id, notes="aguinaldo")["id"]
    cancel(shop.ana, special, "sin firma")
    for query in (
        f"userId={shop.beto.id}",
        f"customerId={other.pk}",
        "status=Canceled",
        "from=2026-03-02",
        "search=especial",
        "search=aguinaldo",
        "search=beto",
        "search=firma",
    ):
        assert ids(shop.ana, PAYMENTS, query) == [special], query
    assert ids(shop.ana, PAYMENTS) == [special, plain]
    assert ids(shop.ana, PAYMENTS, "to=2026-03-01") == ids(shop.ana, PAYMENTS, "status=Paid") == [plain]
    assert ids(shop.ana, PAYMENTS, "from=2026-03-02&to=2026-03-01") == []
    for bad in ("status=Open", "userId=0", "to=ayer", "ordering=notes"):
        assert shop.ana.get(f"{PAYMENTS}?{bad}").status == 422, bad


def test_totals_are_of_filtered_payments_without_canceled_ones(shop: Shop) -> None:
    records = [left(shop, 1) for _ in range(3)]
    made = [paid(shop.ana, item(record, 1, 1.1), date=f"2026-03-0{day}") for day, record in enumerate(records, 1)]
    cancel(shop.ana, made[2]["id"])
    assert shop.ana.get(f"{PAYMENTS}/totals").json == {
        "payments": 2,
        "total": 2.2,
        "currency": "MXN",
        "canceled": 1,
    }
    assert shop.ana.get(f"{PAYMENTS}/totals?from=2026-03-03").json == {
        "payments": 0,
        "total": 0,
        "currency": "MXN",
        "canceled": 1,
    }


@pytest.mark.parametrize("path", [PAYABLES, PAYMENTS, f"{PAYMENTS}/totals"])
def test_lists_cost_a_constant_number_of_queries(shop: Shop, path: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert shop.ana.get(path).status == 200
        return len(captured)

    paid(shop.ana, item(left(shop), 1), userId=shop.beto.id)
    one = queries()
    records = many_left(shop, 49)
    paid(shop.ana, *(item(record, 1) for record in records[:30]))
    for record in records[30:]:
        paid(shop.ana, item(record, 1))
    assert queries() == one


def test_payments_without_copied_texts_cost_two_more_queries_for_any_number_of_items(shop: Shop) -> None:
    def queries() -> int:
        PaymentItem.objects.update(issued=None)
        with CaptureQueriesContext(connection) as captured:
            names = {row["itemName"] for payment in shop.ana.get(PAYMENTS).json for row in payment["items"]}
        assert names == {"Anillo"}
        return len(captured)

    paid(shop.ana, item(left(shop), 1), item(left(shop, 10, shop.polishing), 1))
    few = queries()
    records = many_left(shop, 30)
    for start in (0, 10, 20):
        paid(shop.ana, *(item(record, 1) for record in records[start : start + 10]))
    assert queries() == few
    PaymentItem.objects.update(issued={"item_name": "Anillo", "process_name": "", "process_order": 1})
    with CaptureQueriesContext(connection) as captured:
        shop.ana.get(PAYMENTS)
    assert len(captured) == few - 2


def rows_of(by: Caller, path: str) -> dict[str, list[list[Any]]]:
    """The rows of a list in each file format, heads first."""
    text = by.get(f"{path}format=csv").content.decode("utf-8-sig")
    book = load_workbook(io.BytesIO(by.get(f"{path}format=xlsx").content))
    return {
        "csv": list(csv.reader(io.StringIO(text, newline=""))),
        "xlsx": [list(row) for row in book.worksheets[0].values],
    }


def column(rows: list[list[Any]], name: str) -> list[Decimal]:
    place = rows[0].index(name)
    return [Decimal(str(row[place])) for row in rows[1:]]


def test_payables_are_exported_as_filtered(shop: Shop) -> None:
    record, whole = left(shop, 10), left(shop, 7)
    left(shop, 4, shop.polishing)
    paid(shop.ana, item(record, 4), item(whole, 7))
    listed = shop.ana.get(f"{PAYABLES}?pending=true").json
    files = rows_of(Caller(shop.ana.user, Accept_Language="es"), f"{PAYABLES}?pending=true&")
    for rows in files.values():
        assert rows[0][:2] == ["PO#", "Línea"]
        assert sum(column(rows, "Por pagar")) == sum(row["remainingQuantity"] for row in listed) == 10
        assert column(rows, "Precio") == [Decimal("9.25"), Decimal("4.5")]
        assert [row[rows[0].index("Sacado por")] for row in rows[1:]] == ["Ana Torres"] * 2


def test_payments_are_exported_as_filtered_with_matching_totals(shop: Shop) -> None:
    for day, price in ((1, 1.005), (2, 2.335), (3, 7)):
        paid(shop.ana, item(left(shop), 10, price), date=f"2026-03-0{day}", notes="=1+1")
    query = f"{PAYMENTS}?from=2026-03-02&"
    total = Decimal(str(shop.ana.get(f"{PAYMENTS}/totals?from=2026-03-02").json["total"]))
    for kind, rows in rows_of(Caller(shop.ana.user, Accept_Language="en"), query).items():
        assert len(rows) == 3
        assert sum(column(rows, "Total")) == total == Decimal("93.35")
        assert [row[rows[0].index("Status")] for row in rows[1:]] == ["Paid", "Paid"]
        assert rows[1][rows[0].index("Notes")] == {"csv": "'=1+1", "xlsx": "=1+1"}[kind]


def test_export_needs_permission_to_read_the_list(shop: Shop) -> None:
    for path in (PAYABLES, PAYMENTS):
        assert shop.carla.get(f"{path}?format=csv").status == 403


def test_date_of_a_payment_defaults_to_the_plants_today(shop: Shop) -> None:
    record = left(shop)
    with clock.at(datetime(2026, 3, 2, 23, 30, tzinfo=PLANT)):
        made = paid(Caller(shop.ana.user), item(record, 1))
    assert made["date"] == "2026-03-02"
