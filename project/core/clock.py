"""The clock. Instants are UTC; a day is a calendar day in the plant's time zone (infra/docs/rules.md#time)."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2200, 12, 31)
"""The first and the last day that the product accepts. Arithmetic at the ends of the calendar would overflow."""

CLOCKS_DIFFER = timedelta(minutes=1)
"""How far the clocks of two machines may differ. An instant further in the future was written before a clock was set
back."""

STATIONS_DIFFER = timedelta(minutes=2)
"""How far a station's clock may be off when it reports a movement later (infra/docs/rules.md#reported-later)."""
REPORTED_FOR = timedelta(hours=24)
"""How long after a movement a station may report it (infra/docs/rules.md#reported-later)."""

_frozen: ContextVar[datetime | None] = ContextVar("frozen", default=None)


def now() -> datetime:
    """Return the current instant in UTC, cut to the millisecond, which is the precision of every document."""
    return _frozen.get() or to_millisecond(datetime.now(UTC))


def to_millisecond(instant: datetime) -> datetime:
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def plant() -> ZoneInfo:
    return ZoneInfo(settings.PLANT_TIME_ZONE)


def day_of(instant: datetime) -> date:
    """Return the plant's calendar day at an instant."""
    return instant.astimezone(plant()).date()


def today() -> date:
    """Return the plant's current calendar day."""
    return day_of(now())


def start_of(day: date) -> datetime:
    """Return the instant in UTC at which a plant day begins."""
    return _start_of(day, plant())


@lru_cache(maxsize=64)
def _start_of(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, tzinfo=zone).astimezone(UTC)


def end_of(day: date) -> datetime:
    """Return the instant in UTC at which a plant day ends: the next midnight."""
    return start_of(day + timedelta(days=1))


def shown(instant: datetime) -> str:
    """Format an instant for people, in the plant's time zone, to the minute."""
    return instant.astimezone(plant()).strftime("%Y-%m-%d %H:%M")


def end_of_today() -> datetime:
    """Return the instant in UTC at which the plant's current day ends."""
    return end_of(today())


@contextmanager
def at(instant: datetime) -> Iterator[None]:
    """Freeze the clock at `instant` inside the block: for tests, demo data and benchmarks."""
    token = _frozen.set(instant.astimezone(UTC))
    try:
        yield
    finally:
        _frozen.reset(token)
