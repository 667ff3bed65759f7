"""Forecasts from histories that are written by hand: each figure is worked out in the test."""

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from time import process_time

import pytest

from project.forecasts.histories import LineHistory, State, known_at
from project.forecasts.method import (
    FEWEST,
    NEWEST,
    WALKS,
    Made,
    Past,
    examples_at,
    forecast,
    goes_first,
    kaplan_meier,
    shrunk,
    typical_stay,
    walks,
    where_they_were,
)
from project.forecasts.remaining import Atom, Remaining
from tests.project.forecasts.by_hand import CASTING, DAY, POLISHING, line, straight, workshop


def past_on(day: float, *lines: LineHistory) -> Past:
    return Past(known_at(lines, day * DAY), day * DAY)


def made(past: Past, history: LineHistory) -> Made:
    found = forecast(past, history)
    assert found is not None
    return found


def days(remaining: Remaining, chance: float) -> float:
    return round(remaining.by_chance(chance) / DAY, 6)


def rounded(atoms: Sequence[Atom]) -> list[Atom]:
    return [(time, round(chance, 9)) for time, chance in atoms]


def alike(count: int = FEWEST, *lasted: float) -> list[LineHistory]:
    """Lines that took the same days in the same processes, one after the other."""
    return [straight(id, float(id), *(lasted or (5.0,))) for id in range(1, count + 1)]


def test_each_line_took_five_days_so_a_line_two_days_old_takes_three_more() -> None:
    past = past_on(102, *alike(), line(99, (100, "in", CASTING), began=100))
    found = made(past, past.lines[99])
    assert [days(found.remaining, chance) for chance in (0.01, 0.5, 0.8, 0.9, 1.0)] == [3.0] * 5
    assert found.basis == FEWEST
    assert found.remaining.within(3 * DAY - 1) == 0
    assert found.remaining.within(3 * DAY) == pytest.approx(1)


def test_with_fewer_than_eight_finished_lines_nothing_is_said() -> None:
    new = line(99, began=50)
    assert forecast(past_on(60, *alike(FEWEST - 1), new), new) is None
    assert forecast(past_on(60, *alike(FEWEST), new), new) is not None


def test_lines_that_are_not_finished_do_not_count_as_finished() -> None:
    unfinished = [line(id, (10, "in", CASTING), began=10) for id in range(20, 60)]
    assert forecast(past_on(60, *alike(FEWEST - 1), *unfinished), unfinished[0]) is None


def test_open_lines_count_as_long_as_they_are_known() -> None:
    rows = [(1.0, True, 1.0), (2.0, False, 1.0), (3.0, True, 1.0), (4.0, True, 1.0)]
    # A quarter is done at 1. Of the three quarters, half of the two that are left is done at 3, and the rest at 4.
    assert rounded(kaplan_meier(rows)) == [(1.0, 0.25), (3.0, 0.375), (4.0, 0.375)]


def test_open_lines_that_outlast_the_finished_ones_leave_a_part_open() -> None:
    assert rounded(kaplan_meier([(1.0, True, 1.0), (9.0, False, 3.0)])) == [(1.0, 0.25)]


def test_a_third_of_what_is_left_open_is_later_than_all_that_is_known() -> None:
    """A quarter is known. Of the other three, one is later, and two are as the one that is known."""
    remaining = Remaining([(1.0, 0.125), (2.0, 0.125)])
    assert remaining.within(1.0) == pytest.approx(0.25)
    assert remaining.within(1_000.0) == pytest.approx(0.5)
    assert [remaining.by_chance(chance) for chance in (0.25, 0.5, 0.9)] == [1.0, 2.0, 2.0]


def test_a_view_that_knows_nothing_like_a_line_leaves_its_third_open() -> None:
    """Nobody has left polishing, so no walk leads out of it: A and B speak, by the lines that are as old."""
    new = line(99, (100, "in", POLISHING), began=100)
    remaining = made(past_on(100, *alike(FEWEST, 5.0), new), new).remaining
    assert remaining.within(5 * DAY) == pytest.approx((2 / 3) / (2 / 3 + 1 / 9))


