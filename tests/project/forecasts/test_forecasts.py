"""Forecasts of lines: made from the history, carried by the document, published when what is shown changes."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.core.schemas import utc_z
from project.forecasts import method, selectors
from project.forecasts.correction import fitted
from project.forecasts.models import FittedCorrection, KeptForecast
from project.forecasts.services import STORED_AT_ONCE, correction_fit, earlier_forecasts, forecasts_make
from project.orders.models import Forecast, Line, ProcessRecord, SalesOrder
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, buyer, item, line_path, move, release
from tests.constraints import refused
from tests.project.forecasts.making import (
    DAY,
    HOUR,
    NOON,
    TODAY,
    finished,
    ids_of,
    in_casting,
    path_of,
    published,
    reopen,
    report_later,
    written_line,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_mexico_city")]

LINES = "/api/sales-order/positions"


def make(at: Any = NOON) -> int:
    with clock.at(at):
        return forecasts_make()


def read(shop: Shop, path: str, at: Any = NOON, by: Caller | None = None) -> Any:
    with clock.at(at):
        answer = Caller((by or shop.ana).user).get(path)
    assert answer.status == 200, answer
    return answer.json


def test_a_line_two_days_in_a_process_that_takes_five_is_done_in_three(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop, due=TODAY + 3 * DAY)
    assert make() == 1
    document = read(shop, path_of(line))
    assert document["forecast"] == {
        "p10": "2026-03-05",
        "p50": "2026-03-05",
        "p80": "2026-03-05",
        "p90": "2026-03-05",
        "onTime": 1.0,
        "risk": "low",
        "basis": 8,
        "at": "2026-03-02T18:00:00.000Z",
    }
    assert document["forecastWhy"] is None


def test_with_fewer_than_eight_finished_lines_the_document_says_why_there_is_none(shop: Shop) -> None:
    finished(shop, 7)
    line = in_casting(shop, due=TODAY)
    document = read(shop, path_of(line))
    assert (document["forecast"], document["forecastWhy"]) == (None, "notYet")
    make()
    document = read(shop, path_of(line))
    assert (document["forecast"], document["forecastWhy"]) == (None, "tooFewDone")
    assert not KeptForecast.objects.exists()


def test_a_forecast_that_rests_on_fewer_than_eight_lines_is_not_said(shop: Shop) -> None:
    """Twelve lines are finished, but only three have been in polishing, or took as long as this one."""
    finished(shop, 9)
    for place in range(3):
        written_line(shop, (shop.polishing, 0, 40), began=NOON - (100 + place) * DAY, done=40.0)
    line = written_line(shop, (shop.polishing, 0, None), began=NOON - 20 * DAY, due=TODAY + DAY)
    make()
    document = read(shop, path_of(line))
    assert (document["forecast"], document["forecastWhy"]) == (None, "tooFewLike")
    assert read(shop, f"{LINES}?likelyLate=true") == []
    assert not KeptForecast.objects.exists()
    reasons = read(shop, f"{path_of(line)}/forecast")
    assert (reasons["forecastWhy"], reasons["likeCount"], reasons["needed"]) == ("tooFewLike", 3, 8)
    assert read(shop, f"{path_of(line)}/forecast/first")["forecastWhy"] == "tooFewLike"


def test_a_forecast_of_the_release_before_is_made_again_before_it_is_shown(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop)
    make()
    Forecast.objects.update(p10=None)
    assert read(shop, path_of(line))["forecastWhy"] == "notYet"
    make(NOON + HOUR)
    assert read(shop, path_of(line))["forecast"]["p10"] == "2026-03-05"


def test_finished_and_canceled_lines_have_no_forecast(shop: Shop) -> None:
    done, *_ = finished(shop)
    canceled = in_casting(shop)
    make()
    ProcessRecord.objects.filter(line=canceled.pk).delete()
    Line.objects.filter(pk=canceled.pk).update(status="Canceled", quantity_inside=0)
    for line in (done, canceled):
        document = read(shop, path_of(line))
        assert (document["forecast"], document["forecastWhy"]) == (None, "finished")
    assert Forecast.objects.count() == 1
    make(NOON + HOUR)
    assert not Forecast.objects.exists()


def test_a_new_line_that_was_never_moved_is_forecast_from_whole_lines(shop: Shop) -> None:
    finished(shop)
    line = written_line(shop, began=NOON, item=item(), status="New")
    make()
    assert read(shop, path_of(line))["forecast"]["p80"] == "2026-03-07"


def test_a_line_without_a_delivery_date_has_days_but_no_chance(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop)
    make()
    forecast = read(shop, path_of(line))["forecast"]
    assert (forecast["p80"], forecast["onTime"], forecast["risk"]) == ("2026-03-05", None, None)


@pytest.mark.parametrize(
    ("ends", "day"),
    [
        (datetime(2026, 3, 6, 5, 59, tzinfo=UTC), "2026-03-05"),
        (datetime(2026, 3, 6, 6, tzinfo=UTC), "2026-03-06"),
    ],
)
def test_a_forecast_is_a_day_of_the_plant(shop: Shop, ends: datetime, day: str) -> None:
    """The plant's midnight is at 06:00 UTC."""
    finished(shop, days=5.0)
    line = in_casting(shop, days=(NOON - (ends - 5 * DAY)) / DAY, due=date(2026, 3, 5))
    make()
    forecast = read(shop, path_of(line))["forecast"]
    assert (forecast["p80"], forecast["onTime"]) == (day, float(day == "2026-03-05"))


