"""Make the forecasts of unfinished lines, and keep the first one of each day. The worker calls it.

Nothing is computed inside a transaction, and a few lines are stored at a time, so that no other write waits for it.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime

from project.core import clock
from project.forecasts import method, selectors
from project.forecasts.correction import LEARNS_FROM, Correction, Example, fitted
from project.forecasts.days import chance_by, days_of
from project.forecasts.histories import LineHistory, known_at
from project.forecasts.method import Past
from project.forecasts.models import FittedCorrection, KeptForecast
from project.forecasts.remaining import DAY
from project.forecasts.rules import Alert, next_alert
from project.orders.forecasting import forecasts_forget, forecasts_store
from project.orders.models import Forecast, Line
from project.orders.rules import FINISHED

STORED_AT_ONCE = 50
TOO_FEW_DONE, TOO_FEW_LIKE = "tooFewDone", "tooFewLike"


def forecasts_make(orders: Collection[int] | None = None) -> int:
    """Make the forecasts of the unfinished lines of these orders, or of all orders. Returns how many were made.

    Reads the histories and the correction once. 2 queries and a transaction for each `STORED_AT_ONCE` lines.
    """
    if orders is None:
        forecasts_forget()
    unfinished = Line.objects.exclude(status__in=FINISHED)
    if orders is not None:
        unfinished = unfinished.filter(order__in=orders)
    due = dict(unfinished.values_list("pk", "delivery_date"))
    if not due:
        return 0
    histories = selectors.histories()
    at = clock.now()
    past = selectors.past_at(at, histories)
    correction = selectors.correction_at(clock.day_of(at))
    lines = [line for line in histories if line.id in due]
    for start in range(0, len(lines), STORED_AT_ONCE):
        portion = lines[start : start + STORED_AT_ONCE]
        before = Forecast.objects.in_bulk([line.id for line in portion])
        made = {
            line.id: made_of(past, line, correction, due=due[line.id], at=at, before=before.get(line.id))
            for line in portion
        }
        _keep(forecasts_store(made), made, day=clock.day_of(at))
    return len(lines)


def correction_fit() -> bool:
    """Fit the correction of today to the forecasts of earlier mornings, once a day. Returns whether it was fitted now.

    Makes the forecasts of those mornings again, each from what was known then, because the stored ones lack the values
    that a correction needs. At most `correction.MOST_EXAMPLES` of them. 5 queries, and 2 per 500 lines.
    """
    at = clock.now()
    today = clock.day_of(at)
    if selectors.is_fitted(today):
        return False
    lines = selectors.histories(at, unfinished=method.NEWEST)
    done = {line.id: line.done for line in lines if line.done is not None}
    found = fitted(earlier_forecasts(lines, at.timestamp()), done, at.timestamp())
    values = {"coefficients": found.coefficients, "means": found.means, "spreads": found.spreads, "level": found.level}
    _, is_new = FittedCorrection.objects.get_or_create(day=today, defaults={"made_at": at, **values})
    return is_new


def earlier_forecasts(lines: Collection[LineHistory], at: float) -> list[Example]:
    """Return the forecasts of the mornings before `at`, or a sample, each made from what was known then. No query."""
    first = max(min((line.began for line in lines), default=at), at - LEARNS_FROM)
    mornings = [at - days * DAY for days in range(1, int((at - first) // DAY) + 1)]
    of = sum(line.is_open_at(morning) for morning in mornings for line in lines)
    return [one for morning in mornings for one in method.examples_at(known_at(lines, morning), morning, of=of)]


def made_of(
    past: Past, line: LineHistory, correction: Correction, *, due: date | None, at: datetime, before: Forecast | None
) -> Forecast:
    """Return the forecast of a line, which is not stored yet. No query."""
    made = method.forecast(past, line, correction)
    if made is None or not made.rests_on_enough:
        why = TOO_FEW_DONE if made is None else TOO_FEW_LIKE
        return Forecast(line_id=line.id, made_at=at, due=due, why=why)
    today = clock.day_of(at)
    on_time = None if due is None else chance_by(made.remaining, due, at=at)
    alert = next_alert(
        Alert() if before is None else Alert(before.due, before.doubtful_since, before.likely_late),
        due=due,
        late=None if on_time is None else 1 - on_time,
        at=at,
        today=today,
    )
    return Forecast(
        line_id=line.id,
        made_at=at,
        **days_of(made.remaining, at=at)._asdict(),
        due=due,
        on_time=on_time,
        late_percent=-1 if on_time is None else round(100 * (1 - on_time)),
        basis=made.basis,
        doubtful_since=alert.doubtful_since,
        likely_late=alert.likely_late,
    )


def _keep(stored: Iterable[int], made: Mapping[int, Forecast], *, day: date) -> None:
    """Keep the forecasts of these lines, except of lines that already have one of this day. 1 query."""
    kept = [one for line in stored if (one := _kept(made[line], day)) is not None]
    KeptForecast.objects.bulk_create(kept, ignore_conflicts=True)


def _kept(made: Forecast, day: date) -> KeptForecast | None:
    if made.p50 is None or made.p80 is None or made.p90 is None:
        return None
    return KeptForecast(
        line_id=made.line_id,
        day=day,
        made_at=made.made_at,
        p50=made.p50,
        p80=made.p80,
        p90=made.p90,
        due=made.due,
        on_time=made.on_time,
        basis=made.basis,
    )
