"""Say what the state of a line allows next, by the rules and by where its pieces are. No query."""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from project.access.permissions import Permission
from project.catalogs.models import Weighs
from project.core import clock
from project.core.errors import Refusal
from project.core.schemas import Document, Instant
from project.orders import rules
from project.orders.models import Line
from project.orders.rules import MovementSide, Pieces, Side, Status
from project.orders.selectors import Record, ShopProcess


class EntryOffer(Document):
    """Processes that pieces of a line may enter now, at most `maxQuantity` pieces in each process.

    `productionProcessIds`: null for all active processes that no other entry names.
    """

    max_quantity: int
    production_process_ids: list[int] | None


class ExitOffer(Document):
    """A process that at most `maxQuantity` pieces of a line may leave now."""

    production_process_id: int
    max_quantity: int


class ReleaseOffer(Document):
    """The last unreleased record of a process, if it may be released.

    `side`: `in` (its entry) if the record is open, else `both` (its entry and its exit).
    """

    production_process_id: int
    record_id: int
    side: Literal["in", "out", "both"]
    quantity: int


class UndoOffer(Document):
    """A press that the user `byId` may undo until `until`.

    `press`: the id of the press; null for readers who may not read the history. `lines`: how many lines the undo takes
    back. `handedOver`: the press also brought its pieces into another process. `scrapped`: its pieces left as scrap.
    """

    press: UUID | None
    lines: int
    record_id: int
    side: Literal[Side.entry, Side.exit]
    production_process_id: int
    quantity: int
    until: Instant
    by_id: int
    handed_over: bool
    scrapped: bool


class Offers(Document):
    """What the state of a line allows next.

    What one caller may do also depends on their permissions and processes.
    """

    statuses: list[str]
    in_: list[EntryOffer] = Field(alias="in")
    out: list[ExitOffer]
    release: list[ReleaseOffer]
    undo: list[UndoOffer]
    edit: bool

    def may_enter(self, process_id: int) -> int:
        """Return how many pieces may enter an active process."""
        of_all_others = 0
        for entry in self.in_:
            if entry.production_process_ids is None:
                of_all_others = entry.max_quantity
            elif process_id in entry.production_process_ids:
                return entry.max_quantity
        return of_all_others


UNDO_FOR = timedelta(minutes=5)
MOVED_BY = {
    MovementSide.entry: Permission.SalesOrderPositionProcessIn,
    MovementSide.exit: Permission.SalesOrderPositionProcessOut,
    MovementSide.scrap: Permission.ScrapPieces,
    MovementSide.remake: Permission.UpdateSalesOrderPosition,
}
"""The permission to make a movement of each side, which its undo needs too."""


def needed_to_undo(side: Literal[Side.entry, Side.exit], *, scrapped: bool, handed_over: bool) -> set[Permission]:
    """Return the permissions that a user needs to undo their own movement. The movement itself needs the same ones."""
    needed = {MOVED_BY[MovementSide.scrap if scrapped else MovementSide(side)]}
    return needed | {MOVED_BY[MovementSide.entry]} if handed_over else needed


@dataclass(frozen=True)
class Pressed[R: Record]:
    """What a press did with one line, without what was taken back since. If all was taken back, both lists are empty.

    `left`: the records whose pieces it took out. `entered`: the records whose pieces it brought in, if they are still
    inside. `gone`: how many of the pieces that it brought in have left again.
    """

    press: UUID
    lines: int
    at: datetime
    by_id: int
    left: list[R] = field(default_factory=list)
    entered: list[R] = field(default_factory=list)
    gone: int = 0

    @property
    def side(self) -> Literal[Side.entry, Side.exit]:
        """What the press did. For a hand-over it is the first step: the exit."""
        return Side.exit if self.left else Side.entry

    @property
    def records(self) -> list[R]:
        return self.left or self.entered

    @property
    def until(self) -> datetime:
        """The last instant at which the press may be undone."""
        return self.at + UNDO_FOR

    @property
    def pieces(self) -> int:
        return sum(record.quantity for record in self.records)

    @property
    def scrapped(self) -> bool:
        """Whether the pieces left as scrap."""
        return any(record.scrapped for record in self.left)

    @property
    def handed_over(self) -> bool:
        return bool(self.left and (self.entered or self.gone))


