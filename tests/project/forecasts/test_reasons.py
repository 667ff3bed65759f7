"""What a forecast rests on, what it gains a line to go first, and the days that are offered at order entry."""

from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.forecasts.services import forecasts_make
from project.orders.models import Line
from tests.builders import Caller, Shop, item, somebody
from tests.project.forecasts.making import DAY, NOON, TODAY, finished, in_casting, path_of, written_line

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_mexico_city")]


def make(at: datetime = NOON) -> None:
    with clock.at(at):
        forecasts_make()


def read(shop: Shop, path: str, at: datetime = NOON) -> Any:
    with clock.at(at):
        answer = Caller(shop.ana.user).get(path)
    assert answer.status == 200, answer
    return answer.json


def why(shop: Shop, line: Line, at: datetime = NOON) -> Any:
    return read(shop, f"{path_of(line)}/forecast", at)


def first(shop: Shop, line: Line) -> Any:
    return read(shop, f"{path_of(line)}/forecast/first")


def test_reasons_name_the_like_lines_of_the_same_product_first(shop: Shop) -> None:
    finished(shop, 8, days=5.0, item=item())
    same = written_line(shop, (shop.casting, 0, 6), began=NOON - 90 * DAY, done=7.0)
    quick = written_line(shop, (shop.casting, 0, 1), began=NOON - 90 * DAY, done=1.0)
    line = in_casting(shop, due=TODAY + 9 * DAY)
    make()
    found = why(shop, line)
    assert (found["where"], found["productionProcessName"], found["days"]) == ("in", "Fundición", 2.0)
    assert found["likeCount"] == 9
    head, *others = found["like"]
    assert (head["salesOrderId"], head["sameProduct"], head["days"]) == (same.order_id, True, 5.0)
    assert head["doneAt"] == "2025-12-09T18:00:00.000Z"
    assert {(row["sameProduct"], row["days"]) for row in others} == {(False, 3.0)}
    assert quick.order_id not in {row["salesOrderId"] for row in found["like"]}
    assert found["forecast"] == read(shop, path_of(line))["forecast"]
    assert (found["finished"], found["needed"], found["forecastWhy"]) == (10, 8, None)


def test_reasons_say_where_like_lines_spent_the_time(shop: Shop) -> None:
    for place in range(8):
        began = NOON - (60 + place) * DAY
        written_line(shop, (shop.casting, 0, 3), (shop.polishing, 7, 8), began=began, done=8.0)
    line = in_casting(shop, days=0.0)
    make()
    spent = why(shop, line)["spent"]
    assert [(row["where"], row["productionProcessName"], row["days"]) for row in spent] == [
        ("out", "Fundición", 4.0),
        ("in", "Fundición", 3.0),
        ("in", "Pulido", 1.0),
    ]


def test_reasons_have_what_was_forecast_each_day(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop, days=0.0, due=TODAY + 9 * DAY)
    for days in (0, 1, 2):
        make(NOON + days * DAY)
    kept = why(shop, line, NOON + 2 * DAY)["kept"]
    assert [row["day"] for row in kept] == ["2026-03-02", "2026-03-03", "2026-03-04"]
    assert {(row["p80"], row["due"], row["onTime"]) for row in kept} == {("2026-03-07", "2026-03-11", 1.0)}


def test_reasons_of_a_line_without_a_forecast_say_what_is_missing(shop: Shop) -> None:
    finished(shop, 5)
    line = in_casting(shop)
    make()
    found = why(shop, line)
    assert (found["forecast"], found["forecastWhy"], found["finished"], found["needed"]) == (None, "tooFewDone", 5, 8)


def test_reasons_of_a_finished_line_have_only_its_former_forecasts(shop: Shop) -> None:
    lines = finished(shop)
    found = why(shop, lines[0])
    assert (found["forecastWhy"], found["like"], found["spent"]) == ("finished", [], [])


def slow_to_begin(shop: Shop) -> None:
    """Ten lines that were cast in a day after they had waited from 1 to 10 days."""
    for wait in range(1, 11):
        began = NOON - (60 + wait) * DAY
        written_line(shop, (shop.casting, wait, wait + 1), began=began, done=wait + 1.0)


