"""Days are days in the plant's time zone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from project.core import clock


@pytest.mark.parametrize(
    ("instant", "day", "end"),
    [
        (datetime(2026, 3, 2, 5, 59, 59, tzinfo=UTC), date(2026, 3, 1), datetime(2026, 3, 2, 6, tzinfo=UTC)),
        (datetime(2026, 3, 2, 6, tzinfo=UTC), date(2026, 3, 2), datetime(2026, 3, 3, 6, tzinfo=UTC)),
        (datetime(2026, 7, 1, 5, 59, tzinfo=UTC), date(2026, 6, 30), datetime(2026, 7, 1, 6, tzinfo=UTC)),
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), date(2026, 12, 31), datetime(2027, 1, 1, 6, tzinfo=UTC)),
    ],
)
@pytest.mark.usefixtures("in_mexico_city")
def test_midnight_is_the_plants(instant: datetime, day: date, end: datetime) -> None:
    """Mexico City is six hours behind UTC all year."""
    with clock.at(instant):
        assert clock.now() == instant
        assert clock.today() == day
        assert clock.end_of_today() == end


def test_another_time_zone_has_another_midnight(settings: object) -> None:
    settings.PLANT_TIME_ZONE = "Europe/Madrid"  # type: ignore[attr-defined]
    with clock.at(datetime(2026, 3, 28, 23, 30, tzinfo=UTC)):  # the night the clocks go forward
        assert clock.today() == date(2026, 3, 29)
        assert clock.end_of_today() == datetime(2026, 3, 29, 22, tzinfo=UTC)


def test_clock_is_fixed_only_inside_the_block() -> None:
    then = datetime(2020, 1, 1, tzinfo=ZoneInfo("America/Mexico_City"))
    with clock.at(then):
        assert clock.now() == then
        assert clock.now().tzinfo is UTC
    assert datetime.now(UTC) - clock.now() < timedelta(seconds=5)
