"""Forecast how long an unfinished line still takes, from what other lines took (infra/docs/rules.md#forecast).

Pure: no database and no clock. A forecast is the average of three views of the past:

A: how long other lines still took after they had been in the same state for as long, or had been as old. Lines that are
   not finished count for as long as they have lasted so far (Kaplan and Meier, 1958).
B: the same, but of finished lines alone.
C: walks along past steps, from one state to the next, with the times that these steps took.

A sees lines that get stuck. B sees how finished lines went. C finds ways that no single line has gone. On a log of
another workshop, the average was right more often than each view alone. `correction` then corrects it by how earlier
forecasts came out. Times are seconds.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from random import Random
from statistics import median
from typing import NamedTuple

from project.forecasts.correction import NOTHING, Correction, Example, Traits, is_sampled
from project.forecasts.histories import DONE, LineHistory, State, Visit, visits_of
from project.forecasts.remaining import Atom, Remaining

SAME_PRODUCT = 3.0
"""A visit of the same product weighs as much as three of other products."""
SHRUNK_BY = 4.0
"""Lines of the same age are averaged with the visits of a state, and weigh as much as four visits."""
WALKS = 200
LONGEST_WALK = 1_000
NEWEST = 400
"""Only the newest finished lines count, and the newest unfinished ones, this many of each."""
FEWEST = 8
"""With fewer finished lines than this nothing is forecast. A forecast that rests on fewer lines is not said."""
FEWEST_SAME = 3
"""A product with fewer finished lines than this has no usual number of processes of its own."""
TEACHES = 2
"""From this many finished lines on, forecasts are made to learn from, but not said."""
USUAL_OF = 10
"""The last finished lines of a product that say how many processes are usual."""
QUICKEST = 10
"""A line that goes first waits only as long as the quickest one of this many waits."""


class Stay(NamedTuple):
    """A past visit of a line to a state. `left`: from the visit's begin until the line was done; None if it is not."""

    line: int
    item: int
    begin: float
    lasted: float
    left: float | None


class Whole(NamedTuple):
    """A line as a whole. `lasted`: from its begin until it was done, or until now."""

    line: int
    lasted: float
    is_done: bool


class Here(NamedTuple):
    """Where an unfinished line is now, for how long, and how old it is."""

    state: State
    waited: float
    age: float


@dataclass(frozen=True)
class Made:
    """A forecast. `basis`: how many other lines were in the same state for at least as long, or at least as old.

    If there are no such lines, `basis` is the number of finished lines.
    """

    remaining: Remaining
    basis: int
    traits: Traits

    @property
    def rests_on_enough(self) -> bool:
        """Whether the forecast rests on enough lines to be shown."""
        return self.basis >= FEWEST


