"""The worker makes forecasts calmly: of lines that changed at most once a minute, of all lines once an hour."""

from datetime import timedelta

import pytest

from project.core import clock
from project.forecasts import services
from project.forecasts.models import FittedCorrection
from project.orders.models import Forecast, Line
from project.worker.forecasting import ALL_AFTER, LEAST_BETWEEN, Forecasts
from project.worker.leader_lease import LeaderLease
from tests.builders import Caller, Shop
from tests.project.forecasts.making import DAY, HOUR, NOON, TODAY, finished, in_casting, path_of, published

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_mexico_city")]


class Seconds:
    """A monotonic clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def forecasts(seconds: Seconds) -> Forecasts:
    """The forecasts of the worker that has the lease."""
    lease = LeaderLease("alerts")
    assert lease.acquire()
    return Forecasts(lease, monotonic=seconds)


def due(forecasts: Forecasts) -> int:
    with clock.at(NOON):
        return forecasts.make_due()


def leave(shop: Shop, line: Line) -> None:
    with clock.at(NOON):
        answer = Caller(shop.ana.user).put(
            f"{path_of(line)}/production-process/out", {"productionProcessId": shop.casting.pk, "quantity": 1}
        )
    assert answer.status == 200, answer


def test_all_lines_are_made_at_the_start_and_again_after_an_hour(
    shop: Shop, forecasts: Forecasts, seconds: Seconds
) -> None:
    finished(shop)
    in_casting(shop)
    in_casting(shop)
    assert due(forecasts) == 2
    seconds.now += ALL_AFTER - 1
    assert due(forecasts) == 0
    seconds.now += 1
    assert due(forecasts) == 2


def test_the_correction_is_fitted_once_a_day_before_all_lines_are_made(
    shop: Shop, forecasts: Forecasts, seconds: Seconds
) -> None:
    finished(shop)
    in_casting(shop)
    for hours in (0, 1, 12, 13):
        with clock.at(NOON + hours * HOUR):
            forecasts.make_due()
        seconds.now += ALL_AFTER
    days = FittedCorrection.objects.order_by("day").values_list("day", "made_at")
    assert list(days) == [(TODAY, NOON), (TODAY + DAY, NOON + 12 * HOUR)]


def test_only_the_lines_of_an_order_that_changed_are_made_at_most_once_a_minute(
    shop: Shop, forecasts: Forecasts, seconds: Seconds
) -> None:
    finished(shop)
    moved = in_casting(shop)
    in_casting(shop)
    due(forecasts)
    leave(shop, moved)
    seconds.now += LEAST_BETWEEN - 1
    assert due(forecasts) == 0, "too soon"
    leave(shop, moved)
    seconds.now += 1
    assert due(forecasts) == 1, "two movements are one forecast"
    seconds.now += LEAST_BETWEEN
    assert due(forecasts) == 0, "nothing has changed since"


def test_a_new_order_is_forecast_within_a_minute(shop: Shop, forecasts: Forecasts, seconds: Seconds) -> None:
    finished(shop)
    due(forecasts)
    shop.order(3, 4)
    seconds.now += LEAST_BETWEEN
    assert due(forecasts) == 2
    assert Forecast.objects.count() == 2


def test_the_event_of_a_forecast_is_no_reason_for_another_one(
    shop: Shop, forecasts: Forecasts, seconds: Seconds
) -> None:
    finished(shop)
    in_casting(shop)
    due(forecasts)
    assert published()
    seconds.now += LEAST_BETWEEN
    assert due(forecasts) == 0


def test_a_worker_without_the_lease_makes_none(shop: Shop, seconds: Seconds) -> None:
    finished(shop)
    in_casting(shop)
    other = LeaderLease("alerts")
    assert other.acquire()
    lease = LeaderLease("alerts")
    assert not lease.acquire()
    assert due(Forecasts(lease, monotonic=seconds)) == 0
    assert not Forecast.objects.exists()


def test_a_worker_that_gets_the_lease_back_makes_all(shop: Shop, seconds: Seconds) -> None:
    finished(shop)
    in_casting(shop)
    lease = LeaderLease("alerts")
    lease.acquire()
    forecasts = Forecasts(lease, monotonic=seconds)
    assert due(forecasts) == 1
    lease.give_up()
    seconds.now += LEAST_BETWEEN
    assert due(forecasts) == 0
    lease.acquire()
    assert due(forecasts) == 1


def test_a_pass_that_failed_is_made_again(
    shop: Shop, forecasts: Forecasts, seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished(shop)
    line = in_casting(shop)
    due(forecasts)
    leave(shop, line)
    seconds.now += LEAST_BETWEEN

    def fails(orders: object = None) -> int:
        raise ConnectionError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(services, "forecasts_make", fails)
        with pytest.raises(ConnectionError):
            due(forecasts)
    assert due(forecasts) == 1


def test_a_clock_that_jumps_neither_stops_nor_hurries_forecasts(
    shop: Shop, forecasts: Forecasts, seconds: Seconds
) -> None:
    finished(shop)
    line = in_casting(shop, due=TODAY)
    due(forecasts)
    for step in (-DAY, DAY):
        with clock.at(NOON + step):
            assert forecasts.make_due() == 0
    leave(shop, line)
    seconds.now += LEAST_BETWEEN
    with clock.at(NOON - HOUR):
        assert forecasts.make_due() == 1
    assert Forecast.objects.get().made_at == NOON - HOUR


def test_at_most_one_event_a_line_and_minute(shop: Shop, forecasts: Forecasts, seconds: Seconds) -> None:
    finished(shop)
    line = in_casting(shop)
    for place in range(120):
        if place % 10 == 0:
            leave_or_none(shop, line)
        with clock.at(NOON + timedelta(seconds=place)):
            forecasts.make_due()
        seconds.now += 1
    assert len(published()) <= 2


def leave_or_none(shop: Shop, line: Line) -> None:
    """Move a piece out, as long as there is one."""
    if Line.objects.get(pk=line.pk).quantity_inside:
        leave(shop, line)