def test_a_day_with_daylight_saving_is_a_day(shop: Shop, settings: Any) -> None:
    settings.PLANT_TIME_ZONE = "America/New_York"
    finished(shop, days=8.0)
    line = in_casting(shop, days=1.0, due=date(2026, 3, 9))
    make()
    # Seven days of 24 hours after 13:00: the clock went forward on the 8th.
    forecast = read(shop, path_of(line))["forecast"]
    assert (forecast["p80"], forecast["onTime"]) == ("2026-03-09", 1.0)


def test_the_first_forecast_publishes_the_line_and_the_same_one_does_not(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop, due=TODAY + 9 * DAY)
    make()
    (event,) = published()
    assert event["line"]["forecast"] == read(shop, path_of(line))["forecast"]
    assert (event["line"]["version"], event["record"], event["records"]) == (line.version, None, [])
    assert event["order"]["forecast"] == {"p50": "2026-03-05", "p80": "2026-03-05", "risk": "low"}
    make(NOON + HOUR)
    assert len(published()) == 1, "an hour later the days are the same"
    assert Forecast.objects.get().made_at == NOON + HOUR


def test_another_day_is_published_once(shop: Shop) -> None:
    finished(shop)
    in_casting(shop, due=TODAY + 9 * DAY)
    make()
    make(NOON + 4 * DAY)  # longer than any other line: the day moves on
    make(NOON + 4 * DAY + HOUR)
    days = [event["line"]["forecast"]["p80"] for event in published()]
    assert len(days) == 2
    assert days[0] < days[1]


def test_a_customer_is_not_told_that_only_the_risk_changed(shop: Shop) -> None:
    finished(shop)
    in_casting(shop, due=TODAY + 9 * DAY)
    make()
    Forecast.objects.update(likely_late=True)
    make(NOON + HOUR)
    told = OutboxEvent.objects.filter(type="line.forecast").order_by("id").values_list("customer", flat=True)
    assert list(told) == [shop.customer.pk, None]


def test_a_forecast_neither_changes_the_line_s_version_nor_its_audit(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop)
    before = read(shop, "/api/audit")
    make()
    assert Line.objects.get(pk=line.pk).version == line.version
    assert read(shop, "/api/audit") == before


