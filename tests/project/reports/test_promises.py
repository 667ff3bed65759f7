"""Promised and kept: how often forecasts, delivery dates and offered days came true, by month."""

import csv
import io
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.forecasts.models import KeptForecast
from project.orders.models import Line
from tests.builders import Caller, Shop, buyer, somebody
from tests.project.forecasts.making import DAY, HOUR, NOON, written_line

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_mexico_city")]

PROMISES = "/api/reports/promises"
MARCH = "?from=2026-03-01&to=2026-03-31"


@pytest.fixture(autouse=True)
def _in_april() -> Iterator[None]:
    with clock.at(NOON + 40 * DAY):
        yield


def done_on(shop: Shop, at: datetime, *, due: date | None = None, offered: date | None = None) -> Line:
    return written_line(shop, began=at - 9 * DAY, done=9.0, due=due, offered=offered)


def kept(line: Line, *days: tuple[int, int, int]) -> None:
    """Forecasts of one morning each: how many days p50, p80 and p90 are after the day on which the line was done."""
    assert line.done_at is not None
    done = clock.day_of(line.done_at)
    for place, (p50, p80, p90) in enumerate(days, start=1):
        KeptForecast.objects.create(
            line=line,
            day=done - place * DAY,
            made_at=line.done_at - place * DAY,
            p50=done + p50 * DAY,
            p80=done + p80 * DAY,
            p90=done + p90 * DAY,
            basis=8,
        )


def rows(by: Caller, query: str = MARCH) -> list[dict[str, Any]]:
    answer = by.get(PROMISES + query)
    assert answer.status == 200, answer
    found: list[dict[str, Any]] = answer.json
    return found


def ana(shop: Shop) -> Caller:
    return Caller(shop.ana.user)


def test_a_forecast_is_kept_if_the_line_was_done_by_its_day(shop: Shop) -> None:
    line = done_on(shop, NOON)
    kept(line, (-1, 0, 1), (-2, -1, 0))
    (row,) = rows(ana(shop))
    assert row["month"] == "2026-03-01"
    assert (row["lines"], row["foreseen"]) == (1, 1)
    assert (row["kept50"], row["kept80"], row["kept90"]) == (0.0, 50.0, 100.0)


def test_each_line_weighs_the_same(shop: Shop) -> None:
    often, once = done_on(shop, NOON), done_on(shop, NOON + DAY)
    kept(often, *[(0, 0, 0)] * 9)
    kept(once, (-2, -1, 0))
    (row,) = rows(ana(shop))
    assert (row["lines"], row["foreseen"], row["kept80"]) == (2, 2, 50.0)


def test_delivery_dates_and_offered_days_are_counted_apart(shop: Shop) -> None:
    day = clock.day_of(NOON)
    done_on(shop, NOON, due=day, offered=day - DAY)
    done_on(shop, NOON, due=day - DAY, offered=day)
    done_on(shop, NOON, due=day + DAY)
    done_on(shop, NOON)
    (row,) = rows(ana(shop))
    assert (row["promised"], row["promisedKept"], row["offered"], row["offeredKept"]) == (3, 2, 2, 1)
    assert (row["foreseen"], row["kept50"], row["kept80"], row["kept90"]) == (0, None, None, None)


def test_a_line_belongs_to_the_month_of_the_plant_in_which_it_was_done(shop: Shop) -> None:
    """Midnight of 1 March in the plant is 06:00 UTC."""
    midnight = clock.start_of(date(2026, 3, 1))
    done_on(shop, midnight - HOUR, due=date(2026, 2, 28))
    done_on(shop, midnight, due=date(2026, 3, 1))
    found = rows(ana(shop), "?from=2026-02-01&to=2026-03-31")
    assert [(row["month"], row["lines"], row["promisedKept"]) for row in found] == [
        ("2026-03-01", 1, 1),
        ("2026-02-01", 1, 1),
    ]
    assert [row["month"] for row in rows(ana(shop))] == ["2026-03-01"]


def test_a_line_that_went_back_to_work_is_not_counted(shop: Shop) -> None:
    line = done_on(shop, NOON)
    kept(line, (0, 0, 0))
    Line.objects.filter(pk=line.pk).update(done_at=None, status="InProcess")
    assert rows(ana(shop)) == []


def test_the_last_twelve_months_are_usual(shop: Shop) -> None:
    done_on(shop, NOON - 300 * DAY)
    done_on(shop, NOON - 310 * DAY)
    assert [row["month"] for row in rows(ana(shop), "")] == ["2025-05-01"]
    assert len(rows(ana(shop), "?from=2025-01-01")) == 2


def test_days_are_checked(shop: Shop) -> None:
    assert ana(shop).get(f"{PROMISES}?from=2026-03-02&to=2026-03-01").fields == {"to": "before_start"}
    assert ana(shop).get(f"{PROMISES}?from=1900-01-01&to=2026-03-01").fields == {"to": "too_many_days"}
    assert ana(shop).get(f"{PROMISES}?from=x").status == 422


@pytest.mark.parametrize(
    ("language", "heads"),
    [
        ("es", ["Mes", "Líneas", "Líneas con pronóstico", "Cumplido de lo dicho con 50 % (%)"]),
        ("en", ["Month", "Lines", "Lines with a forecast", "Kept of what was said with 50% (%)"]),
    ],
)
def test_the_file_has_the_same_figures(shop: Shop, language: str, heads: list[str]) -> None:
    kept(done_on(shop, NOON), (0, 0, 0))
    caller = Caller(shop.ana.user, accept_language=language)
    head, row = csv.reader(io.StringIO(caller.raw(f"{PROMISES}{MARCH}&format=csv").decode("utf-8-sig")))
    assert head[:4] == heads
    assert row[:4] == ["2026-03", "1", "1", "100.0"]


def test_the_report_costs_two_queries_beside_those_of_the_caller(shop: Shop) -> None:
    def queries() -> int:
        caller = ana(shop)
        with CaptureQueriesContext(connection) as asked:
            rows(caller)
        return len(asked)

    kept(done_on(shop, NOON), (0, 0, 0))
    few = queries()
    for place in range(20):
        kept(done_on(shop, NOON + place * HOUR), (0, 0, 0), (0, 1, 2))
    assert queries() == few


def test_the_report_has_a_permission_of_its_own(shop: Shop) -> None:
    assert somebody(Permission.ReportPromises).get(PROMISES).status == 200
    assert somebody(*(set(Permission) - {Permission.ReportPromises})).get(PROMISES).status == 403
    assert buyer(shop.customer, *Permission).get(PROMISES).status == 403
