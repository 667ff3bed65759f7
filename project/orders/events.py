"""Builds the live events of orders and lines: enough for a wall screen to draw them without another call."""

from collections.abc import Sequence

from project.orders.documents import history_row, line_document
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.rules import Status
from project.orders.selectors import ShopProcess, processes_for
from realtime import events
from realtime.wire import MOST_LINES


def line_data(
    line: Line,
    records: list[ProcessRecord],
    touched: list[ProcessRecord] | None = None,
    *,
    processes: Sequence[ShopProcess] | None = None,
) -> events.LineData:
    """The line after a change and the records it touched, the one it is about first; `records` newest first. 1 query
    where `processes` are not given."""
    document = line_document(line, records, processes or processes_for())
    rows = [history_row(record) for record in touched or []]
    return events.LineData(
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


def order_data(order: SalesOrder, lines: list[Line]) -> events.OrderData:
    """The order's header with the lines that the change added or altered, where they are not too many. 1 query."""
    processes = processes_for()
    return events.OrderData(
        id=order.pk,
        customer_sales_order_id=order.customer_sales_order_id,
        customer_id=order.customer_id,
        customer_name=order.customer.name,
        sales_order_date=order.sales_order_date,
        notes=order.notes,
        status=Status(order.status),
        version=order.version,
        lines=None
        if len(lines) > MOST_LINES
        else [line_document(line, list(line.records.all()), processes) for line in lines],
    )
