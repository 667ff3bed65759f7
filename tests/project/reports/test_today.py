"""Today: the work that needs attention, compared with a plain count."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.orders.models import Line, ProcessRecord
from tests.builders import Caller, Shop, buyer, move, somebody

TODAY = "/api/reports/today"
WEDNESDAY = clock.start_of(date(2026, 3, 11)) + timedelta(hours=12)
PARTS = ("late", "dueThisWeek", "insideOverADay", "toApprove", "toBill")


@pytest.fixture(autouse=True)
def _on_a_wednesday() -> Iterator[None]:
    with clock.at(WEDNESDAY):
        yield


def busy(shop: Shop) -> None:
    """Create lines of every kind, and of some kinds more than are shown."""
    ana = Caller(shop.ana.user)
    for days in (-30, -3, -2, -1, -1, -1, 0, 3, 4, 5, None):
        order = shop.order(4)
        due = None if days is None else clock.today() + timedelta(days=days)
        Line.objects.filter(order=order).update(delivery_date=due)
    for hours in (1, 24, 25, 50, 80):
        order = shop.approved(4)
        with clock.at(WEDNESDAY - timedelta(hours=hours)):
            assert move(Caller(shop.ana.user), "in", order, shop.casting).status == 200
    for billed in (0, 1):
        order = shop.approved(4)
        ana.put(f"/api/sales-order/{order}/position/1/full", {"quantity": 4})
        assert move(ana, "in", order, shop.casting).status == 200
        assert move(ana, "out", order, shop.casting).status == 200
        shop.status(order, 1, "Done")
        Line.objects.filter(order=order).update(quantity_billed=billed)
    canceled = shop.order(1)
    Line.objects.filter(order=canceled).update(delivery_date=clock.today() - timedelta(days=9))
    shop.status(canceled, 1, "Canceled")


def counted() -> dict[str, int]:
    """The same numbers, counted line by line in Python."""
    today = clock.today()
    found = dict.fromkeys(PARTS, 0)
    for line in Line.objects.all():
        still_open = line.status not in ("Done", "Invoiced", "Canceled")
        due = line.delivery_date
        found["late"] += still_open and due is not None and due < today
        found["dueThisWeek"] += still_open and due is not None and today <= due <= today + timedelta(days=4)
        found["toApprove"] += line.status == "New"
        found["toBill"] += line.status == "Done" and line.quantity_billed < line.quantity
        found["insideOverADay"] += any(
            record.open and clock.now() - record.input_at > timedelta(days=1)
            for record in ProcessRecord.objects.filter(line=line)
        )
    return found


def asked(by: Caller) -> Any:
    answer = by.get(TODAY)
    assert answer.status == 200, answer
    return answer.json


def test_counts_equal_a_plain_count_and_the_lists_behind_them(shop: Shop) -> None:
    busy(shop)
    ana = Caller(shop.ana.user)
    found = asked(ana)
    assert {part: found[part]["count"] for part in PARTS} == counted()
    assert counted() == {"late": 6, "dueThisWeek": 3, "insideOverADay": 3, "toApprove": 11, "toBill": 2}
    assert (found["today"], found["weekEnds"]) == ("2026-03-11", "2026-03-15")
    for part, query in (
        ("late", "late=true"),
        ("dueThisWeek", "dueThisWeek=true"),
        ("insideOverADay", "insideOverADay=true&ordering=insideSince"),
        ("toApprove", "status=New"),
    ):
        listed = ana.get(f"/api/sales-order/positions?{query}")
        assert int(listed.headers["X-Total-Count"]) == found[part]["count"], part
        assert found[part]["lines"] == listed.json[:5], part


def test_lines_to_bill_are_those_of_billable(shop: Shop) -> None:
    busy(shop)
    ana = Caller(shop.ana.user)
    offered = [(row["salesOrderId"], row["position"]) for row in ana.get("/api/deliveries/billable").json]
    assert [(row["salesOrderId"], row["position"]) for row in asked(ana)["toBill"]["lines"]] == offered


def test_parts_to_approve_and_to_bill_need_their_permissions(shop: Shop) -> None:
    busy(shop)
    reader = asked(somebody(Permission.ListSalesOrders))
    assert (reader["toApprove"], reader["toBill"]) == (None, None)
    assert reader["late"]["count"] == 6
    biller = asked(somebody(Permission.ListOrders, Permission.CreateDelivery))
    assert (biller["toApprove"], biller["toBill"]["count"]) == (None, 2)
    approver = asked(somebody(Permission.ListOrders, Permission.UpdateSalesOrderPositionStatus))
    assert (approver["toApprove"]["count"], approver["toBill"]) == (11, None)
    assert approver["toApprove"]["lines"][0]["offers"]["statuses"] == ["Approved", "Canceled"]


def test_today_needs_permission_to_list_orders_and_excludes_customers(shop: Shop) -> None:
    assert shop.nobody.get(TODAY).status == 401
    for stranger in (
        shop.carla,
        somebody(Permission.Dashboard, Permission.CreateDelivery),
        buyer(shop.customer, *Permission),
    ):
        assert stranger.get(TODAY).status == 403


def test_empty_shop_has_zero_counts(shop: Shop) -> None:
    found = asked(Caller(shop.ana.user))
    assert [found[part] for part in PARTS] == [{"count": 0, "lines": []}] * len(PARTS)


def test_today_costs_a_constant_number_of_queries(shop: Shop) -> None:
    ana = Caller(shop.ana.user)
    queries = []
    for _ in range(2):
        busy(shop)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            asked(ana)
        queries.append(len(captured))
    assert queries == [queries[0]] * 2
    assert queries[0] <= 12, "the caller, the seven parts, their lines, the lines' records, all and usual processes"