def offers(line: Line, records: Sequence[Record], processes: Sequence[ShopProcess]) -> Offers:
    """Return what the state of the line allows next. `records`: newest first. No query."""
    status = Status(line.status)
    pieces = pieces_by_process(line, records)
    entries = _entries(pieces, processes) if status in rules.MAY_BE_ENTERED else []
    exits = [
        ExitOffer(production_process_id=process.id, max_quantity=pieces[process.id].inside)
        for process in processes
        if process.id in pieces and pieces[process.id].inside
    ]
    return Offers(
        statuses=list(
            rules.offered(status, Status(line.order.status), inside=line.quantity_inside, billed=line.quantity_billed)
        ),
        **{"in": entries},
        out=exits,
        release=[
            ReleaseOffer(
                production_process_id=record.process_id,
                record_id=record.id,
                side=side.value,
                quantity=record.quantity,
            )
            for record in last_of_each_process(records)
            if release_refusal(line, record, side := side_of(record)) is None
        ],
        undo=[
            UndoOffer(
                press=pressed.press,
                lines=pressed.lines,
                record_id=pressed.records[0].id,
                side=pressed.side,
                production_process_id=pressed.records[0].process_id,
                quantity=pressed.pieces,
                until=pressed.until,
                by_id=pressed.by_id,
                handed_over=pressed.handed_over,
                scrapped=pressed.scrapped,
            )
            for pressed in undoable(line, records)
        ],
        edit=status not in rules.CLOSED_TO_CHANGES,
    )


def pieces_by_process(line: Line, records: Sequence[Record]) -> defaultdict[int, Pieces]:
    """Count the line's pieces for each process, also for a process that they never entered.

    `records`: newest first, at least the unreleased ones.
    """
    unreleased = [record for record in records if record.released_at is None]
    inside: Counter[int] = Counter()
    completed: Counter[int] = Counter()
    for record in unreleased:
        if not record.scrapped:
            (inside if record.output_at is None else completed)[record.process_id] += record.quantity
    scrapped = sum(record.quantity for record in unreleased if record.scrapped)
    visited = {record.process_id for record in unreleased}
    scrapped_before: Counter[int] = _scrapped_before(unreleased, visited) if scrapped else Counter()

    def seen(process: int, before: int) -> Pieces:
        return Pieces(
            line.quantity_to_make,
            line.quantity_inside,
            inside[process],
            completed[process],
            scrapped=scrapped,
            scrapped_before=before,
        )

    found = {process: seen(process, scrapped_before[process]) for process in visited}
    elsewhere = seen(0, scrapped)
    return defaultdict(lambda: elsewhere, found)


def _scrapped_before(records: Sequence[Record], processes: Collection[int]) -> Counter[int]:
    """Count for each process the scrapped pieces that had not completed it. `records`: unreleased, newest first.

    Records do not tell pieces apart. So the first pieces that enter a process are taken for the first pieces that left
    an earlier one. Pieces were scrapped in process S: if fewer pieces had left process P than had entered S by then,
    the missing pieces had not completed P.
    """
    exits = deque(
        sorted(
            (one.output_at, one.process_id, one.quantity)
            for one in records
            if one.output_at is not None and not one.scrapped
        )
    )
    entered: Counter[int] = Counter()
    left: Counter[int] = Counter()
    found: Counter[int] = Counter()
    for record in reversed(records):
        entered[record.process_id] += record.quantity
        if not record.scrapped:
            continue
        while exits and exits[0][0] <= record.input_at:
            _, process, quantity = exits.popleft()
            left[process] += quantity
        for process in processes:
            found[process] += min(record.quantity, max(0, entered[record.process_id] - left[process]))
    return found


def _entries(pieces: defaultdict[int, Pieces], processes: Sequence[ShopProcess]) -> list[EntryOffer]:
    """Return the processes that pieces may enter, in few rows: as many may enter each one that they have not been in.

    A process that no piece may enter is named with 0 pieces if the row of all other processes would include it.
    """
    visited = [(process.id, pieces[process.id].may_enter) for process in processes if process.id in pieces]
    active = {process.id for process in processes if process.active}
    anywhere = pieces[0].may_enter if active.difference(process for process, _ in visited) else 0
    of_quantity: defaultdict[int, list[int]] = defaultdict(list)
    for process, most in visited:
        if process in active and most != anywhere:
            of_quantity[most].append(process)
    rows = [EntryOffer(max_quantity=most, production_process_ids=ids) for most, ids in of_quantity.items()]
    return [*rows, EntryOffer(max_quantity=anywhere, production_process_ids=None)] if anywhere else rows


