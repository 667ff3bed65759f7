"""Live events of orders and lines. A wall screen can draw them without another call."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast
from uuid import UUID

from project.core.schemas import Document, Id
from project.orders.documents import (
    HISTORY,
    LINES,
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
from project.orders.fields import NOTES, ORDERS
from project.orders.models import Line, Press, ProcessRecord, SalesOrder
from project.orders.rules import MAY_BE_ENTERED, UNSEEN_BY_CUSTOMERS, Status
from project.orders.selectors import Record, ShopProcess, processes_for
from project.orders.summaries import Summaries, summaries_of
from realtime import outbox
from realtime.application import Principal
from realtime.privacy import Private
from realtime.registry import Event, Viewed

MOST_LINES = 200
"""The most lines that an event of an order carries."""


class LineData(Document):
    """A line after a change: its document, its order's head, and the records that the change touched.

    `record` is the record that the change is about, `press` the press that made the change. Readers who may not read
    the history receive neither. Readers who may not read orders receive no head.
    """

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
    press: UUID | None = None


class OrderData(OrderDocument):
    """The document of an order and the documents of its changed lines.

    `lines`: the lines that the change altered or added; all lines if the order was created. Null if there are more than
    MOST_LINES: then the reader must load them.
    """

    lines: list[LineDocument] | None


class DeletedOrderData(Document):
    """The order that was deleted, or that a customer no longer sees."""

    id: int
    customer_sales_order_id: str
    customer_id: int


class LineEvent(Event):
    """An event of one line.

    Readers who hold only ShopFloor or Station receive what the board or the station shows, and the line's status. A
    display with its own lanes receives only the parts about these processes. In `offers.in` it also receives how many
    pieces may enter each other process, without the process's name.
    """

    audience = LINES
    private = (
        Private("by", ORDERS | HISTORY),
        # Customers load it: its figures count lines that they do not see.
        Private("data.order", ORDERS, staff=True),
        Private("data.order.forecast.risk", ORDERS, staff=True),
        Private("data.record", HISTORY),
        Private("data.records", HISTORY, ()),
        Private("data.press", HISTORY),
        *(replace(field, path=f"data.line.{field.path}") for field in PRIVATE),
    )
    scoped = (
        replace(SCOPED[0], path="data.currentProductionProcess"),
        *(replace(part, path=f"data.line.{part.path}") for part in SCOPED),
    )
    followed = "salesOrderId"
    data: LineData

    def customer(self) -> int | None:
        """Return the line's customer; None if customers do not see the line."""
        unseen = self.data.status == Status.New or self.data.order_status in UNSEEN_BY_CUSTOMERS
        return None if unseen else self.data.line.customer_id


class OrderEvent(Event):
    """An event of a whole order. Only staff receive the notes."""

    audience = ORDERS
    private = (
        Private("data.notes", NOTES, "", staff=True),
        Private("data.forecast.risk", ORDERS, staff=True),
        *(replace(field, path=f"data.lines.{field.path}") for field in PRIVATE),
    )
    followed = "id"
    data: OrderData
    has_new: bool = False
    """True if the order has New lines. Then its customer receives an event of its own (`order_events`)."""

    def customer(self) -> int | None:
        """Return the order's customer; None if customers do not see the order, or do not see all of its lines."""
        return None if self.has_new or self.data.status in UNSEEN_BY_CUSTOMERS else self.data.customer_id


class ViewedLine(Viewed):
    """A line that a user views.

    Only staff who may read the line learn who else views it. Customers' accounts never receive a name of the staff, in
    events either.
    """

    sales_order_id: Id
    position: Id

    def may_be_viewed_by(self, by: Principal) -> bool:
        """Say whether the caller may view the line and see who else does. 1 query."""
        if by.is_customer or by.permissions.isdisjoint(ORDERS):
            return False
        return Line.objects.filter(order=self.sales_order_id, position=self.position).exists()


class LineMoved(LineEvent):
    """Pieces of a line entered a process or left it."""

    webhook = ("Entran o salen piezas de un proceso", "Pieces enter or leave a process")
    type: Literal["line.moved"] = "line.moved"


class LineReleased(LineEvent):
    """Pieces of a line were released, or a user undid their own movement."""

    webhook = ("Se liberan piezas para retrabajo", "Pieces are released for rework")
    type: Literal["line.released"] = "line.released"


class LineStatusChanged(LineEvent):
    """The status of a line changed: a user set it, or a change, a bill or pieces to be made again led to it.

    A movement that changes the status sends only `line.moved` or `line.released`.
    """

    webhook = ("Cambia el estado de una línea", "The status of a line changes")
    type: Literal["line.status-changed"] = "line.status-changed"


class LineChanged(LineEvent):
    """A line changed, but not its status.

    One of these changed: product, quantity, dates, notes, picture, open call, billed pieces, pieces to be made again,
    weights, the signature for a loss.
    """

    webhook = ("Cambian los datos de una línea", "The data of a line change")
    type: Literal["line.changed"] = "line.changed"


