"""Each row of a planned case obeys the rule of movements, and the case ends with the planned history."""

from collections import defaultdict
from datetime import datetime, timedelta

from hypothesis import given, strategies as st

from infra.bench.movement_log.log import Movement, in_order
from infra.bench.movement_log.plan import CasePlan, Record, plan_case

START = datetime(2012, 1, 2, 8)  # noqa: DTZ001 a log knows no time zone


def visit(
    name: str, process: str, enters: int, leaves: int | None, worker: str = "ID1"
) -> list[tuple[str, str, int, str, str]]:
    ends = [] if leaves is None else [("out", process, leaves, worker, name)]
    return [("in", process, enters, worker, name), *ends]


def planned(pieces: int, *visits: list[tuple[str, str, int, str, str]]) -> CasePlan:
    rows = [row for one in visits for row in one]
    moves = [
        Movement(number, START + timedelta(minutes=at), direction, "Case 1", "Ring", pieces, process, worker, name)  # type: ignore[arg-type]
        for number, (direction, process, at, worker, name) in enumerate(rows, start=2)
    ]
    return plan_case(in_order(moves))


def steps(plan: CasePlan) -> list[tuple[str, str, int | None, int]]:
    return [(s.movement.direction, s.movement.process, s.quantity, s.releases) for s in plan.steps]


def test_a_visit_alone_takes_every_piece() -> None:
    plan = planned(10, visit("1", "Milling", 0, 5), visit("2", "Packing", 5, 9))
    assert steps(plan) == [
        ("in", "Milling", 10, 0),
        ("out", "Milling", 10, 0),
        ("in", "Packing", 10, 0),
        ("out", "Packing", 10, 0),
    ]


def test_visits_that_overlap_share_the_pieces() -> None:
    plan = planned(10, visit("1", "Milling", 0, 9), visit("2", "Packing", 3, 5))
    assert [s.quantity for s in plan.steps] == [5, 5, 5, 5]


def test_a_line_has_at_least_a_piece_for_each_open_visit() -> None:
    assert planned(1, visit("1", "Milling", 0, 9), visit("2", "Packing", 3, 5), visit("3", "Casting", 4, 8)).pieces == 3


def test_a_process_all_pieces_have_completed_is_released_on_return() -> None:
    plan = planned(10, visit("1", "Milling", 0, 5), visit("2", "Milling", 6, 9))
    assert steps(plan)[2] == ("in", "Milling", 10, 1)
    assert plan.records == [
        Record("Milling", 10, "ID1", "ID1", released=True),
        Record("Milling", 10, "ID1", "ID1"),
    ]


def test_of_two_visits_in_one_process_each_person_closes_their_own() -> None:
    plan = planned(10, visit("1", "Milling", 0, 9, "Ana"), visit("2", "Milling", 3, 5, "Luis"))
    assert plan.records == [Record("Milling", 5, "Ana", "Ana"), Record("Milling", 5, "Luis", "Luis")]


def test_a_return_while_the_process_is_open_never_releases_the_open_visit() -> None:
    plan = planned(
        2,
        visit("1", "Milling", 0, 2),
        visit("2", "Milling", 3, 8),
        visit("3", "Milling", 5, 9),
    )
    assert [record.released for record in plan.records] == [True, False, False]
    assert [s.releases for s in plan.steps] == [0, 0, 1, 0, 0, 0]


def test_equal_visits_are_each_released_once() -> None:
    back = [visit("3", "Milling", 4, None), visit("4", "Milling", 5, None)]
    plan = planned(2, visit("1", "Milling", 0, 3), visit("2", "Milling", 1, 2), *back)
    assert [record.released for record in plan.records] == [True, True, False, False]


def test_an_exit_without_an_entry_is_sent_without_a_quantity() -> None:
    rows = [("out", "Milling", 0, "ID1", "1")]
    assert steps(planned(5, rows)) == [("out", "Milling", None, 0)]


def test_a_visit_still_open_at_the_end_stays_open() -> None:
    assert planned(5, visit("1", "Milling", 0, None)).records == [Record("Milling", 5, "ID1", None)]


@st.composite
def cases(draw: st.DrawFn) -> CasePlan:
    visits = draw(
        st.lists(
            st.tuples(st.sampled_from("ABC"), st.integers(0, 30), st.integers(0, 12), st.booleans()),
            min_size=1,
            max_size=12,
        )
    )
    return planned(
        draw(st.integers(1, 12)),
        *(
            visit(str(n), process, enters, enters + stays if leaves else None)
            for n, (process, enters, stays, leaves) in enumerate(visits)
        ),
    )


@given(cases())
def test_every_planned_row_obeys_the_rule_of_movements(plan: CasePlan) -> None:
    line = Line(plan.pieces)
    for step in plan.steps:
        for _ in range(step.releases):
            line.release(step.movement.process)
        assert step.quantity is not None
        line.move(step.movement.direction, step.movement.process, step.quantity)
    assert line.records == [[r.process, r.quantity, r.left_by is None, r.released] for r in plan.records]


class Line:
    """The rule of movements (infra/docs/rules.md#movements), written again. It counts from the records alone."""

    def __init__(self, pieces: int) -> None:
        self.pieces = pieces
        self.records: list[list] = []  # process, quantity, open, released

    def held(self) -> tuple[int, dict[str, int]]:
        by_process: dict[str, int] = defaultdict(int)
        inside = 0
        for process, quantity, is_open, released in self.records:
            if not released:
                by_process[process] += quantity
                inside += quantity if is_open else 0
        return inside, by_process

    def move(self, direction: str, process: str, quantity: int) -> None:
        if direction == "in":
            inside, by_process = self.held()
            assert 1 <= quantity <= min(self.pieces - inside, self.pieces - by_process[process])
            self.records.append([process, quantity, True, False])
        else:
            oldest = next(r for r in self.records if r[0] == process and r[2] and not r[3])
            assert quantity == oldest[1]  # never split
            oldest[2] = False

    def release(self, process: str) -> None:
        last = [r for r in self.records if r[0] == process and not r[3]][-1]
        assert not last[2]  # an open visit is never released
        last[3] = True