def weighs(process: ShopProcess, *, weighed: bool) -> Weighs:
    """Return whether pieces are weighed when they enter and leave the process. `weighed`: the product has an alloy."""
    return Weighs(process.weighs) if weighed else Weighs.no


def last_of_each_process[R: Record](records: Iterable[R]) -> list[R]:
    """Return the last unreleased record of each process. `records` and the result are newest first."""
    last: dict[int, R] = {}
    for record in records:
        if record.released_at is None:
            last.setdefault(record.process_id, record)
    return list(last.values())


def side_of(record: Record) -> Side:
    """Return which side of an unreleased record can be taken back: the entry if the record is open, else both sides."""
    return Side.entry if record.open else Side.both


def release_refusal(line: Line, record: Record, side: Side) -> Refusal | None:
    """Return why this side of an unreleased record cannot be taken back; None if it can."""
    refusal = rules.release_refusal(Status(line.status), side, billed=line.quantity_billed)
    if refusal is None and record.quantity_paid:
        refusal = rules.AlreadyPaid(processRecordId=record.id)
    return refusal or _replaced(line, [record])


def _replaced(line: Line, records: Iterable[Record]) -> Refusal | None:
    """Return a refusal if scrapped pieces of `records` are being made again, so that they must stay scrapped."""
    scrapped = sum(record.quantity for record in records if record.scrapped)
    if scrapped and line.quantity_scrapped - scrapped < line.quantity_replaced:
        return rules.AlreadyReplaced(quantityReplaced=line.quantity_replaced)
    return None


def undoable[R: Record](line: Line, records: Sequence[R]) -> list[Pressed[R]]:
    """Return the presses of the last five minutes that their authors may undo now, latest first.

    `records`: the line's records, newest first, at least the unreleased ones.
    """
    since = clock.now() - UNDO_FOR
    if not any((record.output_at or record.input_at) >= since for record in records):
        return []
    found = [one for one in pressed_of(records).values() if one.records and undo_refusal(line, one) is None]
    return sorted(found, key=lambda one: one.at, reverse=True)


def pressed_of[R: Record](records: Iterable[R]) -> dict[UUID, Pressed[R]]:
    """Return what each press did with a line, by the id of the press.

    `records`: the line's records, at least the unreleased ones.
    """
    found: dict[UUID, Pressed[R]] = {}
    for record in records:
        if record.released_at is not None:
            continue
        if record.exit_press is not None and record.output_at is not None and record.output_by_id is not None:
            press, lines, at, by_id = record.exit_press, record.exit_lines, record.output_at, record.output_by_id
            found.setdefault(press, Pressed(press, lines or 1, at, by_id)).left.append(record)
        if record.entry_press is not None:
            press, lines, at, by_id = record.entry_press, record.entry_lines, record.input_at, record.input_by_id
            pressed = found.setdefault(press, Pressed(press, lines or 1, at, by_id))
            if record.open:
                pressed.entered.append(record)
            else:
                found[press] = replace(pressed, gone=pressed.gone + record.quantity)
    return found


def undo_refusal(line: Line, pressed: Pressed[Any], *, now: datetime | None = None) -> Refusal | None:
    """Return why the author cannot undo what their press did with this line; None if they can.

    `now`: when they pressed to undo it; defaults to the present instant.
    """
    inside = sum(record.quantity for record in pressed.entered)
    if not pressed.records:
        return rules.NotEnoughPieces(available=0) if pressed.gone else rules.AlreadyUndone()
    if (now or clock.now()) > pressed.until:
        return rules.TooLate(minutes=UNDO_FOR // timedelta(minutes=1))
    paid = next((record.id for record in pressed.left if record.quantity_paid), None)
    if paid is not None:
        return rules.AlreadyPaid(processRecordId=paid)
    refusal = rules.release_refusal(Status(line.status), pressed.side, billed=line.quantity_billed)
    scrapped = sum(record.quantity for record in pressed.left if record.scrapped)
    free = line.quantity_free + scrapped + inside
    if refusal is None and pressed.left and (pressed.gone or pressed.pieces > free):
        refusal = rules.NotEnoughPieces(available=inside if pressed.gone else free)
    return refusal or _replaced(line, pressed.left)
