"""Turn how long a line still takes into days of the plant. No database."""

from datetime import date, datetime, timedelta
from math import floor
from typing import NamedTuple

from project.core import clock
from project.forecasts.remaining import SURE, Remaining

LONGEST = timedelta(days=20_000)
"""A longer time is shown as this one, because the application accepts only days up to 2200."""


MOMENT = 0.001
"""Seconds before the end of a day: a line that is done exactly at midnight is done on the next day."""


class Days(NamedTuple):
    """The days by which a line is done with a chance of 10, 50, 80 and 90 %."""

    p10: date
    p50: date
    p80: date
    p90: date


def days_of(remaining: Remaining, *, at: datetime) -> Days:
    """Return the days of a forecast made at an instant."""
    return Days(
        day_after(remaining.by_chance(0.1), at=at),
        day_after(remaining.by_chance(0.5), at=at),
        day_after(remaining.by_chance(0.8), at=at),
        day_after(remaining.by_chance(0.9), at=at),
    )


def day_after(seconds: float, *, at: datetime, sooner: float = 0.0) -> date:
    """Return the day of the plant on which `seconds` from `at` on have passed. `sooner`: seconds to subtract."""
    return clock.day_of(at + min(timedelta(seconds=max(0.0, seconds - sooner)), LONGEST))


def chance_by(remaining: Remaining, day: date, *, at: datetime, sooner: float = 0.0) -> float:
    """Return the chance that a line is done by the end of a day, in whole percent. `sooner`: as in `day_after`.

    Rounded down: it is at least 80 % only if the day of 80 % is not later.
    """
    left = (clock.end_of(day) - at).total_seconds()
    return floor(100 * (remaining.within(left + sooner - MOMENT) + SURE)) / 100 if left > 0 else 0.0
