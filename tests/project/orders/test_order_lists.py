"""Lists of orders and lines, the history, and the board."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.core import clock
from project.orders.models import Line
from tests.builders import Answer, Shop, component, customer, item, line_path, material, process, somebody

ORDERS = "/api/sales-order"
LINES = f"{ORDERS}/positions"


def ids(answer: Answer) -> list[int]:
    return [row["id"] for row in answer.json]


def test_orders_are_filtered_by_status_customer_search_and_inclusive_dates(shop: Shop) -> None:
    north = customer("Joyería Norte")
    first = shop.order(1, salesOrderDate="2026-02-01")
    second = shop.order(1, salesOrderDate="2026-02-10", customerId=north.pk)
    third = shop.order(1, salesOrderDate="2026-02-20")
    shop.status(third, 1, "Approved")
    for query, found in (
        ("status=Approved", [third]),
        ("status=New", [second, first]),
        (f"customerId={north.pk}", [second]),
        ("from=2026-02-10", [third, second]),
        ("to=2026-02-10", [second, first]),
        ("from=2026-02-10&to=2026-02-10", [second]),
        ("search=norte", [second]),
        ("search=PO-", [third, second, first]),
        ("search=%25", []),
    ):
        answer = shop.ana.get(f"{ORDERS}?{query}")
        assert ids(answer) == found, query
        assert answer.headers["X-Total-Count"] == str(len(found))


@pytest.mark.parametrize("query", ["status=Undefined", "from=yesterday", "customerId=0", "late=perhaps"])
def test_invalid_filter_gets_422(shop: Shop, query: str) -> None:
    answer = shop.ana.get(f"{LINES}?{query}")
    assert (answer.status, answer.code) == (422, "invalid_fields")
    assert set(answer.fields) == {query.split("=")[0]}


def test_lines_are_filtered_by_the_process_their_pieces_are_in(shop: Shop) -> None:
    inside, gone = shop.approved(5), shop.approved(5)
    shop.enter(inside, shop.casting, 2)
    shop.enter(gone, shop.casting)
    shop.leave(gone, shop.casting)
    shop.enter(gone, shop.polishing)
    assert [row["salesOrderId"] for row in shop.ana.get(f"{LINES}?productionProcessId={shop.casting.pk}").json] == [
        inside
    ]
    shop.ana.delete(f"{line_path(inside)}/production-process/{shop.casting.pk}")
    assert shop.ana.get(f"{LINES}?productionProcessId={shop.casting.pk}").json == []


def test_lines_are_filtered_by_their_ids(shop: Shop) -> None:
    order = shop.order(1, 1, 1)
    first, second, third = (shop.line(order, position)["id"] for position in (1, 2, 3))
    assert set(ids(shop.ana.get(f"{LINES}?ids={third}&ids={first}"))) == {first, third}
    assert ids(shop.ana.get(f"{LINES}?ids={second}&status=Canceled")) == []


def test_open_lines_are_late_after_their_delivery_date(shop: Shop) -> None:
    yesterday, today = clock.today() - timedelta(days=1), clock.today()
    order = shop.order(1, 1, 1, 1)
    dates = {1: yesterday, 2: today, 3: yesterday, 4: None}
    for position, day in dates.items():
        Line.objects.filter(order=order, position=position).update(delivery_date=day)
    shop.status(order, 3, "Canceled")
    late = shop.ana.get(f"{LINES}?late=true").json
    assert [(line["position"], line["late"]) for line in late] == [(1, True)]
    others = shop.ana.get(f"{LINES}?late=false").json
    assert sorted(line["position"] for line in others) == [2, 3, 4]
    assert not any(line["late"] for line in others)


def test_lines_without_a_delivery_date_come_last(shop: Shop) -> None:
    order = shop.order(1, 1, 1)
    for position, day in ((1, None), (2, "2026-03-09"), (3, "2026-03-01")):
        Line.objects.filter(order=order, position=position).update(delivery_date=day)
    assert [line["position"] for line in shop.ana.get(LINES).json] == [3, 2, 1]


def test_history_is_newest_first_and_needs_its_own_permission(shop: Shop) -> None:
    order = shop.approved(10)
    for quantity in (2, 3, 5):
        shop.enter(order, shop.casting, quantity)
    assert [row["quantity"] for row in shop.history(order)] == [5, 3, 2]
    assert shop.carla.get(f"{line_path(order)}/history").status == 403
    assert shop.ana.get(f"{line_path(order, 2)}/history").status == 404


def test_board_has_a_lane_for_each_active_process_and_the_pieces_of_each_person(shop: Shop) -> None:
    order, other = shop.approved(10), shop.approved(4)
    shop.enter(order, shop.casting, 6)
    shop.enter(order, shop.casting, 4)
    shop.enter(other, shop.casting)
    shop.leave(other, shop.casting)
    shop.enter(other, shop.polishing)
    closed = process("Cerrado", order=3, active=False)
    board = shop.ana.get("/api/shop-floor").json
    lanes = [lane["productionProcessName"] for lane in board["lanes"]]
    assert lanes == ["Fundición", "Pulido"]
    assert closed.name not in lanes
    first, second = board["lines"]
    inside = [(pieces["productionProcessId"], pieces["quantity"]) for pieces in first["inside"]]
    assert (first["salesOrderId"], inside) == (order, [(shop.casting.pk, 10)])
    (pieces,) = second["inside"]
    assert (second["salesOrderId"], second["position"], pieces["quantity"], second["quantity"]) == (other, 1, 4, 4)
    assert second["leftToday"] == [{"productionProcessId": shop.casting.pk, "quantity": 4}]
    assert (second["itemName"], second["customerName"], pieces["by"]) == ("Anillo", "Platería del Sur", "Ana Torres")
    assert pieces["since"].endswith("Z")


def test_inactive_process_keeps_its_lane_while_pieces_are_inside(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.ana.put(f"/api/production-processes/{shop.casting.pk}", {"status": False})
    lanes = shop.ana.get("/api/shop-floor").json["lanes"]
    assert [lane["productionProcessName"] for lane in lanes] == ["Fundición", "Pulido"]


def one_order(shop: Shop) -> None:
    """Create an order with its own customer and product, with components and movements."""
    product = item()
    product.components.create(place=1, component=component(), material=material())
    order = shop.order(items=[{"itemId": product.pk, "quantity": 5}], customerId=customer().pk)
    shop.status(order, 1, "Approved")
    shop.enter(order, shop.casting, 2)
    shop.leave(order, shop.casting, 1)


def one_item(shop: Shop) -> None:
    product = item()
    product.components.create(place=1, component=component(), material=material())


def one_user(shop: Shop) -> None:
    somebody("Dashboard", processes=[shop.casting])


def one_process(shop: Shop) -> None:
    process().workers.create(user_id=shop.ana.id)


@pytest.mark.parametrize(
    ("paths", "add_one"),
    [
        ([ORDERS, LINES, "/api/shop-floor"], one_order),
        (["/api/customers"], lambda shop: customer()),
        (["/api/items"], one_item),
        (["/api/production-processes"], one_process),
        (["/api/components"], lambda shop: component()),
        (["/api/materials"], lambda shop: material()),
        (["/identity/users", "/identity/roles"], one_user),
    ],
)
def test_list_costs_as_many_queries_for_1_row_as_for_20(
    shop: Shop, paths: list[str], add_one: Callable[[Shop], object]
) -> None:
    counts: dict[str, list[int]] = {path: [] for path in paths}
    for more in (1, 19):
        for _ in range(more):
            add_one(shop)
        for path in paths:
            with CaptureQueriesContext(connection) as queries:
                answer = shop.ana.get(path)
            assert answer.status == 200
            assert not isinstance(answer.json, list) or len(answer.json) >= more, path
            counts[path].append(len(queries))
    assert {path: one for path, one in counts.items() if one[0] != one[1]} == {}


def test_order_costs_a_constant_number_of_queries_as_its_history_grows(shop: Shop) -> None:
    order = shop.approved(100, 100)
    counts: dict[str, list[int]] = {f"{ORDERS}/{order}": [], line_path(order): [], f"{line_path(order)}/history": []}
    for times in (1, 20):
        for _ in range(times):
            shop.enter(order, shop.casting, 2)
            shop.leave(order, shop.casting, 1)
        for path, found in counts.items():
            with CaptureQueriesContext(connection) as queries:
                assert shop.ana.get(path).status == 200
            found.append(len(queries))
    assert {path: one for path, one in counts.items() if one[0] != one[1]} == {}
