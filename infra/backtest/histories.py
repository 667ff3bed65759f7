"""Turn a movement log into the histories that forecasts are made from.

A log does not say when a line was written or done. Here a line begins with its first movement, and is done with its
last exit. A line counts as unfinished if pieces are still inside, or if the log ends within a week of the last exit,
because the line may only be waiting. Times without a zone are taken as UTC, so that a day has 24 hours.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime

from infra.bench.movement_log.log import Movement
from project.forecasts.histories import LineHistory, Move

MAY_WAIT = 7 * 86_400.0
"""Seconds. A line that left a process in this time before the end of the log may wait for its next process."""


def seconds(at: datetime) -> float:
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def histories(movements: Iterable[Movement]) -> list[LineHistory]:
    """Return the history of each case, in the order of the log. Exits without a matching entry are left out."""
    cases: defaultdict[str, list[Movement]] = defaultdict(list)
    for movement in movements:
        cases[movement.case].append(movement)
    last = max((seconds(case[-1].at) for case in cases.values()), default=0.0)
    parts, processes = _Numbers(), _Numbers()
    return [
        _line(number, case, item=parts.of(case[0].part), processes=processes, done_before=last - MAY_WAIT)
        for number, case in enumerate(cases.values(), start=1)
    ]


class _Numbers:
    """Give each name a number: 1 to the first name, 2 to the next."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, name: str) -> int:
        return self._known.setdefault(name, len(self._known) + 1)


def _line(number: int, case: list[Movement], *, item: int, processes: _Numbers, done_before: float) -> LineHistory:
    records = _Numbers()
    moves = [
        Move(seconds(one.at), one.direction, processes.of(one.process), records.of(one.visit))
        for one in case
        if one.visit is not None
    ]
    inside: set[int] = set()
    for move in moves:
        (inside.add if move.kind == "in" else inside.discard)(move.record)
    left = max((move.at for move in moves), default=None)
    is_done = left is not None and not inside and left <= done_before
    return LineHistory(number, item, seconds(case[0].at), tuple(moves), left if is_done else None, case[0].order_qty)
