"""The way of a product: the processes that its pieces go through, in order (infra/docs/rules.md#standing). No query."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from project.orders.rules import is_rework

_STILL_INSIDE = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Way:
    """The processes that pieces of a product go through, in order. `inactive`: those that the pieces skip for now."""

    processes: tuple[int, ...]
    inactive: frozenset[int] = frozenset()

    @property
    def steps(self) -> tuple[int, ...]:
        """The active processes, in order."""
        return tuple(process for process in self.processes if process not in self.inactive)

    def done(self, completed: Mapping[int, int], again: Mapping[int, int], *, good: int) -> dict[int, int]:
        """Return for each process how many of the `good` pieces are done there.

        `completed`: how many pieces have left each process. A piece that has left a later process is done in the
        earlier ones too. `again`: how many pieces must go through each process again; they are not done there.
        """
        found: dict[int, int] = {}
        later = 0
        for process in reversed(self.processes):
            here = min(completed.get(process, 0), good)
            found[process] = max(here, later - again.get(process, 0))
            later = max(later, here)
        return found


Ways = Mapping[int, Way]
"""Product id → its way. Products without a known way are left out."""


class Released(Protocol):
    """The fields of a process record that `to_do_again` reads."""

    @property
    def process_id(self) -> int: ...
    @property
    def quantity(self) -> int: ...
    @property
    def output_at(self) -> datetime | None: ...
    @property
    def released_at(self) -> datetime | None: ...
    @property
    def release_reason_key(self) -> str | None: ...


def to_do_again(records: Collection[Released]) -> Counter[int]:
    """Count for each process the pieces that were released from it for rework and have not left it since.

    `records`: all of a line, or at least the unreleased ones and those that were released for a reason.
    """
    processes = {record.process_id for record in records if is_rework(record.release_reason_key)}
    changes: defaultdict[int, list[tuple[datetime, int]]] = defaultdict(list)
    for record in records:
        was_released = record.released_at is not None
        if record.process_id not in processes or (was_released and not is_rework(record.release_reason_key)):
            continue
        of_process = changes[record.process_id]
        if record.output_at is not None:
            of_process.append((record.output_at, -record.quantity))
        if is_rework(record.release_reason_key) and (was_released or record.output_at is None):
            of_process.append((record.released_at or _STILL_INSIDE, record.quantity))
    found: Counter[int] = Counter()
    for process, of_process in changes.items():
        for _, pieces in sorted(of_process):
            found[process] = max(0, found[process] + pieces)
    return found
