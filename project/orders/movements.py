"""Move pieces of a line into a process and out of it (infra/docs/rules.md#movements).

Every change in an order locks the order's row. If two changes come at once, the second one waits, and is then checked
against the result of the first one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from uuid import UUID

from project.access.operators import act_at
from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit.services import Snapshot
from project.catalogs.models import PriceUnit, ScrapReason
from project.catalogs.selectors import PiecePrice, piece_prices, scrap_reason_offered
from project.core import clock
from project.core.clock import CLOCKS_DIFFER, STATIONS_DIFFER
from project.core.errors import InvalidFields, NotFound, PermissionDenied
from project.core.idempotency import unit_of_work
from project.core.queries import prepared, save_fields
from project.core.schemas import utc_z
from project.metal.rules import NOT_WEIGHED, Weights
from project.metal.selectors import looked_up
from project.orders import auditing, events as live, metal, presses, rules
from project.orders.documents import LineDocument
from project.orders.events import LineMoved
from project.orders.models import ChangedDay, Line, Movement, Press, ProcessRecord, SalesOrder
from project.orders.offers import pieces_by_process
from project.orders.reported_later import (
    LATE,
    MadeAtOutOfRange,
    check_made_at,
    free_since,
    possible_at,
)
from project.orders.rules import MAY_BE_ENTERED, MovementSide, Pieces, PressKind, ScrappedPart, Side, Status
from project.orders.selectors import ShopProcess, lines, processes_for, records_of
from project.orders.summaries import summaries_of
from realtime import outbox
from realtime.registry import Actor


@dataclass(frozen=True)
class Made:
    """Who moves pieces, when, with which notes and weights. `reported_later`: a station reports a past movement."""

    press: Press
    by: Principal
    at: datetime
    notes: str
    reported_later: bool
    weights: Weights = NOT_WEIGHED

    @property
    def made_at(self) -> datetime | None:
        """The claimed time of a movement that is reported later."""
        return self.at if self.reported_later else None


@dataclass(frozen=True)
class Scrap:
    """Why pieces leave as scrap, and the stored name of their photo; empty without one."""

    reason: ScrapReason
    photo: str


@dataclass
class Moved:
    """A locked line that is to change, its records (newest first), and the processes as the caller sees them."""

    line: Line
    records: list[ProcessRecord]
    processes: list[ShopProcess]
    document: LineDocument = field(init=False)
    """The line's document, as the event of the change carries it."""
    press: Press | None = None
    """The press that changed the line."""


_locked_line = prepared(
    lambda order_id, position: (
        lines().select_for_update(of=("order", "self")).filter(order_id=order_id, position=position)
    )
)


def line_for_update(order_id: int, position: int, expected: frozenset[int] | None = None) -> Line:
    """Lock the order and its line, check the line's version and increase it. Raises `NotFound`, `StaleVersion`.

    1 query, or 2. The caller saves the version. Always lock the order before the line, to avoid deadlocks. Lock the
    line too: after a wait PostgreSQL re-reads only locked rows.
    """
    # If the line's product or the order's customer changed during the wait, PostgreSQL joins their old state and finds
    # no row, with the order locked. The second query finds the row.
    found = _locked_line(order_id, position) or _locked_line(order_id, position)
    if not found:
        raise NotFound
    line = found[0]
    line.claim(expected)
    return line


def refresh_orders(*orders: SalesOrder) -> None:
    """Derive each order's status from its lines, and store it if it changed. 1 or 2 queries."""
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


