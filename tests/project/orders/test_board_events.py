"""A line's event carries everything that the board shows of the line, so that clients need not reload."""

import json
from datetime import timedelta
from typing import Any

import pytest

from project.catalogs.models import ProductionProcess
from project.core import clock
from realtime.models import OutboxEvent
from tests.builders import Shop, line_path, release

pytestmark = pytest.mark.django_db


def newest_event() -> tuple[int, dict[str, Any]]:
    event = OutboxEvent.objects.filter(type__startswith="line.").latest("id")
    return event.id, json.loads(event.payload)["data"]["line"]


def expect_same(shop: Shop, order: int) -> None:
    """Check that the newest event and the board agree on the line."""
    _, line = newest_event()
    board = shop.ana.get("/api/shop-floor").json
    shown = [one for one in board["lines"] if one["salesOrderId"] == order]
    assert board["eventId"] == OutboxEvent.objects.latest("id").id
    if line["inside"] or line["waiting"] or line["leftToday"]:
        assert shown == [line]
    else:
        assert shown == []


def test_event_and_board_agree_after_every_step(shop: Shop) -> None:
    order = shop.approved(10)

    def take_back(process: ProductionProcess, movement: str = "") -> None:
        assert release(shop.ana, order, process, movement).status == 200

    for step in (
        lambda: shop.enter(order, shop.casting, 6),
        lambda: shop.enter(order, shop.casting, 4),
        lambda: shop.leave(order, shop.casting, 7),
        lambda: shop.enter(order, shop.polishing, 5),
        lambda: shop.leave(order, shop.polishing),
        lambda: take_back(shop.polishing, "out"),
        lambda: take_back(shop.polishing, "in"),
        lambda: take_back(shop.casting),
        lambda: shop.status(order, 1, "Canceled"),
    ):
        step()
        expect_same(shop, order)


def test_pieces_that_left_yesterday_are_not_in_left_today(shop: Shop) -> None:
    order = shop.approved(10)
    with clock.at(clock.now() - timedelta(days=1)):
        shop.enter(order, shop.casting)
        shop.leave(order, shop.casting, 4)
    shop.leave(order, shop.casting, 3)
    _, line = newest_event()
    assert line["leftToday"] == [{"productionProcessId": shop.casting.pk, "quantity": 3}]
    expect_same(shop, order)


def test_event_has_the_order_status_after_the_change(shop: Shop) -> None:
    order = shop.order(5, 5)
    shop.status(order, 1, "Approved")
    shop.enter(order, shop.casting)
    _, line = newest_event()
    assert line["orderStatus"] == shop.ana.get(f"/api/sales-order/{order}").json["status"]


def test_event_of_a_canceled_line_says_it_is_no_longer_late(shop: Shop) -> None:
    order = shop.approved(10)
    shop.ana.put(f"{line_path(order)}/full", {"deliveryDate": "2020-01-01"})
    shop.enter(order, shop.casting)
    assert newest_event()[1]["late"] is True
    expect_same(shop, order)
    shop.status(order, 1, "Canceled")
    assert newest_event()[1]["late"] is False
    expect_same(shop, order)
