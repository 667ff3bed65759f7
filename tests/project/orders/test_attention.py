"""Lines that need attention: sorted and filtered by how long pieces are inside, by process and by due date."""

from datetime import UTC, date, datetime, timedelta

import pytest

from project.access.permissions import Permission
from project.core import clock
from project.orders.models import Line
from tests.builders import Caller, Shop, buyer, customer, move, process

LINES = "/api/sales-order/positions"
WEDNESDAY = datetime(2026, 3, 11, 18, tzinfo=UTC)
"""Noon on a Wednesday in the plant."""
LAST_PLACE = 1_000_000
"""The highest `order` that a process may have."""


def entered(shop: Shop, since: datetime, *processes: object, pieces: int = 2) -> int:
    """Create an order with pieces in each of these processes: in the first since `since`, in each next one an hour
    later."""
    order = shop.approved(10)
    for hours, one in enumerate(processes):
        with clock.at(since + timedelta(hours=hours)):
            answer = move(Caller(shop.ana.user), "in", order, one, pieces)  # type: ignore[arg-type]
        assert answer.status == 200, answer
    return order


def listed(shop: Shop, query: str) -> list[int]:
    """The orders of the lines, read page by page, two lines a page."""
    found: list[int] = []
    path = f"{LINES}?limit=2&{query}"
    while path:
        answer = Caller(shop.ana.user).get(path)
        assert answer.status == 200, answer
        found += [row["salesOrderId"] for row in answer.json]
        link = answer.headers.get("Link", "")
        path = link.removeprefix("<").split(">")[0] if link else ""
    return found


def test_lines_sort_by_how_long_their_oldest_pieces_are_inside(shop: Shop) -> None:
    with clock.at(WEDNESDAY):
        none = shop.approved(3)
        two = entered(shop, WEDNESDAY - timedelta(days=2), shop.casting)
        nine = entered(shop, WEDNESDAY - timedelta(days=9), shop.polishing, shop.casting)
        today = entered(shop, WEDNESDAY - timedelta(hours=1), shop.casting)
        gone = entered(shop, WEDNESDAY - timedelta(days=20), shop.casting)
        move(Caller(shop.ana.user), "out", gone, shop.casting)
        assert listed(shop, "ordering=insideSince") == [nine, two, today, none, gone]
        assert listed(shop, "ordering=-insideSince") == [gone, none, today, two, nine]


def test_lines_sort_by_how_long_their_pieces_are_inside_or_wait(shop: Shop) -> None:
    with clock.at(WEDNESDAY):
        none = shop.approved(3)
        two = entered(shop, WEDNESDAY - timedelta(days=2), shop.casting)
        waits = entered(shop, WEDNESDAY - timedelta(days=20), shop.casting)
        with clock.at(WEDNESDAY - timedelta(days=5)):
            move(Caller(shop.ana.user), "out", waits, shop.casting)
        with clock.at(WEDNESDAY - timedelta(days=1)):
            today = shop.approved(3)
            move(Caller(shop.ana.user), "in", today, shop.casting)
            move(Caller(shop.ana.user), "out", today, shop.casting)
        done = entered(shop, WEDNESDAY - timedelta(days=40), shop.casting)
        move(Caller(shop.ana.user), "out", done, shop.casting)
        shop.status(done, 1, "Done")
        assert listed(shop, "ordering=hereSince") == [waits, two, today, none, done]
        shown = [row["standing"]["hereSince"] for row in shop.ana.get(f"{LINES}?ordering=hereSince").json]
        assert shown[:3] == sorted(shown[:3]), "what is sorted is what is shown"
        assert shown[3:] == [None, None]
        assert listed(shop, "ordering=-hereSince") == [done, none, today, two, waits]


def test_lines_come_by_their_delivery_date_and_those_without_one_last(shop: Shop) -> None:
    order = shop.order(1, 1, 1)
    for position, day in ((1, None), (2, date(2026, 3, 20)), (3, date(2026, 3, 1))):
        Line.objects.filter(order_id=order, position=position).update(delivery_date=day)
    with clock.at(WEDNESDAY):
        rows = shop.ana.get(LINES).json
    assert [(row["position"], row["late"]) for row in rows] == [(3, True), (2, False), (1, False)]


def test_lines_sort_by_the_process_of_their_oldest_pieces(shop: Shop) -> None:
    twin = process("Fundición B", order=shop.casting.order)
    twin.workers.create(user=shop.ana.user)
    type(twin).objects.filter(pk=shop.polishing.pk).update(order=LAST_PLACE)
    with clock.at(WEDNESDAY):
        since = WEDNESDAY - timedelta(days=1)
        none = shop.approved(3)
        polished = entered(shop, since, shop.polishing, shop.casting)
        first = entered(shop, since, shop.casting)
        beside = entered(shop, since, twin)
        second = entered(shop, since, shop.casting)
        assert listed(shop, "ordering=process") == [first, second, beside, polished, none]


