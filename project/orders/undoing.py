"""Undoing: a person takes his own last entry or exit back, soon after it (infra/docs/rules.md#undo).

A movement is what was done at once: an exit may have closed several records, and a part of an entry may have left. So
undoing an exit reopens every record that it closed, undoing an entry takes back what is still inside of it. Of a
hand-over both are undone, as long as all of its pieces are where it brought them.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from project.access.operators import act_at
from project.access.permissions import Permission
from project.access.principal import Principal
from project.core import clock
from project.core.errors import NotFound, PermissionDenied, Refusal
from project.core.idempotency import unit_of_work
from project.orders import auditing, rules
from project.orders.models import Line
from project.orders.movements import Moved, instant_after, line_for_update
from project.orders.records import Record, records_of
from project.orders.releases import mark_released, reopen, taken_back
from project.orders.rules import Side, Status

UNDO_FOR = timedelta(minutes=5)
NEEDED = {Side.entry: Permission.SalesOrderPositionProcessIn, Side.exit: Permission.SalesOrderPositionProcessOut}


@dataclass(frozen=True)
class Movement[R: Record]:
    """What somebody did last to some records of a line: let their pieces in, or out; `entered` are those of the process
    that he handed them over to."""

    side: Literal[Side.entry, Side.exit]
    records: Sequence[R]
    at: datetime
    by_id: int
    entered: Sequence[R] = ()

    @property
    def until(self) -> datetime:
        return self.at + UNDO_FOR

    @property
    def pieces(self) -> int:
        return sum(record.quantity for record in self.records)

    @property
    def needed(self) -> set[Permission]:
        """Whoever may make a movement may undo his own."""
        return {NEEDED[self.side], *([NEEDED[Side.entry]] if self.entered else [])}


_Done = tuple[datetime, int]
"""When somebody moved pieces, and the id of who did."""


class _Standing[R: Record]:
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


@unit_of_work
def undo(
    *,
    order_id: int,
    position: int,
    record_id: int,
    by: Principal,
    side: Literal[Side.entry, Side.exit] | None = None,
    expected: frozenset[int] | None = None,
) -> Moved:
    """Undo the caller's own movement, the last of this record: its exit where it is closed, else its entry; a hand-over
    whole, by either of its records. `side` is the movement that the caller means: who asks twice takes back one.

    Raises `NotFound`, `StaleVersion`, `PermissionDenied`, `AlreadyUndone`, `NotYours`, `TooLate`, `AlreadyPaid`,
    `LineClosed`, `AlreadyBilled`, `NotEnoughPieces`, and `OtherStation` for operators.
    """
    line = line_for_update(order_id, position, expected)
    before = auditing.snapshot(line)
    records = records_of([line.pk])[line.pk]
    record = next((record for record in records if record.pk == record_id), None)
    if record is None:
        raise NotFound
    movement = _last_of(record, _Standing(records))
    act_at(by, movement.records[0].process_id)
    if side not in (None, movement.side):
        raise rules.AlreadyUndone if side is Side.exit else rules.NotEnoughPieces(available=0)
    if not movement.needed <= by.permissions:
        raise PermissionDenied
    refusal = _refusal(line, movement, by)
    if refusal:
        raise refusal
    at = instant_after(records, clock.now())
    if movement.side is Side.exit:
        if movement.entered:
            mark_released(movement.entered, by, at=at, undone=True)
            taken_back(line, records, movement.entered, side=Side.entry, before=before, by=by, action="undone")
            line.claim(None)
            before = auditing.snapshot(line)
        reopen(movement.records, by, at=at, undone=True)
    else:
        mark_released(movement.records, by, at=at, undone=True)
    moved = any(not one.undone for one in records)
    line.status = rules.after_undo(Status(line.status), moved=moved)
    return taken_back(line, records, movement.records, side=movement.side, before=before, by=by, action="undone")


def undoable[R: Record](line: Line, records: Sequence[R], by: Principal) -> list[Movement[R]]:
    """The movements that this person may undo now, the latest first; `records` are those of the
    line, newest first, at least what stands."""
    found: dict[tuple[Side, int, datetime], Movement[R]] = {}
    since = clock.now() - UNDO_FOR
    own = [
        record
        for record in records
        if (record.output_at or record.input_at) >= since and by.user_id in (record.input_by_id, record.output_by_id)
    ]
    standing = _Standing(records if own else ())
    for record in own:
        movement = _last_of(record, standing)
        if movement.needed <= by.permissions and _refusal(line, movement, by) is None:
            found.setdefault((movement.side, movement.records[0].process_id, movement.at), movement)
    return sorted(found.values(), key=lambda movement: movement.at, reverse=True)


def _last_of[R: Record](record: R, standing: _Standing[R]) -> Movement[R]:
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


def _entered_with[R: Record](left: Sequence[R], standing: _Standing[R]) -> Sequence[R]:
    """The entries elsewhere by which records left at the very instant: they were handed over, and are all there yet."""
    if not left or left[0].output_at is None or left[0].output_by_id is None:
        return ()
    at_once = standing.entered[left[0].output_at, left[0].output_by_id]
    entered = [one for one in at_once if one.process_id != left[0].process_id]
    whole = sum(one.quantity for one in entered) == sum(one.quantity for one in left)
    return entered if whole else ()


def _refusal(line: Line, movement: Movement[Any], by: Principal) -> Refusal | None:
    """Why this person cannot undo the movement now; None where he can."""
    free = line.quantity - line.quantity_inside + sum(record.quantity for record in movement.entered)
    paid = next((record.id for record in movement.records if record.quantity_paid), None)
    if any(record.released_at is not None for record in movement.records):
        return rules.AlreadyUndone()
    if movement.by_id != by.user_id:
        return rules.NotYours()
    if clock.now() > movement.until:
        return rules.TooLate(minutes=UNDO_FOR // timedelta(minutes=1))
    if paid is not None:
        return rules.AlreadyPaid(processRecordId=paid)
    refusal = rules.release_refusal(Status(line.status), movement.side, billed=line.quantity_billed)
    if refusal is None and movement.side is Side.exit and movement.pieces > free:
        refusal = rules.NotEnoughPieces(available=free)
    return refusal
