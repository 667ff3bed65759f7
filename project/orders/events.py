"""The live events of orders and lines: enough for a wall screen to draw them without another call."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from project.core.schemas import Document, Id
from project.orders.documents import (
    HISTORY,
    LINES,
    NOTES,
    ORDERS,
    PRIVATE,
    SCOPED,
    HistoryRow,
    LineDocument,
    OrderDocument,
    OrderHead,
    ProcessName,
    history_row,
    line_document,
    order_fields,
    order_head,
)
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.records import Record
from project.orders.rules import MAY_BE_ENTERED
from project.orders.selectors import ShopProcess, processes_for
from project.orders.summaries import Summaries, summaries_of
from realtime.application import Principal
from realtime.privacy import Private
from realtime.registry import Event, Viewed

MOST_LINES = 200
"""What an event of an order carries at most."""


class LineData(Document):
    """A line after a change: its document, its order's head, the record that the change is about, and every record it
    touched. None of the records for somebody who may not read the history, no head for who reads no orders."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_name: str
    status: str
    order_status: str
    quantity: int
    quantity_inside: int
    current_production_process: ProcessName | None
    line: LineDocument
    order: OrderHead | None
    record: HistoryRow | None = None
    records: list[HistoryRow] = []


class OrderData(OrderDocument):
    """The order's document. `lines` are those the change added (on creation: all) or altered; null where they are more
    than MOST_LINES, and are to be loaded."""

    lines: list[LineDocument] | None


class DeletedOrderData(Document):
    """The order that was deleted, or that was given to another customer."""

    id: int
    customer_sales_order_id: str
    customer_id: int


class LineEvent(Event):
    """Something about one line. Holders of ShopFloor or Station alone receive what the board or the station shows, and
    the line's status; a display with lanes of its own receives what is in these, and of the other processes, without
    their names, only how many pieces they could take, since from that follows where a line's free pieces wait."""

    audience = LINES
    private = (
        Private("by", ORDERS | HISTORY),
        Private("data.order", ORDERS),
        Private("data.record", HISTORY),
        Private("data.records", HISTORY, ()),
        *(replace(field, path=f"data.line.{field.path}") for field in PRIVATE),
    )
    scoped = (
        replace(SCOPED[0], path="data.currentProductionProcess"),
        *(replace(part, path=f"data.line.{part.path}") for part in SCOPED),
    )
    data: LineData

    def customer(self) -> int | None:
        return self.data.line.customer_id


class OrderEvent(Event):
    """Something about an order as a whole. The notes are the staff's."""

    audience = ORDERS
    private = (
        Private("data.notes", NOTES, "", staff=True),
        *(replace(field, path=f"data.lines.{field.path}") for field in PRIVATE),
    )
    data: OrderData

    def customer(self) -> int | None:
        return self.data.customer_id


class ViewedLine(Viewed):
    """A line that somebody views. Only the staff who may read it learn who else does: no event names one of them to a
    customer's account either."""

    sales_order_id: Id
    position: Id

    def may_be_viewed_by(self, by: Principal) -> bool:
        """1 query."""
        if by.is_customer or by.permissions.isdisjoint(ORDERS):
            return False
        return Line.objects.filter(order=self.sales_order_id, position=self.position).exists()


class LineMoved(LineEvent):
    """Pieces of a line entered a process or left it, or somebody took his own movement back."""

    type: Literal["line.moved"] = "line.moved"


class LineReleased(LineEvent):
    """Pieces of a line were released from a process, for rework."""

    type: Literal["line.released"] = "line.released"


class LineStatusChanged(LineEvent):
    """A line has another status, set by hand or by what was changed or billed of it."""

    type: Literal["line.status-changed"] = "line.status-changed"


class LineChanged(LineEvent):
    """Anything of a line but its status: what it orders, its dates, its notes, its picture, what is billed."""

    type: Literal["line.changed"] = "line.changed"


class OrderCreated(OrderEvent):
    """An order was written. The notes are the staff's."""

    type: Literal["order.created"] = "order.created"


class OrderChanged(OrderEvent):
    """The head of an order changed, or lines came, went or were written anew. The notes are the staff's."""

    type: Literal["order.changed"] = "order.changed"


class OrderDeleted(Event):
    """An order was deleted; for a customer, one of his became another customer's."""

    audience = ORDERS
    type: Literal["order.deleted"] = "order.deleted"
    data: DeletedOrderData

    def customer(self) -> int | None:
        return self.data.customer_id


def line_data(
    line: Line,
    records: Sequence[Record],
    touched: Sequence[ProcessRecord] = (),
    *,
    processes: Sequence[ShopProcess] | None = None,
    summaries: Summaries | None = None,
) -> LineData:
    """The line after a change and the records it touched, the one it is about first; `records` newest first. 1 query
    where `processes` are not given, at most 4 where the `summaries` of its order and its product are not."""
    if summaries is None:
        items = [line.item_id] if line.status in MAY_BE_ENTERED else []
        summaries = summaries_of([line.order_id], items=items)
    document = line_document(line, records, processes_for() if processes is None else processes, summaries.usual)
    rows = [history_row(record) for record in touched]
    return LineData(
        sales_order_id=document.sales_order_id,
        position=document.position,
        customer_sales_order_id=document.customer_sales_order_id,
        item_name=document.item_name,
        status=document.status,
        order_status=document.order_status,
        quantity=document.quantity,
        quantity_inside=document.quantity_inside,
        current_production_process=document.current_production_process,
        line=document,
        order=order_head(line.order, summaries.of_order[line.order_id]),
        record=rows[0] if rows else None,
        records=rows,
    )


def order_data(
    order: SalesOrder,
    lines: Sequence[Line],
    *,
    processes: Sequence[ShopProcess] | None = None,
    summaries: Summaries | None = None,
) -> OrderData:
    """The order's document with the lines that the change added or altered, which are loaded with their records.

    Without `summaries` of the order and its products, the order is loaded by `selectors.order_get`. 1 query for lines
    where `processes` are not given.
    """
    summaries = summaries or order.loaded_summaries
    shown = None
    if len(lines) <= MOST_LINES:
        if processes is None:
            processes = processes_for() if lines else []
        shown = [line_document(line, line.loaded_records, processes, summaries.usual) for line in lines]
    return OrderData(**order_fields(order, summaries.of_order[order.pk]), lines=shown)


def deleted_order_data(order: SalesOrder) -> DeletedOrderData:
    """What names an order that is gone."""
    return DeletedOrderData(
        id=order.pk, customer_sales_order_id=order.customer_sales_order_id, customer_id=order.customer_id
    )