@dataclass(frozen=True)
class Move:
    """Pieces of one line that move, and their weights. `quantity` None: all pieces that may enter."""

    moved: Moved
    quantity: int | None
    weights: Weights

    @property
    def line(self) -> Line:
        return self.moved.line


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
    weights: Weights = NOT_WEIGHED,
) -> Moved:
    """Move `quantity` pieces into a process; None moves all that may enter.

    `made_at`: when the movement was made, if it is reported later. Raises `NotFound`, `LineNotApproved`, `AllScrapped`,
    `NotYourProcess`, `AlreadyCompleted`, `NotEnoughPieces`, `StaleVersion`, `InvalidFields`, `MadeAtOutOfRange`,
    `GramsRequired`, and for operators `OtherStation`, `OperatorOver`.
    """
    made = movement_made(made_at, process_id, notes=notes, by=by, weights=weights)
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
    weights: Weights = NOT_WEIGHED,
    scrap: ScrappedPart | None = None,
) -> Moved:
    """Move `quantity` pieces out of a process; None moves all that are inside.

    The pieces that the caller brought in leave first, then those of others, the oldest first. `scrap`: a part of the
    pieces leaves as scrap, by the same press; `weights` are of the other pieces.

    Also possible on a canceled line, and from an inactive process that the caller works in: pieces must always be able
    to get out. `made_at`: when the movement was made, if it is reported later. Raises `NotFound`, `NotYourProcess`,
    `NotInside`, `NotEnoughPieces`, `StaleVersion`, `InvalidFields`, `MadeAtOutOfRange`, `GramsRequired`,
    `GramsHeavier`, for operators `OtherStation`, `OperatorOver`, and with `scrap` what `scrapping.scrap` raises, and
    `PermissionDenied`.
    """
    made = movement_made(made_at, process_id, notes=notes, by=by, weights=weights)
    moved = line_to_move(order_id, position, by, expected)
    process = process_to_move(moved, process_id, Side.exit)
    good = _scrap_part(moved, process, quantity, made, scrap) if scrap else quantity
    if good != 0:
        leave(moved, process, good, made)
    return moved


def _scrap_part(moved: Moved, process: ShopProcess, quantity: int | None, made: Made, part: ScrappedPart) -> int:
    """Scrap a part of the pieces that leave a process. Return how many pieces are still to leave.

    `quantity`: how many leave in all; None: all that are inside. Raises what `leave` raises, `InvalidFields`, and
    `PermissionDenied`.
    """
    if not made.by.holds(Permission.ScrapPieces):
        raise PermissionDenied
    leaving = rules.pieces_to_leave(pieces_of(moved, process.id), quantity, process=process.name)
    if part.quantity > leaving:
        raise rules.NotEnoughPieces(available=leaving)
    why = Scrap(scrap_reason_offered(part.reason), part.photo)
    leave(moved, process, part.quantity, replace(made, notes=part.notes, weights=part.weights), why)
    moved.line.claim(None)
    return leaving - part.quantity


def line_to_move(order_id: int, position: int, by: Principal, expected: frozenset[int] | None) -> Moved:
    """Lock an order and its line as `line_for_update` does, and load the line's records and the caller's processes.

    Raises `NotFound`, `StaleVersion`. 3 queries, 1 more if the order or product changed while it waited for the lock,
    and 1 more if an exit was taken back.
    """
    line = line_for_update(order_id, position, expected)
    return Moved(line, records_of([line.pk])[line.pk], processes_for(by.user_id))


def movement_made(
    made_at: datetime | None,
    process_id: int,
    *,
    notes: str,
    by: Principal,
    weights: Weights = NOT_WEIGHED,
    kind: PressKind = PressKind.move,
    batch_id: int | None = None,
) -> Made:
    """Check a press that the caller makes at a process, now or at `made_at`. Return it as `Made`.

    `batch_id`: the batch that moves. A movement of an operator counts as a use of their token. Raises
    `MadeAtOutOfRange`, `InvalidFields` for a tray, lot or alloy that does not exist, and for operators `OtherStation`,
    `OperatorOver`.
    """
    since = act_at(by, process_id, made_at=made_at)
    now = clock.now()
    if made_at is not None:
        check_made_at(made_at, now=now)
        if since is not None:
            possible_at(made_at, since, now=now)
    later = made_at is not None
    # A station's clock may be ahead: never record an instant in the future.
    at = now if made_at is None else min(made_at, now)
    press = presses.new_press(kind, by=by, at=at, reported_later=later, batch_id=batch_id)
    return Made(press, by, at, notes, reported_later=later, weights=looked_up(weights))


def latest_instant(records: Iterable[ProcessRecord], now: datetime) -> datetime:
    """Return the instant to record for a change made now on a line. `records`: all records of the line.

    It is `now`, or the line's last instant if that is later because the clock was set back. So the history keeps its
    order.
    """
    known = (at for one in records for at in (one.inside_since, one.output_at, one.released_at) if at is not None)
    return max(chain([now], known))


def _instant_of(made: Made, records: Iterable[ProcessRecord]) -> datetime:
    """Return the claimed time of a movement that is reported later, else the present or a later instant of the line."""
    return made.at if made.reported_later else latest_instant(records, made.at)


