"""Say when a line will probably be done, as its document carries it. No query.

`project.forecasts` makes and stores forecasts. See infra/docs/rules.md#forecast.
"""

from datetime import date
from typing import Literal, cast

from project.core import clock
from project.core.schemas import Day, Document, Instant
from project.orders import rules
from project.orders.models import Forecast, Line
from project.orders.rules import FINISHED, Status

Risk = Literal["low", "medium", "high"]
ForecastWhy = Literal["tooFewDone", "tooFewLike", "notYet", "finished"]
"""Why there is no forecast.

`tooFewDone`: too few lines of the workshop are finished. `tooFewLike`: too few lines were like this one. `notYet`: it
was not made yet. `finished`: the line itself is finished.
"""


class LineForecast(Document):
    """When a line will probably be done.

    `p10`, `p50`, `p80`, `p90`: the days by which the line is done with a chance of 10, 50, 80 and 90 %. `onTime`: the
    chance, from 0 to 1, that it is done by its delivery date; null without a delivery date, and for a moment after that
    date changed. `risk`: the risk of being late; `high` if the line is likely late, or late already. `basis`: how many
    lines the forecast rests on. `at`: when the forecast was made.
    """

    p10: Day
    p50: Day
    p80: Day
    p90: Day
    on_time: float | None
    risk: Risk | None
    basis: int | None
    at: Instant


def loaded_forecast(line: Line) -> Forecast | None:
    """Return the stored forecast of a line, which the selectors have loaded with the line; None if there is none."""
    found: Forecast | None = getattr(line, "forecast", None)
    return found


def is_likely_late(line: Line, today: date | None = None) -> bool:
    """Say whether an open line that is not late yet is likely late, by the forecast for its present delivery date.

    The bell waits for a second forecast (`attention.likely_late`).
    """
    forecast, due = loaded_forecast(line), line.delivery_date
    if forecast is None or due is None or line.status in FINISHED:
        return False
    return (
        forecast.late_percent >= rules.LIKELY_LATE_PERCENT and forecast.due == due and due >= (today or clock.today())
    )


def forecast_of(line: Line) -> tuple[LineForecast | None, ForecastWhy | None]:
    """Return the forecast of a line and None, or None and the reason why there is no forecast."""
    if line.status in FINISHED:
        return None, "finished"
    stored = loaded_forecast(line)
    if stored is None:
        return None, "notYet"
    if stored.why:
        return None, cast(ForecastWhy, stored.why)
    if stored.p10 is None or stored.p50 is None or stored.p80 is None or stored.p90 is None:
        return None, "notYet"
    is_of_this_day = stored.due is not None and stored.due == line.delivery_date
    on_time = stored.on_time if is_of_this_day else None
    shown = LineForecast(
        p10=stored.p10,
        p50=stored.p50,
        p80=stored.p80,
        p90=stored.p90,
        on_time=on_time,
        risk=_risk(line, on_time),
        basis=stored.basis,
        at=stored.made_at,
    )
    return shown, None


def _risk(line: Line, on_time: float | None) -> Risk | None:
    today = clock.today()
    stored = loaded_forecast(line)
    if rules.is_late(Status(line.status), line.delivery_date, today) or is_likely_late(line, today):
        return "high"
    if stored is None or on_time is None:
        return None
    return "medium" if stored.late_percent >= rules.DOUBTFUL_PERCENT else "low"
