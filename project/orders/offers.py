"""What may be done to a line next, whoever does it: by the rules, from where its pieces are. No query."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import Field

from project.access.permissions import Permission
from project.core import clock
from project.core.errors import Refusal
from project.core.schemas import Document, Instant
from project.orders import rules
from project.orders.models import Line
from project.orders.records import Record
from project.orders.rules import Pieces, Side, Status
from project.orders.selectors import ShopProcess


class Offer(Document):
    """A process that pieces of a line may enter or leave now, at most `maxQuantity`."""

    production_process_id: int
    production_process_name: str
    max_quantity: int


class ReleaseOffer(Document):
    """The last record of a process, where it may be released: its open entry (`in`), or entry and exit (`both`)."""

    production_process_id: int
    production_process_name: str
    record_id: int
    side: Literal["in", "out", "both"]
    quantity: int


class UndoOffer(Document):
    """A movement that the user `byId` may undo until `until`. `handedOver`: its pieces entered another process at once,
    and leave that too."""

    record_id: int
    side: Literal[Side.entry, Side.exit]
    production_process_id: int
    production_process_name: str
    quantity: int
    until: Instant
    by_id: int
    handed_over: bool


class Offers(Document):
    """What may be done to a line next, whoever does it: the caller's permissions and processes mask it."""

    statuses: list[str]
    in_: list[Offer] = Field(alias="in")
    out: list[Offer]
    release: list[ReleaseOffer]
    undo: list[UndoOffer]
    edit: bool


UNDO_FOR = timedelta(minutes=5)
MOVED_BY = {Side.entry: Permission.SalesOrderPositionProcessIn, Side.exit: Permission.SalesOrderPositionProcessOut}
"""The permission that moves pieces this way, and undoes the user's own movement."""


@dataclass(frozen=True)
class Movement[R: Record]:
    """The last thing that somebody did to some records of a line: let their pieces in, or out. `entered`: the records
    of the process that the pieces were handed over to."""

    side: Literal[Side.entry, Side.exit]
    records: Sequence[R]
    at: datetime
    by_id: int
    entered: Sequence[R] = ()

    @property
    def until(self) -> datetime:
        """The instant up to which it may be undone."""
        return self.at + UNDO_FOR

    @property
    def pieces(self) -> int:
        return sum(record.quantity for record in self.records)


def offers(line: Line, records: Sequence[Record], processes: Sequence[ShopProcess]) -> Offers:
    """What may be done to the line next, whoever does it. `records` newest first. No query."""
    status = Status(line.status)
    pieces = pieces_by_process(line, records)
    nowhere = Pieces(line.quantity, line.quantity_inside, 0, 0)
    entries = [
        _offer(process, free)
        for process in processes
        if status in rules.MAY_BE_ENTERED and process.active
        if (free := pieces.get(process.id, nowhere).may_enter)
    ]
    exits = [_offer(process, inside) for process in processes if (inside := pieces.get(process.id, nowhere).inside)]
    return Offers(
        statuses=list(
            rules.offered(status, Status(line.order.status), inside=line.quantity_inside, billed=line.quantity_billed)
        ),
        **{"in": entries},
        out=exits,
        release=[
            ReleaseOffer(
                production_process_id=record.process_id,
                production_process_name=record.process_name,
                record_id=record.id,
                side=side.value,
                quantity=record.quantity,
            )
            for record in last_of_each_process(records)
            if release_refusal(line, record, side := side_of(record)) is None
        ],
        undo=[
            UndoOffer(
                record_id=movement.records[0].id,
                side=movement.side,
                production_process_id=movement.records[0].process_id,
                production_process_name=movement.records[0].process_name,
                quantity=movement.pieces,
                until=movement.until,
                by_id=movement.by_id,
                handed_over=bool(movement.entered),
            )
            for movement in undoable(line, records)
        ],
        edit=status not in rules.CLOSED_TO_CHANGES,
    )


def pieces_by_process(line: Line, records: Iterable[Record]) -> defaultdict[int, Pieces]:
    """Where the line's pieces are, seen from each process: also from one that they never entered."""
    counted: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for record in records:
        if record.released_at is None:
            counted[record.process_id][record.output_at is not None] += record.quantity

    def seen(inside: int, completed: int) -> Pieces:
        return Pieces(line.quantity, line.quantity_inside, inside, completed)

    return defaultdict(lambda: seen(0, 0), {process: seen(*pieces) for process, pieces in counted.items()})


def _offer(process: ShopProcess, most: int) -> Offer:
    return Offer(production_process_id=process.id, production_process_name=process.name, max_quantity=most)


def last_of_each_process[R: Record](records: Iterable[R]) -> list[R]:
    """The last standing record of each process; `records` newest first, as the result."""
    last: dict[int, R] = {}
    for record in records:
        if record.released_at is None:
            last.setdefault(record.process_id, record)
    return list(last.values())