def enter(moved: Moved, process: ShopProcess, quantity: int | None, made: Made) -> ProcessRecord:
    """Move pieces of a locked line into a process. Raises what `move_in` raises."""
    metal.check(moved.line, process, made.weights, side=Side.entry, needed=not made.reported_later)
    return enter_all([Move(moved, quantity, made.weights)], process, made)[0]


def enter_all(moves: Sequence[Move], process: ShopProcess, made: Made) -> list[ProcessRecord]:
    """Move pieces of locked lines into a process, by one press. Returns the new record of each line.

    A press that is reported later raises `MadeAtOutOfRange` if too few pieces were outside all processes at that time.
    That time may be before the order was created: work does not wait until the office has typed the order in.
    """
    before = [auditing.snapshot(one.line) for one in moves]
    records = [entry(one.moved, process, one.quantity, replace(made, weights=one.weights)) for one in moves]
    presses.store([record.entry for record in records if record.entry is not None])
    ProcessRecord.objects.bulk_create(records)
    weighed = [
        metal.Weighed(one.line, [record], one.weights, metal.pieces_weighed(one.moved.records))
        for one, record in zip(moves, records, strict=True)
        if one.weights.weighed
    ]
    differ = metal.enter(weighed, by=made.by, made_at=made.made_at, batch_id=made.press.batch_id)
    save_fields(differ, metal.WEIGHTS)
    started = {one.line.order_id: one.line.order for one in moves if one.line.status == Status.Approved}
    for one, record in zip(moves, records, strict=True):
        one.line.quantity_inside += record.quantity
        one.line.status = Status.InProcess
        one.moved.records.append(record)
        sort_newest_first(one.moved.records)
    save_fields([one.line for one in moves], ["quantity_inside", "status", "metal_mg", "version"])
    if started:
        refresh_orders(*started.values())
    _publish(moves, Side.entry, [[record] for record in records], before, made)
    return records


def entry(moved: Moved, process: ShopProcess, quantity: int | None, made: Made) -> ProcessRecord:
    """Return a new record of pieces that enter a process, without storing it.

    Raises what `rules.pieces_to_enter` raises, and `MadeAtOutOfRange`.
    """
    line, records = moved.line, moved.records
    at = _instant_of(made, records)
    pieces = rules.pieces_to_enter(Status(line.status), pieces_of(moved, process.id), quantity, process=process.name)
    if made.reported_later:
        free = free_since((stay for record in records for stay in record.stays), pieces, quantity=line.quantity_good)
        at = at if free is None else possible_at(at, free, now=clock.now())
    record = ProcessRecord(
        line=line,
        process_id=process.id,
        quantity=pieces,
        input_at=at,
        input_by_id=made.by.user_id,
        **metal.of_entry(line, made.weights),
    )
    record.process_name, record.input_by_name = process.name, made.by.full_name
    record.process_allowed_loss, record.process_weighs = process.allowed_loss, process.weighs
    record.process_gains = process.gains
    movement = Movement(
        press=made.press,
        line=line,
        process_id=process.id,
        side=MovementSide.entry,
        pieces=pieces,
        at=at,
        notes=made.notes,
        **metal.given(line, made.weights),
    )
    presses.entered(record, movement)
    return record


def leave(
    moved: Moved, process: ShopProcess, quantity: int | None, made: Made, scrap: Scrap | None = None
) -> list[ProcessRecord]:
    """Move pieces of a locked line out of a process, or scrap them.

    Returns the closed records, then those of pieces that stay if they changed. Raises what `move_out` raises, and for
    scrap `AlreadyBilled`.
    """
    line = moved.line
    if scrap is not None:
        rules.check_scrap(inside=line.quantity_inside, billed=line.quantity_billed)
    metal.check(line, process, made.weights, side=Side.exit, needed=not made.reported_later and scrap is None)
    leaving = rules.pieces_to_leave(pieces_of(moved, process.id), quantity, process=process.name)
    return leave_all([Move(moved, leaving, made.weights)], process, made, scrap)[0]


