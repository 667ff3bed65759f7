"""What is known of lines at an instant: where their pieces were, since when, and when they were done.

Pure: no database and no clock. Instants are seconds, as `datetime.timestamp` returns them, so that a movement log of
any workshop can be read in the same way. Lines, products, processes and records are named by numbers.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

Kind = Literal["in", "out", "returned", "removed"]
"""`in`: pieces entered. `out`: they left. `returned`: their exit was taken back, so they are inside again. `removed`:
their entry was taken back.
"""


class State(NamedTuple):
    """Where a line is: not begun (`start`), `in` a process, `out` of the process that pieces left last, or `done`."""

    where: Literal["start", "in", "out", "done"]
    process: int = 0

    @property
    def waits(self) -> bool:
        """Whether the pieces wait for the next process."""
        return self.where in ("start", "out")


START, DONE = State("start"), State("done")


@dataclass(frozen=True)
class Move:
    """A movement of the pieces of a record. `known`: when it was reported, if that was later."""

    at: float
    kind: Kind
    process: int
    record: int
    known: float | None = None

    def is_known(self, at: float) -> bool:
        return self.at <= at and (self.known is None or self.known <= at)


@dataclass(frozen=True)
class LineHistory:
    """A line: its product, when it was written, its movements in order, when it was done, and its pieces.

    `pieces`: None if they are not known yet.
    """

    id: int
    item: int
    began: float
    moves: tuple[Move, ...] = ()
    done: float | None = None
    pieces: int | None = None

    def known_at(self, at: float) -> "LineHistory | None":
        """Return what was known of the line at an instant, and nothing later; None if it had not been written."""
        if self.began > at:
            return None
        moves = tuple(move for move in self.moves if move.is_known(at))
        return replace(self, moves=moves, done=self.done if self.done is not None and self.done <= at else None)

    def is_open_at(self, at: float) -> bool:
        """Say whether the line was under way at an instant."""
        return self.began <= at and (self.done is None or self.done > at)


class Visit(NamedTuple):
    """A period in a state. `then`: the state that followed. `end` and `then` are None while the period lasts."""

    state: State
    begin: float
    end: float | None = None
    then: State | None = None


def known_at(lines: Iterable[LineHistory], at: float) -> list[LineHistory]:
    """Return what was known of these lines at an instant, and nothing later."""
    return [known for line in lines if (known := line.known_at(at)) is not None]


def visits_of(line: LineHistory) -> list[Visit]:
    """Return the states that a line has gone through, in order; at least one.

    If pieces are inside several processes, the last entry counts. An instant that is before the previous one, because a
    clock was set back, is taken as the previous one.
    """
    first = min(line.began, line.moves[0].at) if line.moves else line.began
    found = [(START, first)]
    # The processes that the records are in and those that they left, in the order of these movements.
    inside: dict[int, int] = {}
    left: dict[int, int] = {}
    for move in line.moves:
        inside.pop(move.record, None)
        left.pop(move.record, None)
        if move.kind in ("in", "returned"):
            inside[move.record] = move.process
        elif move.kind == "out":
            left[move.record] = move.process
        if inside:
            state = State("in", next(reversed(inside.values())))
        else:
            state = State("out", next(reversed(left.values()))) if left else START
        state_before, since = found[-1]
        if state != state_before:
            found.append((state, max(move.at, since)))
    if line.done is not None:
        found.append((DONE, max(line.done, found[-1][1])))
    visits = [Visit(state, begin, end, then) for (state, begin), (then, end) in pairwise(found)]
    return visits if line.done is not None else [*visits, Visit(*found[-1])]