def test_one_forecast_a_line_and_day_is_kept_and_never_rewritten(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop, due=TODAY + 3 * DAY)
    make()
    finished(shop, 40, days=9.0)
    make(NOON + HOUR)
    (kept,) = KeptForecast.objects.all()
    assert (kept.line_id, kept.day, str(kept.p80), kept.due, kept.on_time) == (
        line.pk,
        TODAY,
        "2026-03-05",
        TODAY + 3 * DAY,
        1.0,
    )
    assert Forecast.objects.get().p80 != kept.p80
    make(NOON + DAY)
    assert [one.day for one in KeptForecast.objects.order_by("day")] == [TODAY, TODAY + DAY]


def test_an_order_has_the_latest_days_of_its_open_lines_or_none(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop)
    other = Line.objects.create(
        order=line.order, position=2, item=shop.item, quantity=1, status="New", creation_date=NOON
    )
    make()
    (order,) = [row for row in read(shop, "/api/sales-order") if row["id"] == line.order_id]
    assert order["forecast"] == {"p50": "2026-03-07", "p80": "2026-03-07", "risk": None}
    Forecast.objects.filter(line=other.pk).delete()
    assert read(shop, f"/api/sales-order/{line.order_id}")["forecast"] is None


def test_a_moved_delivery_date_takes_the_chance_away_until_the_next_forecast(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop, due=TODAY + 3 * DAY)
    make()
    with clock.at(NOON):
        answer = Caller(shop.ana.user).put(f"{path_of(line)}/full", {"deliveryDate": "2026-03-04"})
    assert answer.status == 200, answer
    assert (answer.json["forecast"]["onTime"], answer.json["forecast"]["p80"]) == (None, "2026-03-05")
    make(NOON + timedelta(minutes=1))
    assert read(shop, path_of(line))["forecast"]["onTime"] == 0.0
    assert published()[-1]["line"]["forecast"]["onTime"] == 0.0


def test_a_movement_carries_the_forecast_and_asks_nothing_more_for_it(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop)

    def queries_to_leave() -> int:
        with clock.at(NOON), CaptureQueriesContext(connection) as asked:
            answer = Caller(shop.ana.user).put(
                f"{path_of(line)}/production-process/out", {"productionProcessId": shop.casting.pk, "quantity": 1}
            )
        assert answer.status == 200, answer
        return len(asked)

    queries_to_leave()
    without = queries_to_leave()
    make()
    assert queries_to_leave() == without
    assert published("line.moved")[-1]["line"]["forecast"]["p80"] == "2026-03-05"


def test_making_many_forecasts_costs_the_same_queries_as_making_one(shop: Shop) -> None:
    finished(shop)
    in_casting(shop)

    def queries(at: Any) -> int:
        with CaptureQueriesContext(connection) as asked:
            make(at)
        return len(asked)

    queries(NOON)
    one = queries(NOON + DAY)
    for _ in range(STORED_AT_ONCE - 1):
        in_casting(shop)
    queries(NOON + DAY)
    assert queries(NOON + 2 * DAY) == one


def test_customers_read_the_days_and_not_what_the_workshop_expects(shop: Shop) -> None:
    finished(shop)
    line = in_casting(shop, due=TODAY, offered=TODAY)
    make()
    account = buyer(shop.customer, *Permission)
    with clock.at(NOON):
        account = Caller(account.user)
        document = account.get(path_of(line)).json
        order = account.get(f"/api/sales-order/{line.order_id}").json
        refusals = [account.get(f"{LINES}?{query}") for query in ("likelyLate=true", "risk=low", "ordering=-risk")]
    assert document["forecast"]["p80"] == "2026-03-05"
    assert [document["forecast"][name] for name in ("onTime", "risk", "basis")] == [None] * 3
    assert (document["offeredDate"], document["attention"]) == (None, [])
    assert (order["forecast"]["p80"], order["forecast"]["risk"]) == ("2026-03-05", None)
    assert [answer.fields for answer in refusals] == [
        {name: "not_a_choice"} for name in ("likelyLate", "risk", "ordering")
    ]
    for path in (f"{path_of(line)}/forecast", f"{path_of(line)}/forecast/first"):
        with clock.at(NOON):
            assert Caller(account.user).get(path).status == 403


