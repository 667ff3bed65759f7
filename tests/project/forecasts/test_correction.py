"""The correction moves forecasts by how earlier ones came out, and does nothing where too little came out."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from project.forecasts.correction import (
    HIGHEST,
    LOWEST,
    MOST_EXAMPLES,
    NOTHING,
    Correction,
    Example,
    Traits,
    fitted,
    is_sampled,
)
from project.forecasts.days import chance_by, days_of
from project.forecasts.remaining import DAY, FULL_SHIFT, Remaining

HERE = Traits(waited=2 * DAY, age=5 * DAY, pieces=10, progress=0.5, is_inside=True)
TEN_DAYS = [(float(day) * DAY, 0.1) for day in range(1, 11)]
"""Done within as many days as tenths of chance."""


def example(line: int, *, day: float = 0.0, traits: Traits = HERE) -> Example:
    return Example(line, day * DAY, Remaining(TEN_DAYS), traits)


def took(days: dict[int, float]) -> dict[int, float]:
    return {line: after * DAY for line, after in days.items()}


def test_without_an_outcome_nothing_is_corrected() -> None:
    assert fitted([], {}, 0.0) is NOTHING
    assert fitted([example(1)], {}, DAY / 2) is NOTHING
    remaining = Remaining(TEN_DAYS)
    assert NOTHING.corrected(remaining, HERE) is remaining


def test_lines_that_took_longer_than_was_said_move_the_days_later() -> None:
    """Each was said to take up to ten days; each took twenty."""
    examples = [example(line) for line in range(40)]
    found = fitted(examples, took(dict.fromkeys(range(40), 20.0)), 60 * DAY)
    later = found.corrected(Remaining(TEN_DAYS), HERE)
    assert found.shift(HERE) < -0.5
    assert later.within(5 * DAY) < 0.3 < Remaining(TEN_DAYS).within(5 * DAY)
    assert later.by_chance(0.5) > Remaining(TEN_DAYS).by_chance(0.5)


def test_lines_that_were_quicker_than_was_said_move_the_days_earlier() -> None:
    examples = [example(line) for line in range(40)]
    found = fitted(examples, took(dict.fromkeys(range(40), 0.5)), 60 * DAY)
    assert found.shift(HERE) > 0.5
    assert found.corrected(Remaining(TEN_DAYS), HERE).by_chance(0.5) < Remaining(TEN_DAYS).by_chance(0.5)


def test_few_lines_correct_little_however_many_mornings_they_were_open() -> None:
    one_line = [example(1, day=day) for day in range(100)]
    many = [example(line) for line in range(100)]
    few = fitted(one_line, took({1: 500.0}), 200 * DAY)
    much = fitted(many, took(dict.fromkeys(range(100), 500.0)), 200 * DAY)
    assert 0 > few.shift(HERE) > 0.6 * much.shift(HERE)


def test_lines_that_came_out_as_was_said_are_hardly_corrected() -> None:
    numbers = Random(1)
    examples = [example(line) for line in range(400)]
    found = fitted(examples, took({line: float(numbers.randrange(1, 11)) for line in range(400)}), 60 * DAY)
    assert abs(found.shift(HERE)) < 0.3
    assert found.level == pytest.approx(0.8, abs=0.03)


def test_what_slows_lines_down_is_learned_from_their_traits() -> None:
    """Orders of 1,000 pieces took twice as long as was said, orders of 10 half as long."""
    large = HERE._replace(pieces=1_000)
    examples = [example(line, traits=large if line % 2 else HERE) for line in range(80)]
    found = fitted(examples, took({line: 20.0 if line % 2 else 2.0 for line in range(80)}), 60 * DAY)
    assert found.shift(large) < -0.5 < 0.5 < found.shift(HERE)
    unknown = found.shift(HERE._replace(pieces=None))
    assert found.shift(large) < unknown < found.shift(HERE), "unknown pieces count as the mean"


def test_an_outcome_teaches_once_its_horizon_is_over() -> None:
    """Ten days after the forecasts, only the outcomes after 1, 3 and 7 days are known."""
    examples = [example(line) for line in range(40)]
    ten_days_later = fitted(examples, {}, 10 * DAY)
    assert ten_days_later.shift(HERE) < 0, "nothing was done within 7 days"
    assert fitted(examples, {}, 7 * DAY).coefficients == ten_days_later.coefficients
    assert fitted(examples, {}, 14 * DAY).shift(HERE) < ten_days_later.shift(HERE)


def test_a_corrected_forecast_stays_a_distribution() -> None:
    remaining = Remaining([(day * DAY, 0.02) for day in range(1, 51)])
    for shift in (-3.0, -0.5, 0.5, 3.0):
        found = remaining.corrected(shift, level=0.8)
        assert found.chances == sorted(found.chances)
        assert all(0 < chance <= 1 + 1e-9 for chance in found.chances)
        assert found.within(0) == 0
        assert found.chances[-1] == pytest.approx(1.0)


def test_a_correction_weakens_beyond_fourteen_days() -> None:
    remaining = Remaining([(FULL_SHIFT, 0.5), (10 * FULL_SHIFT, 0.3), (20 * FULL_SHIFT, 0.2)])
    before, moved = remaining.chances, remaining.corrected(-1.0, level=0.8).chances
    assert before[0] - moved[0] > 3 * (before[1] - moved[1]) > 0
    assert moved[2] == pytest.approx(1.0)


def test_what_is_certain_or_impossible_is_not_corrected() -> None:
    sure = Remaining([(DAY, 1.0)])
    moved = sure.corrected(-5.0, level=0.8)
    assert (moved.within(DAY), moved.within(DAY / 2)) == (1.0, 0.0)


def test_the_level_of_the_day_of_80_goes_half_way_to_the_one_that_would_have_kept_it() -> None:
    """Half of the lines were done at once, the others after the day of 80 %."""
    examples = [example(line) for line in range(10)]
    late = fitted(examples, took({line: 9.5 if line % 2 else 0.5 for line in range(10)}), 60 * DAY)
    early = fitted(examples, took(dict.fromkeys(range(10), 0.5)), 60 * DAY)
    assert (late.level, early.level) == pytest.approx(((HIGHEST + 0.8) / 2, (LOWEST + 0.8) / 2))


def test_the_level_waits_until_eight_lines_came_out() -> None:
    examples = [example(line) for line in range(10)]
    assert fitted(examples, took(dict.fromkeys(range(7), 0.5)), 60 * DAY).level == 0.8
    assert fitted(examples, took(dict.fromkeys(range(8), 0.5)), 60 * DAY).level != 0.8


@pytest.mark.parametrize("level", [(LOWEST + 0.8) / 2, 0.8, (HIGHEST + 0.8) / 2])
def test_the_level_is_told_as_80_percent_and_moves_no_other_day(level: float) -> None:
    remaining = Remaining([(day * DAY, 0.01) for day in range(100)])
    moved = Correction((0.0,) * 6, (0.0,) * 5, (1.0,) * 5, level=level).corrected(remaining, HERE)
    assert moved.by_chance(0.8) == remaining.by_chance(level)
    for chance in (0.1, 0.5, 0.9):
        assert moved.by_chance(chance) == remaining.by_chance(chance)


@pytest.mark.parametrize("level", [(LOWEST + 0.8) / 2, (HIGHEST + 0.8) / 2])
def test_the_chance_of_a_day_is_80_percent_just_if_the_day_of_80_is_not_later(level: float) -> None:
    at = datetime(2026, 3, 2, 8, tzinfo=UTC)
    for shift in (-0.4, 0.0, 0.3):
        told = Remaining([(day * DAY, 0.013) for day in range(77)]).corrected(shift, level=level)
        of_80 = days_of(told, at=at).p80
        for day in (of_80 + timedelta(days) for days in range(-9, 10)):
            assert (chance_by(told, day, at=at) >= 0.8) is (day >= of_80)


def test_of_many_forecasts_a_sample_teaches_the_same_one_each_time() -> None:
    assert all(is_sampled(line, 0.0, of=MOST_EXAMPLES) for line in range(100))
    chosen = [line for line in range(4_000) if is_sampled(line, 5.0, of=4 * MOST_EXAMPLES)]
    assert chosen == [line for line in range(4_000) if is_sampled(line, 5.0, of=4 * MOST_EXAMPLES)]
    assert 800 < len(chosen) < 1_200, "a quarter"
