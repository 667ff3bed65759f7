"""The dashboard: orders by status, and lines past their delivery date."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.orders.models import Line
from tests.builders import Shop, customer, item, somebody

pytestmark = pytest.mark.usefixtures("in_mexico_city")

ORDERS = "/api/reports/sales-orders"
EXPIRED = f"{ORDERS}/details/deliverydate/expired"
FEBRUARY = "start-date/2026-02-01/end-date/2026-02-28"
NOON = datetime(2026, 3, 10, 18, tzinfo=UTC)
"""Noon on 10 March in the plant."""


def counts(shop: Shop, days: str = FEBRUARY) -> dict[str, int]:
    answer = shop.ana.get(f"{ORDERS}/aggregate/status/{days}")
    assert answer.status == 200, answer
    return {row["status"]: row["count"] for row in answer.json}


def due(shop: Shop, *days_from_today: int | None) -> int:
    """Create an order with a line for each delivery date, in days from today; None for no date."""
    order = shop.order(*(1 for _ in days_from_today))
    for position, days in enumerate(days_from_today, start=1):
        day = None if days is None else clock.today() + timedelta(days=days)
        Line.objects.filter(order=order, position=position).update(delivery_date=day)
    return order


def listed(shop: Shop, path: str) -> list[tuple[int, int]]:
    answer = shop.ana.get(path)
    assert answer.status == 200, answer
    assert answer.headers["X-Total-Count"] == str(len(answer.json))
    return [(row["salesOrderId"], row["position"]) for row in answer.json]


def test_orders_of_the_days_are_counted_by_status(shop: Shop) -> None:
    shop.order(1, salesOrderDate="2026-01-31")
    shop.order(1, 1, salesOrderDate="2026-02-01")
    partly = shop.order(1, 1, salesOrderDate="2026-02-28")
    shop.status(partly, 1, "Approved")
    approved = shop.order(1, salesOrderDate="2026-02-10")
    shop.status(approved, 1, "Approved")
    shop.order(1, salesOrderDate="2026-03-01")
    assert counts(shop) == {"New": 1, "PartiallyApproved": 1, "Approved": 1}
    assert list(counts(shop)) == ["New", "PartiallyApproved", "Approved"], "in the order of the workflow"
    assert counts(shop, "start-date/2024-02-29/end-date/2024-02-29") == {}
    assert counts(shop, "start-date/2016-01-01/end-date/2026-12-31") == {
        "New": 3,
        "PartiallyApproved": 1,
        "Approved": 1,
    }


def test_details_list_the_counted_orders(shop: Shop) -> None:
    first = shop.order(2, 3, salesOrderDate="2026-02-01")
    second = shop.order(4, salesOrderDate="2026-02-20")
    shop.order(4, salesOrderDate="2026-03-20")
    Line.objects.filter(order=first, position=2).update(delivery_date="2026-02-15")
    shop.status(first, 1, "Canceled")
    answer = shop.ana.get(f"{ORDERS}/details/status/New/{FEBRUARY}")
    assert [row["id"] for row in answer.json] == [second, first]
    assert len(answer.json) == counts(shop)["New"]
    row = answer.json[1]
    assert (row["status"], row["salesOrderDate"], row["customerName"]) == ("New", "2026-02-01", "Platería del Sur")
    assert (row["lines"], row["quantity"], row["deliveryDate"]) == (1, 3, "2026-02-15"), (
        "canceled lines are not counted"
    )
    assert shop.ana.get(f"{ORDERS}/details/status/Done/{FEBRUARY}").json == []


def test_expired_lines_are_open_and_were_due_before_today(shop: Shop) -> None:
    with clock.at(NOON):
        order = due(shop, -40, -7, -1, 0, 1, None)
        gone = due(shop, -1, -1, -1)
        for position, status in enumerate(("Done", "Invoiced", "Canceled"), start=1):
            billed = F("quantity") if status == "Invoiced" else 0
            Line.objects.filter(order=gone, position=position).update(status=status, quantity_billed=billed)
        assert listed(shop, f"{EXPIRED}/all") == [(order, 1), (order, 2), (order, 3)]
        assert listed(shop, f"{EXPIRED}/today") == [(order, 4)]
        assert listed(shop, f"{EXPIRED}/days/7") == [(order, 2), (order, 3)]
        assert listed(shop, f"{EXPIRED}/days/6") == [(order, 3)]
        assert listed(shop, f"{EXPIRED}/days/0") == []
        for days, count in ((0, 0), (6, 1), (7, 2), (40, 3), (36_500, 3)):
            answer = shop.ana.get(f"{ORDERS}/aggregate/deliverydate/expired/days/{days}")
            assert answer.json == {"count": count, "days": days}


@pytest.mark.parametrize("settled", ["2026-03-11T05:59:59+00:00", "2026-03-11T06:00:00+00:00"])
def test_today_begins_at_the_plants_midnight(shop: Shop, settled: str) -> None:
    with clock.at(NOON):
        order = due(shop, 0)
    with clock.at(datetime.fromisoformat(settled)):
        over = settled.endswith("06:00:00+00:00")
        assert listed(shop, f"{EXPIRED}/today") == ([] if over else [(order, 1)])
        assert listed(shop, f"{EXPIRED}/days/1") == ([(order, 1)] if over else [])


@pytest.mark.parametrize(
    ("path", "field", "code"),
    [
        ("aggregate/status/start-date/2026-02-28/end-date/2026-02-01", "endDate", "before_start"),
        ("aggregate/status/start-date/2026-02-30/end-date/2026-03-01", "startDate", "invalid_date"),
        ("aggregate/status/start-date/today/end-date/2026-03-01", "startDate", "invalid_date"),
        ("details/status/Undefined/start-date/2026-02-01/end-date/2026-02-02", "status", "not_a_choice"),
        ("details/status/all/start-date/2026-02-01/end-date/2026-02-02", "status", "not_a_choice"),
        ("aggregate/deliverydate/expired/days/36501", "days", "too_large"),
        ("details/deliverydate/expired/days/99999999999999999999", "days", "too_large"),
    ],
)
def test_invalid_parameter_gets_422(shop: Shop, path: str, field: str, code: str) -> None:
    answer = shop.ana.get(f"{ORDERS}/{path}")
    assert (answer.status, answer.fields) == (422, {field: code})


PARTS = [
    f"{ORDERS}/aggregate/status/{FEBRUARY}",
    f"{ORDERS}/details/status/New/{FEBRUARY}",
    f"{ORDERS}/aggregate/deliverydate/expired/days/7",
    f"{EXPIRED}/all",
    f"{EXPIRED}/today",
    f"{EXPIRED}/days/7",
    "/api/reports/throughput",
]


@pytest.mark.parametrize("path", PARTS)
def test_every_part_needs_the_dashboard_permission(shop: Shop, path: str) -> None:
    assert somebody("Dashboard").get(path).status == 200
    assert somebody("ReportListSalesOrders", "ListSalesOrders").get(path).status == 403


def one_more(shop: Shop) -> None:
    days: dict[str, Any] = {"salesOrderDate": "2026-02-05"}
    order = shop.order(items=[{"itemId": item().pk, "quantity": 2}], customerId=customer().pk, **days)
    Line.objects.filter(order=order).update(delivery_date=clock.today() - timedelta(days=1))


@pytest.mark.parametrize("path", PARTS)
def test_part_costs_as_many_queries_for_1_row_as_for_50(shop: Shop, path: str) -> None:
    counted = []
    for more in (1, 49):
        for _ in range(more):
            one_more(shop)
        with CaptureQueriesContext(connection) as queries:
            assert shop.ana.get(path).status == 200
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_staff_notes_need_permission_to_read_orders(shop: Shop) -> None:
    day = (clock.today() - timedelta(days=1)).isoformat()
    shop.order(items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": day, "notes": "urgente"}])
    path = "/api/reports/sales-orders/details/deliverydate/expired/all"
    for reads, notes in ((Permission.ListOrders, "urgente"), (Permission.ShopFloor, "")):
        caller = somebody(Permission.Dashboard, reads)
        assert [row["notes"] for row in caller.get(path).json] == [notes]
        assert ("urgente" in caller.raw(f"{path}?format=csv").decode()) == bool(notes)


def test_late_line_has_the_process_and_entry_of_its_oldest_pieces(shop: Shop) -> None:
    order = shop.approved(10)
    Line.objects.filter(order=order).update(delivery_date=clock.today() - timedelta(days=3))
    (row,) = shop.ana.get(f"{EXPIRED}/all").json
    assert (row["productionProcessName"], row["insideSince"]) == (None, None)
    shop.enter(order, shop.polishing, 2)
    shop.enter(order, shop.casting, 3)
    (row,) = shop.ana.get(f"{EXPIRED}/all").json
    since = shop.line(order)["inside"][0]["since"]
    assert (row["productionProcessName"], row["insideSince"]) == ("Pulido", since)
    shop.leave(order, shop.polishing)
    assert shop.ana.get(f"{EXPIRED}/days/3").json[0]["productionProcessName"] == "Fundición"