def leave_all(
    moves: Sequence[Move], process: ShopProcess, made: Made, scrap: Scrap | None = None
) -> list[list[ProcessRecord]]:
    """Move pieces of locked lines out of a process, or scrap them, by one press. A batch's own pieces leave first.

    The `quantity` of each move is a number that may leave. Returns for each line the closed records, then those of
    pieces that stay if they changed. Raises `MadeAtOutOfRange`, `GramsHeavier`.
    """
    before = [auditing.snapshot(one.line) for one in moves]
    batch_id = made.press.batch_id
    own = Press.objects.filter(batch_id=batch_id).values_list("pk", flat=True) if batch_id else ()
    prices = prices_of(process.id, {one.line.item_id for one in moves}, made)
    closing = _Closing(process, made, prices, scrap, frozenset(own))
    weighed_before = [metal.pieces_weighed(one.moved.records) for one in moves]
    left = [closing.close(one) for one in moves]
    presses.store([one.exit_ for one in left])
    ProcessRecord.objects.bulk_create([one.stays for one in left if one.stays is not None])
    presses.share_past_exits((one.closed[-1], one.stays) for one in left if one.stays is not None)
    for move, one in zip(moves, left, strict=True):
        move.line.quantity_inside -= one.exit_.pieces
        move.line.quantity_scrapped += one.exit_.pieces if scrap is not None else 0
        if one.stays is not None:
            move.moved.records.append(one.stays)
            sort_newest_first(move.moved.records)
    weighed = [
        metal.Weighed(
            move.line,
            left_of.closed,
            move.weights,
            pieces,
            others=[one for one in move.moved.records if one.process_id == process.id and one not in left_of.closed],
            split=left_of.stays,
            scrapped=scrap is not None,
        )
        for move, left_of, pieces in zip(moves, left, weighed_before, strict=True)
    ]
    changed = metal.leave(weighed, by=made.by, made_at=made.made_at, batch_id=batch_id)
    closed = [record for one in left for record in one.closed]
    others = [record for record in changed if record not in closed]
    columns = (*(metal.WEIGHTS if changed else ()), *(() if scrap is None else ("scrapped", "scrap_reason", "photo")))
    save_fields([*closed, *others], [*EXIT, *columns])
    if made.reported_later and clock.day_of(made.at) < clock.today():
        note_changed_days(closed)
    save_fields([one.line for one in moves], ["quantity_inside", "quantity_scrapped", "metal_mg", "version"])
    touched = [one.touched([record for record in others if record.line_id == one.exit_.line_id]) for one in left]
    _publish(moves, Side.exit, touched, before, made, scrap)
    return touched


def _publish(
    moves: Sequence[Move],
    side: Side,
    touched: Sequence[list[ProcessRecord]],
    before: Sequence[Snapshot],
    made: Made,
    scrap: Scrap | None = None,
) -> None:
    """Write movements into the audit and publish them, an event for each line. At most 4 queries for any number.

    The audit keeps the claimed time of a movement that is reported later.
    """
    action = side.value if scrap is None else "scrapped"
    lines = [one.line for one in moves]
    items = {line.item_id for line in lines if line.status in MAY_BE_ENTERED}
    summaries = summaries_of({line.order_id for line in lines}, items=items)
    events = []
    for move, records, old in zip(moves, touched, before, strict=True):
        line, moved = move.line, move.moved
        beside = metal.kept(move.weights)
        if made.reported_later:
            beside["madeAt"] = utc_z(made.at)
        if scrap is not None:
            beside["scrapReason"] = scrap.reason.key
        pieces = sum(one.quantity for one in records if side is Side.entry or not one.open)
        auditing.record_movement(
            line, action, before=old, press=made.press, records=records, pieces=pieces, side=side, by=made.by, **beside
        )
        data = live.line_data(
            line, moved.records, records, processes=moved.processes, summaries=summaries, press=made.press
        )
        moved.document, moved.press = data.line, made.press
        events.append(LineMoved(data=data))
    outbox.publish_all(events, by=Actor.of(made.by))


EXIT = (
    "quantity",
    "exit",
    "output_at",
    "output_by",
    "price",
    "price_unit",
)
"""The columns that an exit changes, except the columns of weights and scrap."""


@dataclass(frozen=True)
class _Left:
    """Pieces of one line that leave a process. `stays`: the new record of the pieces that stay, if one was split."""

    exit_: Movement
    closed: list[ProcessRecord]
    stays: ProcessRecord | None

    def touched(self, others: Iterable[ProcessRecord]) -> list[ProcessRecord]:
        """Return the records that changed. `others`: the line's other records that have other weights now."""
        stays = [] if self.stays is None else [self.stays]
        return [*self.closed, *stays, *(record for record in others if record not in stays)]


