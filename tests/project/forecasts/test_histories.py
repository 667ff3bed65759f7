"""The states that a line has gone through, and what was known of it at an instant."""

from project.forecasts.histories import DONE, START, LineHistory, State, visits_of
from tests.project.forecasts.by_hand import CASTING, DAY, POLISHING, line, straight

IN, OUT = State("in", CASTING), State("out", CASTING)


def states(history: LineHistory) -> list[tuple[State, float, float | None]]:
    """The states of a line, with the days on which they began and ended."""
    return [
        (visit.state, visit.begin / DAY, None if visit.end is None else visit.end / DAY) for visit in visits_of(history)
    ]


def test_a_line_that_was_never_moved_has_not_begun() -> None:
    assert states(line(1, began=3)) == [(START, 3, None)]


def test_a_line_is_in_a_process_then_out_of_it_then_done() -> None:
    history = line(1, (1, "in", CASTING), (3, "out", CASTING), done=7)
    assert states(history) == [(START, 0, 1), (IN, 1, 3), (OUT, 3, 7)]
    assert visits_of(history)[-1].then == DONE


def test_of_pieces_in_several_processes_the_last_entry_counts() -> None:
    polishing = State("in", POLISHING)
    history = line(1, (1, "in", CASTING), (2, "in", POLISHING), (4, "out", POLISHING))
    assert states(history) == [(START, 0, 1), (IN, 1, 2), (polishing, 2, 4), (IN, 4, None)]


def test_pieces_whose_exit_was_taken_back_are_inside_again() -> None:
    history = line(1, (1, "in", CASTING), (2, "out", CASTING), (3, "returned", CASTING))
    assert states(history) == [(START, 0, 1), (IN, 1, 2), (OUT, 2, 3), (IN, 3, None)]


def test_a_line_whose_only_entry_was_taken_back_has_not_begun() -> None:
    assert states(line(1, (1, "in", CASTING), (2, "removed", CASTING))) == [(START, 0, 1), (IN, 1, 2), (START, 2, None)]


def test_an_exit_that_was_taken_back_with_its_entry_was_never_made() -> None:
    only = line(1, (1, "in", CASTING), (2, "out", CASTING), (3, "removed", CASTING))
    assert states(only) == [(START, 0, 1), (IN, 1, 2), (OUT, 2, 3), (START, 3, None)]
    in_turn = line(1, (1, "in", CASTING), (2, "out", CASTING), (3, "returned", CASTING), (4, "removed", CASTING))
    assert states(in_turn)[-1] == (START, 4, None)
    second = line(
        1,
        *((1, "in", CASTING), (2, "out", CASTING)),
        *((3, "in", POLISHING), (4, "out", POLISHING), (5, "removed", POLISHING)),
    )
    assert states(second)[-1] == (OUT, 5, None)


def test_a_release_after_done_leaves_the_line_unfinished() -> None:
    history = line(1, (1, "in", CASTING), (2, "out", CASTING), (5, "returned", CASTING), done=None)
    assert states(history)[-1] == (IN, 5, None)


def test_a_movement_before_the_order_was_written_begins_the_line() -> None:
    assert states(line(1, (1, "in", CASTING), began=2)) == [(START, 1, 1), (IN, 1, None)]


def test_a_clock_that_was_set_back_makes_no_visit_shorter_than_nothing() -> None:
    history = line(1, (5, "in", CASTING), (3, "out", CASTING), done=2)
    assert states(history) == [(START, 0, 5), (IN, 5, 5), (OUT, 5, 5)]


def test_a_movement_reported_a_day_late_is_not_known_before() -> None:
    history = line(1, (1, "in", CASTING), (2, "out", CASTING), known=[(1, 3.0)])
    then, later = history.known_at(2.5 * DAY), history.known_at(3 * DAY)
    assert then is not None
    assert later is not None
    assert [move.kind for move in then.moves] == ["in"]
    assert [move.kind for move in later.moves] == ["in", "out"]


def test_nothing_is_known_of_a_line_before_it_was_written() -> None:
    assert straight(1, 10, 1).known_at(9.99 * DAY) is None


def test_a_line_is_not_known_to_be_done_before_it_was() -> None:
    known = straight(1, 0, 5).known_at(4 * DAY)
    assert known is not None
    assert (known.done, len(known.moves)) == (None, 1)
