"""Take movements back: release them, for rework or because of a mistake, or let their authors undo them.

A released record keeps all of its dates, users and notes. A Done line returns to InProcess when a movement is released.

`undo` takes back the last movement of a record, for the user who made it, unless `offers.undo_refusal` refuses. One
movement may concern several records: an exit may have closed several, and a part of an entry may have left since. So
undoing an exit reopens every record that it closed, and undoing an entry takes back the pieces that are still inside.
Both sides of a hand-over are undone together, as long as all its pieces are still in the second process.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from project.access.operators import act_at
from project.access.principal import Principal
from project.audit.services import Snapshot
from project.catalogs.models import PriceUnit, ReleaseReason
from project.catalogs.selectors import release_reason_offered
from project.core import clock
from project.core.errors import NotFound, PermissionDenied, Refusal
from project.core.idempotency import unit_of_work
from project.core.queries import save_fields
from project.core.schemas import utc_z
from project.orders import auditing, events as live, metal, rules
from project.orders.events import LineReleased
from project.orders.models import Line, ProcessRecord
from project.orders.movements import Moved, instant_after, line_for_update, note_changed_days, refresh_orders
from project.orders.offers import (
    StandingRecords,
    last_movement,
    needed_to_undo,
    release_refusal,
    side_of,
    undo_refusal,
)
from project.orders.rules import Side, Status
from project.orders.selectors import processes_for, records_of
from realtime import outbox
from realtime.registry import Actor


@dataclass(frozen=True)
class Why:
    """Why pieces are taken back: a reason and notes, both optional."""

    reason: ReleaseReason | None = None
    notes: str = ""

    @property
    def key(self) -> str | None:
        return self.reason.key if self.reason else None

    @property
    def kept(self) -> dict[str, str]:
        """The fields that the audit keeps; empty ones are left out."""
        fields = {"releaseReason": self.key, "releaseNotes": self.notes}
        return {name: value for name, value in fields.items() if value}


NO_REASON = Why()


@unit_of_work
def release_exit(
    *,
    order_id: int,
    position: int,
    process_id: int,
    by: Principal,
    expected: frozenset[int] | None = None,
    reason: str = "",
    notes: str = "",
) -> Moved:
    """Reopen the last closed, unreleased record of the process: its pieces are inside again.

    Raises `NotFound`, `StaleVersion`, `InvalidFields`, `NothingToRelease`, `AlreadyPaid`, `LineClosed`,
    `AlreadyBilled`, `AlreadyReplaced`, and `NotEnoughPieces` if the pieces are inside another process by now.
    """
    why = _why(reason, notes)
    line = line_for_update(order_id, position, expected)
    before = auditing.snapshot(line)
    records = records_of([line.pk])[line.pk]
    closed = [record for record in _unreleased(records, process_id) if record.output_at is not None]
    if not closed:
        raise _nothing_to_release(process_id)
    record = max(closed, key=lambda record: (record.output_at, record.input_at, record.pk))
    _refuse(line, record, Side.exit)
    free = line.quantity_free + (record.quantity if record.scrapped else 0)
    if record.quantity > free:
        raise rules.NotEnoughPieces(available=free)
    metal.take_back(line, exits=[record], by=by)
    reopen([record], by, why, at=instant_after(records, clock.now()))
    line.status = rules.after_release(Status(line.status))
    return taken_back(line, records, [record], side=Side.exit, before=before, by=by, why=why)


@unit_of_work
def release_entry(
    *,
    order_id: int,
    position: int,
    process_id: int,
    by: Principal,
    expected: frozenset[int] | None = None,
    reason: str = "",
    notes: str = "",
) -> Moved:
    """Release the last open entry into the process.

    Raises `NotFound`, `StaleVersion`, `InvalidFields`, `ExitFirst` if all unreleased records of the process are closed,
    and `NothingToRelease` if it has no unreleased record.
    """
    why = _why(reason, notes)
    line = line_for_update(order_id, position, expected)
    before = auditing.snapshot(line)
    records = records_of([line.pk])[line.pk]
    standing = _unreleased(records, process_id)
    if not standing:
        raise _nothing_to_release(process_id)
    record = next((record for record in standing if record.open), None)
    if record is None:
        raise rules.ExitFirst
    metal.take_back(line, whole=[record], by=by)
    mark_released([record], by, why, at=instant_after(records, clock.now()))
    return taken_back(line, records, [record], side=Side.entry, before=before, by=by, why=why)


@unit_of_work
def release_record(
    *,
    order_id: int,
    position: int,
    process_id: int,
    by: Principal,
    expected: frozenset[int] | None = None,
    reason: str = "",
    notes: str = "",
) -> Moved:
    """Release the last unreleased record of the process, entry and exit at once, wherever its pieces are now.

    Raises `NotFound`, `StaleVersion`, `InvalidFields`, `NothingToRelease`, `AlreadyPaid`, `AlreadyBilled`,
    `AlreadyReplaced`, and `LineClosed` if the line is Invoiced.
    """
    why = _why(reason, notes)
    line = line_for_update(order_id, position, expected)
    before = auditing.snapshot(line)
    records = records_of([line.pk])[line.pk]
    standing = _unreleased(records, process_id)
    if not standing:
        raise _nothing_to_release(process_id)
    record = standing[0]
    side = side_of(record)
    _refuse(line, record, side)
    metal.take_back(line, whole=[record], by=by)
    mark_released([record], by, why, at=instant_after(records, clock.now()))
    line.status = rules.after_release(Status(line.status))
    return taken_back(line, records, [record], side=side, before=before, by=by, why=why)


def reopen(
    closed: Sequence[ProcessRecord], by: Principal, why: Why = NO_REASON, *, at: datetime, undone: bool = False
) -> None:
    """Take back the exits of records at the instant `at`. Each exit's data moves to the record's `released_exits`."""
    note_changed_days(closed)
    weighed = any(record.alloy_id is not None for record in closed)
    for record in closed:
        assert record.output_at is not None  # noqa: S101 - closed by definition
        assert record.output_by_name is not None  # noqa: S101 - the database keeps both or neither
        record.released_exits = [
            *record.released_exits,
            {
                "outputDate": utc_z(record.output_at),
                "outputUsername": record.output_by_name,
                "outputUserId": record.output_by_id,
                "outputNotes": record.output_notes,
                "releasedDate": utc_z(at),
                "releasedBy": by.full_name,
                "releasedById": by.user_id,
                "releaseReason": why.key,
                "releaseNotes": why.notes,
                "scrapReason": record.scrap_reason_key if record.scrapped else None,
                "undone": undone,
            },
        ]
        record.output_at = record.output_by_id = record.output_by_name = record.output_received_at = record.price = None
        record.output_notes, record.price_unit = "", PriceUnit.piece
        record.scrapped, record.scrap_reason, record.scrap_reason_key = False, None, None
        metal.forget_exit(record)
        if why.reason:
            record.release_reason, record.release_reason_key = why.reason, why.key
    save_fields(
        closed,
        [
            "released_exits",
            "output_at",
            "output_by",
            "output_notes",
            "output_received_at",
            "price",
            "price_unit",
            "release_reason",
            "scrapped",
            "scrap_reason",
            *(metal.WEIGHTS if weighed else ()),
        ],
    )


def erase_person(user_id: int, name: str) -> None:
    """Replace a person's name by `name` in `released_exits`, the only place where a record keeps names."""
    known = {"outputUserId": "outputUsername", "releasedById": "releasedBy"}
    for record in ProcessRecord.objects.exclude(released_exits=[]).only("released_exits").iterator():
        exits = [
            exit_ | {written: name for by, written in known.items() if exit_.get(by) == user_id}
            for exit_ in record.released_exits
        ]
        if exits != record.released_exits:
            ProcessRecord.objects.filter(pk=record.pk).update(released_exits=exits)