def test_a_visit_of_the_same_product_weighs_as_three() -> None:
    others = [*alike(FEWEST, 10.0)]
    same = straight(50, 1, 2.0, item=7)
    past = past_on(100, *others, same, line(99, (100, "in", CASTING), item=7, began=100))
    remaining = made(past, past.lines[99]).remaining
    # Of 11 in the state 3 are the same product; of the 9 as old, 1. A and B say (3 + 4/9) / 15, C says about 1/9.
    assert remaining.within(2 * DAY) == pytest.approx((2 * (3 + 4 / 9) / 15 + 1 / 9) / 3, abs=0.02)


def test_a_state_is_averaged_with_the_lines_of_the_same_age() -> None:
    assert rounded(shrunk([(1.0, True, 1.0)], [(3.0, True, 1.0)] * 2)) == [(1.0, 0.2), (3.0, 0.8)]
    assert rounded(shrunk([(1.0, True, 1.0)], [])) == [(1.0, 1.0)]
    assert rounded(shrunk([], [(3.0, True, 1.0)])) == [(3.0, 1.0)]


def test_only_visits_that_lasted_as_long_count() -> None:
    short, long = alike(FEWEST, 1.0), straight(50, 0, 9.0)
    past = past_on(104, *short, long, line(99, (100, "in", CASTING), began=100))
    found = made(past, past.lines[99])
    assert [stay.line for stay in past.like(past.lines[99])] == [50]
    assert (found.basis, days(found.remaining, 0.5)) == (1, 5.0)


def test_a_line_does_not_learn_from_itself() -> None:
    back = line(99, (0, "in", CASTING), (1, "out", CASTING), (20, "in", CASTING), began=0)
    past = past_on(20, *alike(FEWEST, 5.0), back)
    assert 99 not in {stay.line for stay in past.like(back)}


def test_a_walk_takes_the_first_step_that_lasts_longer_than_was_waited() -> None:
    past = past_on(105, *alike(FEWEST, 1.0), straight(50, 0, 10.0), line(99, (100, "in", CASTING), began=100))
    taken = walks(past, 99, past.here(past.lines[99]))
    assert {round(time / DAY, 6) for time in taken} == {5.0}


def test_a_walk_goes_ways_that_no_single_line_has_gone() -> None:
    """Some lines were quick in casting and slow in polishing, others slow and quick: a walk may be quick in both."""
    quick_first = [straight(id, id, 1.0, 10.0) for id in range(1, 5)]
    slow_first = [straight(id, id, 10.0, 1.0) for id in range(5, 9)]
    past = past_on(100, *quick_first, *slow_first, line(99, (100, "in", CASTING), began=100))
    taken = {round(time / DAY) for time in walks(past, 99, past.here(past.lines[99]))}
    assert taken == {2, 11, 20}


def test_a_walk_into_a_process_that_no_line_has_left_is_left_out() -> None:
    stuck = line(50, (0, "in", CASTING), (1, "out", CASTING), (1, "in", POLISHING), began=0)
    past = past_on(100, *alike(FEWEST, 5.0), stuck, line(99, (100, "in", CASTING), began=100))
    taken = [round(time / DAY) for time in walks(past, 99, past.here(past.lines[99]))]
    # Casting took 1 or 5 days. One exit from casting of nine led into polishing, which nobody has left.
    assert set(taken) == {1, 5}
    assert 0 < len(taken) < WALKS


def test_a_line_older_than_all_others_and_alone_in_its_state_takes_as_long_again() -> None:
    alone = line(99, (0, "in", POLISHING), began=0)
    past = past_on(1_000, *alike(FEWEST, 5.0), alone)
    assert days(made(past, alone).remaining, 0.5) == 5.0


def test_a_product_that_was_never_made_is_forecast_from_the_others() -> None:
    new = line(99, item=12_345, began=100)
    past = past_on(100, *alike(FEWEST, 5.0), new)
    assert days(made(past, new).remaining, 0.8) == 5.0


def test_one_line_that_took_three_years_moves_the_middle_of_the_others_by_nothing() -> None:
    odd = straight(50, 0, 1_095.0)
    lines = [*alike(40, 5.0), odd]
    past = past_on(2_000, *lines, line(99, (2_000, "in", CASTING), began=2_000))
    assert [days(made(past, past.lines[99]).remaining, chance) for chance in (0.5, 0.8, 0.9)] == [5.0] * 3


