"""Builds the live events of orders and lines: enough for a wall screen to draw them without another call."""

from collections import Counter

from project.core import clock
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.rules import Status, is_late
from realtime import events
from realtime.wire import MOST_LINES


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


def current_record(records: list[ProcessRecord]) -> ProcessRecord | None:
    """The newest record whose pieces are inside a process; `records` newest first."""
    return next((record for record in records if record.open), None)


def last_record(records: list[ProcessRecord]) -> ProcessRecord | None:
    """The newest record that was not released, open or closed."""
    return next((record for record in records if record.released_at is None), None)


def pieces_inside(records: list[ProcessRecord], *, named: bool = True) -> list[events.PiecesInside]:
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


def left_today(records: list[ProcessRecord]) -> list[events.PiecesLeft]:
    """What of a line left each process since the plant's midnight; a released record left nothing."""
    midnight = clock.start_of(clock.today())
    left: Counter[int] = Counter()
    for record in records:
        if record.released_at is None and record.output_at is not None and record.output_at >= midnight:
            left[record.process_id] += record.quantity
    return [
        events.PiecesLeft(production_process_id=process, quantity=pieces) for process, pieces in sorted(left.items())
    ]


def line_state(line: Line, records: list[ProcessRecord]) -> events.LineState:
    """The line as a board draws it; `records` newest first."""
    order = line.order
    return events.LineState(
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=order.customer_sales_order_id,
        customer_id=order.customer_id,
        customer_name=order.customer.name,
        item_id=line.item_id,
        item_name=line.item.name,
        status=line.status,
        order_status=order.status,
        order_version=order.version,
        quantity=line.quantity,
        quantity_inside=line.quantity_inside,
        quantity_available=line.quantity - line.quantity_inside,
        delivery_date=line.delivery_date,
        late=is_late(Status(line.status), line.delivery_date, clock.today()),
        version=line.version,
        current_production_process=process_name(current_record(records)),
        last_production_process=process_name(last_record(records)),
        inside=pieces_inside(records),
        left_today=left_today(records),
    )


def line_data(line: Line, records: list[ProcessRecord], touched: list[ProcessRecord] | None = None) -> events.LineData:
    """The line after a change and the records it touched, the one it is about first."""
    rows = [history_row(record) for record in touched or []]
    return events.LineData(
        **{name: getattr(state, name) for state in [line_state(line, records)] for name in type(state).model_fields},
        record=rows[0] if rows else None,
        records=rows,
    )


def order_data(order: SalesOrder, lines: list[Line]) -> events.OrderData:
    """The order's header with the lines that the change added or altered, where they are not too many."""
    return events.OrderData(
        id=order.pk,
        customer_sales_order_id=order.customer_sales_order_id,
        customer_id=order.customer_id,
        customer_name=order.customer.name,
        sales_order_date=order.sales_order_date,
        notes=order.notes,
        status=Status(order.status),
        version=order.version,
        lines=None if len(lines) > MOST_LINES else [line_state(line, list(line.records.all())) for line in lines],
    )
