"""The live events of orders and lines: enough for a wall screen to draw them without another call."""

from collections.abc import Sequence
from typing import Literal

from project.access.permissions import Permission
from project.core.schemas import Document, Id
from project.orders.documents import (
    HistoryRow,
    LineDocument,
    OrderDocument,
    ProcessName,
    history_row,
    line_document,
    order_fields,
)
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.selectors import ShopProcess, processes_for
from project.orders.summaries import Summary
from realtime.application import Principal
from realtime.privacy import Private, Scoped
from realtime.registry import Event, Viewed

ORDERS = frozenset({Permission.ListSalesOrders, Permission.ListOrders})
LINES = ORDERS | {Permission.ShopFloor, Permission.Station}
HISTORY = frozenset({Permission.SalesOrderPositionRecord})
HISTORY_OR_BOARD = HISTORY | {Permission.ShopFloor}
"""Who reads who brought pieces into a process, and what left it: in the history, or on the board."""
MOST_LINES = 200
"""What an event of an order carries at most."""


class LineData(Document):
    """A line after a change: its document, the record that the change is about, and every record it touched. None of
    the records for somebody who may not read the history."""

    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_name: str
    status: str
    order_status: str
    quantity: int
    quantity_inside: int
    current_production_process: ProcessName | None
    version: int
    line: LineDocument
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
        Private("data.record", HISTORY),
        Private("data.records", HISTORY, ()),
        Private("data.line.customerId", ORDERS),
        Private("data.line.notes", ORDERS, "", staff=True),
        Private("data.line.lastProductionProcess", ORDERS),
        Private("data.line.inside.by", HISTORY_OR_BOARD, ""),
        Private("data.line.leftToday", HISTORY_OR_BOARD, (), staff=True),
    )
    scoped = (
        *(
            Scoped(path, "productionProcessId")
            for path in (
                "data.currentProductionProcess",
                "data.line.currentProductionProcess",
                "data.line.inside",
                "data.line.leftToday",
                "data.line.offers.out",
                "data.line.offers.release",
            )
        ),
        Scoped("data.line.offers.in", "productionProcessId", empties="productionProcessName"),
    )
    data: LineData

    def customer(self) -> int | None:
        return self.data.line.customer_id


class OrderEvent(Event):
    """Something about an order as a whole. The notes are the staff's."""

    audience = ORDERS
    private = (
        Private("data.notes", ORDERS, "", staff=True),
        Private("data.lines.notes", ORDERS, "", staff=True),
        Private("data.lines.inside.by", HISTORY_OR_BOARD, ""),
        Private("data.lines.leftToday", HISTORY_OR_BOARD, (), staff=True),
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
    records: list[ProcessRecord],
    touched: list[ProcessRecord] | None = None,
    *,
    processes: Sequence[ShopProcess] | None = None,
) -> LineData:
    """The line after a change and the records it touched, the one it is about first; `records` newest first. 1 query
    where `processes` are not given."""
    document = line_document(line, records, processes_for() if processes is None else processes)
    rows = [history_row(record) for record in touched or []]
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
        version=document.version,
        line=document,
        record=rows[0] if rows else None,
        records=rows,
    )


def order_data(
    order: SalesOrder, lines: Sequence[Line], summary: Summary, *, processes: Sequence[ShopProcess] | None = None
) -> OrderData:
    """The order's document with the lines that the change added or altered, which are loaded with their records. 1
    query for lines where `processes` are not given."""
    if processes is None:
        processes = processes_for() if lines else []
    shown = [line_document(line, line.loaded_records, processes) for line in lines]
    return OrderData(**order_fields(order, summary), lines=shown if len(lines) <= MOST_LINES else None)


def deleted_order_data(order: SalesOrder) -> DeletedOrderData:
    """What names an order that is gone."""
    return DeletedOrderData(
        id=order.pk, customer_sales_order_id=order.customer_sales_order_id, customer_id=order.customer_id
    )
