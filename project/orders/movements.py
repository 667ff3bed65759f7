"""Movements: pieces of a line enter a process and leave it (specification 2, section 4; contract, section 4).

The order's row is the lock of everything in the order: two people at once, one wins, the other gets the
refusal that is then true.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from project.access.operators import act_at
from project.access.principal import Principal
from project.audit.services import Snapshot
from project.catalogs.selectors import price_at
from project.core import clock
from project.core.errors import InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.prepared import prepared
from project.core.saving import save_fields
from project.core.schemas import utc_z
from project.orders import auditing, events as live, rules
from project.orders.documents import LineDocument
from project.orders.events import LineMoved
from project.orders.models import ChangedDay, Line, ProcessRecord, SalesOrder
from project.orders.offers import pieces_by_process
from project.orders.records import records_of
from project.orders.reported_later import LATE, after_all, check_made_at, free_since, possible_at
from project.orders.rules import Pieces, Side, Status
from project.orders.selectors import ShopProcess, lines, processes_for
from realtime import outbox
from realtime.registry import Actor


@dataclass(frozen=True)
class Made:
    """By whom, when and with which notes pieces are moved; `reported_later` where a station reports it afterwards."""

    by: Principal
    at: datetime
    notes: str
    reported_later: bool


@dataclass
class Moved:
    """A line after a change: with its records newest first and the processes as the caller sees them, loaded once."""

    line: Line
    records: list[ProcessRecord]
    processes: list[ShopProcess]
    document: LineDocument = field(init=False)
    """The line's document, as the event of the change carries it."""


_locked_line = prepared(
    lambda order_id, position: (
        lines().select_for_update(of=("order", "self")).filter(order_id=order_id, position=position)
    )
)


def line_for_update(order_id: int, position: int, expected: frozenset[int] | None = None) -> Line:
    """Lock the order and its line, and count one change of it. Raises `NotFound`, `StaleVersion`. 1 query.

    The order first, as everybody does, so that nobody waits for it with the line held. The line too, although the order
    is its lock: of what was locked PostgreSQL reads the newest state after it waited, of the rest what was before.
    """
    # Where the product or the customer was changed meanwhile, it joins the state before and finds nothing, with the
    # order locked.
    found = _locked_line(order_id, position) or _locked_line(order_id, position)
    if not found:
        raise NotFound
    line = found[0]
    line.claim(expected)
    return line


def refresh_orders(*orders: SalesOrder) -> None:
    """Derive each order's status from its lines and store it where it changed. 1 or 2 queries."""
    statuses: dict[int, list[Status]] = {order.pk: [] for order in orders}
    for order_id, status in Line.objects.filter(order__in=orders).values_list("order_id", "status").distinct():
        statuses[order_id].append(Status(status))
    changed = []
    for order in orders:
        derived = rules.order_status(statuses[order.pk])
        if derived != order.status:
            order.status = derived
            order.version += 1
            changed.append(order)
    save_fields(changed, ["status", "version"])


@unit_of_work
def move_in(
    *,
    order_id: int,
    position: int,
    process_id: int,
    quantity: int | None,
    notes: str,
    by: Principal,
    expected: frozenset[int] | None = None,
    made_at: datetime | None = None,
) -> Moved:
    """Enter a process with `quantity` pieces, None for all that may. Specification 2, section 4.

    `made_at` is when that was, where it is reported later. Raises `LineNotApproved`, `NotYourProcess`,
    `AlreadyCompleted`, `NotEnoughPieces`, `StaleVersion`, `MadeAtOutOfRange`, and for operators `OtherStation`,
    `OperatorOver`.
    """
    made = movement_made(made_at, process_id, notes=notes, by=by)
    moved = line_to_move(order_id, position, by, expected)
    enter(moved, process_to_move(moved, process_id, Side.entry), quantity, made)
    return moved


