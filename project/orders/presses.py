"""Store what a person did: a press, and the movements that it made (infra/docs/rules.md#presses)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from project.access.principal import Principal
from project.core import clock
from project.core.idempotency import kept_key
from project.orders.models import Movement, PastExit, Press, ProcessRecord
from project.orders.rules import MovementSide, PressKind
from project.orders.selectors import load_past_exits


def new_press(
    kind: PressKind, *, by: Principal, at: datetime, reported_later: bool = False, batch_id: int | None = None
) -> Press:
    """Return a press that the caller makes, with the key of their request. `store` stores it."""
    return Press(
        kept=kept_key(),
        kind=kind,
        by_id=by.user_id,
        at=at,
        received_at=clock.now() if reported_later else None,
        station_id=by.station.account.user_id if by.station else None,
        batch_id=batch_id,
    )


def press_repeated() -> Press | None:
    """If this request repeats an earlier one, return the press that the earlier request made.

    None if this request is no repeat, or the earlier one made no press. 1 query for a repeat, else none.
    """
    kept = kept_key()
    return Press.objects.filter(kept=kept).first() if kept else None


def store(movements: Sequence[Movement]) -> None:
    """Store the movements of one press. Before that, store the press if it is new. 1 query, 2 for a new press."""
    press = movements[0].press
    if press._state.adding:
        press.at = max(press.at, *(one.at for one in movements))
        press.save(force_insert=True)
    Movement.objects.bulk_create(movements)


def entered(record: ProcessRecord, movement: Movement) -> None:
    """Note on a new record that a movement brought its pieces in."""
    press = movement.press
    record.entry, record.entry_press, record.entry_lines = movement, press.pk, press.lines
    record.input_notes, record.input_received_at = movement.notes, press.received_at


def left(record: ProcessRecord, movement: Movement) -> None:
    """Note on a record that a movement took its pieces out."""
    press = movement.press
    record.exit, record.exit_press, record.exit_lines = movement, press.pk, press.lines
    record.output_notes, record.output_received_at = movement.notes, press.received_at


def released(record: ProcessRecord, movement: Movement) -> None:
    """Note on a record that a movement took its entry back."""
    record.released, record.released_kind, record.release_notes = movement, movement.press.kind, movement.notes


def reopen(records: Collection[ProcessRecord], taken_back: Iterable[Movement]) -> None:
    """Open records again, and store their former exits as `PastExit`. 2 queries. The caller saves the records.

    `taken_back`: the movements that take the exits back.
    """
    by = {movement.record_id: movement for movement in taken_back}
    past = []
    for record in records:
        back = by[record.pk]
        assert record.exit_id is not None  # noqa: S101 - its exit is taken back
        past.append(PastExit(record=record, movement_id=record.exit_id, taken_back=back))
        record.exit = record.exit_press = record.exit_lines = record.output_notes = record.output_received_at = None
        record.reopened_at = back.at
    PastExit.objects.bulk_create(past)
    load_past_exits(records)


def share_past_exits(parts: Iterable[tuple[ProcessRecord, ProcessRecord]]) -> None:
    """Give the new part of each split record the same past exits. No query if no record has any.

    `parts`: the record that was split, and the stored record of the pieces that stay.
    """
    new = []
    for record, part in parts:
        if record.past:
            part.loaded_past_exits = [
                PastExit(record=part, movement=one.movement, taken_back=one.taken_back) for one in record.past
            ]
            new.extend(part.loaded_past_exits)
    if new:
        PastExit.objects.bulk_create(new)


def taken_back(press: Press, records: Collection[ProcessRecord], *, exits: bool) -> list[Movement]:
    """Return for each record a new movement of `press` that takes back its exit if `exits`, else its entry.

    Call it before the records change.
    """
    return [
        Movement(
            press=press,
            line_id=record.line_id,
            process_id=record.process_id,
            side=_side_of_exit(record) if exits else MovementSide.entry,
            pieces=record.quantity,
            at=press.at,
            takes_back_id=record.exit_id if exits else record.entry_id,
            record=record,
        )
        for record in records
    ]


def _side_of_exit(record: ProcessRecord) -> MovementSide:
    return MovementSide.scrap if record.scrapped else MovementSide.exit


def taken_back_whole(press: Press, movement: Movement) -> Movement:
    """Return a new movement of `press` that takes back a movement without records (pieces to be made again)."""
    return Movement(
        press=press,
        line_id=movement.line_id,
        process_id=movement.process_id,
        side=movement.side,
        pieces=movement.pieces,
        at=press.at,
        takes_back=movement,
    )
