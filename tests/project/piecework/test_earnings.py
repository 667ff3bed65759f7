"""Each user sees their own piecework earnings: today, this week, open and paid."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.core import clock
from project.orders.models import ProcessRecord
from tests.builders import Caller, Shop, release
from tests.project.piecework.paying import EARNINGS, cancel, item, left, order_of, paid

PLANT = clock.plant()
NEW_YORK = ZoneInfo("America/New_York")


def earned(by: Caller) -> dict[str, Any]:
    answer = by.get(EARNINGS)
    assert answer.status == 200, answer
    figures: dict[str, Any] = answer.json
    assert (figures.pop("currency"), figures.pop("unweighed")) == ("MXN", 0)
    return figures


def left_at(shop: Shop, instant: datetime, quantity: int) -> int:
    record = left(shop, quantity)
    ProcessRecord.objects.filter(pk=record).update(
        input_at=instant - timedelta(minutes=1), output_at=instant, price="1.00"
    )
    return record


def test_user_sees_only_their_own_earnings(shop: Shop) -> None:
    left(shop, 10)
    nothing = {"today": 0, "week": 0, "open": 0, "paid": 0}
    assert earned(shop.ana) == {"today": 92.5, "week": 92.5, "open": 92.5, "paid": 0}
    assert earned(shop.beto) == nothing
    assert earned(shop.carla) == nothing
    assert shop.nobody.get(EARNINGS).status == 401


def test_payment_moves_earnings_from_open_to_paid_and_cancellation_back(shop: Shop) -> None:
    record = left(shop, 10)
    made = paid(shop.beto, item(record, 4, 10))
    assert earned(shop.ana) == {"today": 92.5, "week": 92.5, "open": 55.5, "paid": 40}
    assert earned(shop.beto)["paid"] == 0
    cancel(shop.beto, made["id"])
    assert earned(shop.ana) == {"today": 92.5, "week": 92.5, "open": 92.5, "paid": 0}


def test_paid_counts_for_the_mover_whoever_the_payee_is(shop: Shop) -> None:
    paid(shop.beto, item(left(shop, 10)), userId=shop.carla.id)
    assert (earned(shop.ana)["paid"], earned(shop.carla)["paid"]) == (92.5, 0)


def test_released_records_earn_nothing(shop: Shop) -> None:
    whole, exit_ = left(shop, 10), left(shop, 10)
    release(shop.ana, order_of(whole), shop.casting)
    release(shop.ana, order_of(exit_), shop.casting, "out")
    assert earned(shop.ana) == {"today": 0, "week": 0, "open": 0, "paid": 0}


def test_each_record_is_rounded_like_its_payment(shop: Shop) -> None:
    records = [left(shop, 1) for _ in range(3)]
    ProcessRecord.objects.update(price="1.005")
    assert earned(shop.ana)["open"] == earned(shop.ana)["today"] == 3.03
    paid(shop.ana, *(item(record, 1, 1.005) for record in records))
    assert earned(shop.ana) == {"today": 3.03, "week": 3.03, "open": 0, "paid": 3.03}


def test_day_and_week_begin_at_the_plants_midnight(shop: Shop) -> None:
    """2026-03-02 is a Monday."""
    left_at(shop, datetime(2026, 3, 1, 23, 59, 59, tzinfo=PLANT), 1)
    left_at(shop, datetime(2026, 3, 2, 0, 0, tzinfo=PLANT), 2)
    left_at(shop, datetime(2026, 3, 3, 23, 59, 59, tzinfo=PLANT), 4)
    left_at(shop, datetime(2026, 3, 4, 0, 0, tzinfo=PLANT), 8)
    for at, today, week in (
        (
            datetime(2026, 3, 1, 23, 59, 59, tzinfo=PLANT),
            15,
            15,
        ),  # the Sunday before
        (datetime(2026, 3, 2, 0, 0, tzinfo=PLANT), 14, 14),
        (datetime(2026, 3, 4, 0, 0, tzinfo=PLANT), 8, 14),
        (datetime(2026, 3, 8, 23, 59, tzinfo=PLANT), 0, 14),
        (datetime(2026, 3, 9, 0, 0, tzinfo=PLANT), 0, 0),
    ):
        with clock.at(at):
            figures = earned(Caller(shop.ana.user))
        assert (figures["today"], figures["week"], figures["open"]) == (today, week, 15), at


@pytest.mark.parametrize(
    ("midnight", "hours"),
    [
        (datetime(2026, 3, 8, tzinfo=NEW_YORK), 23),  # clocks go forward: the day has 23 hours
        (datetime(2026, 11, 1, tzinfo=NEW_YORK), 25),  # and back
    ],
)
def test_day_of_a_clock_change_begins_and_ends_at_its_own_midnights(
    shop: Shop, settings: Any, midnight: datetime, hours: int
) -> None:
    settings.PLANT_TIME_ZONE = "America/New_York"
    begin = datetime.fromtimestamp(midnight.timestamp(), tz=PLANT)
    left_at(shop, begin - timedelta(seconds=1), 1)
    left_at(shop, begin, 2)
    left_at(shop, begin + timedelta(hours=hours, seconds=-1), 4)
    with clock.at(begin + timedelta(hours=hours, seconds=-1)):
        assert (earned(Caller(shop.ana.user))["today"], earned(Caller(shop.ana.user))["week"]) == (6, 7)
    with clock.at(begin + timedelta(hours=hours)):  # Monday
        assert (earned(Caller(shop.ana.user))["today"], earned(Caller(shop.ana.user))["week"]) == (0, 0)


def test_earnings_cost_a_constant_number_of_queries(shop: Shop) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            earned(shop.ana)
        return len(captured)

    none = queries()
    for quantity in (1, 2, 3):
        paid(shop.beto, item(left(shop, quantity), 1))
    assert queries() == none
