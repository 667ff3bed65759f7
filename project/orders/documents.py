"""A line's document: what lists, pages, boards and live events have of it, the same for everybody who may read it.

What differs from caller to caller is masked afterwards: his `actions` are its `offers` by his rights (`masked.mask`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from project.core import clock
from project.core.errors import Refusal
from project.orders import rules
from project.orders.models import Line, ProcessRecord
from project.orders.rules import Pieces, Side, Status
from project.orders.selectors import ShopProcess
from realtime import events


def process_name(record: ProcessRecord | None) -> events.ProcessName | None:
    """The process of a record."""
    if record is None:
        return None
    return events.ProcessName(production_process_id=record.process_id, production_process_name=record.process.name)


def history_row(record: ProcessRecord) -> events.ProcessRecord:
    """A record as the history shows it; users by their full names (contract, section 4)."""
    return events.ProcessRecord(
        id=record.pk,
        production_process_id=record.process_id,
        production_process_name=record.process.name,
        quantity=record.quantity,
        input_date=record.input_at,
        input_username=record.input_by.full_name,
        input_notes=record.input_notes,
        output_date=record.output_at,
        output_username=record.output_by.full_name if record.output_by else None,
        output_notes=record.output_notes if record.output_at else None,
        released=record.released_at is not None,
        deleted_date=record.released_at,
        date_of_reprocessing=record.released_at,
        active=record.released_at is None,
        released_by=record.released_by.full_name if record.released_by else None,
        release_reason=record.release_reason.key if record.release_reason and record.released_at else None,
        release_notes=record.release_notes if record.released_at else None,
        undone=record.undone,
        released_exits=[events.ReleasedExit.model_validate(exit_) for exit_ in record.released_exits],
    )


def current_record(records: Sequence[ProcessRecord]) -> ProcessRecord | None:
    """The newest record whose pieces are inside a process; `records` newest first."""
    return next((record for record in records if record.open), None)


def last_record(records: Sequence[ProcessRecord]) -> ProcessRecord | None:
    """The newest record that was not released, open or closed."""
    return next((record for record in records if record.released_at is None), None)


def pieces_inside(records: Sequence[ProcessRecord], *, named: bool = True) -> list[events.PiecesInside]:
    """What is inside each process, the oldest entry first; who brought it in only where `named`. `records` newest
    first."""
    return [
        events.PiecesInside(
            production_process_id=record.process_id,
            production_process_name=record.process.name,
            quantity=record.quantity,
            record_id=record.pk,
            since=record.input_at,
            by=record.input_by.full_name if named else "",
        )
        for record in reversed(records)
        if record.open
    ]


def left_today(records: Iterable[ProcessRecord]) -> list[events.PiecesLeft]:
    """What of a line left each process since the plant's midnight; a released record left nothing."""
    midnight = clock.start_of(clock.today())
    left: Counter[int] = Counter()
    for record in records:
        if record.released_at is None and record.output_at is not None and record.output_at >= midnight:
            left[record.process_id] += record.quantity
    return [
        events.PiecesLeft(production_process_id=process, quantity=pieces) for process, pieces in sorted(left.items())
    ]


def line_fields(line: Line, records: Sequence[ProcessRecord], processes: Sequence[ShopProcess]) -> dict[str, Any]:
    """The fields of a line's document; `records` newest first, at least those that are not released. No query."""
    order = line.order
    status = Status(line.status)
    return {
        "id": line.pk,
        "sales_order_id": line.order_id,
        "position": line.position,
        "customer_sales_order_id": order.customer_sales_order_id,
        "customer_id": order.customer_id,
        "customer_name": order.customer.name,
        "sales_order_date": order.sales_order_date,
        "item_id": line.item_id,
        "item_key": line.item.key,
        "item_name": line.item.name,
        "status": status,
        "order_status": Status(order.status),
        "order_version": order.version,
        "quantity": line.quantity,
        "quantity_inside": line.quantity_inside,
        "quantity_available": line.quantity - line.quantity_inside,
        "quantity_done": line.quantity if status in (Status.Done, Status.Invoiced) else 0,
        "quantity_billed": line.quantity_billed,
        "creation_date": line.creation_date,
        "shipment_date": line.shipment_date,
        "delivery_date": line.delivery_date,
        "shipping_date": line.shipping_date,
        "late": is_late(line),
        "notes": line.notes,
        "own_image": bool(line.image),
        "version": line.version,
        "current_production_process": process_name(current_record(records)),
        "last_production_process": process_name(last_record(records)),
        "inside": pieces_inside(records),
        "left_today": left_today(records),
        "offers": offers(line, records, processes),
    }


