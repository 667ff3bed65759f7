"""The server's clock is set back while people work: no movement is refused for it, and the history keeps its
order."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import ProcessRecord
from project.orders.selectors import load_past_exits
from project.reports import flow
from project.reports.services import flow_keep
from tests.builders import Caller, Shop, move, release, undo
from tests.project.station.handing import hand_over

HOUR, DAY, SECOND = timedelta(hours=1), timedelta(days=1), timedelta(seconds=1)
BACK = pytest.mark.parametrize("back", [30 * SECOND, HOUR, DAY], ids=str)


def ana(shop: Shop) -> Caller:
    """Ana with a session that is valid at the clock's current time."""
    return Caller(shop.ana.user)


def inside(shop: Shop) -> int:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 10)
    return order


@BACK
def test_pieces_inside_can_leave_at_once(shop: Shop, noon: datetime, back: timedelta) -> None:
    order = inside(shop)
    with clock.at(noon - back):
        assert move(ana(shop), "out", order, shop.casting, 4).status == 200
        assert hand_over(shop, order, 6, ana(shop)).status == 200
        assert move(ana(shop), "out", order, shop.polishing).status == 200
    instants = ProcessRecord.objects.order_by("pk").values_list("input_at", "output_at")
    assert all(noon <= entered <= left for entered, left in instants)


@BACK
def test_each_movement_is_undone_alone(shop: Shop, noon: datetime, back: timedelta) -> None:
    order = inside(shop)
    with clock.at(noon - back):
        by = ana(shop)
        move(by, "out", order, shop.casting, 4)
        move(by, "out", order, shop.casting, 3)
        move(by, "in", order, shop.polishing, 3)
        polished = next(one for one in shop.history(order) if one["productionProcessName"] == shop.polishing.name)
        assert undo(by, order, int(polished["id"])).json["quantityInside"] == 3, "only the entry into polishing"
        last = max((one for one in shop.history(order) if one["outputDate"]), key=lambda one: one["id"])
        assert undo(by, order, int(last["id"])).json["quantityInside"] == 6, "only the second exit"
        assert move(by, "out", order, shop.casting).status == 200


@BACK
def test_hand_over_is_undone_as_a_whole(shop: Shop, noon: datetime, back: timedelta) -> None:
    order = inside(shop)
    with clock.at(noon - back):
        assert hand_over(shop, order, 6, ana(shop)).status == 200
        polished = next(one for one in shop.history(order) if one["productionProcessName"] == shop.polishing.name)
        line = undo(ana(shop), order, int(polished["id"])).json
    assert {one["productionProcessId"] for one in line["inside"]} == {shop.casting.pk}
    assert line["quantityInside"] == 10


@BACK
def test_released_pieces_can_leave_again(shop: Shop, noon: datetime, back: timedelta) -> None:
    order = inside(shop)
    shop.leave(order, shop.casting)
    with clock.at(noon - back):
        by = ana(shop)
        assert release(by, order, shop.casting, "out").status == 200
        assert move(by, "out", order, shop.casting).status == 200
        assert release(by, order, shop.casting).status == 200
        assert move(by, "in", order, shop.casting).status == 200
    released = ProcessRecord.objects.earliest("pk")
    load_past_exits([released])
    assert released.output_at is not None
    assert released.released_at is not None
    assert noon == released.stays[0].until <= released.stays[1].since <= released.output_at <= released.released_at  # type: ignore[operator]


@BACK
def test_movement_stored_by_a_station_is_accepted_or_refused_with_a_valid_range(
    shop: Shop, noon: datetime, back: timedelta
) -> None:
    order = inside(shop)
    with clock.at(noon - back):
        claimed = utc_z(noon - back - 5 * SECOND)
        if back > clock.CLOCKS_DIFFER:
            assert move(ana(shop), "out", order, shop.casting, 4, made_at=claimed).status == 200
        else:
            params = move(ana(shop), "out", order, shop.casting, 4, made_at=claimed).json["params"]
            assert params["first"] < params["last"]


def test_new_price_applies_from_the_moment_it_is_set(shop: Shop, noon: datetime) -> None:
    path = f"/api/production-processes/{shop.casting.pk}"
    shop.ana.put(path, {"price": 7})
    order = shop.approved(10)
    with clock.at(noon - HOUR):
        by = ana(shop)
        move(by, "in", order, shop.casting)
        assert move(by, "out", order, shop.casting, 4, made_at=utc_z(noon - HOUR)).status == 200
        by.put(path, {"price": 9})
        assert move(by, "out", order, shop.casting, 3).status == 200
    with clock.at(noon + HOUR):
        assert move(ana(shop), "out", order, shop.casting, 3, made_at=utc_z(noon + HOUR - SECOND)).status == 200
    left = ProcessRecord.objects.filter(output_at__isnull=False).order_by("output_at")
    assert list(left.values_list("price", flat=True)) == [Decimal(7), Decimal(9), Decimal(9)]


def test_day_repeated_by_the_clock_is_computed_again(shop: Shop, noon: datetime) -> None:
    with clock.at(noon - DAY):
        order = shop.approved(10)
        move(ana(shop), "in", order, shop.casting)
        move(ana(shop), "out", order, shop.casting, 4)
    flow_keep()
    yesterday = clock.today() - DAY
    with clock.at(noon - DAY + HOUR):
        move(ana(shop), "out", order, shop.casting, 6)
        assert [one.pieces for one in flow.flows(first=yesterday, last=yesterday)] == [10]
        flow_keep()
    assert [one.pieces for one in flow.flows(first=yesterday, last=yesterday)] == [10]
