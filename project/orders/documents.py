"""A line's document: what lists, pages, boards and live events have of it, the same for everybody who may read it.

What differs from caller to caller is masked afterwards: his `actions` are its `offers` by his rights (`masked.mask`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from project.core import clock
from project.core.schemas import Day, Document, Instant
from project.orders import rules
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.offers import Offers, offers
from project.orders.records import Record
from project.orders.rules import Status
from project.orders.selectors import ShopProcess
from project.orders.summaries import Summary


class ProcessName(Document):
    production_process_id: int
    production_process_name: str


class PiecesInside(Document):
    """Pieces of a line that are inside a process since one entry; by whom only the board and the history say."""

    production_process_id: int
    production_process_name: str
    quantity: int
    record_id: int
    since: Instant
    by: str


class PiecesLeft(Document):
    """How many pieces of a line left a process today, what was released taken off."""

    production_process_id: int
    quantity: int


class ReleasedExit(Document):
    output_date: Instant
    output_username: str
    output_notes: str
    released_date: Instant
    released_by: str
    release_reason: str | None = None
    release_notes: str = ""
    undone: bool = False


class HistoryRow(Document):
    """A history row, as `GET …/history` answers it."""

    id: int
    production_process_id: int
    production_process_name: str
    quantity: int
    input_date: Instant
    input_username: str
    input_notes: str
    input_received_at: Instant | None
    output_date: Instant | None
    output_username: str | None
    output_notes: str | None
    output_received_at: Instant | None
    released: bool
    deleted_date: Instant | None
    date_of_reprocessing: Instant | None
    active: bool
    released_by: str | None
    release_reason: str | None
    release_notes: str | None
    undone: bool
    released_exits: list[ReleasedExit]


class LineDocument(Document):
    """A line as every list, page, board and event has it: all of it that changes, and no history.

    Quantities are pieces. `leftToday` is what left each process since the plant's midnight.
    """

    id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_id: int | None
    customer_name: str
    sales_order_date: Day
    item_id: int
    item_key: str
    item_name: str
    status: str
    order_status: str
    order_version: int
    quantity: int
    quantity_inside: int
    quantity_available: int
    quantity_done: int
    quantity_billed: int
    creation_date: Instant
    shipment_date: Day | None
    delivery_date: Day | None
    shipping_date: Day | None
    late: bool
    notes: str
    own_image: bool
    version: int
    current_production_process: ProcessName | None
    last_production_process: ProcessName | None
    inside: list[PiecesInside]
    left_today: list[PiecesLeft]
    offers: Offers


class OrderOffers(Document):
    """What may be done to an order next, whoever does it: one of which nothing ever moved or was billed may go."""

    delete: bool


class OrderDocument(Document):
    """A sales order as every list, page and event has it: its lines in figures.

    Quantities are pieces, those of canceled lines left out. `progress` is between 0 and 1, `firstDeliveryDate` the
    next one of what is still open.
    """

    id: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    sales_order_date: Day
    creation_date: Instant
    notes: str
    status: str
    version: int
    lines_count: int
    open_lines_count: int
    late_lines_count: int
    quantity: int
    quantity_done: int
    progress: float
    first_delivery_date: Day | None
    offers: OrderOffers


def order_fields(order: SalesOrder, summary: Summary) -> dict[str, Any]:
    """The fields of an order's document. No query."""
    figures = summary.figures
    return {
        "id": order.pk,
        "customer_sales_order_id": order.customer_sales_order_id,
        "customer_id": order.customer_id,
        "customer_name": order.customer.name,
        "sales_order_date": order.sales_order_date,
        "creation_date": order.creation_date,
        "notes": order.notes,
        "status": Status(order.status),
        "version": order.version,
        "lines_count": figures.lines_count,
        "open_lines_count": figures.open_lines_count,
        "late_lines_count": figures.late_lines_count,
        "quantity": figures.quantity,
        "quantity_done": figures.quantity_done,
        "progress": summary.progress,
        "first_delivery_date": figures.first_delivery_date,
        "offers": OrderOffers(delete=summary.untouched),
    }


def process_name(record: Record | None) -> ProcessName | None:
    """The process of a record."""
    if record is None:
        return None
    return ProcessName(production_process_id=record.process_id, production_process_name=record.process_name)


def history_row(record: ProcessRecord) -> HistoryRow:
    """A record as the history shows it; users by their full names."""
    return HistoryRow(
        id=record.pk,
        production_process_id=record.process_id,
        production_process_name=record.process_name,
        quantity=record.quantity,
        input_date=record.input_at,
        input_username=record.input_by_name,
        input_notes=record.input_notes,
        input_received_at=record.input_received_at,
        output_date=record.output_at,
        output_username=record.output_by_name,
        output_notes=record.output_notes if record.output_at else None,
        output_received_at=record.output_received_at,
        released=record.released_at is not None,
        deleted_date=record.released_at,
        date_of_reprocessing=record.released_at,
        active=record.released_at is None,
        released_by=record.released_by_name,
        release_reason=record.release_reason_key if record.released_at else None,
        release_notes=record.release_notes if record.released_at else None,
        undone=record.undone,
        released_exits=[ReleasedExit.model_validate(exit_) for exit_ in record.released_exits],
    )


def current_record(records: Sequence[Record]) -> Record | None:
    """The newest record whose pieces are inside a process; `records` newest first."""
    return next((record for record in records if record.open), None)


def last_record(records: Sequence[Record]) -> Record | None:
    """The newest record that was not released, open or closed."""
    return next((record for record in records if record.released_at is None), None)


def pieces_inside(records: Sequence[Record]) -> list[PiecesInside]:
    """What is inside each process, the oldest entry first; `records` newest first."""
    return [
        PiecesInside(
            production_process_id=record.process_id,
            production_process_name=record.process_name,
            quantity=record.quantity,
            record_id=record.id,
            since=record.input_at,
            by=record.input_by_name,
        )
        for record in reversed(records)
        if record.open
    ]


def left_today(records: Iterable[Record]) -> list[PiecesLeft]:
    """What of a line left each process since the plant's midnight; a released record left nothing."""
    exits = [
        (record.output_at, record) for record in records if record.released_at is None and record.output_at is not None
    ]
    if not exits:
        return []
    midnight = clock.start_of(clock.today())
    left: Counter[int] = Counter()
    for at, record in exits:
        if at >= midnight:
            left[record.process_id] += record.quantity
    return [PiecesLeft(production_process_id=process, quantity=pieces) for process, pieces in sorted(left.items())]


def line_fields(line: Line, records: Sequence[Record], processes: Sequence[ShopProcess]) -> dict[str, Any]:
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
        "quantity_done": line.quantity_done,
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


def line_document(line: Line, records: Sequence[Record], processes: Sequence[ShopProcess]) -> LineDocument:
    """As `line_fields`, for the live stream."""
    return LineDocument(**line_fields(line, records, processes))


def is_late(line: Line, on: date | None = None) -> bool:
    """Whether the line is late: today, or on a day."""
    return rules.is_late(Status(line.status), line.delivery_date, on or clock.today())
