"""Reads a movement log: CSV, a movement a row: at, direction, case_id, part, order_qty, process, worker."""

import csv
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, cast

Direction = Literal["in", "out"]


@dataclass(frozen=True)
class Movement:
    """One row. An entry and its exit carry the same `visit`; an exit nobody entered for carries None."""

    row: int
    at: datetime
    direction: Direction
    case: str
    part: str
    order_qty: int
    process: str
    worker: str
    visit: str | None


class BadLog(ValueError):
    """A file that cannot be read, or a row that cannot be understood; says which and why."""


def read_log(path: Path) -> list[Movement]:
    """Every movement in the order it happened. Raises BadLog."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [_movement(number, row) for number, row in enumerate(csv.DictReader(file), start=2)]
    except OSError as error:
        raise BadLog(f"{path} cannot be read: {error.strerror}") from error
    return in_order(rows)


def _movement(number: int, row: dict[str, str]) -> Movement:
    try:
        direction = row["direction"].strip().lower()
        if direction not in ("in", "out"):
            raise BadLog(f"row {number}: direction is {direction!r}, not in or out")
        source = (row.get("source_row") or "").strip()
        return Movement(
            row=number,
            at=datetime.fromisoformat(row["at"].strip()),
            direction=cast(Direction, direction),
            case=row["case_id"].strip(),
            part=row["part"].strip(),
            order_qty=max(1, int(float(row["order_qty"] or 1))),
            process=row["process"].strip(),
            worker=row["worker"].strip(),
            visit=source or None,
        )
    except (KeyError, ValueError, AttributeError) as error:
        raise error if isinstance(error, BadLog) else BadLog(f"row {number}: {error!r}") from error


def in_order(movements: Iterable[Movement]) -> list[Movement]:
    """Movements by time. At one instant exits of earlier visits come first (they make room for the entries),
    then entries in the log's order, each followed at once by its exit where the visit took no time."""
    paired = _paired(movements)
    entered = {(m.case, m.visit): m for m in paired if m.direction == "in"}

    def place(movement: Movement) -> tuple[datetime, int, int, int]:
        entry = entered.get((movement.case, movement.visit)) if movement.visit else None
        if movement.direction == "out" and (entry is None or entry.at < movement.at):
            return movement.at, 0, movement.row, 0
        return movement.at, 1, entry.row if entry else movement.row, movement.direction == "out"

    return sorted(paired, key=place)


def _paired(movements: Iterable[Movement]) -> list[Movement]:
    """The same movements, each with its visit: the log's own name for it, else first in, first out."""
    movements = sorted(movements, key=lambda m: (m.at, m.row))
    entries: dict[tuple[str, str | None], Movement] = {}
    for movement in movements:
        if movement.direction == "in" and movement.visit:
            entries.setdefault((movement.case, movement.visit), movement)
    waiting: dict[tuple[str, str], deque[str]] = defaultdict(deque)
    over: set[Movement] = set()
    result = []
    for movement in movements:
        lane, entry = waiting[movement.case, movement.process], entries.get((movement.case, movement.visit))
        visit: str | None = None
        if movement.direction == "in":
            visit = movement.visit
            if entry is not movement:
                visit = f"row {movement.row}"
                lane.append(visit)
        elif entry and entry not in over and entry.process == movement.process and entry.at <= movement.at:
            visit = movement.visit
            over.add(entry)
        elif lane:
            visit = lane.popleft()
        result.append(replace(movement, visit=visit))
    return result
