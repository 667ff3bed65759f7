"""Read a movement log: CSV with a movement in each row (infra/docs/commands.md#movement-logs)."""

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
    """One row. An entry and its exit have the same `visit`; an exit without an entry has None."""

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
    """The file cannot be read, or a row is not valid."""


def read_log(path: Path) -> list[Movement]:
    """Return all movements, sorted by `in_order`. Raises BadLog."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [_movement(number, row) for number, row in enumerate(csv.DictReader(file), start=2)]
    except (OSError, UnicodeDecodeError) as error:
        raise BadLog(f"{path} cannot be read: {error}") from error
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
    """Sort movements by time.

    At the same instant, exits come first if their visit began earlier or is unknown, because they make room. Then come
    the entries in the order of the log. An exit at the instant of its entry follows that entry.
    """
    paired = _paired(movements)
    entered = {(m.case, m.visit): m for m in paired if m.direction == "in"}

    def place(movement: Movement) -> tuple[datetime, int, int, int]:
        entry = entered.get((movement.case, movement.visit)) if movement.visit else None
        if movement.direction == "out" and (entry is None or entry.at < movement.at):
            return movement.at, 0, movement.row, 0
        return movement.at, 1, entry.row if entry else movement.row, movement.direction == "out"

    return sorted(paired, key=place)


def _paired(movements: Iterable[Movement]) -> list[Movement]:
    """Give each movement its visit: the one that the log names, else the oldest open one of its case and process."""
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
