"""Undo presses (infra/docs/rules.md#undo). The batch of a press is locked before the orders of its lines."""

from collections.abc import Callable
from datetime import datetime
from typing import Literal
from uuid import UUID

from project.access.operators import check_present
from project.access.principal import Principal
from project.batches import services as batches
from project.batches.models import Batch
from project.core.idempotency import unit_of_work
from project.orders import undoing
from project.orders.models import Press
from project.orders.rules import Side
from project.orders.undoing import Undone


@unit_of_work
def press_undo(
    *, press: UUID | None, key: str | None, made_at: datetime | None, by: Principal
) -> tuple[Undone, Batch | None]:
    """Undo a press, given by its id or its key. Raises `NotFound`, and what `undoing.press_undo` raises."""
    if made_at is None:
        check_present(by)
    found = undoing.press_of(by, press=press, key=key)
    return _undone(found, by, lambda: undoing.press_undo(found, by=by, made_at=made_at))


@unit_of_work
def record_undo(
    *,
    order_id: int,
    position: int,
    record_id: int,
    by: Principal,
    side: Literal[Side.entry, Side.exit] | None = None,
    expected: frozenset[int] | None = None,
) -> Undone:
    """Undo the press of a record's last movement: its exit if the pieces have left, else its entry.

    `side`: the movement that the caller means. With it, a repeated call does not take back a second movement. Raises
    `NotFound`, `StaleVersion`, and what `undoing.press_undo` raises.
    """
    found = undoing.press_of_record(order_id, position, record_id, side)
    place = (order_id, position)
    undone, _ = _undone(found, by, lambda: undoing.press_undo(found, by=by, expected=expected, place=place))
    return undone


def _undone(press: Press, by: Principal, undo: Callable[[], Undone]) -> tuple[Undone, Batch | None]:
    """Undo a press, and put the batch that it moved back where it was before."""
    if press.batch_id is None:
        return undo(), None
    batch = batches.batch_to_undo(press.batch_id)
    undone = undo()
    return undone, batches.batch_undone(batch, undone.side, by=by)
