"""Promised and kept: how often delivery dates, offered days and forecasts were kept, by month of the promised day."""

import csv
import io
from collections.abc import Iterator
from datetime import date, datetime
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.forecasts.models import KeptForecast
from project.orders.models import Line
from tests.builders import Caller, Shop, buyer, somebody
from tests.project.forecasts.making import DAY, HOUR, NOON, TODAY, in_casting, path_of, written_line

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
    kept(line, (0, 1, 2), (-2, -1, 0))
    (row,) = rows(ana(shop), "?from=2026-03-01&to=2026-03-31")
    assert row["month"] == "2026-03-01"
    assert (row["lines"], row["foreseen"], row["forecasts"]) == (1, 1, 2)
    assert (row["kept50"], row["kept80"], row["kept90"]) == (50.0, 50.0, 100.0)


def test_each_forecast_weighs_the_same_and_beside_it_each_line(shop: Shop) -> None:
    often, once = done_on(shop, NOON), done_on(shop, NOON + DAY)
    kept(often, *[(0, 0, 0)] * 9)
    kept(once, (-2, -1, 0))
    (row,) = rows(ana(shop))
    assert (row["lines"], row["foreseen"], row["forecasts"]) == (2, 2, 10)
    assert (row["kept80"], row["lines80"]) == (90.0, 50.0)


def test_a_forecast_whose_day_has_passed_while_the_line_is_open_is_not_kept(shop: Shop) -> None:
    """It is 11 April. The line is open; its forecasts named 10, 11 and 12 April as the days of 80 %."""
    line = in_casting(shop)
    today = clock.today()
    for place, day in enumerate((today - DAY, today, today + DAY)):
        KeptForecast.objects.create(
            line=line, day=TODAY + place * DAY, made_at=NOON, p50=day, p80=day, p90=day + 9 * DAY, basis=8
        )
    (row,) = rows(ana(shop), "?from=2026-04-01&to=2026-04-30")
    assert (row["forecasts"], row["kept50"], row["kept80"], row["lines80"]) == (1, 0.0, 0.0, 0.0)
    assert row["kept90"] is None, "its day of 90 % is still to come"


def test_delivery_dates_and_offered_days_are_counted_apart(shop: Shop) -> None:
    day = clock.day_of(NOON)
    done_on(shop, NOON, due=day, offered=day - DAY)
    done_on(shop, NOON, due=day - DAY, offered=day)
    done_on(shop, NOON, due=day + DAY)
    done_on(shop, NOON)
    (row,) = rows(ana(shop))
    assert (row["promised"], row["promisedKept"], row["offered"], row["offeredKept"]) == (3, 2, 2, 1)
    assert (row["lines"], row["open"]) == (3, 0)
    assert (row["foreseen"], row["kept50"], row["kept80"], row["lines90"]) == (0, None, None, None)


def test_a_promise_belongs_to_the_month_of_the_promised_day(shop: Shop) -> None:
    """It was done on 28 February of the plant, which was already March in UTC."""
    done_on(shop, clock.start_of(date(2026, 3, 1)) - HOUR, due=date(2026, 2, 28))
    done_on(shop, NOON, due=date(2026, 2, 28))
    found = rows(ana(shop), "?from=2026-02-01&to=2026-03-31")
    assert [(row["month"], row["lines"], row["promised"], row["promisedKept"]) for row in found] == [
        ("2026-02-01", 2, 2, 1)
    ]
    assert rows(ana(shop)) == []


def test_what_is_overdue_and_open_is_not_kept_and_counted_as_open(shop: Shop) -> None:
    """It is 11 April."""
    today = clock.today()
    for due in (today - 2 * DAY, today - DAY, today, today + DAY):
        in_casting(shop, due=due)
    done_on(shop, NOON + 35 * DAY, due=today - DAY)
    (row,) = rows(ana(shop), "?from=2026-04-01&to=2026-04-30")
    assert (row["promised"], row["promisedKept"], row["open"]) == (3, 1, 2)


def test_a_line_that_went_back_to_work_counts_as_open(shop: Shop) -> None:
    line = done_on(shop, NOON, due=clock.day_of(NOON))
    Line.objects.filter(pk=line.pk).update(done_at=None, status="InProcess")
    (row,) = rows(ana(shop))
    assert (row["promised"], row["promisedKept"], row["open"]) == (1, 0, 1)


