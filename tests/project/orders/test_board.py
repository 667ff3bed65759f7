"""The board: which process pieces wait for, and how fast each process is."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.catalogs.models import ProductionProcess
from project.core import clock
from tests import builders
from tests.builders import Shop, release

pytestmark = pytest.mark.django_db


def waits(shop: Shop, order: int) -> dict[int, int]:
    """Waiting pieces of the order's first line, by process."""
    lines = shop.ana.get("/api/shop-floor").json["lines"]
    rows = [line["waiting"] for line in lines if (line["salesOrderId"], line["position"]) == (order, 1)]
    return {row["productionProcessId"]: row["quantity"] for row in (rows[0] if rows else [])}


def test_pieces_wait_for_the_next_process(shop: Shop) -> None:
    casting, polishing = shop.casting, shop.polishing
    order = shop.order(10)
    assert waits(shop, order) == {}  # not approved yet
    shop.status(order, 1, "Approved")
    assert waits(shop, order) == {casting.pk: 10}
    shop.enter(order, casting, 6)
    assert waits(shop, order) == {casting.pk: 4}
    shop.leave(order, casting)
    assert waits(shop, order) == {casting.pk: 4, polishing.pk: 6}
    shop.enter(order, polishing, 6)
    assert waits(shop, order) == {casting.pk: 4}
    shop.leave(order, polishing)
    shop.enter(order, casting)
    shop.leave(order, casting)
    assert waits(shop, order) == {polishing.pk: 4}
    assert release(shop.ana, order, casting).status == 200  # the four pieces must be cast again
    assert waits(shop, order) == {casting.pk: 4}
    shop.enter(order, casting)
    shop.leave(order, casting)
    shop.enter(order, polishing)
    shop.leave(order, polishing)
    shop.status(order, 1, "Done")
    assert waits(shop, order) == {}


def test_product_waits_only_for_the_processes_it_usually_takes(shop: Shop) -> None:
    builders.process("Chapado", order=3)
    first = shop.approved(5)
    shop.enter(first, shop.casting)
    shop.leave(first, shop.casting)
    assert waits(shop, first) == {shop.polishing.pk: 5}, "the way of the product is not known"
    builders.usually(shop, shop.item, shop.casting)
    second = shop.approved(5)
    assert waits(shop, second) == {shop.casting.pk: 5}
    shop.enter(second, shop.casting)
    shop.leave(second, shop.casting)
    assert waits(shop, second) == {}


def test_no_piece_waits_for_an_inactive_process(shop: Shop) -> None:
    order = shop.approved(5)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(status=False)
    assert waits(shop, order) == {shop.polishing.pk: 5}


def lane(shop: Shop, process: ProductionProcess) -> dict[str, Any]:
    lanes = shop.ana.get("/api/shop-floor").json["lanes"]
    (found,) = [lane for lane in lanes if lane["productionProcessId"] == process.pk]
    return dict(found)


def test_usual_time_is_the_median_stay(shop: Shop) -> None:
    assert lane(shop, shop.casting)["usualSeconds"] is None
    start = clock.now() - timedelta(days=10)
    for minutes, ago in ((10, 0), (30, 1), (500, 2)):
        order = shop.approved(4)
        with clock.at(start + timedelta(days=ago)):
            shop.enter(order, shop.casting)
        with clock.at(start + timedelta(days=ago, minutes=minutes)):
            shop.leave(order, shop.casting)
    found = lane(shop, shop.casting)
    assert (found["usualSeconds"], found["piecesADay"]) == (1_800, 1.2)
    assert lane(shop, shop.polishing)["usualSeconds"] is None


def test_released_stay_is_not_counted(shop: Shop) -> None:
    order = shop.approved(4)
    with clock.at(clock.now() - timedelta(hours=3)):
        shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    assert lane(shop, shop.casting)["usualSeconds"] == pytest.approx(10_800, abs=60)
    assert release(shop.ana, order, shop.casting).status == 200
    assert lane(shop, shop.casting)["usualSeconds"] is None


def test_past_day_shows_the_usual_times_as_of_that_day(shop: Shop) -> None:
    with clock.at(clock.now() - timedelta(days=2, hours=1)):
        order = shop.approved(4)
        shop.enter(order, shop.casting)
    with clock.at(clock.now() - timedelta(days=2)):
        shop.leave(order, shop.casting)

    def usual(days: int) -> int | None:
        day = clock.day_of(clock.now() - timedelta(days=days))
        start = shop.ana.get(f"/api/shop-floor/day?date={day}").json["start"]
        return next(row["usualSeconds"] for row in start if row["productionProcessId"] == shop.casting.pk)

    assert (usual(4), usual(1)) == (None, pytest.approx(3_600, abs=60))


def test_late_waiting_line_is_late_on_the_board(shop: Shop) -> None:
    order = shop.approved(4)
    yesterday = (clock.today() - timedelta(days=1)).isoformat()
    shop.ana.put(f"{builders.line_path(order)}/full", {"deliveryDate": yesterday})
    (line,) = shop.ana.get("/api/shop-floor").json["lines"]
    assert (line["salesOrderId"], line["late"]) == (order, True)


def test_board_costs_a_constant_number_of_queries(shop: Shop) -> None:
    costs = []
    for count in (1, 6):
        for _ in range(count):
            order = shop.approved(3)
            shop.enter(order, shop.casting, 2)
            shop.leave(order, shop.casting, 1)
        with CaptureQueriesContext(connection) as queries:
            assert shop.ana.get("/api/shop-floor").status == 200
        costs.append(len(queries))
    assert costs[0] == costs[1]
