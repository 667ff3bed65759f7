"""A line and its movements as the contract tells them, kept in plain lists: what the API is compared with."""

from dataclasses import dataclass, field, replace
from typing import Any

from tests.specification import STATUS_OFFERS, order_status


@dataclass
class Record:
    """Pieces of a line in a process. `entry` and `exit` are ticks of the model's clock, `number` counts records."""

    process: int
    quantity: int
    entry: int
    number: int
    exit: int | None = None
    released: bool = False
    exits_released: int = 0

    @property
    def open(self) -> bool:
        return self.exit is None and not self.released


@dataclass
class Line:
    """A line; every verb answers None where it is done, and the code of the refusal where it is not."""

    quantity: int
    status: str = "New"
    records: list[Record] = field(default_factory=list)
    ticks: int = 0

    def inside(self, process: int | None = None) -> int:
        return sum(r.quantity for r in self.records if r.open and process in (None, r.process))

    def completed(self, process: int) -> int:
        return sum(r.quantity for r in self._standing(process) if r.exit is not None)

    def may_enter(self, process: int) -> int:
        free = self.quantity - self.inside()
        return min(free, self.quantity - self.completed(process) - self.inside(process))

    def enter(self, process: int, quantity: int | None) -> str | None:
        if self.status not in ("Approved", "InProcess"):
            return "line_not_approved"
        if self.completed(process) == self.quantity:
            return "already_completed"
        free = self.may_enter(process)
        if free < 1 or (quantity or 0) > free:
            return "not_enough_pieces"
        self._add(Record(process, quantity or free, entry=self._tick(), number=0))
        self.status = "InProcess"
        return None

    def leave(self, process: int, quantity: int | None) -> str | None:
        inside = self.inside(process)
        if not inside:
            return "not_inside"
        if (quantity or 0) > inside:
            return "not_enough_pieces"
        leaving, now = quantity or inside, self._tick()
        for record in [r for r in self._standing(process) if r.open]:
            if not leaving:
                break
            if record.quantity > leaving:
                self._add(replace(record, quantity=record.quantity - leaving))
                record.quantity = leaving
            record.exit = now
            leaving -= record.quantity
        return None

    def release(self, process: int, movement: str) -> str | None:
        """`movement`: "out", "in", or "" for the whole record."""
        standing = self._standing(process)
        closed = [r for r in standing if r.exit is not None]
        if not (closed if movement == "out" else standing):
            return "nothing_to_release"
        if movement == "out":
            return self._reopen(max(closed, key=lambda r: (r.exit, r.entry, r.number)))
        if movement == "in":
            standing = [r for r in standing if r.open]
            if not standing:
                return "exit_first"
        standing[-1].released = True
        return None

    def take(self, status: str, order: str) -> str | None:
        if status not in STATUS_OFFERS.get((self.status, order), set()):
            return "illegal_status"
        if status == "Done" and self.inside():
            return "still_inside"
        self.status = status
        return None

    def resize(self, quantity: int) -> str | None:
        if self.status in ("Canceled", "Invoiced"):
            return "line_closed"
        used = {p: self.completed(p) + self.inside(p) for p in {r.process for r in self.records}}
        if quantity < max([self.inside(), *used.values()]):
            return "quantity_in_use"
        self.quantity = quantity
        return None

    def seen(self, order: str, processes: list[int]) -> dict[str, Any]:
        """What somebody with every right and these processes sees of the line."""
        statuses = STATUS_OFFERS.get((self.status, order), set()) - ({"Done"} if self.inside() else set())
        enters = {p: self.may_enter(p) for p in processes if self.status in ("Approved", "InProcess")}
        leaves = {p: self.inside(p) for p in processes}
        return {
            "status": self.status,
            "orderStatus": order,
            "quantity": self.quantity,
            "quantityInside": self.inside(),
            "records": [
                (r.process, r.quantity, r.exit is not None, r.released, r.exits_released)
                for r in reversed(self.records)
            ],
            "statuses": statuses,
            "in": {p: most for p, most in enters.items() if most > 0},
            "out": {p: most for p, most in leaves.items() if most > 0},
            "release": {r.process for r in self.records if r.exit is not None and not r.released},
        }

    def _standing(self, process: int) -> list[Record]:
        return [r for r in self.records if r.process == process and not r.released]

    def _reopen(self, record: Record) -> str | None:
        if self.status != "InProcess":
            return "line_closed"
        if record.quantity > self.quantity - self.inside():
            return "not_enough_pieces"
        record.exit = None
        record.exits_released += 1
        return None

    def _tick(self) -> int:
        self.ticks += 1
        return self.ticks

    def _add(self, record: Record) -> None:
        record.number = len(self.records)
        self.records.append(record)
        self.records.sort(key=lambda r: (r.entry, r.number))


def status_of(lines: list[Line]) -> str:
    """The order's status."""
    return order_status([line.status for line in lines])