def test_lines_are_sorted_and_filtered_by_risk(shop: Shop) -> None:
    finished(shop)
    sure = in_casting(shop, due=TODAY + 9 * DAY)
    unknown = in_casting(shop)
    late = in_casting(shop, due=TODAY + DAY)
    make()
    open_lines = {sure.pk, unknown.pk, late.pk}
    by_risk = [pk for pk in ids_of(read(shop, f"{LINES}?ordering=-risk")) if pk in open_lines]
    assert by_risk == [late.pk, sure.pk, unknown.pk]
    at = NOON
    assert ids_of(read(shop, f"{LINES}?likelyLate=true", at)) == [late.pk]
    assert late.pk not in ids_of(read(shop, f"{LINES}?likelyLate=false", at))
    assert len(read(shop, f"{LINES}?likelyLate=false", at)) == Line.objects.count() - 1
    row = read(shop, path_of(late), at)
    assert (row["forecast"]["risk"], row["attention"]) == ("high", ["likelyLate", "dueThisWeek", "insideOverADay"])
    hoy = read(shop, "/api/reports/today", at)["likelyLate"]
    assert (hoy["count"], ids_of(hoy["lines"])) == (1, [late.pk])


def test_lines_are_filtered_by_the_risk_that_their_documents_have(shop: Shop) -> None:
    finished(shop)
    sure = in_casting(shop, due=TODAY + 9 * DAY)
    likely = in_casting(shop, due=TODAY + DAY)
    late = in_casting(shop, due=TODAY - DAY)
    in_casting(shop)  # Without a delivery date it has no risk.

    def by_risk(at: Any) -> dict[str, set[int]]:
        found = {risk: set(ids_of(read(shop, f"{LINES}?risk={risk}", at))) for risk in ("low", "medium", "high")}
        shown = [(row["forecast"]["risk"], row["id"]) for row in read(shop, LINES, at) if row["forecast"]]
        assert found == {risk: {pk for name, pk in shown if name == risk} for risk in found}
        return found

    make()
    assert by_risk(NOON) == {"low": {sure.pk}, "medium": set(), "high": {likely.pk, late.pk}}
    for percent, risk in ((20, "low"), (21, "medium"), (59, "medium"), (60, "high")):
        Forecast.objects.filter(line=likely.pk).update(on_time=1 - percent / 100, late_percent=percent)
        assert likely.pk in by_risk(NOON)[risk], percent
    Line.objects.filter(pk=sure.pk).update(delivery_date=TODAY + 8 * DAY)
    assert by_risk(NOON)["low"] == set(), "the chance was that of another delivery date"
    with clock.at(NOON):
        assert Caller(shop.ana.user).get(f"{LINES}?risk=none").fields == {"risk": "not_a_choice"}


def test_a_line_that_is_late_has_the_greatest_risk_and_is_not_likely_to_be(shop: Shop) -> None:
    finished(shop)
    late = in_casting(shop, due=TODAY - DAY)
    for hours in (0, 1, 2):
        make(NOON + hours * HOUR)
    row = read(shop, path_of(late))
    assert (row["forecast"]["risk"], row["forecast"]["onTime"]) == ("high", 0.0)
    assert "likelyLate" not in row["attention"]
    assert not Forecast.objects.get(line=late.pk).likely_late


def test_lists_cost_a_constant_number_of_queries(shop: Shop) -> None:
    finished(shop)
    in_casting(shop)
    make()

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            read(shop, f"{LINES}?ordering=-risk&limit=100")
        return len(asked)

    few = queries()
    for _ in range(10):
        in_casting(shop)
    make(NOON + HOUR)
    assert queries() == few


def written(at: Any) -> bytes:
    """The forecasts of all open lines as they are made at an instant, as bytes."""
    histories = selectors.histories(at)
    past = selectors.past_at(at, histories)
    found: dict[int, Any] = {}
    done = {line.id: line.done for line in histories if line.done is not None}
    correction = fitted(earlier_forecasts(histories, at.timestamp()), done, at.timestamp())
    assert correction.coefficients
    for line in histories:
        made = method.forecast(past, line, correction) if line.done is None else None
        if made is not None:
            found[line.id] = (made.basis, made.remaining.times, made.remaining.chances)
    assert found
    return json.dumps(found).encode()


