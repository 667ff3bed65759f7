"""The clock. Instants are UTC; a day is a day in the plant's time zone (contract, section 1)."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings

_standing: ContextVar[datetime | None] = ContextVar("standing", default=None)


def now() -> datetime:
    """The present instant in UTC."""
    return _standing.get() or datetime.now(UTC)


def plant() -> ZoneInfo:
    """The plant's time zone."""
    return ZoneInfo(settings.PLANT_TIME_ZONE)


def today() -> date:
    """The plant's calendar day."""
    return now().astimezone(plant()).date()


def end_of_today() -> datetime:
    """The instant at which the plant's day ends: its next midnight, in UTC."""
    tomorrow = today() + timedelta(days=1)
    return datetime.combine(tomorrow, time.min, tzinfo=plant()).astimezone(UTC)


@contextmanager
def at(instant: datetime) -> Iterator[None]:
    """Let the clock stand at `instant` inside the block: for tests, demo data and benches."""
    token = _standing.set(instant.astimezone(UTC))
    try:
        yield
    finally:
        _standing.reset(token)
