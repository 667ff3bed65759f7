"""Check the time of a movement that a station reports later. No database.

See infra/docs/rules.md#reported-later.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from project.core import clock
from project.core.clock import CLOCKS_DIFFER, REPORTED_FOR, STATIONS_DIFFER
from project.core.errors import FieldError, InvalidFields
from project.core.schemas import utc_z

LATE = timedelta(minutes=10)
"""A claimed time that is older than this at its receipt decides no price, and is shown with the time of receipt."""


class MadeAtOutOfRange(InvalidFields):
    """The claimed time of a movement is not between `first` and `last`. The message shows both in the plant's time."""

    code = "made_at_out_of_range"

    def __init__(self, first: datetime, last: datetime) -> None:
        shown = {name: clock.shown(instant) for name, instant in (("first", first), ("last", last))}
        super().__init__(errors=[FieldError("madeAt", self.code, shown)], first=utc_z(first), last=utc_z(last))

    def as_json(self) -> dict[str, Any]:
        answer = super().as_json()
        return {**answer, "message": answer["errors"][0]["message"]}


def check_made_at(made_at: datetime, *, now: datetime, since: datetime | None = None) -> None:
    """Check the time that a station claims for a movement. Raises `MadeAtOutOfRange`.

    The time may be at most 24 hours ago, at most 2 minutes ahead of the server, and not before `since`. A `since` of
    more than a minute ahead of the clock was written before the clock was set back, and is ignored.
    """
    first = now - REPORTED_FOR
    if since is not None and since <= now + CLOCKS_DIFFER:
        first = max(first, since)
    if not first <= made_at <= now + STATIONS_DIFFER:
        raise MadeAtOutOfRange(first, now + STATIONS_DIFFER)


def possible_at(made_at: datetime, since: datetime, *, now: datetime) -> datetime:
    """Return the instant to record for a movement that is reported later.

    `made_at`: the claimed time. `since`: from when on the movement was possible. Clocks differ: a claim up to 2 minutes
    before `since` is recorded at `since`. Raises `MadeAtOutOfRange` for an earlier claim, unless `since` was written
    before the clock was set back.
    """
    if made_at < since - STATIONS_DIFFER and since <= now + CLOCKS_DIFFER:
        raise MadeAtOutOfRange(since, now + STATIONS_DIFFER)
    return max(made_at, since)


@dataclass(frozen=True)
class Stay:
    """A period in which pieces of a line were inside a process. `until` is None while they are inside."""

    since: datetime
    until: datetime | None
    quantity: int


def free_since(stays: Iterable[Stay], entering: int, *, quantity: int) -> datetime | None:
    """Return since when at least `entering` pieces of a line have been outside all processes; None if they always were.

    `quantity`: how many pieces the line has.
    """
    changes = []
    for stay in stays:
        changes.append((stay.since, stay.quantity))
        if stay.until is not None:
            changes.append((stay.until, -stay.quantity))
    inside, free, was_free = 0, None, True
    for at, pieces in sorted(changes):  # at one instant pieces leave before others enter
        inside += pieces
        is_free = inside + entering <= quantity
        if is_free and not was_free:
            free = at
        was_free = is_free
    return free
