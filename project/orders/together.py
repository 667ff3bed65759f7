"""Move pieces of several lines together: all of them or none, with a fixed number of queries.

See infra/docs/rules.md#batches. A movement of one line is in `movements`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from project.access.principal import Principal
from project.audit.services import Snapshot
from project.core.errors import Refusal
from project.core.queries import save_fields
from project.metal.rules import Weights
from project.orders import auditing, metal, presses, rules
from project.orders.models import Line, Press, ProcessRecord, SalesOrder
from project.orders.movements import (
    EXIT,
    Made,
    Moved,
    closed_records,
    count_in,
    entry,
    pieces_of,
    prices_of,
    process_to_move,
    recorded,
    refresh_orders,
    sort_newest_first,
)
from project.orders.rules import MAY_BE_ENTERED, Side, Status
from project.orders.selectors import ShopProcess, lines, processes_for, records_of
from project.orders.summaries import summaries_of
from realtime import outbox
from realtime.registry import Actor

Place = tuple[int, int]
"""An order's id and a line's position."""
Refused = list[tuple[int, Refusal]]
"""For each line that cannot be moved: its place in the list of lines to move, and its refusal."""


@dataclass(frozen=True)
class Together:
    """Pieces of one line that move together with pieces of other lines, and the line's share of the weights."""

    moved: Moved
    quantity: int
    weights: Weights


def lines_to_move(places: Collection[Place], by: Principal) -> dict[Place, Moved]:
    """Lock the orders of these lines, the lowest id first, and load what decides on movements. 4 queries.

    Lines that do not exist are left out. Lines of one order share one `SalesOrder` object.
    """
    order_ids = {order_id for order_id, _ in places}
    # Lock first and read afterwards. A query that locks an order and joins its customer finds no row if the order got
    # another customer during the wait.
    list(SalesOrder.objects.filter(pk__in=order_ids).select_for_update().order_by("pk").values_list("pk"))
    rows = lines().filter(order__in=order_ids, position__in={position for _, position in places}).order_by("pk")
    found = [line for line in rows.select_for_update(of=("self",)) if (line.order_id, line.position) in places]
    orders: dict[int, SalesOrder] = {}
    for line in found:
        line.order = orders.setdefault(line.order_id, line.order)
    records, processes = records_of([line.pk for line in found]), processes_for(by.user_id)
    return {(line.order_id, line.position): Moved(line, records[line.pk], processes) for line in found}


def move_together(moving: Sequence[Together], process_id: int, side: Side, made: Made, *, batch_id: int) -> Refused:
    """Move pieces of one or more locked lines into a process or out of it, by one press.

    `made` has the weights of all lines together. Returns the lines that cannot be moved. If there are any, nothing was
    moved. Raises `NotYourProcess`, `InvalidFields`, `GramsRequired`, `GramsHeavier`.
    """
    process = process_to_move(moving[0].moved, process_id, side)
    weighed = [one for one in moving if one.moved.line.item.alloy_id is not None]
    # A line whose product has no alloy is refused alone. It does not make the weights of the others wrong.
    checked = weighed or moving
    metal.check(checked[0].moved.line, process, made.weights, side=side, needed=True)
    refused: Refused = []
    for place, one in enumerate(moving):
        try:
            _check(one, process, side)
        except Refusal as refusal:
            refused.append((place, refusal))
    if not refused:
        for one in moving:
            one.moved.line.claim(None)
        made.press.lines = len(moving)
        move = _enter if side is Side.entry else _leave
        move(moving, process, made, batch_id)
    return refused


def _check(one: Together, process: ShopProcess, side: Side) -> None:
    """Raise the refusal of one line's movement, if a rule refuses it."""
    line, pieces = one.moved.line, pieces_of(one.moved, process.id)
    if side is Side.entry:
        rules.pieces_to_enter(Status(line.status), pieces, one.quantity, process=process.name)
    else:
        rules.pieces_to_leave(pieces, one.quantity, process=process.name)
    if one.weights.weighed and line.item.alloy_id is None:
        raise rules.WithoutAlloy(itemName=line.item.name)


