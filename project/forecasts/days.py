"""Turn how long a line still takes into days of the plant. No database."""

from datetime import date, datetime, timedelta

from project.core import clock
from project.forecasts.method import Remaining

LONGEST = timedelta(days=20_000)
"""A longer time is shown as this one, because the application accepts only days up to 2200."""


MOMENT = 0.001
"""Seconds before the end of a day: a line that is done exactly at midnight is done on the next day."""


def days_of(remaining: Remaining, *, at: datetime) -> tuple[date, date, date]:
    """Return the days by which a line is done with a chance of 50, 80 and 90 %."""
    return day_by(remaining, 0.5, at=at), day_by(remaining, 0.8, at=at), day_by(remaining, 0.9, at=at)


def day_by(remaining: Remaining, chance: float, *, at: datetime, sooner: float = 0.0) -> date:
    """Return the day by which a line is done with this chance. `sooner`: seconds to subtract from `remaining`."""
    seconds = max(0.0, remaining.by_chance(chance) - sooner)
    return clock.day_of(at + min(timedelta(seconds=seconds), LONGEST))


def chance_by(remaining: Remaining, day: date, *, at: datetime, sooner: float = 0.0) -> float:
    """Return the chance that a line is done by the end of a day, rounded to a percent. `sooner`: as in `day_by`."""
    left = (clock.end_of(day) - at).total_seconds()
    return round(remaining.within(left + sooner - MOMENT), 2) if left > 0 else 0.0
