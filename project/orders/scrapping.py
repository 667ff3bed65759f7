"""Scrap pieces that are inside a process, and have them made again (infra/docs/rules.md#scrap)."""

from collections.abc import Callable
from datetime import datetime

from project.access.principal import Principal
from project.catalogs.selectors import scrap_reason_offered
from project.core import clock, pictures
from project.core.idempotency import unit_of_work
from project.metal.rules import NOT_WEIGHED, Weights
from project.orders import auditing, events as live, metal, presses, rules
from project.orders.events import LineChanged, LineStatusChanged
from project.orders.models import Line, Movement, Press
from project.orders.movements import (
    Moved,
    Scrap,
    leave,
    line_for_update,
    line_to_move,
    movement_made,
    process_to_move,
    refresh_orders,
)
from project.orders.rules import MovementSide, PressKind, Side, Status
from project.orders.selectors import line_get
from realtime import outbox
from realtime.registry import Actor

PHOTOS = "scrap"
"""The folder of the photos in the storage."""


def scrap(
    *,
    order_id: int,
    position: int,
    process_id: int,
    quantity: int,
    reason: str,
    notes: str,
    by: Principal,
    expected: frozenset[int] | None = None,
    made_at: datetime | None = None,
    photo: bytes | None = None,
    weights: Weights = NOT_WEIGHED,
) -> Moved:
    """Take `quantity` pieces out of a process as lost. Which pieces leave is decided as at an exit.

    The metal of the pieces goes to the scrap box: as weighed, else by their share. The exit can be undone and released
    like any other. Its work is paid only if the reason is payable. Raises what `movements.move_out` raises,
    `AlreadyBilled`, and for a photo `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """

    @unit_of_work
    def scrapped(stored: str) -> Moved:
        made = movement_made(made_at, process_id, notes=notes, by=by, weights=weights, kind=PressKind.scrap)
        why = Scrap(scrap_reason_offered(reason), stored)
        moved = line_to_move(order_id, position, by, expected)
        leave(moved, process_to_move(moved, process_id, Side.exit), quantity, made, why)
        return moved

    return with_photo(photo, scrapped, by=by)


def with_photo[T](photo: bytes | None, write: Callable[[str], T], *, by: Principal) -> T:
    """Store the photo of scrapped pieces, and call `write` with its stored name; empty if there is none.

    The photo is removed again if `write` raises. Raises `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """
    if photo is None:
        return write("")
    with pictures.stored(PHOTOS, photo, whose=by.user_id) as stored:
        return write(stored)


@unit_of_work
def replace(
    *, order_id: int, position: int, quantity: int, by: Principal, expected: frozenset[int] | None = None
) -> tuple[Line, Press]:
    """Have `quantity` scrapped pieces made again, from the start. A Done line returns to InProcess.

    Raises `NotFound`, `StaleVersion`, `AlreadyBilled`, `LineClosed`, `NotEnoughPieces`.
    """
    line = line_for_update(order_id, position, expected)
    status_before, before = line.status, auditing.snapshot(line)
    line.quantity_replaced += rules.pieces_to_replace(
        Status(line.status),
        quantity,
        scrapped=line.quantity_scrapped,
        replaced=line.quantity_replaced,
        billed=line.quantity_billed,
    )
    press = presses.new_press(PressKind.remake, by=by, at=clock.now())
    presses.store([Movement(press=press, line=line, side=MovementSide.remake, pieces=quantity, at=press.at)])
    metal.take_back([metal.TakenBack(line)], by=by)
    line.status = rules.after_release(Status(line.status))
    line.done_at = rules.done_at(line.done_at, line.status, clock.now())
    line.save(update_fields=["quantity_replaced", "status", "done_at", "metal_mg", "version"])
    refresh_orders(line.order)
    auditing.record_line(line, "replaced", before=before, by=by, press=str(press.pk))
    changed = line_get(order_id, position)
    event = LineChanged if changed.status == status_before else LineStatusChanged
    outbox.publish(event(data=live.line_data(changed, changed.loaded_records, press=press)), by=Actor.of(by))
    return changed, press
