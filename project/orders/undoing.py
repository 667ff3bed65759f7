"""Undoing: a person takes his own last entry or exit back, soon after it (contract, section 8).

A movement is what was done at once: an exit may have closed several records, and a part of an entry may have left. So
undoing an exit reopens every record that it closed, undoing an entry takes back what is still inside of it. Of a
hand-over both are undone, as long as all of its pieces are where it brought them.
"""

from typing import Any, Literal

from project.access.operators import act_at
from project.access.permissions import Permission
from project.access.principal import Principal
from project.core import clock
from project.core.errors import NotFound, PermissionDenied
from project.core.idempotency import unit_of_work
from project.orders import auditing, rules
from project.orders.movements import Moved, instant_after, line_for_update
from project.orders.offers import MOVED_BY, Movement, StandingRecords, last_movement, undo_refusal
from project.orders.records import records_of
from project.orders.releases import mark_released, reopen, taken_back
from project.orders.rules import Side, Status


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
    movement = last_movement(record, StandingRecords(records))
    act_at(by, movement.records[0].process_id)
    if side not in (None, movement.side):
        raise rules.AlreadyUndone if side is Side.exit else rules.NotEnoughPieces(available=0)
    if not _needed(movement) <= by.permissions:
        raise PermissionDenied
    if movement.by_id != by.user_id and not any(record.released_at for record in movement.records):
        raise rules.NotYours
    refusal = undo_refusal(line, movement)
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


def _needed(movement: Movement[Any]) -> set[Permission]:
    """The permissions that made the movement undo it, too."""
    return {MOVED_BY[movement.side], *([MOVED_BY[Side.entry]] if movement.entered else [])}
