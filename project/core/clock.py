"""The clock. Instants are UTC; a day is a day in the plant's time zone (infra/docs/rules.md#time)."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2200, 12, 31)
"""The days that the product takes. Arithmetic with days at the ends of the calendar overflows."""

CLOCKS_DIFFER = timedelta(minutes=1)
"""What the clocks of two machines may differ by. What is later than that was written before a clock was set back."""

STATIONS_DIFFER = timedelta(minutes=2)
"""What a station's clock may be off by, where it reports a movement later (infra/docs/rules.md#reported-later)."""
REPORTED_FOR = timedelta(hours=24)
"""How long after a movement a station may report it (infra/docs/rules.md#reported-later)."""

_standing: ContextVar[datetime | None] = ContextVar("standing", default=None)


def now() -> datetime:
    """The present instant in UTC, to the millisecond: what is recorded is what documents show of it."""
    return _standing.get() or to_millisecond(datetime.now(UTC))


def to_millisecond(instant: datetime) -> datetime:
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def plant() -> ZoneInfo:
    """The plant's time zone."""
    return ZoneInfo(settings.PLANT_TIME_ZONE)


def day_of(instant: datetime) -> date:
    """The plant's calendar day at an instant."""
    return instant.astimezone(plant()).date()


def today() -> date:
    """The plant's calendar day."""
    return day_of(now())


def start_of(day: date) -> datetime:
    """The instant at which a day of the plant begins, in UTC."""
    return _start_of(day, plant())


@lru_cache(maxsize=64)
def _start_of(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, tzinfo=zone).astimezone(UTC)


def end_of(day: date) -> datetime:
    """The instant at which a day of the plant ends: its next midnight, in UTC."""
    return start_of(day + timedelta(days=1))


def shown(instant: datetime) -> str:
    """An instant as people of the plant read it, to the minute."""
    return instant.astimezone(plant()).strftime("%Y-%m-%d %H:%M")


def end_of_today() -> datetime:
    """The instant at which the plant's today ends, in UTC."""
    return end_of(today())


@contextmanager
def at(instant: datetime) -> Iterator[None]:
    """Let the clock stand at `instant` inside the block: for tests, demo data and benches."""
    token = _standing.set(instant.astimezone(UTC))
    try:
        yield
    finally:
        _standing.reset(token)