def test_a_plant_that_stood_still_for_two_weeks_makes_no_forecast_earlier_than_now() -> None:
    lines = workshop(3)
    now = 134.0
    past = past_on(now, *lines)
    for history in past.lines.values():
        if history.done is None:
            remaining = made(past, history).remaining
            assert all(time >= 0 for time in remaining.times)
            assert remaining.chances == sorted(remaining.chances)
            assert 0 < remaining.chances[-1] <= 1 + 1e-9


def test_a_clock_that_was_set_back_makes_no_negative_wait() -> None:
    ahead = line(99, (110, "in", CASTING), began=100)
    past = Past([*alike(FEWEST, 5.0), ahead], 105 * DAY)
    here = past.here(ahead)
    assert (here.waited, here.age) == (0, 5 * DAY)
    assert days(made(past, ahead).remaining, 0.5) >= 0


def test_a_release_after_done_is_forecast_like_any_open_line() -> None:
    released = line(99, (90, "in", CASTING), (95, "out", CASTING), (98, "returned", CASTING), began=90)
    past = past_on(100, *alike(FEWEST, 5.0), released)
    assert days(made(past, released).remaining, 0.8) >= 3.0


def test_a_movement_reported_a_day_late_changes_nothing_before_it_was_reported() -> None:
    told = line(99, (100, "in", CASTING), (102, "out", CASTING), began=100, known=[(1, 103.0)])
    untold = line(99, (100, "in", CASTING), began=100)
    before = made(past_on(102.5, *alike(FEWEST, 5.0, 1.0), told), told.known_at(102.5 * DAY) or told)
    same = made(past_on(102.5, *alike(FEWEST, 5.0, 1.0), untold), untold)
    assert before.remaining.times == same.remaining.times


def test_only_the_newest_lines_count() -> None:
    old = [straight(id, id, 100.0) for id in range(1, NEWEST + 1)]
    new = [straight(id, 2_000 + id, 1.0) for id in range(1_001, 1_001 + NEWEST)]
    past = past_on(4_000, *old, *new, line(9_999, (4_000, "in", CASTING), began=4_000))
    assert days(made(past, past.lines[9_999]).remaining, 1.0) == 1.0
    assert past.finished == NEWEST


def test_a_forecast_is_the_same_each_time() -> None:
    lines = workshop(5)
    one, other = past_on(90, *lines), past_on(90, *reversed(lines))
    open_lines = [history for history in one.lines.values() if history.done is None]
    assert open_lines
    for history in open_lines:
        assert made(one, history).basis == made(other, history).basis
        assert days(made(one, history).remaining, 0.8) == days(made(one, history).remaining, 0.8)


def written(past: Past) -> bytes:
    """The forecasts of all open lines, as bytes."""
    found = {
        history.id: (made(past, history).remaining.times, made(past, history).remaining.chances)
        for history in past.lines.values()
        if history.done is None
    }
    return json.dumps(found).encode()


@pytest.mark.parametrize("seed", range(5))
def test_a_forecast_made_then_is_the_same_byte_for_byte_when_all_later_data_is_deleted(seed: int) -> None:
    lines = workshop(seed)
    then = Random(seed).uniform(60, 110) * DAY
    cut = [
        LineHistory(
            history.id,
            history.item,
            history.began,
            tuple(move for move in history.moves if max(move.at, move.known or 0.0) <= then),
            history.done if history.done is not None and history.done <= then else None,
        )
        for history in lines
        if history.began <= then
    ]
    assert sum(len(history.moves) for history in cut) < sum(len(history.moves) for history in lines)
    assert written(Past(known_at(lines, then), then)) == written(Past(cut, then))


def test_a_line_that_goes_first_waits_as_long_as_the_quickest_tenth() -> None:
    """Each line was cast in a day, and waited from 1 to 10 days before it: the quickest one day."""
    lines = [
        line(id, (id + wait, "in", CASTING), (id + wait + 1, "out", CASTING), began=id, done=id + wait + 1)
        for id, wait in enumerate(range(1, 11), start=1)
    ]
    new = line(99, began=100)
    found = goes_first(past_on(100, *lines, new), new)
    assert found is not None
    assert days(found.first, 0.9) == 2.0
    assert round(found.gain(0.5) / DAY, 6) == days(found.now, 0.5) - 2.0 > 0


