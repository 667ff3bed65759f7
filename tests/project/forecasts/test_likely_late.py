"""A line that is likely late rings the bell once, after two forecasts an hour apart, until it is on its way again."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.core import clock
from project.forecasts.services import forecasts_make
from project.notices.announcing import announce
from project.orders.models import Forecast, Line
from tests.builders import Caller, Shop, buyer, somebody
from tests.project.forecasts.making import DAY, HOUR, NOON, TODAY, finished, in_casting, path_of, published

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_mexico_city")]

UNREAD = "/api/notifications/unread"
KIND = "likelyLate"


@pytest.fixture
def line(shop: Shop, settings: Any) -> Line:
    """A line that needs three more days, and is due tomorrow. Other notifications do not come yet."""
    settings.ALERT_OPEN_HOURS, settings.ALERT_DELIVERY_DAYS = 10_000, 0
    finished(shop)
    return in_casting(shop, due=TODAY + DAY)


def make(at: datetime) -> None:
    with clock.at(at):
        forecasts_make()
        announce()


def unread(shop: Shop, at: datetime) -> list[dict[str, Any]]:
    with clock.at(at):
        answer = Caller(shop.ana.user).get(UNREAD)
    assert answer.status == 200, answer
    rows: list[dict[str, Any]] = answer.json
    return [row for row in rows if row["type"] == KIND]


def test_two_forecasts_an_hour_apart_ring_the_bell_once(shop: Shop, line: Line) -> None:
    make(NOON)
    assert unread(shop, NOON) == []
    for hours in (1, 2, 3):
        make(NOON + hours * HOUR)
    (row,) = unread(shop, NOON + 3 * HOUR)
    assert (row["message"]["salesOrderId"], row["message"]["deliveryDate"]) == (line.order_id, "2026-03-03")
    assert row["createdAt"] == "2026-03-02T18:00:00.000Z"
    assert [event["type"] for event in published("notification.created")] == [KIND]
    marks = [event["line"]["forecast"]["risk"] for event in published()]
    assert marks == ["high", "high"], "the board marks it at once; the second event is for the bell"


def test_a_later_delivery_date_takes_the_alert_back_and_a_new_hour_begins(shop: Shop, line: Line) -> None:
    make(NOON)
    make(NOON + HOUR)
    Line.objects.filter(pk=line.pk).update(delivery_date=TODAY + 2 * DAY)
    make(NOON + HOUR + timedelta(minutes=1))
    assert unread(shop, NOON + HOUR) == []
    assert len(published("notification.ended")) == 1
    make(NOON + 2 * HOUR + timedelta(minutes=1))
    assert len(unread(shop, NOON + 2 * HOUR)) == 1


def test_a_line_that_catches_up_takes_the_alert_back(shop: Shop, line: Line) -> None:
    make(NOON)
    make(NOON + HOUR)
    finished(shop, 100, days=2.5)  # it will be done today
    make(NOON + 2 * HOUR)
    assert not Forecast.objects.get().likely_late
    assert unread(shop, NOON + 2 * HOUR) == []


@pytest.mark.parametrize("status", ["Canceled", "Done"])
def test_a_line_that_is_finished_or_canceled_is_never_likely_late(shop: Shop, line: Line, status: str) -> None:
    make(NOON)
    make(NOON + HOUR)
    line.records.all().delete()
    Line.objects.filter(pk=line.pk).update(status=status, quantity_inside=0)
    with clock.at(NOON + HOUR):
        announce()
    assert unread(shop, NOON + HOUR) == []
    assert len(published("notification.ended")) == 1


def test_a_line_that_has_become_late_is_no_longer_likely_to_be(shop: Shop, line: Line) -> None:
    make(NOON)
    make(NOON + HOUR)
    assert len(unread(shop, NOON + HOUR)) == 1
    assert unread(shop, NOON + 2 * DAY) == [], "its delivery date has passed: it is late"


def test_the_notification_is_read_and_found_like_any_other(shop: Shop, line: Line) -> None:
    make(NOON)
    make(NOON + HOUR)
    with clock.at(NOON + HOUR):
        ana = Caller(shop.ana.user)
        (row,) = unread(shop, NOON + HOUR)
        answer = ana.post(f"{UNREAD.removesuffix('/unread')}/{row['id']}/read")
    assert (answer.status, answer.json["read"], answer.json["type"]) == (200, True, KIND)
    assert unread(shop, NOON + HOUR) == []
    assert len(unread_of(somebody("ListOrders"))) == 1, "others still have it"


def unread_of(caller: Caller) -> list[dict[str, Any]]:
    with clock.at(NOON + HOUR):
        rows: list[dict[str, Any]] = Caller(caller.user).get(UNREAD).json
    return rows


def test_people_of_one_process_and_customers_do_not_hear_of_it(shop: Shop, line: Line) -> None:
    make(NOON)
    make(NOON + HOUR)
    assert unread_of(somebody("ListOrders", processes=[shop.casting])) == []
    with clock.at(NOON + HOUR):
        assert Caller(buyer(shop.customer, "ListOrders").user).get(UNREAD).status == 403


def test_an_announcing_pass_costs_the_same_for_any_number_of_lines(shop: Shop, line: Line) -> None:
    def queries(at: datetime) -> int:
        with clock.at(at), CaptureQueriesContext(connection) as asked:
            announce()
        return len(asked)

    make(NOON)
    with clock.at(NOON + HOUR):
        forecasts_make()
    one = queries(NOON + HOUR)
    for _ in range(10):
        in_casting(shop, due=TODAY + DAY)
    for hours in (2, 3):
        with clock.at(NOON + hours * HOUR):
            forecasts_make()
    assert queries(NOON + 3 * HOUR) == one
    assert len(unread(shop, NOON + 3 * HOUR)) == 11


def test_the_alert_opens_the_line(shop: Shop, line: Line) -> None:
    make(NOON)
    make(NOON + HOUR)
    (row,) = unread(shop, NOON + HOUR)
    with clock.at(NOON + HOUR):
        assert Caller(shop.ana.user).get(path_of(line)).json["id"] == row["message"]["lineId"]