def _enter(moving: Sequence[Together], process: ShopProcess, made: Made, batch_id: int) -> None:
    """Do the work of `move_together` for entries that are all possible."""
    before = [auditing.snapshot(one.moved.line) for one in moving]
    records = [entry(one.moved, process, one.quantity, replace(made, weights=one.weights)) for one in moving]
    presses.store([record.entry for record in records if record.entry is not None])
    ProcessRecord.objects.bulk_create(records)
    if made.weights.weighed:
        weighed = [
            metal.Weighed(one.moved.line, [record], one.weights, metal.pieces_weighed(one.moved.records))
            for one, record in zip(moving, records, strict=True)
        ]
        metal.enter(weighed, by=made.by, batch_id=batch_id)
    started = [one.moved.line.order for one in moving if one.moved.line.status == Status.Approved]
    for one, record in zip(moving, records, strict=True):
        count_in(one.moved, record)
    save_fields(_lines(moving), ["quantity_inside", "status", "metal_mg", "version"])
    if started:
        refresh_orders(*{order.pk: order for order in started}.values())
    _publish(moving, Side.entry, [[record] for record in records], before, made)


def _leave(moving: Sequence[Together], process: ShopProcess, made: Made, batch_id: int) -> None:
    """Do the work of `move_together` for exits that are all possible. What the batch brought in leaves first."""
    before = [auditing.snapshot(one.moved.line) for one in moving]
    weighed_before = [metal.pieces_weighed(one.moved.records) for one in moving]
    own = set(Press.objects.filter(batch_id=batch_id).values_list("pk", flat=True))
    prices = prices_of(process.id, {line.item_id for line in _lines(moving)}, made)
    left = [
        closed_records(
            one.moved.line,
            one.moved.records,
            process.id,
            one.quantity,
            replace(made, weights=one.weights),
            prices.get(one.moved.line.item_id),
            own=own,
        )
        for one in moving
    ]
    presses.store([exit_ for exit_, _, _ in left])
    ProcessRecord.objects.bulk_create([record for _, _, left_behind in left for record in left_behind])
    presses.share_past_exits((closed[-1], left_behind[0]) for _, closed, left_behind in left if left_behind)
    weighed = []
    for one, (_, closed, left_behind), pieces in zip(moving, left, weighed_before, strict=True):
        line, records = one.moved.line, one.moved.records
        line.quantity_inside -= one.quantity
        records.extend(left_behind)
        sort_newest_first(records)
        stay = [record for record in records if record.open and record.process_id == process.id]
        weighed.append(metal.Weighed(line, closed, one.weights, pieces, stay=stay, split=next(iter(left_behind), None)))
    changed = metal.leave(weighed, by=made.by, batch_id=batch_id)
    all_closed = {record.pk: record for _, closed, _ in left for record in closed}
    others = [record for record in changed if record.pk not in all_closed]
    save_fields([*all_closed.values(), *others], [*EXIT, *(metal.WEIGHTS if changed else ())])
    save_fields(_lines(moving), ["quantity_inside", "metal_mg", "version"])
    touched = [
        [*closed, *left_behind, *(one for one in others if one.line_id == closed[0].line_id and one not in left_behind)]
        for _, closed, left_behind in left
    ]
    _publish(moving, Side.exit, touched, before, made)


def _lines(moving: Sequence[Together]) -> list[Line]:
    return [one.moved.line for one in moving]


def _publish(
    moving: Sequence[Together],
    side: Side,
    touched: Sequence[list[ProcessRecord]],
    before: Sequence[Snapshot],
    made: Made,
) -> None:
    """Write the movements into the audit and publish them, an event for each line. 2 queries."""
    items = {line.item_id for line in _lines(moving) if line.status in MAY_BE_ENTERED}
    summaries = summaries_of({line.order_id for line in _lines(moving)}, items=items)
    events = [
        recorded(
            one.moved,
            side,
            records,
            pieces=one.quantity,
            before=old,
            made=replace(made, weights=one.weights),
            summaries=summaries,
        )
        for one, records, old in zip(moving, touched, before, strict=True)
    ]
    outbox.publish_all(events, by=Actor.of(made.by))
