"""Plan how many pieces each movement takes, what is released before it, and the history that must follow.

A case becomes a line. Its visits may overlap, in one process or in several. A visit takes all pieces if no other visit
is open at the same time, else an equal share. The plan uses the server's rules (infra/docs/rules.md#movements):

- maxQuantity(in, P) = min(pieces - inside anywhere, pieces - completed P - inside P).
- An exit closes the oldest open record of its process that its worker made, else the oldest of all. It takes all pieces
  of that record, so no record is split.
- A release takes back the record that entered last.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from infra.bench.movement_log.log import Movement


@dataclass
class Record:
    """A record that the history of a line must have.

    `entered_row` and `left_row`: the rows of the log that make the record. `place`: its place in the history.
    """

    process: str
    quantity: int
    entered_by: str
    left_by: str | None = None
    released: bool = False
    entered_row: int = field(default=0, compare=False)
    left_row: int = field(default=0, compare=False)
    place: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Step:
    """A movement to play. `releases`: how many releases of its process are played before the movement.

    `quantity` is None for an exit from a process that has nothing inside. The server must refuse that exit.
    """

    movement: Movement
    quantity: int | None
    releases: int = 0


@dataclass
class CasePlan:
    """The plan of a line: its pieces, its steps in order, and the history that the steps must produce, oldest first."""

    case: str
    part: str
    pieces: int
    steps: list[Step] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)


def plan_log(movements: Sequence[Movement]) -> dict[str, CasePlan]:
    """Return the plan of each case, by case. `movements`: sorted by `log.in_order`."""
    cases: dict[str, list[Movement]] = defaultdict(list)
    for movement in movements:
        cases[movement.case].append(movement)
    return {case: plan_case(moves) for case, moves in cases.items()}


def in_time_order(movements: Sequence[Movement], plans: dict[str, CasePlan]) -> Iterator[Step]:
    """Yield the steps of all plans in the order of the log."""
    steps = {case: iter(plan.steps) for case, plan in plans.items()}
    return (next(steps[movement.case]) for movement in movements)


def plan_case(moves: Sequence[Movement]) -> CasePlan:
    """Return the plan of one case. `moves`: the movements of the case in order."""
    beside = _groups(moves, lambda _: "anywhere")
    within = _groups(moves, lambda m: m.process)
    # Overlapping visits of one process leave no moment for a release, so each needs a piece.
    needed = max(
        [group.most_open for group in beside.values()] + [group.visits for group in within.values()],
        default=1,
    )
    plan = CasePlan(moves[0].case, moves[0].part, max(moves[0].order_qty, needed))
    floor = _Floor(plan)
    for move in moves:
        if move.visit is None:
            plan.steps.append(Step(move, None))
        elif move.direction == "in":
            floor.enter(move, share=plan.pieces // beside[move.visit].most_open, group=within[move.visit])
        else:
            floor.leave(move)
    return plan


@dataclass
class _Group:
    """Visits that overlap, directly or through others: their number, the most open at once, and how many entered."""

    visits: int = 0
    most_open: int = 0
    entered: int = 0


def _groups(moves: Iterable[Movement], lane: Callable[[Movement], str]) -> dict[str, _Group]:
    """Group the visits that overlap in the same lane. Returns the group of each visit, by the visit's id."""
    groups: dict[str, _Group] = {}
    current: dict[str, _Group] = {}
    open_now: Counter[str] = Counter()
    for move in moves:
        if move.visit is None:
            continue
        key = lane(move)
        if move.direction == "out":
            open_now[key] -= 1
            continue
        if open_now[key] == 0:
            current[key] = _Group()
        open_now[key] += 1
        group = groups[move.visit] = current[key]
        group.visits += 1
        group.most_open = max(group.most_open, open_now[key])
    return groups


class _Floor:
    """The line as the server counts it while the plan is played."""

    def __init__(self, plan: CasePlan) -> None:
        self.plan = plan
        self.inside: dict[str, list[Record]] = defaultdict(list)
        self.closed: dict[str, list[Record]] = defaultdict(list)

    def room(self, process: str) -> int:
        held = [*self.inside[process], *self.closed[process]]
        return self.plan.pieces - sum(record.quantity for record in held)

    def enter(self, move: Movement, *, share: int, group: _Group) -> None:
        releases = 0
        if group.entered == 0:  # nothing is inside this process, so completed pieces may be released
            while self.room(move.process) < group.visits:
                newest = max(self.closed[move.process], key=lambda record: record.place)
                # Not `remove`: records of two visits may be equal.
                self.closed[move.process] = [one for one in self.closed[move.process] if one is not newest]
                newest.released = True
                releases += 1
        quantity = min(share, self.room(move.process) // (group.visits - group.entered))
        group.entered += 1
        place = len(self.plan.records)
        record = Record(move.process, quantity, entered_by=move.worker, entered_row=move.row, place=place)
        self.inside[move.process].append(record)
        self.plan.records.append(record)
        self.plan.steps.append(Step(move, quantity, releases))

    def leave(self, move: Movement) -> None:
        inside = self.inside[move.process]
        record = next((one for one in inside if one.entered_by == move.worker), inside[0])
        inside.remove(record)
        record.left_by, record.left_row = move.worker, move.row
        self.closed[move.process].append(record)
        self.plan.steps.append(Step(move, record.quantity))