def mark_released(
    records: Sequence[ProcessRecord], by: Principal, why: Why = NO_REASON, *, at: datetime, undone: bool = False
) -> None:
    """Release whole records at the instant `at`. They keep their data, and no longer count anywhere."""
    note_changed_days(records)
    for record in records:
        record.released_at, record.undone = at, undone
        record.released_by_id, record.released_by_name = by.user_id, by.full_name
        record.release_reason, record.release_reason_key, record.release_notes = why.reason, why.key, why.notes
    save_fields(records, ["released_at", "released_by", "undone", "release_reason", "release_notes"])


def taken_back(
    line: Line,
    records: list[ProcessRecord],
    touched: Sequence[ProcessRecord],
    *,
    side: Side,
    before: Snapshot,
    by: Principal,
    action: str = "released",
    why: Why = NO_REASON,
) -> Moved:
    """Store a line after its records `touched` were taken back, write it into the audit, and publish it.

    `records`: all records of the line.
    """
    line.quantity_inside = sum(record.quantity for record in records if record.open)
    line.quantity_scrapped = scrapped_pieces(records)
    line.done_at = rules.done_at(line.done_at, line.status, clock.now())
    line.save(update_fields=["quantity_inside", "quantity_scrapped", "status", "done_at", "metal_mg", "version"])
    if line.status != before["status"]:
        refresh_orders(line.order)
    processes = processes_for(by.user_id)
    pieces = sum(record.quantity for record in touched)
    auditing.record_movement(line, action, before=before, by=by, records=touched, pieces=pieces, side=side, **why.kept)
    moved = Moved(line, records, processes)
    data = live.line_data(line, records, touched, processes=processes)
    moved.document = data.line
    outbox.publish(LineReleased(data=data), by=Actor.of(by))
    return moved