@dataclass(frozen=True)
class _Closing:
    """How records of a process are closed by one press.

    `prices`: by product; a product without one has the process's own price. Scrap that is not paid gets no price.
    `own`: the presses of the batch that leaves.
    """

    process: ShopProcess
    made: Made
    prices: Mapping[int, PiecePrice]
    scrap: Scrap | None
    own: frozenset[UUID]

    def close(self, move: Move) -> _Left:
        """Close open records of a line, and set the price of each. No query; stores nothing.

        Pieces leave in this order: those that presses of `own` brought in, those that the same person brought in,
        those of others; the oldest first. Splits a record if a part of its pieces leaves. Raises `MadeAtOutOfRange`.
        """
        made, line, records, leaving = self.made, move.line, move.moved.records, move.quantity or 0
        stays: ProcessRecord | None = None
        closed: list[ProcessRecord] = []
        now, at = clock.now(), _instant_of(made, records)
        exit_ = Movement(
            press=made.press,
            line=line,
            process_id=self.process.id,
            side=MovementSide.exit if self.scrap is None else MovementSide.scrap,
            pieces=leaving,
            at=at,
            notes=made.notes,
            scrap_reason=self.scrap.reason if self.scrap else None,
            photo=self.scrap.photo if self.scrap else "",
            **metal.given(line, move.weights),
        )
        inside = [record for record in reversed(records) if record.open and record.process_id == self.process.id]
        if made.reported_later:
            inside = _inside_at(inside, at, leaving, now=now)
        inside.sort(key=lambda one: (one.entry_press not in self.own, one.input_by_id != made.by.user_id))
        for record in inside:
            if not leaving:
                break
            if record.quantity > leaving:
                stays = _left_behind(record, record.quantity - leaving)
                record.quantity = leaving
            leaving -= record.quantity
            if made.reported_later:
                exit_.at = possible_at(exit_.at, record.inside_since, now=now)
            record.output_by_id, record.output_by_name = made.by.user_id, made.by.full_name
            own_price = PiecePrice(record.process_price, PriceUnit.piece)
            record.price, record.price_unit = self.prices.get(line.item_id, own_price)
            if self.scrap is not None:
                _mark_scrapped(record, self.scrap, photo="" if closed else self.scrap.photo)
            presses.left(record, exit_)
            closed.append(record)
        for record in closed:
            record.output_at = exit_.at
        exit_.price, exit_.price_unit = closed[0].price, closed[0].price_unit
        return _Left(exit_, closed, stays)


def _inside_at(inside: Sequence[ProcessRecord], at: datetime, leaving: int, *, now: datetime) -> list[ProcessRecord]:
    """Return the records whose pieces could leave at an instant in the past. `inside`: open records.

    Raises `MadeAtOutOfRange` if they have fewer than `leaving` pieces: the bound is since when there were enough.
    """
    check_made_at(at, now=now)
    found = [record for record in inside if _could_leave(record, at, now=now)]
    if sum(record.quantity for record in found) >= leaving:
        return found
    pieces = 0
    for record in sorted(inside, key=lambda record: record.inside_since):
        pieces += record.quantity
        if pieces >= leaving:
            raise MadeAtOutOfRange(record.inside_since, now + STATIONS_DIFFER)
    return found


def _could_leave(record: ProcessRecord, at: datetime, *, now: datetime) -> bool:
    """Say whether the pieces of an open record could leave at an instant: not before their entry.

    Clocks differ, so they could leave up to 2 minutes before an exit was taken back. An instant that was written before
    the clock was set back is ignored.
    """
    back_at = record.inside_since
    first = record.input_at if back_at == record.input_at else back_at - STATIONS_DIFFER
    return first <= at or back_at > now + CLOCKS_DIFFER


def _mark_scrapped(record: ProcessRecord, scrap: Scrap, *, photo: str) -> None:
    """Mark a closed record as scrap. The photo of an earlier scrap that was taken back stays with its movement."""
    record.scrapped, record.scrap_reason, record.scrap_reason_key = True, scrap.reason, scrap.reason.key
    if not scrap.reason.payable:
        record.price, record.price_unit = None, PriceUnit.piece
    record.photo = photo


def prices_of(process_id: int, item_ids: Collection[int], made: Made) -> dict[int, PiecePrice]:
    """Return the piece prices of products in the process, at the claimed time of the movement, else now. 1 query.

    A claimed time of over 10 minutes ago counts as now, so that nobody can choose a former price by their claim. A
    product without a price is left out: it earns the process's own present price.
    """
    claimed = made.reported_later and clock.now() - made.at <= LATE
    return piece_prices(process_id, item_ids, made.at if claimed else None)


