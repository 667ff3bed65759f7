"""A model of a line, its movements and its scrap (infra/docs/rules.md#movements) in plain lists, to compare the API
with."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from tests.specification import STATUS_OFFERS


@dataclass
class Record:
    """Pieces of a line in a process. `entry` and `exit` are ticks of the model's clock. `number` counts records."""

    process: int
    quantity: int
    entry: int
    number: int
    entered_by: int
    exit: int | None = None
    left_by: int | None = None
    scrapped: bool = False
    released: bool = False
    undone: bool = False
    exits_released: int = 0

    @property
    def open(self) -> bool:
        return self.exit is None and not self.released

    @property
    def last(self) -> tuple[str, int, int | None]:
        """Its last movement: the side, the tick and the person."""
        return ("in", self.entry, self.entered_by) if self.exit is None else ("out", self.exit, self.left_by)


@dataclass
class Line:
    """A line. Each verb returns None if it succeeds, or else the code of the refusal."""

    quantity: int
    status: str = "New"
    billed: int = 0
    replaced: int = 0
    records: list[Record] = field(default_factory=list)
    ticks: int = 0
    too_old: int = 0
    """Movements up to this tick can no longer be undone."""

    @property
    def to_make(self) -> int:
        return self.quantity + self.replaced

    @property
    def scrapped(self) -> int:
        return sum(r.quantity for r in self.records if r.scrapped and not r.released)

    @property
    def good(self) -> int:
        return self.to_make - self.scrapped

    @property
    def left_to_bill(self) -> int:
        return self.good - self.billed

    @property
    def fewest(self) -> int:
        """The smallest quantity that the line may be given."""
        used = [sum(r.quantity for r in self._standing(p)) for p in {r.process for r in self.records}]
        most = max([self.inside() + self.scrapped, self.billed + self.scrapped, *used])
        return max(1, most - self.replaced)

    def inside(self, process: int | None = None) -> int:
        return sum(r.quantity for r in self.records if r.open and process in (None, r.process))

    def completed(self, process: int) -> int:
        return sum(r.quantity for r in self._standing(process) if r.exit is not None and not r.scrapped)

    def may_enter(self, process: int) -> int:
        been = self.completed(process) + self.inside(process) + self.scrapped_before(process)
        return max(0, min(self.good - self.inside(), self.to_make - been))

    def scrapped_before(self, process: int) -> int:
        """The scrapped pieces that had not completed the process. The first piece into a process was the first out of
        the one before it."""
        entered: Counter[int] = Counter()
        lost = 0
        for record in self.records:
            for _ in range(0 if record.released else record.quantity):
                entered[record.process] += 1
                left = [
                    r.quantity
                    for r in self._standing(process)
                    if r.exit is not None and r.exit < record.entry and not r.scrapped
                ]
                lost += record.scrapped and sum(left) < entered[record.process]
        return lost

    def enter(self, process: int, quantity: int | None, who: int) -> str | None:
        if self.status not in ("Approved", "InProcess"):
            return "line_not_approved"
        if self.good == 0:
            return "all_scrapped"
        if self.completed(process) + self.scrapped_before(process) >= self.to_make:
            return "already_completed"
        free = self.may_enter(process)
        if free < 1 or (quantity or 0) > free:
            return "not_enough_pieces"
        self._add(Record(process, quantity or free, entry=self._tick(), number=0, entered_by=who))
        self.status = "InProcess"
        return None

    def leave(self, process: int, quantity: int | None, who: int, *, scrapped: bool = False) -> str | None:
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
            record.exit, record.left_by, record.scrapped = now, who, scrapped
            leaving -= record.quantity
        return None

    def scrap(self, process: int, quantity: int, who: int) -> str | None:
        if self.billed and not any(record.open for record in self.records):
            return "already_billed"
        return self.leave(process, quantity, who, scrapped=True)

    def replace(self, quantity: int) -> str | None:
        if self.billed:
            return "already_billed"
        if self.status in ("Canceled", "Invoiced"):
            return "line_closed"
        if quantity > self.scrapped - self.replaced:
            return "not_enough_pieces"
        self.replaced += quantity
        self._work_again()
        return None

    def release(self, process: int, movement: str) -> str | None:
        """`movement`: "out", "in", or "" for the whole record."""
        standing = self._standing(process)
        closed = [r for r in standing if r.exit is not None]
        if not (closed if movement == "out" else standing):
            return "nothing_to_release"
        if movement == "in":
            standing = [r for r in standing if r.open]
            if not standing:
                return "exit_first"
        record = max(closed, key=lambda r: (r.exit, r.entry, r.number)) if movement == "out" else standing[-1]
        refusal = self._held(reopens=movement == "out") or self._made_again([record])
        refusal = refusal or self._room([record] if movement == "out" else [])
        if refusal:
            return refusal
        self._take_back([record], reopens=movement == "out")
        self._work_again()
        return None

    def undo(self, record: Record, who: int) -> str | None:
        """Undo the last movement of the record, together with the records that were moved with it."""
        if record.released:
            return "already_undone"
        side, tick, by = record.last
        if by != who:
            return "not_yours"
        if tick <= self.too_old:
            return "too_late"
        together, reopens = self._together(record), side == "out"
        refusal = self._held(reopens=reopens) or self._room(together if reopens else []) or self._made_again(together)
        if refusal:
            return refusal
        self._take_back(together, reopens=reopens, undone=True)
        self._work_again()
        if self.status == "InProcess" and all(r.undone for r in self.records):
            self.status = "Approved"
        return None

    def take(self, status: str, order: str) -> str | None:
        if self.billed and status == "Canceled":
            return "already_billed"
        if status not in STATUS_OFFERS.get((self.status, order), set()):
            return "illegal_status"
        if self.billed:
            return "already_billed"
        if status == "Done" and self.inside():
            return "still_inside"
        self.status = status
        return None

    def resize(self, quantity: int) -> str | None:
        if self.status in ("Canceled", "Invoiced"):
            return "line_closed"
        if quantity < self.fewest:
            return "quantity_in_use"
        self.quantity = quantity
        self.bill(0)
        return None

    def bill(self, pieces: int) -> None:
        """Bill pieces. A negative number gives billed pieces back."""
        self.billed += pieces
        if self.status in ("Done", "Invoiced"):
            self.status = "Invoiced" if self.billed and not self.left_to_bill else "Done"

    def seen(self, order: str, processes: list[int], who: int) -> dict[str, Any]:
        """The line as the API answers it to a person with every permission who works in `processes`."""
        held = {"Canceled", "InProcess"} if self.billed else {"Done"} if self.inside() else set()
        enters = {p: self.may_enter(p) for p in processes if self.status in ("Approved", "InProcess")}
        leaves = {p: self.inside(p) for p in processes}
        return {
            "status": self.status,
            "orderStatus": order,
            "quantity": self.quantity,
            "quantityInside": self.inside(),
            "quantityBilled": self.billed,
            "quantityScrapped": self.scrapped,
            "quantityReplaced": self.replaced,
            "quantityGood": self.good,
            "records": [
                (r.process, r.quantity, r.exit is not None, r.scrapped, r.released, r.undone, r.exits_released)
                for r in reversed(self.records)
            ],
            "statuses": STATUS_OFFERS.get((self.status, order), set()) - held,
            "in": {p: most for p, most in enters.items() if most > 0},
            "out": {p: most for p, most in leaves.items() if most > 0},
            "scrap": {p: most for p, most in leaves.items() if most > 0},
            "release": {} if self._held(reopens=False) else self._releases(),
            "undo": {
                (*r.last[:1], r.process, sum(t.quantity for t in self._together(r)), r.scrapped)
                for r in self._undos(who)
            },
        }

    def _releases(self) -> dict[int, tuple[str, int]]:
        last = {r.process: r for r in self.records if not r.released}
        return {p: ("in" if r.open else "both", r.quantity) for p, r in last.items() if not self._made_again([r])}

    def _undos(self, who: int) -> list[Record]:
        return [
            r
            for r in self.records
            if not r.released
            and r.last[2] == who
            and r.last[1] > self.too_old
            and not self._held(reopens=not r.open)
            and not self._room([] if r.open else self._together(r))
            and not self._made_again(self._together(r))
        ]

    def _together(self, record: Record) -> list[Record]:
        return [r for r in self._standing(record.process) if r.last == record.last]

    def _held(self, *, reopens: bool) -> str | None:
        if self.status == "Invoiced" or (self.status == "Canceled" and reopens):
            return "line_closed"
        return "already_billed" if self.billed else None

    def _room(self, reopened: list[Record]) -> str | None:
        pieces = sum(r.quantity for r in reopened if not r.scrapped)
        return "not_enough_pieces" if pieces > self.good - self.inside() else None

    def _made_again(self, records: list[Record]) -> str | None:
        lost = sum(r.quantity for r in records if r.scrapped)
        return "already_replaced" if lost and self.scrapped - lost < self.replaced else None

    def _take_back(self, records: list[Record], *, reopens: bool, undone: bool = False) -> None:
        for record in records:
            if reopens:
                record.exit, record.left_by, record.scrapped = None, None, False
                record.exits_released += 1
            else:
                record.released, record.undone = True, undone

    def _work_again(self) -> None:
        if self.status == "Done":
            self.status = "InProcess"

    def _standing(self, process: int) -> list[Record]:
        return [r for r in self.records if r.process == process and not r.released]

    def _tick(self) -> int:
        self.ticks += 1
        return self.ticks

    def _add(self, record: Record) -> None:
        record.number = len(self.records)
        self.records.append(record)
        self.records.sort(key=lambda r: (r.entry, r.number))
