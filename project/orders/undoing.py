"""Undo a press: take back all that it did, for the person who pressed, within minutes (infra/docs/rules.md#undo)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from project.access.operators import OtherStation, act_at
from project.access.principal import Principal
from project.core import clock
from project.core.errors import NotFound, PermissionDenied, Refusal
from project.orders import auditing, presses, rules
from project.orders.corrections import TakenBack, take_back
from project.orders.models import Movement, Press, ProcessRecord
from project.orders.movements import Moved, latest_instant
from project.orders.offers import MOVED_BY, UNDO_FOR, Pressed, pressed_of, undo_refusal
from project.orders.reported_later import check_made_at
from project.orders.rules import UNDOABLE, MovementSide, PressKind, Side, Status
from project.orders.together import Place, lines_to_move


@dataclass(frozen=True)
class Undone:
    """A press that took another one back (`undoes`), and the lines that it changed.

    `side`: what the first movement of `undoes` did.
    """

    press: Press
    undoes: Press
    side: MovementSide
    lines: list[Moved]


def press_of(by: Principal, *, press: UUID | None = None, key: str | None = None) -> Press:
    """Return a press by its id, or by the `Idempotency-Key` that the caller sent with it. 1 query.

    Raises `NotFound`.
    """
    chosen = {"pk": press} if key is None else {"kept__user": by.user_id, "kept__key": key}
    found = Press.objects.filter(**chosen).first()
    if found is None:
        raise NotFound
    return found


def press_of_record(
    order_id: int, position: int, record_id: int, side: Literal[Side.entry, Side.exit] | None = None
) -> Press:
    """Return the press of a record's last movement: its exit, if the pieces have left, else its entry. 1 query.

    `side`: the movement that the caller means. A hand-over is an exit and an entry at once: if the caller means the
    exit and the pieces are still inside, its press is returned. After any other entry this is `AlreadyUndone`. Raises
    `NotFound` too.
    """
    record = (
        ProcessRecord.objects.filter(pk=record_id, line__order=order_id, line__position=position)
        .select_related("entry__press", "exit__press")
        .first()
    )
    if record is None or record.entry is None:
        raise NotFound
    stands = record.exit if record.released_at is None else None
    if side is Side.entry or (stands is None and side is None):
        return record.entry.press
    if stands is not None:
        return stands.press
    if record.entry.press.kind == PressKind.hand_over:
        return record.entry.press
    raise rules.AlreadyUndone


def press_undo(
    press: Press,
    *,
    by: Principal,
    made_at: datetime | None = None,
    expected: frozenset[int] | None = None,
    place: Place | None = None,
) -> Undone:
    """Undo a press of the caller: take back all of it that nobody has taken back yet, or nothing.

    Of an entry, the pieces that have left since stay out. An exit, a hand-over and a scrap go back whole or not at all.
    `made_at`: when the caller pressed, if it is reported later. `expected`: the version of the line at `place`. The
    number of queries does not depend on the number of lines, as `corrections.take_back` says. Raises `NotUndoable`,
    `PermissionDenied`, `StaleVersion`, `InvalidFields`, for operators `OtherStation` and `OperatorOver`. Also raises
    `NotYours`, `AlreadyUndone`, `TooLate`, `AlreadyPaid`, `LineClosed`, `AlreadyBilled`, `AlreadyReplaced`,
    `NotEnoughPieces`; without `place` these name the line and record that cannot go back.
    """
    if press.kind not in UNDOABLE:
        raise rules.NotUndoable
    made = list(press.movements.order_by("pk").select_related("line"))
    if not {MOVED_BY[MovementSide(one.side)] for one in made} <= by.permissions:
        raise PermissionDenied
    _act_there(by, made, made_at)
    found = lines_to_move({(one.line.order_id, one.line.position) for one in made}, by)
    if place is not None and place in found:
        found[place].line.check_version(expected)
    now = clock.now()
    if made_at is not None:
        check_made_at(made_at, now=now)
        now = min(made_at, now)
    first_of_line: dict[int, Movement] = {}
    for one in made:
        first_of_line.setdefault(one.line_id, one)
    parts = []
    for one in first_of_line.values():
        moved = found[one.line.order_id, one.line.position]
        part, refusal = _part(press, one, moved, by, now)
        if refusal is not None:
            if place is None:
                refusal.params |= _where(press, one, part)
            raise refusal
        parts.append(part)
    at = max(latest_instant(part.moved.records, now) for part in parts)
    undo = presses.new_press(PressKind.undo, by=by, at=at, reported_later=made_at is not None, batch_id=press.batch_id)
    for part in parts:
        part.line.claim(None)
    take_back(undo, parts, by=by)
    return Undone(undo, press, MovementSide(made[0].side), [part.moved for part in parts])


def _act_there(by: Principal, made: Iterable[Movement], made_at: datetime | None) -> None:
    """Note that an operator acts at a process that the press touched. Raises `OtherStation`, `OperatorOver`."""
    if by.station is None:
        return
    at = [one.process_id for one in made if one.process_id is not None]
    if not at:
        raise OtherStation
    act_at(by, by.station.process_id if by.station.process_id in at else at[0], made_at=made_at)


def _part(
    press: Press, first: Movement, moved: Moved, by: Principal, now: datetime
) -> tuple[TakenBack, Refusal | None]:
    """Return what the press did with one line, and why that cannot be taken back; None if it can."""
    before = auditing.snapshot(moved.line)
    not_yours = None if press.by_id == by.user_id else rules.NotYours()
    if first.side == MovementSide.remake:
        return TakenBack(moved, before, replaced=first), not_yours or _replacing_refusal(first, moved, now)
    pressed = pressed_of(moved.records).get(press.pk) or Pressed(press.pk, press.lines, press.at, press.by_id)
    part = TakenBack(moved, before, whole=pressed.entered, exits=pressed.left)
    return part, not_yours or undo_refusal(moved.line, pressed, now=now)


def _where(press: Press, first: Movement, part: TakenBack) -> dict[str, int | None]:
    """Return the place and the record that keep a press from being undone."""
    of_press = (record for record in part.moved.records if press.pk in (record.entry_press, record.exit_press))
    record = next(iter(part.touched), None) or next(of_press, None)
    return {
        "salesOrderId": part.line.order_id,
        "position": part.line.position,
        "recordId": record.pk if record else None,
    }


def _replacing_refusal(made: Movement, moved: Moved, now: datetime) -> Refusal | None:
    """Return why the author cannot undo that pieces are made again; None if they can. 1 query."""
    line = moved.line
    if made.taken_back_by.exists():
        return rules.AlreadyUndone()
    if now > made.press.at + UNDO_FOR:
        return rules.TooLate(minutes=UNDO_FOR // timedelta(minutes=1))
    if made.pieces > line.quantity_free:
        return rules.NotEnoughPieces(available=line.quantity_free)
    return rules.release_refusal(Status(line.status), Side.exit, billed=line.quantity_billed)
