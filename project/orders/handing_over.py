"""Handing over: pieces go out of a process and into the next one in one movement (contract, section 8).

Its two halves are the movements of `movements`, by their rules, with their rows in the history, audit and events.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.errors import InvalidFields, PermissionDenied
from project.core.idempotency import unit_of_work
from project.orders import rules
from project.orders.models import ProcessRecord
from project.orders.movements import Moved, enter, leave, line_to_move, movement_made, process_to_move
from project.orders.offers import pieces_by_process
from project.orders.rules import Side


@dataclass
class HandedOver(Moved):
    """A line whose pieces went from one process into another: `entered` is the record of their entry."""

    entered: ProcessRecord

    @property
    def pk(self) -> int:
        return self.entered.pk


@unit_of_work
def hand_over(
    *,
    order_id: int,
    position: int,
    process_id: int,
    to_process_id: int,
    quantity: int | None,
    notes: str,
    by: Principal,
    expected: frozenset[int] | None = None,
    made_at: datetime | None = None,
) -> HandedOver:
    """Leave a process and enter another one with the same pieces, both or neither; `quantity` None for all that may.

    Both are movements of the caller's, at one instant, by which they are undone together. Raises what `move_out` and
    `move_in` do, and `PermissionDenied` for who may not do both.
    """
    if not (by.holds(Permission.SalesOrderPositionProcessOut) and by.holds(Permission.SalesOrderPositionProcessIn)):
        raise PermissionDenied
    if to_process_id == process_id:
        raise InvalidFields.of("toProcessId", "same_process")
    made = movement_made(made_at, process_id, notes=notes, by=by)
    moved = line_to_move(order_id, position, by, expected)
    here = process_to_move(moved, process_id, Side.exit)
    there = process_to_move(moved, to_process_id, Side.entry, field="toProcessId")
    pieces = pieces_by_process(moved.line, moved.records)
    most = rules.most_to_hand_over(pieces[here.id], pieces[there.id])
    # Where no piece may, both rules are asked in turn, so that the first that refuses says why.
    left = leave(moved, here, quantity or most or None, made)
    moved.line.claim(None)
    pieces_left = sum(record.quantity for record in left if not record.open)
    entered = enter(moved, there, pieces_left, replace(made, at=left[0].output_at or made.at))
    handed = HandedOver(moved.line, moved.records, moved.processes, entered)
    handed.document = moved.document
    return handed
