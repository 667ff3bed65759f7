"""Make the forecasts of unfinished lines, and keep the first one of each day. The worker calls it.

Nothing is computed inside a transaction, and a few lines are stored at a time, so that no other write waits for it.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime

from project.core import clock
from project.forecasts import method, selectors
from project.forecasts.days import chance_by, days_of
from project.forecasts.histories import LineHistory
from project.forecasts.method import Past
from project.forecasts.models import KeptForecast
from project.forecasts.rules import Alert, next_alert
from project.orders.forecasting import forecasts_forget, forecasts_store
from project.orders.models import Forecast, Line
from project.orders.rules import FINISHED

STORED_AT_ONCE = 50
TOO_FEW = "tooFewDone"


def forecasts_make(orders: Collection[int] | None = None) -> int:
    """Make the forecasts of the unfinished lines of these orders, or of all of them. Returns how many were made.

    Reads the histories once. 2 queries and a transaction for each `STORED_AT_ONCE` lines.
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
    lines = [line for line in histories if line.id in due]
    for start in range(0, len(lines), STORED_AT_ONCE):
        portion = lines[start : start + STORED_AT_ONCE]
        before = Forecast.objects.in_bulk([line.id for line in portion])
        made = {line.id: made_of(past, line, due=due[line.id], at=at, before=before.get(line.id)) for line in portion}
        _keep(forecasts_store(made), made, day=clock.day_of(at))
    return len(lines)


def made_of(past: Past, line: LineHistory, *, due: date | None, at: datetime, before: Forecast | None) -> Forecast:
    """Return the forecast of a line, which is not stored yet. No query."""
    made = method.forecast(past, line)
    if made is None:
        return Forecast(line_id=line.id, made_at=at, due=due, why=TOO_FEW)
    today = clock.day_of(at)
    on_time = None if due is None else chance_by(made.remaining, due, at=at)
    alert = next_alert(
        Alert() if before is None else Alert(before.due, before.doubtful_since, before.likely_late),
        due=due,
        late=None if on_time is None else 1 - on_time,
        at=at,
        today=today,
    )
    p50, p80, p90 = days_of(made.remaining, at=at)
    return Forecast(
        line_id=line.id,
        made_at=at,
        p50=p50,
        p80=p80,
        p90=p90,
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