@unit_of_work
def move_out(
    *,
    order_id: int,
    position: int,
    process_id: int,
    quantity: int | None,
    notes: str,
    by: Principal,
    expected: frozenset[int] | None = None,
    made_at: datetime | None = None,
) -> Moved:
    """Leave a process with `quantity` pieces, None for all inside; the oldest entries leave first.

    Possible on a canceled line, and from a process of one's own that was deactivated: pieces must be able to
    get out. `made_at` is when that was, where it is reported later. Raises `NotYourProcess`, `NotInside`,
    `NotEnoughPieces`, `StaleVersion`, `MadeAtOutOfRange`, and for operators `OtherStation`, `OperatorOver`.
    """
    made = movement_made(made_at, process_id, notes=notes, by=by)
    moved = line_to_move(order_id, position, by, expected)
    leave(moved, process_to_move(moved, process_id, Side.exit), quantity, made)
    return moved


def line_to_move(order_id: int, position: int, by: Principal, expected: frozenset[int] | None) -> Moved:
    """A line with everything that decides on a movement, locked. Raises `NotFound`, `StaleVersion`. 3 queries."""
    line = line_for_update(order_id, position, expected)
    return Moved(line, records_of([line.pk])[line.pk], processes_for(by.user_id))


def movement_made(made_at: datetime | None, process_id: int, *, notes: str, by: Principal) -> Made:
    """A movement of the caller's at a process, now or at `made_at`: a use of his, where he is an operator.

    Raises `MadeAtOutOfRange`, and for operators `OtherStation`, `OperatorOver`.
    """
    since = act_at(by, process_id, made_at=made_at)
    now = clock.now()
    if made_at is None:
        return Made(by, now, notes, reported_later=False)
    check_made_at(made_at, now=now)
    if since is not None:
        possible_at(made_at, since, now=now)
    # A station's clock may be ahead: nothing is recorded for an instant that is still to come.
    return Made(by, min(made_at, now), notes, reported_later=True)


def instant_after(records: Iterable[ProcessRecord], now: datetime) -> datetime:
    """The instant to record for a change made now on a line. `records`: all records of the line."""
    return after_all(now, (instant for record in records for instant in record.instants))


def _instant_of(made: Made, records: Iterable[ProcessRecord]) -> datetime:
    """When a movement happened: as claimed where it is reported later, else after all that its line records."""
    return made.at if made.reported_later else instant_after(records, made.at)


def enter(moved: Moved, process: ShopProcess, quantity: int | None, made: Made) -> ProcessRecord:
    """Let pieces of a locked line into a process. Raises what `move_in` does.

    One that is reported later raises `MadeAtOutOfRange` where its pieces were elsewhere then. It may be of a time
    before the order was typed in: work does not wait for the office.
    """
    line, records = moved.line, moved.records
    at = _instant_of(made, records)
    before = auditing.snapshot(line)
    pieces = rules.pieces_to_enter(
        Status(line.status), _pieces(line, records, process.id), quantity, process=process.name
    )
    free = free_since((stay for record in records for stay in record.stays), pieces, quantity=line.quantity)
    if free is not None and made.reported_later:
        at = possible_at(at, free, now=clock.now())
    record = ProcessRecord(
        line=line,
        process_id=process.id,
        quantity=pieces,
        input_at=at,
        input_by_id=made.by.user_id,
        input_notes=made.notes,
        input_received_at=clock.now() if made.reported_later else None,
    )
    record.process_name, record.input_by_name = process.name, made.by.full_name
    record.save(force_insert=True)
    line.quantity_inside += pieces
    started = line.status == Status.Approved
    line.status = Status.InProcess
    line.save(update_fields=["quantity_inside", "status", "version"])
    if started:
        refresh_orders(line.order)
    records.append(record)
    _sort_newest_first(records)
    _record_and_publish(moved, Side.entry, [record], pieces=pieces, before=before, made=made)
    return record


def leave(moved: Moved, process: ShopProcess, quantity: int | None, made: Made) -> list[ProcessRecord]:
    """Let pieces of a locked line out of a process. Returns the records that were closed, then what stayed inside of
    the last one. Raises what `move_out` does."""
    line, records = moved.line, moved.records
    before = auditing.snapshot(line)
    leaving = rules.pieces_to_leave(_pieces(line, records, process.id), quantity, process=process.name)
    touched = _close_oldest(records, process.id, leaving, made)
    line.quantity_inside -= leaving
    line.save(update_fields=["quantity_inside", "version"])
    _record_and_publish(moved, Side.exit, touched, pieces=leaving, before=before, made=made)
    return touched