def test_cursor_of_another_sort_gets_422(shop: Shop) -> None:
    shop.approved(1, 1, 1)
    link = shop.ana.get(f"{LINES}?limit=1&ordering=insideSince").headers["Link"]
    other = link.removeprefix("<").split(">")[0].replace("ordering=insideSince", "ordering=process")
    assert (shop.ana.get(other).status, shop.ana.get(other).fields) == (422, {"cursor": "unknown"})


@pytest.mark.parametrize(
    ("today", "due"),
    [
        (date(2026, 3, 11), {"2026-03-11", "2026-03-15"}),
        (date(2026, 3, 15), {"2026-03-15"}),
        (date(2026, 3, 9), {"2026-03-10", "2026-03-11", "2026-03-15"}),
    ],
)
def test_due_this_week_means_open_and_due_from_today_to_sunday(shop: Shop, today: date, due: set[str]) -> None:
    days = ["2026-03-08", "2026-03-10", "2026-03-11", "2026-03-15", "2026-03-16", "2026-03-11", None]
    order = shop.order(*[1] * len(days))
    for position, day in enumerate(days, start=1):
        Line.objects.filter(order=order, position=position).update(delivery_date=day)
    shop.status(order, 6, "Canceled")
    with clock.at(clock.start_of(today) + timedelta(hours=23)):
        rows = Caller(shop.ana.user).get(f"{LINES}?dueThisWeek=true").json
        others = Caller(shop.ana.user).get(f"{LINES}?dueThisWeek=false").json
    assert {row["deliveryDate"] for row in rows} == due
    assert len(rows) + len(others) == len(days)


def test_inside_over_a_day_means_longer_than_24_hours(shop: Shop) -> None:
    with clock.at(WEDNESDAY):
        long = entered(shop, WEDNESDAY - timedelta(days=1, seconds=1), shop.casting)
        short = entered(shop, WEDNESDAY - timedelta(days=1), shop.casting)
        left = entered(shop, WEDNESDAY - timedelta(days=5), shop.casting)
        move(Caller(shop.ana.user), "out", left, shop.casting)
        assert listed(shop, "insideOverADay=true") == [long]
        assert listed(shop, "insideOverADay=false&ordering=id") == [short, left]


def test_customer_account_sorts_and_filters_only_its_own_lines(shop: Shop) -> None:
    other = customer()
    with clock.at(WEDNESDAY):
        own = entered(shop, WEDNESDAY - timedelta(days=3), shop.casting)
        foreign = shop.order(1, customerId=other.pk)
        account = buyer(shop.customer, Permission.ListOrders)
        for query in ("insideOverADay=true", "ordering=insideSince", "ordering=process"):
            assert [row["salesOrderId"] for row in account.get(f"{LINES}?{query}").json] == [own], query
        assert foreign not in [row["salesOrderId"] for row in account.get(LINES).json]


def test_attention_of_a_line_agrees_with_the_filters_and_the_counts_of_today(shop: Shop) -> None:
    """The rule in Python and the conditions in SQL agree on every line."""
    with clock.at(WEDNESDAY):
        today = WEDNESDAY.date()
        for days in (-1, 0, 4, 5, None):
            dates = {} if days is None else {"deliveryDate": (today + timedelta(days=days)).isoformat()}
            items = [{"itemId": shop.item.pk, "quantity": 4, **dates}] * 5
            order = Caller(shop.ana.user).post(
                "/api/sales-order",
                {"customerId": shop.customer.pk, "customerSalesOrderId": f"PO {days}", "items": items},
            )
            number = order.json["id"]
            for position, status in enumerate(("Approved", "InProcess", "Done", "Canceled"), start=2):
                Line.objects.filter(order=number, position=position).update(status=status)
        entered(shop, WEDNESDAY - timedelta(hours=25), shop.casting)
        entered(shop, WEDNESDAY - timedelta(hours=23), shop.casting)
        lines = Caller(shop.ana.user).get(LINES).json
        for part in ("late", "dueThisWeek", "insideOverADay"):
            listed = {line["id"] for line in Caller(shop.ana.user).get(f"{LINES}?{part}=true").json}
            assert listed
            assert {line["id"] for line in lines if part in line["attention"]} == listed
        hoy = Caller(shop.ana.user).get("/api/reports/today").json
        for part in ("late", "dueThisWeek", "insideOverADay", "toApprove", "toBill"):
            assert sum(part in line["attention"] for line in lines) == hoy[part]["count"] > 0
