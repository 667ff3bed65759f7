"""Histories that are written by hand, in days."""

from collections.abc import Iterable
from random import Random

from project.forecasts.histories import Kind, LineHistory, Move

DAY = 86_400.0
CASTING, POLISHING, SETTING = 1, 2, 3

Step = tuple[float, Kind, int]
"""The day of a movement, its kind, and the process."""


def line(
    id: int,
    *steps: Step,
    item: int = 1,
    began: float = 0.0,
    done: float | None = None,
    known: Iterable[tuple[int, float]] = (),
) -> LineHistory:
    """A line. A record is one entry with its exit. `known`: place of a step → the day on which it was reported."""
    reported = dict(known)
    moves, record = [], 0
    for place, (day, kind, process) in enumerate(steps):
        record += kind == "in"
        at = None if place not in reported else reported[place] * DAY
        moves.append(Move(day * DAY, kind, process, record, at))
    return LineHistory(id, item, began * DAY, tuple(moves), None if done is None else done * DAY)


def straight(id: int, began: float, *lasted: float, item: int = 1) -> LineHistory:
    """A finished line that went through casting, polishing … without waiting, and took so many days in each."""
    steps: list[Step] = []
    day = began
    for process, days in enumerate(lasted, start=1):
        steps += [(day, "in", process), (day + days, "out", process)]
        day += days
    return line(id, *steps, item=item, began=began, done=day)


def workshop(seed: int, *, lines: int = 60, days: int = 120) -> list[LineHistory]:
    """A workshop with waits, rework, taken-back exits, late reports and lines that are not finished, by chance."""
    chance = Random(seed)
    found = []
    for id in range(1, lines + 1):
        began = day = chance.uniform(0, days)
        moves: list[Move] = []
        record = 0
        for _ in range(chance.randrange(1, 9)):
            process, record = chance.randrange(1, 6), record + 1
            day += chance.expovariate(0.5)
            moves.append(Move(day * DAY, "in", process, record))
            day += chance.expovariate(2.0)
            known = (day + 1) * DAY if chance.random() < 0.1 else None
            moves.append(Move(day * DAY, "out", process, record, known))
            if chance.random() < 0.1:
                moves.append(Move((day + 0.1) * DAY, "returned", process, record))
                day += 0.5
                moves.append(Move(day * DAY, "out", process, record))
        done = day * DAY if chance.random() < 0.8 else None
        found.append(LineHistory(id, chance.randrange(1, 5), began * DAY, tuple(moves), done))
    return found