def test_going_first_says_the_gain_and_whom_it_delays(shop: Shop) -> None:
    slow_to_begin(shop)
    line = written_line(shop, began=NOON, due=TODAY + 3 * DAY)
    waits = written_line(shop, began=NOON - DAY, due=TODAY + 5 * DAY)
    polished = written_line(
        shop, (shop.casting, 0, 1), (shop.polishing, 1, None), began=NOON - 2 * DAY, due=TODAY + 5 * DAY
    )
    make()
    now = read(shop, path_of(line))["forecast"]
    found = first(shop, line)
    assert found["forecastWhy"] is None
    assert found["gainDays"] > 5
    assert found["p80"] < now["p80"]
    assert found["onTime"] > now["onTime"]
    delayed = {row["salesOrderId"]: row for row in found["delayed"]}
    assert delayed.keys() == {waits.order_id}, "it waits for casting too; the other one is past it"
    assert (delayed[waits.order_id]["days"], found["delayedCount"]) == (1.0, 1)
    assert delayed[waits.order_id]["forecast"] == read(shop, path_of(waits))["forecast"]
    assert polished.order_id not in delayed


def test_going_first_changes_nothing(shop: Shop) -> None:
    slow_to_begin(shop)
    line = written_line(shop, began=NOON)
    make()
    before = read(shop, path_of(line))
    first(shop, line)
    assert read(shop, path_of(line)) == before


def test_going_first_is_not_known_with_too_few_lines_or_for_a_finished_one(shop: Shop) -> None:
    done, *_ = finished(shop, 5)
    line = in_casting(shop)
    nothing = {"p50": None, "p80": None, "gainDays": 0.0, "onTime": None, "delayed": [], "delayedCount": 0}
    assert first(shop, line) == nothing | {"forecastWhy": "tooFewDone"}
    assert first(shop, done) == nothing | {"forecastWhy": "finished"}


def test_reasons_and_going_first_cost_the_same_queries_for_any_number_of_lines(shop: Shop) -> None:
    slow_to_begin(shop)
    line = written_line(shop, began=NOON)
    make()

    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            read(shop, path)
        return len(asked)

    paths = [f"{path_of(line)}/forecast", f"{path_of(line)}/forecast/first"]
    few = [queries(path) for path in paths]
    for _ in range(10):
        written_line(shop, began=NOON)
    slow_to_begin(shop)
    make()
    assert [queries(path) for path in paths] == few


def test_only_staff_who_list_orders_ask_for_reasons(shop: Shop) -> None:
    line = in_casting(shop)
    for path in (f"{path_of(line)}/forecast", f"{path_of(line)}/forecast/first"):
        assert shop.carla.get(path).status == 403
        assert somebody(Permission.ShopFloor).get(path).status == 403
        assert somebody(Permission.ListOrders).get(path).status == 200
        assert shop.ana.get(path.replace("/position/1/", "/position/9/")).status == 404


OFFERED = "/api/forecasts/offered"


def test_order_entry_is_offered_the_days_of_each_product(shop: Shop) -> None:
    finished(shop, 8, days=5.0)
    slow = item()
    finished(shop, 8, days=20.0, item=slow)
    one, other = read(shop, f"{OFFERED}?ids={shop.item.pk}&ids={slow.pk}")
    assert (one["itemId"], other["itemId"]) == (shop.item.pk, slow.pk)
    assert one["p50"] < other["p50"]
    assert one["p80"] == other["p80"] == "2026-03-22"
    assert (one["basis"], one["why"]) == (16, None)


def test_a_product_twice_is_offered_once_and_an_unknown_one_by_the_others(shop: Shop) -> None:
    finished(shop)
    rows = read(shop, f"{OFFERED}?ids={shop.item.pk}&ids={shop.item.pk}&ids=999999")
    assert [(row["itemId"], row["p80"]) for row in rows] == [(shop.item.pk, "2026-03-07"), (999_999, "2026-03-07")]


def test_with_too_few_lines_no_day_is_offered(shop: Shop) -> None:
    finished(shop, 7)
    (row,) = read(shop, f"{OFFERED}?ids={shop.item.pk}")
    assert row == {"itemId": shop.item.pk, "p50": None, "p80": None, "p90": None, "basis": 7, "why": "tooFewDone"}


@pytest.mark.parametrize("query", ["", "?ids=", "?ids=ring", "?ids=0", "?" + "&".join(["ids=1"] * 201)])
def test_wrong_products_are_refused(shop: Shop, query: str) -> None:
    assert shop.ana.get(OFFERED + query).status == 422


def test_days_are_offered_to_those_who_write_orders(shop: Shop) -> None:
    path = f"{OFFERED}?ids=1"
    assert somebody(Permission.CreateSalesOrder).get(path).status == 200
    assert somebody(Permission.UpdateSalesOrder).get(path).status == 200
    assert somebody(Permission.ListSalesOrders).get(path).status == 403