def _record_and_publish(
    moved: Moved, side: Side, touched: list[ProcessRecord], *, pieces: int, before: Snapshot, made: Made
) -> None:
    """Write a movement into the audit, with the claimed time where it was reported later, and publish it."""
    line, by = moved.line, made.by
    claimed = {"madeAt": utc_z(made.at)} if made.reported_later else {}
    auditing.record_movement(
        line, side.value, before=before, by=by, records=touched, pieces=pieces, side=side, **claimed
    )
    data = live.line_data(line, moved.records, touched, processes=moved.processes)
    moved.document = data.line
    outbox.publish(LineMoved(data=data), by=Actor.of(by))


def _close_oldest(records: list[ProcessRecord], process_id: int, leaving: int, made: Made) -> list[ProcessRecord]:
    """Close open records of the process at the price of that time, oldest first, splitting the one of which a part
    leaves.

    `records` is newest first and is kept so. Returns what was touched: the closed ones, then what stayed. Raises
    `MadeAtOutOfRange`.
    """
    closed: list[ProcessRecord] = []
    left_behind: list[ProcessRecord] = []
    now, at = clock.now(), _instant_of(made, records)
    price = _claimed_price(process_id, made, now)
    for record in [record for record in reversed(records) if record.open and record.process_id == process_id]:
        if not leaving:
            break
        if record.quantity > leaving:
            left_behind.append(_left_behind(record, record.quantity - leaving))
            record.quantity = leaving
        leaving -= record.quantity
        if made.reported_later:
            check_made_at(at, now=now, since=record.input_at)
            record.output_at = possible_at(at, record.stays[-1].since, now=now)
        else:
            record.output_at = at
        record.output_received_at = now if made.reported_later else None
        record.output_by_id, record.output_by_name = made.by.user_id, made.by.full_name
        record.output_notes = made.notes
        record.price = record.process_price if price is None else price
        closed.append(record)
    save_fields(closed, ["quantity", "output_at", "output_by", "output_notes", "output_received_at", "price"])
    if made.reported_later and clock.day_of(made.at) < clock.today():
        note_changed_days(closed)
    if left_behind:
        ProcessRecord.objects.bulk_create(left_behind)
        records.extend(left_behind)
        _sort_newest_first(records)
    return closed + left_behind


def _claimed_price(process_id: int, made: Made, now: datetime) -> Decimal | None:
    """The piece price at the claimed time, None for the price now. A claim that is over 10 minutes old earns the price
    now: nobody chooses a former price by the time that they claim. 1 query at most."""
    if not made.reported_later or now - made.at > LATE:
        return None
    return price_at(process_id, made.at)


def note_changed_days(records: Sequence[ProcessRecord]) -> None:
    """Note that the figures kept of the days of their exits must be computed again."""
    days = {clock.day_of(record.output_at) for record in records if record.output_at is not None}
    ChangedDay.objects.bulk_create(ChangedDay(day=day) for day in sorted(days))


def _sort_newest_first(records: list[ProcessRecord]) -> None:
    records.sort(key=lambda record: (record.input_at, record.pk), reverse=True)


def _left_behind(record: ProcessRecord, quantity: int) -> ProcessRecord:
    """A record of the pieces that stay inside: it keeps their entry, and the exits released before."""
    left = ProcessRecord(
        line_id=record.line_id,
        process_id=record.process_id,
        quantity=quantity,
        input_at=record.input_at,
        input_by_id=record.input_by_id,
        input_notes=record.input_notes,
        input_received_at=record.input_received_at,
        released_exits=record.released_exits,
        release_reason_id=record.release_reason_id,
    )
    left.process_name, left.input_by_name = record.process_name, record.input_by_name
    return left


def _pieces(line: Line, records: list[ProcessRecord], process_id: int) -> Pieces:
    return pieces_by_process(line, records)[process_id]


def process_to_move(moved: Moved, process_id: int, side: Side, *, field: str = "productionProcessId") -> ShopProcess:
    """The process that pieces are brought into, or taken out of. Raises `NotYourProcess`, `InvalidFields`."""
    found = next((process for process in moved.processes if process.id == process_id), None)
    if found is None:
        raise InvalidFields.of(field, "unknown")
    rules.check_mover(side, works_there=found.own, active=found.active)
    return found
