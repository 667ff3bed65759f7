"""Take movements back: release them, for rework or because of a mistake. `undoing` lets their authors undo them.

A released record keeps all of its dates, users and notes. A Done line returns to InProcess when a movement is released.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from project.access.principal import Principal
from project.audit.services import Snapshot
from project.catalogs.models import PriceUnit, ReleaseReason
from project.catalogs.selectors import release_reason_offered
from project.core import clock
from project.core.errors import NotFound, Refusal
from project.core.idempotency import unit_of_work
from project.core.queries import save_fields
from project.orders import auditing, events as live, metal, presses, rules
from project.orders.events import LineReleased
from project.orders.models import Line, Movement, Press, ProcessRecord
from project.orders.movements import Moved, latest_instant, line_for_update, note_changed_days, refresh_orders
from project.orders.offers import release_refusal, side_of
from project.orders.rules import MAY_BE_ENTERED, PressKind, Side, Status
from project.orders.selectors import processes_for, records_of
from project.orders.summaries import summaries_of
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
    def rework(self) -> bool:
        """Whether the pieces are released for rework, and not because of a mistake."""
        return rules.is_rework(self.key)

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
    return _release(line, records, before, exits=[record], by=by, why=why)


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
    unreleased = _unreleased(records, process_id)
    if not unreleased:
        raise _nothing_to_release(process_id)
    record = next((record for record in unreleased if record.open), None)
    if record is None:
        raise rules.ExitFirst
    return _release(line, records, before, whole=[record], by=by, why=why)


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
    unreleased = _unreleased(records, process_id)
    if not unreleased:
        raise _nothing_to_release(process_id)
    record = unreleased[0]
    _refuse(line, record, side_of(record))
    return _release(line, records, before, whole=[record], by=by, why=why)


def _release(
    line: Line,
    records: list[ProcessRecord],
    before: Snapshot,
    *,
    whole: Sequence[ProcessRecord] = (),
    exits: Sequence[ProcessRecord] = (),
    by: Principal,
    why: Why,
) -> Moved:
    """Take back whole records, or only exits, by one press."""
    moved = Moved(line, records, processes_for(by.user_id))
    press = presses.new_press(PressKind.release, by=by, at=latest_instant(records, clock.now()))
    take_back(press, [TakenBack(moved, before, whole, exits)], by=by, why=why)
    return moved


@dataclass(frozen=True)
class TakenBack:
    """What is taken back of one locked line.

    `whole`: records that are taken back with their entry, and with their exit if the pieces have left. `exits`: records
    with only their exit taken back. `before`: the line before the change. `replaced`: the movement by which pieces were
    to be made again, if that movement is taken back.
    """

    moved: Moved
    before: Snapshot
    whole: Sequence[ProcessRecord] = ()
    exits: Sequence[ProcessRecord] = ()
    replaced: Movement | None = None
    beside: list[ProcessRecord] = field(default_factory=list)
    """Other records that have other weights now."""

    @property
    def line(self) -> Line:
        return self.moved.line

    @property
    def touched(self) -> list[ProcessRecord]:
        return [*self.exits, *self.whole, *self.beside]

    @property
    def side(self) -> Side:
        if any(not record.open for record in self.whole):
            return Side.both
        return Side.exit if self.exits else Side.entry

    def movements(self, press: Press, why: Why) -> list[Movement]:
        """Return new movements of `press` that take all this back. The step that was made last is taken back first."""
        closed = [record for record in self.whole if not record.open]
        made = presses.taken_back(press, closed, exits=True) + presses.taken_back(press, self.whole, exits=False)
        made += presses.taken_back(press, self.exits, exits=True)
        if self.replaced is not None:
            made.append(presses.taken_back_whole(press, self.replaced))
        for movement in made:
            movement.release_reason, movement.notes = why.reason, why.notes
        return made


def take_back(press: Press, parts: Sequence[TakenBack], *, by: Principal, why: Why = NO_REASON) -> None:
    """Take back records of one or more lines by one press.

    The number of queries does not depend on the number of lines, except for lines with weighed pieces that moved later.
    """
    undone = press.kind == PressKind.undo
    press.lines = len(parts)
    made = [part.movements(press, why) for part in parts]
    movements = [movement for of_part in made for movement in of_part]
    sides = [part.side for part in parts]
    presses.store(movements)
    _take_metal_back(parts, made, by=by, why=why)
    taken = {(one.record_id, one.takes_back_id): one for one in movements}
    if exits := [record for part in parts for record in part.exits]:
        _reopen(exits, movements, why)
    if whole := [record for part in parts for record in part.whole]:
        for record in whole:
            presses.released(record, taken[record.pk, record.entry_id])
        _mark_released(whole, by, why, at=press.at)
    _store_lines(parts, undone=undone)
    _publish(press, parts, sides, by=by, why=why)


def _take_metal_back(
    parts: Sequence[TakenBack], made: Sequence[Sequence[Movement]], *, by: Principal, why: Why
) -> None:
    """Take the metal of the parts back. `made`: the stored movements that take back each part."""
    of_metal = [
        metal.TakenBack(part.line, part.whole, part.exits, movements, part.moved.records)
        for part, movements in zip(parts, made, strict=True)
    ]
    others = metal.take_back(of_metal, by=by, rework=why.rework)
    save_fields(others, metal.WEIGHTS)
    for part in parts:
        part.beside.extend(one for one in others if one.line_id == part.line.pk)


def _store_lines(parts: Sequence[TakenBack], *, undone: bool) -> None:
    """Store lines after some of their records were taken back."""
    for part in parts:
        line, records = part.line, part.moved.records
        status = Status(line.status)
        moved = any(not one.undone for one in records)
        line.status = rules.after_undo(status, moved=moved) if undone else rules.after_release(status)
        line.quantity_inside = sum(record.quantity for record in records if record.open)
        line.quantity_scrapped = scrapped_pieces(records)
        line.quantity_replaced -= part.replaced.pieces if part.replaced else 0
        line.done_at = rules.done_at(line.done_at, line.status, clock.now())
    columns = ("quantity_inside", "quantity_scrapped", "quantity_replaced", "status", "done_at", "metal_mg", "version")
    save_fields([part.line for part in parts], columns)
    changed = {part.line.order_id: part.line.order for part in parts if part.line.status != part.before["status"]}
    if changed:
        refresh_orders(*changed.values())


def _publish(press: Press, parts: Sequence[TakenBack], sides: Sequence[Side], *, by: Principal, why: Why) -> None:
    """Write what was taken back into the audit and publish it, an event for each line. At most 2 queries."""
    action = "undone" if press.kind == PressKind.undo else "released"
    lines = [part.line for part in parts]
    items = {line.item_id for line in lines if line.status in MAY_BE_ENTERED}
    summaries = summaries_of({line.order_id for line in lines}, items=items)
    events = []
    for part, side in zip(parts, sides, strict=True):
        moved, touched = part.moved, part.touched
        if touched:
            pieces = sum(record.quantity for record in part.exits or part.whole)
            auditing.record_movement(
                part.line,
                action,
                before=part.before,
                by=by,
                press=press,
                records=touched,
                pieces=pieces,
                side=side,
                **why.kept,
            )
        else:
            auditing.record_line(part.line, action, before=part.before, by=by, press=str(press.pk))
        data = live.line_data(
            part.line, moved.records, touched, processes=moved.processes, summaries=summaries, press=press
        )
        moved.document, moved.press = data.line, press
        events.append(LineReleased(data=data))
    outbox.publish_all(events, by=Actor.of(by))


def _reopen(closed: Sequence[ProcessRecord], movements: Iterable[Movement], why: Why) -> None:
    """Take back the exits of records by movements."""
    note_changed_days(closed)
    weighed = any(record.alloy_id is not None for record in closed)
    for record in closed:
        record.output_at = record.output_by_id = record.output_by_name = record.price = None
        record.price_unit = PriceUnit.piece
        record.scrapped, record.scrap_reason, record.scrap_reason_key = False, None, None
        metal.forget_exit(record)
        if why.reason:
            record.release_reason, record.release_reason_key = why.reason, why.key
    presses.reopen(closed, movements)
    save_fields(
        closed,
        [
            "exit",
            "reopened_at",
            "output_at",
            "output_by",
            "price",
            "price_unit",
            "release_reason",
            "scrapped",
            "scrap_reason",
            *(metal.WEIGHTS if weighed else ()),
        ],
    )


def _mark_released(records: Sequence[ProcessRecord], by: Principal, why: Why, *, at: datetime) -> None:
    """Release whole records at the instant `at`. They keep their data, and no longer count anywhere."""
    note_changed_days(records)
    for record in records:
        record.released_at, record.released_by_id, record.released_by_name = at, by.user_id, by.full_name
        record.release_reason, record.release_reason_key = why.reason, why.key
    save_fields(records, ["released", "released_at", "released_by", "release_reason"])


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
