"""How many pieces each movement of a case takes, what is released first, and what history must follow.

A case is a line. Its visits may overlap, in one process or in several, so a visit takes a share of the
pieces: all of them where it is alone, an equal part of them where others are open beside it. The server's
rule is kept by counting as it does (infra/docs/rules.md#movements): maxQuantity(in, P) = min(pieces - inside
anywhere, pieces - completed P - inside P), and an exit closes the oldest open record of its process. Exits
take exactly that record's pieces, so none is ever split.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from movement_log.log import Movement


@dataclass
class Record:
    """A history row as it must come out."""

    process: str
    quantity: int
    entered_by: str
    left_by: str | None = None
    released: bool = False


@dataclass(frozen=True)
class Step:
    """One movement to play: `releases` times the process is released, then the movement follows.

    `quantity` is None where the log leaves a process nobody is in: the server must refuse that."""

    movement: Movement
    quantity: int | None
    releases: int = 0


@dataclass
class CasePlan:
    """A line: its pieces, its movements in order and the history they must leave, oldest first."""

    case: str
    part: str
    pieces: int
    steps: list[Step] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)


def plan_log(movements: Sequence[Movement]) -> dict[str, CasePlan]:
    """A plan for each case of an ordered log (see log.in_order), by case."""
    cases: dict[str, list[Movement]] = defaultdict(list)
    for movement in movements:
        cases[movement.case].append(movement)
    return {case: plan_case(moves) for case, moves in cases.items()}


def plan_case(moves: Sequence[Movement]) -> CasePlan:
    """The plan of one case, whose movements are given in order."""
    beside = _groups(moves, lambda _: "anywhere")
    within = _groups(moves, lambda m: m.process)
    # Visits of one process that overlap in a chain leave no moment for a release: a piece for each.
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
    """Visits that overlap, directly or through others: how many, how many at once, how many have entered."""

    visits: int = 0
    most_open: int = 0
    entered: int = 0


def _groups(moves: Iterable[Movement], lane: Callable[[Movement], str]) -> dict[str, _Group]:
    """The group of each visit, by visit, among the visits of one lane."""
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
    """The line as the server will see it while the plan is played."""

    def __init__(self, plan: CasePlan) -> None:
        self.plan = plan
        self.inside: dict[str, deque[Record]] = defaultdict(deque)
        self.closed: dict[str, list[Record]] = defaultdict(list)

    def room(self, process: str) -> int:
        held = [*self.inside[process], *self.closed[process]]
        return self.plan.pieces - sum(record.quantity for record in held)

    def enter(self, move: Movement, *, share: int, group: _Group) -> None:
        releases = 0
        if group.entered == 0:  # nobody is in this process: what has completed it may be released
            while self.room(move.process) < group.visits:
                self.closed[move.process].pop().released = True
                releases += 1
        quantity = min(share, self.room(move.process) // (group.visits - group.entered))
        group.entered += 1
        record = Record(move.process, quantity, entered_by=move.worker)
        self.inside[move.process].append(record)
        self.plan.records.append(record)
        self.plan.steps.append(Step(move, quantity, releases))

    def leave(self, move: Movement) -> None:
        record = self.inside[move.process].popleft()
        record.left_by = move.worker
        self.closed[move.process].append(record)
        self.plan.steps.append(Step(move, record.quantity))