class Past:
    """What is known of the newest lines at an instant, arranged for forecasts. `lines`: as they were known then."""

    def __init__(self, lines: Iterable[LineHistory], at: float) -> None:
        self.at = at
        known = list(lines)
        finished = sorted(
            (line for line in known if line.done is not None), key=lambda line: (line.done or 0.0, str(line.id))
        )
        unfinished = sorted((line for line in known if line.done is None), key=lambda line: (line.began, str(line.id)))
        self.lines: dict[int, LineHistory] = {line.id: line for line in (*finished[-NEWEST:], *unfinished[-NEWEST:])}
        self.finished = min(len(finished), NEWEST)
        self.visits: dict[int, list[Visit]] = {}
        self.wholes: list[Whole] = []
        stays = defaultdict[State, list[Stay]](list)
        steps = defaultdict[State, list[tuple[State, float]]](list)
        for line in self.lines.values():
            visits = self.visits[line.id] = visits_of(line)
            done = visits[-1].end if line.done is not None else None
            self.wholes.append(Whole(line.id, self._until(done) - visits[0].begin, done is not None))
            for visit in visits:
                lasted = self._until(visit.end) - visit.begin
                left = None if done is None else done - visit.begin
                stays[visit.state].append(Stay(line.id, line.item, visit.begin, max(0.0, lasted), left))
                if visit.then is not None:
                    steps[visit.state].append((visit.then, lasted))
        self.stays: Mapping[State, list[Stay]] = dict(stays)
        self.steps: Mapping[State, list[tuple[State, float]]] = dict(steps)

    def _until(self, end: float | None) -> float:
        return self.at if end is None else end

    @cached_property
    def quick_steps(self) -> Mapping[State, list[tuple[State, float]]]:
        """The steps, with each wait as short as one of the quickest tenth of the waits in the same state."""
        quick: dict[State, list[tuple[State, float]]] = {}
        for state, steps in self.steps.items():
            if state.waits:
                shortest = sorted(lasted for _, lasted in steps)[: max(1, len(steps) // QUICKEST)]
                quick[state] = [(then, shortest[place % len(shortest)]) for place, (then, _) in enumerate(steps)]
            else:
                quick[state] = steps
        return quick

    @cached_property
    def _processes(self) -> list[tuple[int, int]]:
        """The product of each finished line, and through how many processes it went, the last finished one first."""
        finished = (line for line in reversed(self.lines.values()) if line.done is not None)
        return [
            (line.item, len({one.state for one in self.visits[line.id] if one.state.where == "in"}))
            for line in finished
        ]

    def usual_processes(self, item: int) -> float:
        """Return how many processes lines of a product usually go through.

        Lines of all products count if too few of this product are finished.
        """
        same = [count for of, count in self._processes if of == item][:USUAL_OF]
        return median(same if len(same) >= FEWEST_SAME else [count for _, count in self._processes] or [1])

    def here(self, line: LineHistory) -> Here:
        """Return where an unfinished line is. No time is negative, even if a clock was set back."""
        visits = self.visits.get(line.id) or visits_of(line)
        waited, age = self.at - visits[-1].begin, self.at - visits[0].begin
        return Here(visits[-1].state, max(0.0, waited), max(0.0, age))

    def like(self, line: LineHistory) -> list[Stay]:
        """Return the visits of other lines to this line's state that lasted at least as long as this line waited."""
        here = self.here(line)
        stays = self.stays.get(here.state, ())
        return [stay for stay in stays if stay.line != line.id and stay.lasted >= here.waited]


def forecast(past: Past, line: LineHistory, correction: Correction = NOTHING) -> Made | None:
    """Return when an unfinished line will be done; None if fewer than `FEWEST` lines are finished."""
    if past.finished < FEWEST:
        return None
    made = by_the_past(past, line)
    return replace(made, remaining=correction.corrected(made.remaining, made.traits))


def by_the_past(past: Past, line: LineHistory) -> Made:
    """Return the mean of the three views, not corrected. At least one line must be finished."""
    here, like = past.here(line), past.like(line)
    as_old = [one for one in past.wholes if one.line != line.id and one.lasted >= here.age]
    views = (
        all_lines(past, line, here, like, as_old),
        finished_lines(line, here, like, as_old),
        _as_atoms(walks(past, line.id, here)),
    )
    # A view that knows no similar line leaves its third of the chance open. If all three do, the line is older than all
    # others and alone in its state: its remaining time is then taken from the whole times of finished lines.
    atoms = [(time, chance / len(views)) for view in views for time, chance in view]
    if not atoms:
        atoms = _as_atoms([one.lasted for one in past.wholes if one.is_done])
    others = {stay.line for stay in like}.union(one.line for one in as_old)
    return Made(Remaining(atoms), len(others) or past.finished, traits_of(past, line, here))


def traits_of(past: Past, line: LineHistory, here: Here) -> Traits:
    """Return what a correction knows of an unfinished line."""
    visits = past.visits.get(line.id) or visits_of(line)
    left = {visit.state for visit in visits if visit.state.where == "in" and visit.end is not None}
    return Traits(
        waited=here.waited,
        age=here.age,
        pieces=line.pieces,
        progress=min(1.0, len(left) / max(1.0, past.usual_processes(line.item))),
        is_inside=here.state.where == "in",
    )


def examples_at(lines: Iterable[LineHistory], at: float, *, of: int = 0) -> list[Example]:
    """Return the forecasts of all unfinished lines as of an instant, to learn from. `lines`: as they were known then.

    `of`: the number of forecasts at all instants together. If it is large, only a sample is returned.
    """
    past = Past(lines, at)
    if past.finished < TEACHES:
        return []
    unfinished = [line for line in past.lines.values() if line.done is None and is_sampled(line.id, at, of=of)]
    made = [(line, by_the_past(past, line)) for line in unfinished]
    return [Example(line.id, at, one.remaining, one.traits) for line, one in made]


def _as_atoms(times: Sequence[float]) -> list[Atom]:
    return [(time, 1 / len(times)) for time in times]


Row = tuple[float, bool, float]
"""How long another line still took, whether it was done after that time or is only known until then, and its weight."""


def all_lines(past: Past, line: LineHistory, here: Here, like: Sequence[Stay], as_old: Sequence[Whole]) -> list[Atom]:
    """Return the view of all other lines (A): a line that is not finished counts for as long as it is known."""
    of_state = [
        (past.at - stay.begin - here.waited if stay.left is None else stay.left - here.waited, stay.left is not None, w)
        for stay, w in ((stay, _weight(stay, line)) for stay in like)
    ]
    of_age = [(one.lasted - here.age, one.is_done, 1.0) for one in as_old]
    return shrunk(of_state, of_age)


def finished_lines(line: LineHistory, here: Here, like: Sequence[Stay], as_old: Sequence[Whole]) -> list[Atom]:
    """Return the view of the finished lines among the other lines (B)."""
    of_state = [(stay.left - here.waited, True, _weight(stay, line)) for stay in like if stay.left is not None]
    of_age = [(one.lasted - here.age, True, 1.0) for one in as_old if one.is_done]
    return shrunk(of_state, of_age)


def _weight(stay: Stay, line: LineHistory) -> float:
    return SAME_PRODUCT if stay.item == line.item else 1.0


def shrunk(of_state: Sequence[Row], of_age: Sequence[Row]) -> list[Atom]:
    """Mix the times of visits to a state with those of lines of the same age, which together weigh `SHRUNK_BY`."""
    weight = sum(weight for *_, weight in of_state)
    whole = weight + (SHRUNK_BY if of_age else 0.0)
    return [
        *((time, chance * weight / whole) for time, chance in kaplan_meier(of_state)),
        *((time, chance * SHRUNK_BY / whole) for time, chance in kaplan_meier(of_age)),
    ]


def kaplan_meier(rows: Iterable[Row]) -> list[Atom]:
    """Return each time after which a line was done, with its chance.

    The chances add up to less than 1 if the longest time is of an unfinished line.
    """
    ordered = sorted(rows, key=itemgetter(0))
    at_risk = sum(weight for *_, weight in ordered)
    lasts, atoms = 1.0, list[Atom]()
    for time, group in groupby(ordered, key=itemgetter(0)):
        done = over = 0.0
        for _, is_done, weight in group:
            over += weight
            done += weight if is_done else 0.0
        if done:
            chance = lasts * min(1.0, done / at_risk)
            atoms.append((max(0.0, time), chance))
            lasts -= chance
        at_risk -= over
    return atoms


def walks(past: Past, line_id: int, here: Here, *, first: bool = False) -> list[float]:
    """Simulate the line until it is done, `WALKS` times, by drawing past steps. Return how long each walk took (C).

    The first step is drawn among those that lasted longer than the line has waited, if there are any. `first`: the line
    goes before all others, so each wait is one of the quickest. A walk into a state that no line has left yet ends
    there and is left out. The same line gets the same random numbers each time, so that a forecast does not waver.
    """
    steps = past.quick_steps if first else past.steps
    begin = steps.get(here.state, [])
    if not (first and here.state.waits):
        begin = [(then, lasted - here.waited) for then, lasted in begin if lasted > here.waited] or begin
    chance = Random(str(line_id)).random
    found = []
    for _ in range(WALKS if begin else 0):
        then, total = begin[int(chance() * len(begin))]
        for _ in range(LONGEST_WALK):
            if then is DONE:
                found.append(total)
                break
            onward = steps.get(then)
            if onward is None:
                break
            then, lasted = onward[int(chance() * len(onward))]
            total += lasted
    return found


@dataclass(frozen=True)
class GoesFirst:
    """How long a line still takes: `now` as things are, `first` if it goes before all others. Both by walks alone."""

    now: Remaining
    first: Remaining

    def gain(self, chance: float) -> float:
        """Return how much sooner the line is done with this chance if it goes first."""
        return max(0.0, self.now.by_chance(chance) - self.first.by_chance(chance))


def goes_first(past: Past, line: LineHistory) -> GoesFirst | None:
    """Return how long a line takes as things are, and if it goes before all others; None if too little is known."""
    here = past.here(line)
    now, first = walks(past, line.id, here), walks(past, line.id, here, first=True)
    if past.finished < FEWEST or not now or not first:
        return None
    return GoesFirst(Remaining(_as_atoms(now)), Remaining(_as_atoms(first)))


def typical_stay(past: Past, state: State) -> float | None:
    """Return the median time that lines stayed in a state; None if no line has left the state."""
    lasted = sorted(lasted for _, lasted in past.steps.get(state, ()))
    return lasted[len(lasted) // 2] if lasted else None


class Spent(NamedTuple):
    """How many seconds lines spent in a state, on average."""

    state: State
    seconds: float


def where_they_were(past: Past, like: Iterable[Stay]) -> list[Spent]:
    """Return where the finished lines among `like` spent their time from that visit on, the longest time first."""
    totals: defaultdict[State, float] = defaultdict(float)
    lines: dict[int, float] = {}
    for stay in like:
        if stay.left is not None:
            lines[stay.line] = max(stay.begin, lines.get(stay.line, stay.begin))
    for line_id, since in lines.items():
        for visit in past.visits[line_id]:
            if visit.begin >= since and visit.end is not None:
                totals[visit.state] += visit.end - visit.begin
    spent = [Spent(state, total / len(lines)) for state, total in totals.items() if total > 0]
    return sorted(spent, key=lambda one: (-one.seconds, str(one.state)))