def scrapped_pieces(records: Sequence[ProcessRecord]) -> int:
    """Count the pieces of a line that left a process as scrap. `records`: all records of the line."""
    return sum(record.quantity for record in records if record.scrapped and record.released_at is None)


def _why(reason: str, notes: str) -> Why:
    """Return the reason and the notes. Raises `InvalidFields` unless the reason is active."""
    return Why(release_reason_offered(reason) if reason else None, notes)


def _unreleased(records: list[ProcessRecord], process_id: int) -> list[ProcessRecord]:
    return [record for record in records if record.process_id == process_id and record.released_at is None]


def _nothing_to_release(process_id: int) -> Refusal:
    """Return why a process has nothing to release: `NotFound` if the process does not exist. 1 query."""
    is_known = any(process.id == process_id for process in processes_for())
    return rules.NothingToRelease() if is_known else NotFound()


def _refuse(line: Line, record: ProcessRecord, side: Side) -> None:
    refusal = release_refusal(line, record, side)
    if refusal:
        raise refusal


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
    """Undo the last movement of this record, made by the caller: its exit if the record is closed, else its entry.

    A hand-over is undone whole, through either of its records. `side`: the movement that the caller means, so that a
    repeated call does not take back a second movement. Raises `NotFound`, `StaleVersion`, `PermissionDenied`,
    `AlreadyUndone`, `NotYours`, `TooLate`, `AlreadyPaid`, `LineClosed`, `AlreadyBilled`, `AlreadyReplaced`,
    `NotEnoughPieces`, and for operators `OtherStation`, `OperatorOver`.
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
    needed = needed_to_undo(movement.side, scrapped=movement.scrapped, handed_over=bool(movement.entered))
    if not needed <= by.permissions:
        raise PermissionDenied
    if movement.by_id != by.user_id and not any(record.released_at for record in movement.records):
        raise rules.NotYours
    refusal = undo_refusal(line, movement)
    if refusal:
        raise refusal
    at = instant_after(records, clock.now())
    if movement.side is Side.exit:
        metal.take_back(line, whole=movement.entered, exits=movement.records, by=by)
        if movement.entered:
            mark_released(movement.entered, by, at=at, undone=True)
            taken_back(line, records, movement.entered, side=Side.entry, before=before, by=by, action="undone")
            line.claim(None)
            before = auditing.snapshot(line)
        reopen(movement.records, by, at=at, undone=True)
    else:
        metal.take_back(line, whole=movement.records, by=by)
        mark_released(movement.records, by, at=at, undone=True)
    moved = any(not one.undone for one in records)
    line.status = rules.after_undo(Status(line.status), moved=moved)
    return taken_back(line, records, movement.records, side=movement.side, before=before, by=by, action="undone")