def note_changed_days(records: Sequence[ProcessRecord]) -> None:
    """Mark the days of these records' exits: the figures of these days must be computed again."""
    days = {clock.day_of(record.output_at) for record in records if record.output_at is not None}
    ChangedDay.objects.bulk_create(ChangedDay(day=day) for day in sorted(days))


def sort_newest_first(records: list[ProcessRecord]) -> None:
    records.sort(key=lambda record: (record.input_at, record.pk), reverse=True)


def _left_behind(record: ProcessRecord, quantity: int) -> ProcessRecord:
    """Return a new record of the pieces that stay inside. It keeps their entry and their released exits."""
    left = ProcessRecord(
        line_id=record.line_id,
        process_id=record.process_id,
        quantity=quantity,
        entry_id=record.entry_id,
        input_at=record.input_at,
        input_by_id=record.input_by_id,
        reopened_at=record.reopened_at,
        release_reason_id=record.release_reason_id,
    )
    left.process_name, left.input_by_name = record.process_name, record.input_by_name
    left.release_reason_key = record.release_reason_key
    left.process_price, left.process_weighs = record.process_price, record.process_weighs
    left.process_allowed_loss, left.process_gains = record.process_allowed_loss, record.process_gains
    left.entry_press, left.entry_lines = record.entry_press, record.entry_lines
    left.input_notes, left.input_received_at = record.input_notes, record.input_received_at
    metal.share(record, left)
    return left


def pieces_of(moved: Moved, process_id: int) -> Pieces:
    return pieces_by_process(moved.line, moved.records)[process_id]


def process_to_move(moved: Moved, process_id: int, side: Side, *, field: str = "productionProcessId") -> ShopProcess:
    """Return the process that pieces enter or leave. Raises `NotYourProcess`, or `InvalidFields` if it is unknown."""
    found = next((process for process in moved.processes if process.id == process_id), None)
    if found is None:
        raise InvalidFields.of(field, "unknown")
    rules.check_mover(side, works_there=found.own, active=found.active)
    return found


@dataclass(kw_only=True)
class HandedOver(Moved):
    """A line after a hand-over; `entered` is the record in the second process."""

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
    weights: Weights = NOT_WEIGHED,
    scrap: ScrappedPart | None = None,
) -> HandedOver:
    """Move pieces out of one process and into another, both or neither. `quantity` None: all pieces that may move.

    `scrap`: a part of the pieces leaves as scrap and does not enter the other process; `weights` are of the other
    pieces. All are movements of one press, so they are undone together. One weighing counts in each of the two
    processes that weighs. Raises what `move_out` and `move_in` raise, and `PermissionDenied` unless the caller may do
    both.
    """
    if not (by.holds(Permission.SalesOrderPositionProcessOut) and by.holds(Permission.SalesOrderPositionProcessIn)):
        raise PermissionDenied
    if to_process_id == process_id:
        raise InvalidFields.of("toProcessId", "same_process")
    made = movement_made(made_at, process_id, notes=notes, by=by, weights=weights, kind=PressKind.hand_over)
    moved = line_to_move(order_id, position, by, expected)
    here = process_to_move(moved, process_id, Side.exit)
    there = process_to_move(moved, to_process_id, Side.entry, field="toProcessId")
    pieces = pieces_by_process(moved.line, moved.records)
    most = rules.most_to_hand_over(pieces[here.id], pieces[there.id])
    out, into = metal.handed_over(moved.line, moved.records, here, there, made.weights, by=by, made_at=made.made_at)
    # If no piece may be handed over, ask both rules in turn: the first one that refuses says why.
    leaving = quantity or most or None
    if scrap:
        leaving = _scrap_part(moved, here, leaving, made, scrap)
        if not leaving:
            raise rules.NotEnoughPieces(available=scrap.quantity - 1)
    left = leave(moved, here, leaving, replace(made, weights=out))
    moved.line.claim(None)
    pieces_left = sum(record.quantity for record in left if not record.open)
    entered = enter(moved, there, pieces_left, replace(made, at=left[0].output_at or made.at, weights=into))
    handed = HandedOver(moved.line, moved.records, moved.processes, entered=entered)
    handed.document, handed.press = moved.document, moved.press
    return handed
