"""The columns of the lists of orders and of lines as files: what their screens show."""

from collections.abc import Sequence

from project.core.exporting import Column
from project.core.texts import text
from project.orders.schemas import LineRowOut, OrderSummaryOut

ORDER_COLUMNS: Sequence[Column[OrderSummaryOut]] = (
    Column("customerSalesOrderId", lambda row: row.customer_sales_order_id),
    Column("customerName", lambda row: row.customer_name),
    Column("date", lambda row: row.sales_order_date),
    Column("status", lambda row: text(f"status_{row.status}")),
    Column("lines", lambda row: row.lines_count),
    Column("linesLate", lambda row: row.late_lines_count),
    Column("quantity", lambda row: row.quantity),
    Column("quantityDone", lambda row: row.quantity_done),
    Column("progress", lambda row: round(row.progress * 100)),
    Column("deliveryDate", lambda row: row.first_delivery_date),
    Column("notes", lambda row: row.notes),
)
LINE_COLUMNS: Sequence[Column[LineRowOut]] = (
    Column("customerSalesOrderId", lambda row: row.customer_sales_order_id),
    Column("position", lambda row: row.position),
    Column("productionProcessName", lambda row: _where(row)),
    Column("insideSince", lambda row: row.inside[0].since if row.inside else None),
    Column("deliveryDate", lambda row: row.delivery_date),
    Column("late", lambda row: row.late),
    Column("itemKey", lambda row: row.item_key),
    Column("itemName", lambda row: row.item_name),
    Column("customerName", lambda row: row.customer_name),
    Column("quantity", lambda row: row.quantity),
    Column("quantityDone", lambda row: row.quantity_done),
    Column("status", lambda row: text(f"status_{row.status}")),
    Column("notes", lambda row: row.notes),
)


def _where(row: LineRowOut) -> str:
    """The processes that pieces are inside of, each with how many."""
    pieces: dict[str, int] = {}
    for inside in row.inside:
        name = inside.production_process_name
        pieces[name] = pieces.get(name, 0) + inside.quantity
    return ", ".join(f"{name}: {quantity}" for name, quantity in pieces.items())