class LineForecastChanged(LineEvent):
    """A line has another forecast: its days, its due day or whether it is likely late changed.

    There is at most one a minute for each line. It has no author and no record, and the line keeps its version.
    Customers' accounts receive it only if the days changed.
    """

    webhook = ("Cambia el pronóstico de una línea", "The forecast of a line changes")
    type: Literal["line.forecast"] = "line.forecast"
    of_staff: bool = False
    """True if only values changed that customers are not shown."""

    def customer(self) -> int | None:
        return None if self.of_staff else super().customer()


class OrderCreated(OrderEvent):
    """An order was created. Only staff receive the notes."""

    webhook = ("Se captura una orden", "An order is entered")
    type: Literal["order.created"] = "order.created"


class OrderChanged(OrderEvent):
    """The header of an order changed, or lines were added or changed. Only staff receive the notes."""

    webhook = ("Cambia una orden", "An order changes")
    type: Literal["order.changed"] = "order.changed"


class OrderDeleted(Event):
    """An order was deleted.

    Accounts of a customer also receive it when they no longer see the order: it is another customer's now, or it has no
    approved line any more.
    """

    audience = ORDERS
    followed = "id"
    webhook = ("Se borra una orden", "An order is deleted")
    type: Literal["order.deleted"] = "order.deleted"
    data: DeletedOrderData
    of_staff: bool = False
    """True if customers did not see the order."""

    def customer(self) -> int | None:
        return None if self.of_staff else self.data.customer_id


def line_data(
    line: Line,
    records: Sequence[Record],
    touched: Sequence[ProcessRecord] = (),
    *,
    processes: Sequence[ShopProcess] | None = None,
    summaries: Summaries | None = None,
    press: Press | None = None,
) -> LineData:
    """Return the data of a line's event.

    `records`: newest first. `touched`: the records that the change touched; the first one is the record that the change
    is about. 1 query if `processes` are not given, and at most 2 if `summaries` of the order and product are not given.
    """
    if processes is None:
        processes = processes_for()
    if summaries is None:
        items = [line.item_id] if line.status in MAY_BE_ENTERED else []
        summaries = summaries_of([line.order_id], items=items)
    document = line_document(line, records, processes, summaries.ways)
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
        press=press.pk if press else None,
    )


def order_data(
    order: SalesOrder,
    lines: Sequence[Line],
    *,
    processes: Sequence[ShopProcess] | None = None,
    summaries: Summaries | None = None,
) -> OrderData:
    """Return the data of an order's event: the order, and the documents of `lines` (null for more than MOST_LINES).

    `lines`: the lines that the change altered or added, loaded with their records. Without `summaries`, the order must
    come from `selectors.order_get`. 1 query if there are lines and `processes` are not given.
    """
    summaries = summaries or order.loaded_summaries
    shown = None
    if len(lines) <= MOST_LINES:
        if processes is None:
            processes = processes_for() if lines else []
        shown = [line_document(line, line.loaded_records, processes, summaries.ways) for line in lines]
    return OrderData(**order_fields(order, summaries.of_order[order.pk]), lines=shown)


def order_events(
    kind: type[OrderCreated] | type[OrderChanged],
    order: SalesOrder,
    lines: Sequence[Line],
    *,
    processes: Sequence[ShopProcess] | None = None,
    summaries: Summaries | None = None,
) -> list[outbox.AnyEvent]:
    """Return the events of a changed order. Customers see no New line, so the order may need two events.

    If the order has New lines and its customer sees it, the first event is for the staff, the second for the customer.
    The arguments are those of `order_data`. At most 3 more queries for two events.
    """
    found = summaries or order.loaded_summaries
    has_new = found.of_order[order.pk].new_lines_count > 0
    whole = kind(data=order_data(order, lines, processes=processes, summaries=summaries), has_new=has_new)
    if not has_new or order.status in UNSEEN_BY_CUSTOMERS:
        return [whole]
    seen = [line for line in lines if line.status != Status.New]
    figures = replace(summaries_of([order.pk], without_new=True), ways=found.ways)
    part = kind(data=order_data(order, seen, processes=processes, summaries=figures))
    return [whole, outbox.ForCustomer(part, order.customer_id)]


def created_for_customer(order: SalesOrder, lines: Sequence[Line]) -> list[outbox.AnyEvent]:
    """Return the event that adds an order to its customer's lists; an empty list if customers do not see the order."""
    if order.status in UNSEEN_BY_CUSTOMERS:
        return []
    whole, *part = order_events(OrderCreated, order, lines)
    return part or [outbox.ForCustomer(cast(Event, whole), order.customer_id)]


def order_gone(order: SalesOrder) -> outbox.ForCustomer | None:
    """Return the event that removes an order from its customer's lists; None if customers did not see the order."""
    if order.status in UNSEEN_BY_CUSTOMERS:
        return None
    return outbox.ForCustomer(OrderDeleted(data=deleted_order_data(order)), order.customer_id)


def deleted_order_data(order: SalesOrder) -> DeletedOrderData:
    """Return the data of the event that an order is gone."""
    return DeletedOrderData(
        id=order.pk, customer_sales_order_id=order.customer_sales_order_id, customer_id=order.customer_id
    )