def test_work_in_a_process_is_not_shortened_by_going_first() -> None:
    past = past_on(100, *alike(FEWEST, 5.0), line(99, (100, "in", CASTING), began=100))
    found = goes_first(past, past.lines[99])
    assert found is not None
    assert (found.gain(0.5), days(found.first, 0.5)) == (0.0, 5.0)


def test_what_going_first_gains_is_not_known_with_too_few_lines() -> None:
    new = line(99, began=100)
    assert goes_first(past_on(100, *alike(FEWEST - 1), new), new) is None


def test_typical_stay_is_the_median_of_those_that_ended() -> None:
    lines = [straight(id, id, float(id)) for id in (1, 2, 9)]
    past = past_on(100, *lines, line(99, (0, "in", CASTING), began=0))
    assert typical_stay(past, State("in", CASTING)) == 2 * DAY
    assert typical_stay(past, State("in", POLISHING)) is None


def test_a_forecast_rests_on_the_lines_in_the_same_state_and_on_those_as_old() -> None:
    """All were in casting for two days. No other line is in polishing, and three lines were as old as 6 days."""
    old = [straight(id, float(id), 9.0) for id in range(50, 53)]
    past = past_on(100, *alike(FEWEST, 5.0), *old, line(99, (98, "in", CASTING), began=98))
    assert made(past, past.lines[99]).basis == FEWEST + 3
    alone = line(98, (94, "in", POLISHING), began=94)
    found = made(past_on(100, *alike(FEWEST, 5.0), *old, alone), alone)
    assert (found.basis, found.rests_on_enough) == (3, False)


def test_progress_is_the_share_of_the_processes_that_are_usual_for_the_product() -> None:
    same = [straight(id, float(id), 1.0, 1.0, item=7) for id in range(50, 53)]
    half = line(99, (90, "in", CASTING), (92, "out", CASTING), (95, "in", POLISHING), began=90, item=7)
    past = past_on(100, *alike(FEWEST, 5.0), *same, half)
    traits = made(past, half).traits
    assert (traits.progress, traits.is_inside, traits.waited / DAY, traits.age / DAY) == (0.5, True, 5.0, 10.0)
    other = replace(half, item=8)
    assert made(past_on(100, *alike(FEWEST, 5.0), *same, other), other).traits.progress == 1.0, "of all: one process"


def test_two_finished_lines_are_enough_to_learn_from_and_not_to_say() -> None:
    new = line(99, began=50)
    assert [one.line for one in examples_at([*alike(2), new], 60 * DAY)] == [99]
    assert examples_at([*alike(1), new], 60 * DAY) == []
    assert forecast(past_on(60, *alike(2), new), new) is None


def test_where_like_lines_were_is_the_mean_of_the_finished_ones_the_longest_first() -> None:
    lines = [
        line(id, (0, "in", CASTING), (2, "out", CASTING), (2 + wait, "in", POLISHING), began=0, done=3 + wait)
        for id, wait in enumerate((4.0, 6.0), start=1)
    ]
    past = past_on(100, *lines, line(99, (100, "in", CASTING), began=100))
    spent = where_they_were(past, past.like(past.lines[99]))
    assert [(one.state, one.seconds / DAY) for one in spent] == [
        (State("out", CASTING), 5.0),
        (State("in", CASTING), 2.0),
        (State("in", POLISHING), 1.0),
    ]


def test_five_hundred_open_lines_are_forecast_in_less_than_twenty_seconds_of_one_core() -> None:
    finished = [one for one in workshop(1, lines=600, days=300) if one.done is not None]
    unfinished = [replace(one, id=one.id + 10_000, done=None) for one in workshop(2, lines=500, days=300)]
    past = Past([*finished, *unfinished], 400 * DAY)
    begin = process_time()
    for history in unfinished:
        made(past, history)
    assert process_time() - begin < 20