def test_a_forecast_made_then_is_the_same_byte_for_byte_when_all_later_data_is_deleted(shop: Shop) -> None:
    then = NOON - 3 * DAY
    finished(shop, 12)
    written_line(shop, (shop.casting, 0, 4), (shop.polishing, 5, 7), began=NOON - 9 * DAY, done=8.0)
    written_line(shop, (shop.casting, 0, 1), (shop.polishing, 2, None), began=NOON - 5 * DAY)
    written_line(shop, (shop.casting, 0, 1), began=NOON - DAY, done=1.0)
    late = written_line(shop, (shop.casting, 0, 1), began=NOON - 5 * DAY)
    report_later(shop, late, received=NOON - 2 * DAY)
    taken_back = written_line(shop, (shop.casting, 0, None), began=NOON - 5 * DAY)
    reopen(shop, taken_back, left=NOON - 4 * DAY, taken_back=NOON - DAY)
    before = written(then)

    Line.objects.filter(creation_date__gt=then).delete()
    SalesOrder.objects.filter(creation_date__gt=then).delete()
    ProcessRecord.objects.filter(input_at__gt=then).delete()
    ProcessRecord.objects.filter(output_at__gt=then).update(output_at=None, output_by=None)
    late.records.update(output_at=None, output_by=None, exit=None)
    taken_back.records.update(reopened_at=None, output_at=NOON - 4 * DAY, output_by=shop.ana.user)
    Line.objects.filter(done_at__gt=then).update(done_at=None, status="InProcess")
    assert written(then) == before


def test_an_exit_reported_late_is_known_from_its_receipt_also_after_its_release(shop: Shop) -> None:
    order, begun = shop.approved(10), clock.now()
    shop.enter(order, shop.casting)
    received = begun + 5 * HOUR
    with clock.at(received):
        by = Caller(shop.ana.user)
        assert move(by, "out", order, shop.casting, made_at=utc_z(begun + 2 * HOUR)).status == 200
        assert release(by, order, shop.casting, "out").status == 200
    known = [selectors.histories(at) for at in (received - HOUR, received + HOUR)]
    assert [[move.kind for line in lines for move in line.moves] for lines in known] == [
        ["in"],
        ["in", "out", "returned"],
    ]
    assert shop.history(order)[0]["releasedExits"][0]["outputReceivedAt"] == utc_z(received)


def test_a_forecast_of_now_is_made_from_all_that_is_known_now(shop: Shop) -> None:
    finished(shop, 12)
    in_casting(shop)
    histories = selectors.histories()
    assert [line.id for line in histories] == [line.id for line in selectors.histories(NOON)]
    assert histories == selectors.histories(NOON)


def test_a_clock_that_was_set_back_makes_forecasts_of_what_was_recorded_ahead(shop: Shop) -> None:
    finished(shop)
    in_casting(shop, days=-1.0)
    make()
    assert str(Forecast.objects.get().p80) >= "2026-03-02"


def test_a_forecast_ends_within_the_days_that_the_product_accepts(shop: Shop) -> None:
    finished(shop, days=900_000.0 / 24)
    line = written_line(shop, began=NOON, status="New")
    Line.objects.filter(status="Done").update(done_at=NOON - DAY, creation_date=NOON - 40_000 * DAY)
    ProcessRecord.objects.all().delete()
    make()
    assert read(shop, path_of(line))["forecast"]["p90"] < "2200"


def test_the_database_refuses_a_forecast_without_its_days_and_without_a_reason(shop: Shop) -> None:
    finished(shop)
    in_casting(shop, due=TODAY)
    make()
    rows = Forecast.objects.all()
    for values in ({"p80": None}, {"p80": TODAY - DAY}, {"why": "tooFewDone"}, {"on_time": 1.5}, {"due": None}):
        assert refused(rows, **values), values
    with pytest.raises(IntegrityError), transaction.atomic():
        KeptForecast.objects.create(
            line_id=KeptForecast.objects.get().line_id,
            day=TODAY,
            made_at=NOON,
            p50=TODAY,
            p80=TODAY,
            p90=TODAY,
            basis=8,
        )
    assert not refused(rows, p80=TODAY + 9 * DAY, p90=TODAY + 9 * DAY)


