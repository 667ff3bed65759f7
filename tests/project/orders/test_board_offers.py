"""The board offers for each line what the line's own document offers.

A display limited to some processes is offered what its events offer.
"""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.orders.events import LineMoved
from project.orders.models import Line, ProcessRecord
from realtime.models import OutboxEvent
from realtime.privacy import without
from tests.builders import Caller, Shop, release
from tests.project.displays.screens import named

pytestmark = pytest.mark.django_db

Offers = dict[str, Any]


def offered(by: Caller) -> dict[int, Offers]:
    """The board's offers for the first line of each order."""
    return {line["salesOrderId"]: line["offers"] for line in by.get("/api/shop-floor").json["lines"]}


def many_states(shop: Shop) -> dict[str, int]:
    """Create an order for each state that a line on the board can be in."""
    orders = {
        name: shop.approved(10)
        for name in (
            *("waits", "inside two", "partly out", "all out", "entered twice", "exit released", "entry released"),
            *("all released", "canceled", "done", "billed", "invoiced", "paid", "all processes"),
        )
    }
    for name, order in orders.items():
        if name not in ("waits", "inside two"):
            shop.enter(order, shop.casting, 6)
    shop.enter(orders["inside two"], shop.casting, 4)
    shop.enter(orders["inside two"], shop.polishing, 3)
    shop.leave(orders["partly out"], shop.casting, 2)
    shop.leave(orders["all out"], shop.casting)
    shop.leave(orders["entered twice"], shop.casting)
    shop.enter(orders["entered twice"], shop.casting, 1)
    shop.leave(orders["exit released"], shop.casting)
    assert release(shop.ana, orders["exit released"], shop.casting, "out").status == 200
    shop.leave(orders["entry released"], shop.casting, 2)
    assert release(shop.ana, orders["entry released"], shop.casting, "in").status == 200
    assert release(shop.ana, orders["all released"], shop.casting).status == 200
    shop.status(orders["canceled"], 1, "Canceled")
    for name in ("done", "billed", "invoiced", "paid"):
        shop.leave(orders[name], shop.casting)
    for name in ("done", "billed", "invoiced"):
        shop.status(orders[name], 1, "Done")
    Line.objects.filter(order=orders["billed"]).update(quantity_billed=4)
    Line.objects.filter(order=orders["invoiced"]).update(status="Invoiced", quantity_billed=10)
    ProcessRecord.objects.filter(line__order=orders["paid"]).update(quantity_paid=6)
    shop.leave(orders["all processes"], shop.casting)
    for process in (shop.casting, shop.polishing):
        shop.enter(orders["all processes"], process)
        shop.leave(orders["all processes"], process)
    return orders


def test_board_offers_what_the_lines_document_offers(shop: Shop) -> None:
    orders = many_states(shop)
    for active in (True, False):
        ProductionProcess.objects.filter(pk=shop.polishing.pk).update(status=active)
        board = offered(shop.ana)
        assert board == {order: shop.line(order)["offers"] for order in orders.values() if order in board}
        assert set(orders.values()) == set(board)


def test_board_offers_the_last_record_of_each_process_for_release(shop: Shop) -> None:
    order = shop.approved(10)
    for process in (shop.casting, shop.polishing):
        for pieces in (6, 4):
            shop.enter(order, process, pieces)
            shop.leave(order, process)
    newest, _, older, _ = shop.history(order)
    found = offered(shop.ana)[order]["release"]
    assert [one["recordId"] for one in found] == [newest["id"], older["id"]]


def test_limited_display_gets_the_same_offers_from_board_and_event(shop: Shop) -> None:
    orders = many_states(shop)
    shop.enter(orders["partly out"], shop.polishing, 1)
    screen, _ = named(shop, productionProcessIds=[shop.polishing.pk])
    whole, narrow = offered(shop.ana), offered(screen)
    assert set(narrow) == set(whole)
    lane = frozenset({shop.polishing.pk})
    payload = OutboxEvent.objects.filter(type="line.moved").latest("id").payload
    hidden = [field for field in LineMoved.private if Permission.ShopFloor not in field.needs]
    frame = json.loads(without(payload.encode(), hidden, narrowed=LineMoved.scoped, scope=lane))
    line = frame["data"]["line"]
    assert line["salesOrderId"] == orders["partly out"]
    assert line["offers"] == narrow[orders["partly out"]]
    for order, offers in narrow.items():
        assert {row["productionProcessId"] for row in [*offers["out"], *offers["release"]]} <= lane
        assert offers["in"] == whole[order]["in"]
        assert (offers["statuses"], offers["edit"]) == (whole[order]["statuses"], whole[order]["edit"])


def test_offers_take_as_many_queries_for_many_lines_as_for_few(shop: Shop) -> None:
    costs = []
    for _ in range(2):
        many_states(shop)
        with CaptureQueriesContext(connection) as queries:
            offered(shop.ana)
        costs.append(len(queries))
    assert costs[0] == costs[1]