def line_document(
    line: Line, records: Sequence[ProcessRecord], processes: Sequence[ShopProcess]
) -> events.LineDocument:
    """As `line_fields`, for the live stream."""
    return events.LineDocument(**line_fields(line, records, processes))


def is_late(line: Line) -> bool:
    """Whether the line is late today."""
    return rules.is_late(Status(line.status), line.delivery_date, clock.today())


def offers(line: Line, records: Sequence[ProcessRecord], processes: Sequence[ShopProcess]) -> events.Offers:
    """What may be done to the line next, whoever does it. `records` newest first. No query."""
    status = Status(line.status)
    pieces = pieces_by_process(line, records)
    nothing = Pieces(quantity=line.quantity, inside_anywhere=line.quantity_inside, inside=0, completed=0)
    entries = [
        _offer(process, free)
        for process in processes
        if status in rules.MAY_BE_ENTERED and process.active
        if (free := pieces.get(process.id, nothing).may_enter)
    ]
    exits = [_offer(process, inside) for process in processes if (inside := pieces.get(process.id, nothing).inside)]
    return events.Offers(
        statuses=list(
            rules.offered(status, Status(line.order.status), inside=line.quantity_inside, billed=line.quantity_billed)
        ),
        **{"in": entries},
        out=exits,
        release=[
            events.ReleaseOffer(
                production_process_id=record.process_id,
                production_process_name=record.process.name,
                record_id=record.pk,
                side=side_of(record).value,
                quantity=record.quantity,
            )
            for record in releasable(line, records)
        ],
        edit=status not in rules.CLOSED_TO_CHANGES,
    )


def pieces_by_process(line: Line, records: Iterable[ProcessRecord]) -> dict[int, Pieces]:
    """Where the line's pieces are, seen from each process that it has records of."""
    counted: dict[int, list[int]] = {}
    for record in records:
        if record.released_at is None:
            inside_and_completed = counted.setdefault(record.process_id, [0, 0])
            inside_and_completed[record.output_at is not None] += record.quantity
    return {
        process_id: Pieces(
            quantity=line.quantity, inside_anywhere=line.quantity_inside, inside=inside, completed=completed
        )
        for process_id, (inside, completed) in counted.items()
    }


def _offer(process: ShopProcess, most: int) -> events.Offer:
    return events.Offer(production_process_id=process.id, production_process_name=process.name, max_quantity=most)


def releasable(line: Line, records: Iterable[ProcessRecord]) -> list[ProcessRecord]:
    """The record of each process that a release would take back now; `records` newest first, as the result."""
    last: dict[int, ProcessRecord] = {}
    for record in records:
        if record.released_at is None:
            last.setdefault(record.process_id, record)
    return [record for record in last.values() if release_refusal(line, record, side_of(record)) is None]


def side_of(record: ProcessRecord) -> Side:
    """What there is to take back of an unreleased record."""
    return Side.entry if record.open else Side.both


def release_refusal(line: Line, record: ProcessRecord, side: Side) -> Refusal | None:
    """Why this side of an unreleased record cannot be taken back; None where it can."""
    refusal = rules.release_refusal(Status(line.status), side, billed=line.quantity_billed)
    if refusal is None and record.quantity_paid:
        refusal = rules.AlreadyPaid(processRecordId=record.pk)
    return refusal
