"""The alert that a line is likely late is raised by two forecasts, taken back by a clear one, and does not flap."""

from datetime import UTC, date, datetime, timedelta

import pytest

from project.forecasts.rules import Alert, next_alert

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
TODAY, DUE = date(2026, 3, 2), date(2026, 3, 9)
MINUTE = timedelta(minutes=1)


def after(*forecasts: tuple[int, float | None], due: date | None = DUE) -> list[bool]:
    """Whether the line is said to be likely late after each forecast: minute, and chance to be late."""
    alert, said = Alert(), []
    for minutes, late in forecasts:
        alert = next_alert(alert, due=due, late=late, at=NOON + minutes * MINUTE, today=TODAY)
        said.append(alert.likely_late)
    return said


def test_alert_is_raised_by_the_second_forecast_an_hour_later() -> None:
    assert after((0, 0.6), (59, 0.9), (60, 0.6)) == [False, False, True]


def test_one_forecast_alone_raises_nothing() -> None:
    assert after((0, 1.0)) == [False]
    assert after((0, 1.0), (1, 1.0), (2, 1.0)) == [False, False, False]


@pytest.mark.parametrize("between", [0.59, 0.4, 0.1])
def test_a_lower_chance_between_begins_the_hour_again(between: float) -> None:
    assert after((0, 0.7), (30, between), (60, 0.7), (119, 0.7), (120, 0.7)) == [False, False, False, False, True]


def test_alert_stays_until_the_chance_is_below_the_lower_mark() -> None:
    assert after((0, 0.7), (60, 0.7), (61, 0.59), (62, 0.4), (63, 0.39)) == [False, True, True, True, False]


def test_alert_does_not_flap_around_the_upper_mark() -> None:
    wavering = [(60 * hour, 0.62 if hour % 2 else 0.58) for hour in range(2, 30)]
    said = after((0, 0.7), (60, 0.7), *wavering)
    assert said == [False] + [True] * (len(wavering) + 1)


def test_wavering_around_the_upper_mark_raises_nothing() -> None:
    assert not any(after(*((60 * hour, 0.62 if hour % 2 else 0.58) for hour in range(30))))


def test_a_new_delivery_date_begins_again() -> None:
    raised = Alert(DUE, NOON, likely_late=True)
    later = next_alert(raised, due=DUE + timedelta(days=1), late=0.9, at=NOON + 60 * MINUTE, today=TODAY)
    assert later == Alert(DUE + timedelta(days=1), NOON + 60 * MINUTE, likely_late=False)


def test_without_a_delivery_date_nothing_is_late() -> None:
    assert after((0, None), (120, None), due=None) == [False, False]


def test_a_line_that_is_late_already_is_no_longer_likely_to_be() -> None:
    raised = Alert(DUE, NOON, likely_late=True)
    late = next_alert(raised, due=DUE, late=1.0, at=NOON, today=DUE + timedelta(days=1))
    assert late == Alert(DUE)
    on_the_day = next_alert(raised, due=DUE, late=1.0, at=NOON, today=DUE)
    assert on_the_day.likely_late


def test_a_clock_that_was_set_back_does_not_raise_the_alert_early_or_never() -> None:
    ahead = Alert(DUE, NOON + 600 * MINUTE)
    first = next_alert(ahead, due=DUE, late=0.9, at=NOON, today=TODAY)
    second = next_alert(first, due=DUE, late=0.9, at=NOON + 60 * MINUTE, today=TODAY)
    assert (first.likely_late, second.likely_late) == (False, True)