def test_the_day_that_was_promised_first_counts_whatever_was_written_later(shop: Shop) -> None:
    with clock.at(NOON):
        ana_then = Caller(shop.ana.user)
        item = {"itemId": shop.item.pk, "quantity": 1}
        body = {"customerId": shop.customer.pk, "customerSalesOrderId": "PO"}
        moved = ana_then.post("/api/sales-order", body | {"items": [item | {"deliveryDate": "2026-03-05"}, item]})
        assert moved.status == 201, moved
        lines = f"/api/sales-order/{moved.json['id']}/position"
        for position, day in ((1, "2026-03-20"), (2, "2026-03-06"), (2, "2026-03-25")):
            answer = ana_then.put(f"{lines}/{position}/full", {"deliveryDate": day})
            assert answer.status == 200, answer
    assert [str(line.promised_date) for line in Line.objects.order_by("position")] == ["2026-03-05", "2026-03-06"]
    Line.objects.update(status="Done", done_at=NOON + 10 * DAY)
    (row,) = rows(ana(shop))
    assert (row["promised"], row["promisedKept"]) == (2, 0)


def test_a_line_of_the_release_before_promised_its_delivery_date(shop: Shop) -> None:
    """Its rows lack the day that was promised first: the delivery date counts, also after it is moved."""
    line = in_casting(shop, due=date(2026, 3, 5))
    assert line.promised_date is None
    (row,) = rows(ana(shop))
    assert (row["promised"], row["open"]) == (1, 1)
    answer = ana(shop).put(f"{path_of(line)}/full", {"deliveryDate": "2026-04-20"})
    assert answer.status == 200, answer
    assert [(row["month"], row["open"]) for row in rows(ana(shop))] == [("2026-03-01", 1)]


def test_an_upgrade_takes_the_first_promise_of_the_oldest_kept_forecast(shop: Shop) -> None:
    moved, unmoved, known = (in_casting(shop, due=date(2026, 3, 20)) for _ in range(3))
    Line.objects.filter(pk=known.pk).update(promised_date=date(2026, 3, 1))
    for line in (moved, known):
        for day, due in ((1, None), (2, date(2026, 3, 5)), (3, date(2026, 3, 20))):
            made = {"made_at": NOON, "p50": TODAY, "p80": TODAY, "p90": TODAY, "basis": 8}
            KeptForecast.objects.create(line=line, day=date(2026, 2, day), due=due, **made)
    fill = import_module("project.forecasts.migrations.0003_first_promises").store_first_promises
    for _ in range(2):
        fill(apps, Line.objects.all())
    stored = dict(Line.objects.values_list("pk", "promised_date"))
    assert stored == {moved.pk: date(2026, 3, 5), unmoved.pk: None, known.pk: date(2026, 3, 1)}


def test_lines_of_which_nothing_good_was_made_count_nowhere(shop: Shop) -> None:
    day = clock.day_of(NOON)
    canceled = done_on(shop, NOON, due=day, offered=day)
    scrapped = done_on(shop, NOON, due=day, offered=day)
    partly = done_on(shop, NOON, due=day)
    for line in (canceled, scrapped):
        kept(line, (0, 0, 0))
    Line.objects.filter(pk=canceled.pk).update(status="Canceled", done_at=None)
    Line.objects.filter(pk=scrapped.pk).update(quantity_scrapped=10)
    Line.objects.filter(pk=partly.pk).update(quantity_scrapped=9)
    (row,) = rows(ana(shop))
    assert (row["lines"], row["promised"], row["promisedKept"], row["offered"], row["foreseen"]) == (1, 1, 1, 0, 0)


def test_the_last_twelve_months_are_usual(shop: Shop) -> None:
    for days in (300, 310):
        done_on(shop, NOON - days * DAY, due=clock.day_of(NOON - days * DAY))
    assert [row["month"] for row in rows(ana(shop), "")] == ["2025-05-01"]
    assert len(rows(ana(shop), "?from=2025-01-01")) == 2


def test_days_are_checked(shop: Shop) -> None:
    assert ana(shop).get(f"{PROMISES}?from=2026-03-02&to=2026-03-01").fields == {"to": "before_start"}
    assert ana(shop).get(f"{PROMISES}?from=1900-01-01&to=2026-03-01").fields == {"to": "too_many_days"}
    assert ana(shop).get(f"{PROMISES}?from=x").status == 422


@pytest.mark.parametrize(
    ("language", "heads"),
    [
        ("es", ["Mes", "Líneas", "Con fecha de entrega", "Entregas cumplidas", "Entregas vencidas sin terminar"]),
        ("en", ["Month", "Lines", "With a delivery date", "Delivery dates kept", "Deliveries overdue and open"]),
    ],
)
def test_the_file_has_the_same_figures(shop: Shop, language: str, heads: list[str]) -> None:
    kept(done_on(shop, NOON), (0, 0, 0))
    caller = Caller(shop.ana.user, accept_language=language)
    head, row = csv.reader(io.StringIO(caller.raw(f"{PROMISES}{MARCH}&format=csv").decode("utf-8-sig")))
    assert head[:5] == heads
    assert row == ["2026-03", "1", *["0"] * 5, "1", *["100.0"] * 3, "1", *["100.0"] * 3]


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