def side_of(record: Record) -> Side:
    """What there is to take back of an unreleased record."""
    return Side.entry if record.open else Side.both


def release_refusal(line: Line, record: Record, side: Side) -> Refusal | None:
    """Why this side of an unreleased record cannot be taken back; None where it can."""
    refusal = rules.release_refusal(Status(line.status), side, billed=line.quantity_billed)
    if refusal is None and record.quantity_paid:
        refusal = rules.AlreadyPaid(processRecordId=record.id)
    return refusal


_Done = tuple[datetime, int]
"""When somebody moved pieces, and the id of who did."""


class StandingRecords[R: Record]:
    """The records of a line that were not released, by what was done to them at once; newest first."""

    def __init__(self, records: Iterable[R]) -> None:
        self.left: dict[_Done, list[R]] = defaultdict(list)
        self.entered: dict[_Done, list[R]] = defaultdict(list)
        """Those whose pieces are inside yet."""
        for record in records:
            if record.released_at is not None:
                continue
            if record.output_at is None:
                self.entered[record.input_at, record.input_by_id].append(record)
            elif record.output_by_id is not None:
                self.left[record.output_at, record.output_by_id].append(record)


def undoable[R: Record](line: Line, records: Sequence[R]) -> list[Movement[R]]:
    """The movements of the last five minutes that whoever made them may undo now, the latest first. `records` are those
    of the line, newest first, at least the unreleased ones."""
    found: dict[tuple[Side, int, datetime], Movement[R]] = {}
    since = clock.now() - UNDO_FOR
    recent = [record for record in records if (record.output_at or record.input_at) >= since]
    standing = StandingRecords(records if recent else ())
    for record in recent:
        movement = last_movement(record, standing)
        if undo_refusal(line, movement) is None:
            found.setdefault((movement.side, movement.records[0].process_id, movement.at), movement)
    return sorted(found.values(), key=lambda movement: movement.at, reverse=True)


def last_movement[R: Record](record: R, standing: StandingRecords[R]) -> Movement[R]:
    """The last movement of a record, with the other records of the line that it moved at once."""
    if record.released_at is not None:
        return Movement(Side.entry, [record], record.input_at, record.input_by_id)
    if record.output_at is not None and record.output_by_id is not None:
        left = (record.output_at, record.output_by_id)
        together = [one for one in standing.left[left] if one.process_id == record.process_id]
        return Movement(Side.exit, together, *left, entered=_entered_with(together, standing))
    entered = (record.input_at, record.input_by_id)
    together = [one for one in standing.entered[entered] if one.process_id == record.process_id]
    out = standing.left[entered]
    if _entered_with(out, standing):
        return Movement(Side.exit, out, *entered, entered=together)
    return Movement(Side.entry, together, *entered)


def _entered_with[R: Record](left: Sequence[R], standing: StandingRecords[R]) -> Sequence[R]:
    """The entries elsewhere by which records left at the very instant: they were handed over, and are all there yet."""
    if not left or left[0].output_at is None or left[0].output_by_id is None:
        return ()
    at_once = standing.entered[left[0].output_at, left[0].output_by_id]
    entered = [one for one in at_once if one.process_id != left[0].process_id]
    whole = sum(one.quantity for one in entered) == sum(one.quantity for one in left)
    return entered if whole else ()


def undo_refusal(line: Line, movement: Movement[Any]) -> Refusal | None:
    """Why whoever made the movement cannot undo it now; None where they can."""
    free = line.quantity - line.quantity_inside + sum(record.quantity for record in movement.entered)
    paid = next((record.id for record in movement.records if record.quantity_paid), None)
    if any(record.released_at is not None for record in movement.records):
        return rules.AlreadyUndone()
    if clock.now() > movement.until:
        return rules.TooLate(minutes=UNDO_FOR // timedelta(minutes=1))
    if paid is not None:
        return rules.AlreadyPaid(processRecordId=paid)
    refusal = rules.release_refusal(Status(line.status), movement.side, billed=line.quantity_billed)
    if refusal is None and movement.side is Side.exit and movement.pieces > free:
        refusal = rules.NotEnoughPieces(available=free)
    return refusal


def waiting(may_enter: Iterable[tuple[int, int]], usual: Collection[int] | None) -> dict[int, int]:
    """Where a line's free pieces wait: process → pieces, each at the first one that it has not been in.

    `may_enter` says, in the order of the processes, which take pieces now and how many; `usual` which of them the
    product takes, None where that is not known.
    """
    found: dict[int, int] = {}
    earlier = 0
    for process, pieces in may_enter:
        # Who waits for an earlier process has not been in this one either.
        if (usual is None or process in usual) and pieces > earlier:
            found[process] = pieces - earlier
            earlier = pieces
    return found