def test_an_order_with_forecasts_can_be_deleted(shop: Shop) -> None:
    finished(shop)
    with clock.at(NOON):
        order = Caller(shop.ana.user).post(
            "/api/sales-order",
            {
                "customerId": shop.customer.pk,
                "customerSalesOrderId": "PO",
                "items": [{"itemId": shop.item.pk, "quantity": 1, "offeredDate": "2026-03-09"}],
            },
        )
    assert order.json["items"][0]["offeredDate"] == "2026-03-09"
    make()
    assert Forecast.objects.count() == KeptForecast.objects.count() == 1
    with clock.at(NOON):
        assert Caller(shop.ana.user).delete(f"/api/sales-order/{order.json['id']}").status == 200
    assert not Forecast.objects.exists()
    assert not KeptForecast.objects.exists()


def test_the_offered_day_is_kept_beside_the_chosen_one(shop: Shop) -> None:
    order = shop.order(
        items=[
            {"itemId": shop.item.pk, "quantity": 1, "deliveryDate": "2026-03-20", "offeredDate": "2026-03-09"},
            {"itemId": shop.item.pk, "quantity": 1},
        ]
    )
    line = shop.line(order)
    assert (line["deliveryDate"], line["offeredDate"]) == ("2026-03-20", "2026-03-09")
    assert shop.line(order, 2)["offeredDate"] is None
    answer = shop.ana.put(f"{line_path(order)}/full", {"deliveryDate": "2026-03-25"})
    assert answer.json["offeredDate"] == "2026-03-09"
    wrong = shop.ana.post(
        f"/api/sales-order/{order}/position", {"itemId": shop.item.pk, "quantity": 1} | {"offeredDate": "x"}
    )
    assert wrong.fields == {"offeredDate": "invalid_date"}
    assert refused(Line.objects.all(), offered_date=date(1899, 12, 31))


def test_the_correction_of_a_day_is_fitted_once_and_moves_the_forecasts_from_then_on(shop: Shop) -> None:
    """Eight lines took 5 days. Then eight more were begun, which have been in casting for 20 days and are not done."""
    finished(shop)
    slow = [written_line(shop, (shop.casting, 0, None), began=NOON - (20 + place) * DAY) for place in range(8)]
    line = in_casting(shop, days=1.0, due=TODAY + 4 * DAY)
    make()
    before = read(shop, path_of(line))["forecast"]
    with clock.at(NOON):
        assert correction_fit()
        assert not correction_fit(), "once a day"
    fit = FittedCorrection.objects.get()
    assert (fit.day, len(fit.coefficients)) == (TODAY, 6)
    make(NOON + HOUR)
    after = read(shop, path_of(line))["forecast"]
    assert after["onTime"] < before["onTime"]
    assert after["p50"] >= before["p50"]
    Line.objects.filter(pk__in=[one.pk for one in slow]).update(status="Canceled", quantity_inside=0)
    with clock.at(NOON + DAY):
        assert correction_fit()
    fit.refresh_from_db()
    assert fit.made_at == NOON, "the correction of a day is never rewritten"


def test_a_correction_without_any_history_corrects_nothing(shop: Shop) -> None:
    with clock.at(NOON):
        assert correction_fit()
    assert FittedCorrection.objects.get().coefficients == []
    finished(shop)
    line = in_casting(shop, due=TODAY + 3 * DAY)
    make()
    assert read(shop, path_of(line))["forecast"]["onTime"] == 1.0


def test_the_database_refuses_a_correction_whose_day_of_80_is_none(shop: Shop) -> None:
    with clock.at(NOON):
        correction_fit()
    assert refused(FittedCorrection.objects.all(), level=0.95)
    assert refused(FittedCorrection.objects.all(), level=0.5)
