"""Turns orders and lines into what is answered: as far as this caller may read it, with what he may do next."""

from typing import Any

from project.access.principal import Principal
from project.access.table import P
from project.catalogs.models import ItemComponent
from project.core import clock
from project.core.pictures import Pictured, thumbnail_address, whole_address
from project.orders import rules
from project.orders.events import current_record, history_row, last_record, pieces_inside, process_name
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.movements import Moved
from project.orders.releases import releasable, side_of
from project.orders.rules import Status
from project.orders.schemas import (
    Actions,
    DocumentOut,
    LineComponentOut,
    LineOut,
    MovementAction,
    OrderActions,
    OrderOut,
    OrderSummaryOut,
    ReleaseAction,
    UndoAction,
)
from project.orders.selectors import OwnProcess, components_in_place, own_processes, pieces_of
from project.orders.summaries import Figures, figures_of
from project.orders.undoing import undoable
from realtime.events import ProcessRecord as ProcessRecordOut


def moved_line(moved: Moved, by: Principal) -> LineOut:
    """A line after a movement. 1 query: the product's components."""
    components = list(components_in_place().filter(item_id=moved.line.item_id))
    return line(moved.line, moved.records, components, moved.own, by)


def one_line(row: Line, by: Principal) -> LineOut:
    """A line loaded by the selectors. 1 query."""
    return _loaded_line(row, own_processes(by.user_id), by)


def many_lines(rows: list[Line], by: Principal) -> list[LineOut]:
    """Lines loaded by the selectors. 1 query."""
    own = own_processes(by.user_id)
    return [_loaded_line(row, own, by) for row in rows]


def order_summaries(rows: list[SalesOrder], by: Principal) -> list[OrderSummaryOut]:
    """Orders as their list shows them: their lines in figures. At most 6 queries."""
    figures = figures_of([row.pk for row in rows])
    return [OrderSummaryOut(**_summary(row, figures.get(row.pk, Figures()), by)) for row in rows]


def one_order(row: SalesOrder, by: Principal, figures: Figures | None = None) -> OrderOut:
    """An order loaded by the selectors. At most 7 queries, 1 where its figures are at hand."""
    own = own_processes(by.user_id)
    figures = figures or figures_of([row.pk]).get(row.pk, Figures())
    lines = list(row.lines.all())
    for line_row in lines:
        line_row.order = row
    return OrderOut(**_summary(row, figures, by), items=[_loaded_line(line_row, own, by) for line_row in lines])


def _summary(row: SalesOrder, figures: Figures, by: Principal) -> dict[str, Any]:
    return {
        "id": row.pk,
        "customer_sales_order_id": row.customer_sales_order_id,
        "customer_id": row.customer_id,
        "customer_name": row.customer.name,
        "sales_order_date": row.sales_order_date,
        "creation_date": row.creation_date,
        "notes": for_staff(row.notes, by),
        "status": Status(row.status),
        "version": row.version,
        "lines_count": figures.lines,
        "open_lines_count": figures.open_lines,
        "late_lines_count": figures.late_lines,
        "quantity": figures.quantity,
        "quantity_done": figures.quantity_done,
        "progress": figures.progress,
        "first_delivery_date": figures.first_delivery,
        "actions": OrderActions(
            edit=by.holds(P.UpdateSalesOrder), delete=by.holds(P.DeleteSalesOrder) and figures.untouched
        ),
    }


def _loaded_line(row: Line, own: list[OwnProcess], by: Principal) -> LineOut:
    return line(row, list(row.records.all()), list(row.item.components.all()), own, by)


def line(
    row: Line,
    records: list[ProcessRecord],
    components: list[ItemComponent],
    own: list[OwnProcess],
    by: Principal,
) -> LineOut:
    """A line with its records (newest first) and what the caller, whose processes are `own`, may do. No query."""
    order = row.order
    return LineOut(
        id=row.pk,
        sales_order_id=row.order_id,
        position=row.position,
        customer_sales_order_id=order.customer_sales_order_id,
        customer_id=order.customer_id,
        customer_name=order.customer.name,
        sales_order_date=order.sales_order_date,
        sales_order_notes=for_staff(order.notes, by),
        item_id=row.item_id,
        item_key=row.item.key,
        item_name=row.item.name,
        quinto=order.customer.quinto,
        measures=row.item.measures,
        image=whole_address(row.pictured),
        thumbnail=thumbnail_address(row.pictured),
        own_image=bool(row.image),
        components=[component(one, by) for one in components],
        item_documents=documents(row.item),
        customer_documents=documents(order.customer),
        quantity=row.quantity,
        quantity_inside=row.quantity_inside,
        quantity_available=row.quantity - row.quantity_inside,
        quantity_done=row.quantity if row.status in (Status.Done, Status.Invoiced) else 0,
        quantity_billed=row.quantity_billed,
        creation_date=row.creation_date,
        shipment_date=row.shipment_date,
        delivery_date=row.delivery_date,
        shipping_date=row.shipping_date,
        late=is_late(row),
        notes=for_staff(row.notes, by),
        sales_order_position_notes=for_staff(row.notes, by),
        status=Status(row.status),
        sales_order_status_name=Status(row.status),
        order_status=Status(order.status),
        current_production_process=process_name(current_record(records)),
        last_production_process=process_name(last_record(records)),
        inside=pieces_inside(records, named=by.holds(P.SalesOrderPositionRecord, P.ShopFloor)),
        production_processes=history(records, by),
        version=row.version,
        actions=actions(row, records, own, by),
    )


def history(records: list[ProcessRecord], by: Principal) -> list[ProcessRecordOut]:
    """The records of a line for who may read its history; nothing for anybody else."""
    return [history_row(record) for record in records] if by.holds(P.SalesOrderPositionRecord) else []


def for_staff(written: str, by: Principal) -> str:
    """What the staff write for each other: no customer reads it."""
    return "" if by.is_customer else written


def documents(row: Pictured) -> list[DocumentOut]:
    """The picture of a product or a customer, as the specified client reads it."""
    url = whole_address(row)
    return [DocumentOut(url=url)] if url else []


def component(row: ItemComponent, by: Principal) -> LineComponentOut:
    """A component row of a product."""
    return LineComponentOut(
        component_id=row.component_id,
        component_name=row.component.name,
        material_id=row.material_id,
        material_name=row.material.name if row.material else None,
        material_description=row.material.description if row.material else None,
        notes=for_staff(row.notes, by),
    )


def is_late(row: Line) -> bool:
    """Whether the line is late today."""
    return rules.is_late(Status(row.status), row.delivery_date, clock.today())


def actions(row: Line, records: list[ProcessRecord], own: list[OwnProcess], by: Principal) -> Actions:
    """What the caller may do to the line next."""
    status = Status(row.status)
    offered = rules.offered(status, Status(row.order.status), inside=row.quantity_inside, billed=row.quantity_billed)
    return Actions(
        statuses=list(offered) if by.holds(P.UpdateSalesOrderPositionStatus) else [],
        movements=_exits(row, records, own, by) + _entries(row, records, own, by),
        release=_releases(row, records) if by.holds(P.ReleaseProductionProccess) else [],
        undo=_undos(row, records, by),
        edit=by.holds(P.UpdateSalesOrderPosition) and status not in (Status.Canceled, Status.Invoiced),
        history=by.holds(P.SalesOrderPositionRecord),
    )


def _exits(row: Line, records: list[ProcessRecord], own: list[OwnProcess], by: Principal) -> list[MovementAction]:
    if not row.quantity_inside or not by.holds(P.SalesOrderPositionProcessOut):
        return []
    return [
        MovementAction(
            type="out",
            production_process_id=process.id,
            production_process_name=process.name,
            max_quantity=inside,
        )
        for process in own
        if (inside := pieces_of(row, records, process.id).inside)
    ]


def _entries(row: Line, records: list[ProcessRecord], own: list[OwnProcess], by: Principal) -> list[MovementAction]:
    if row.status not in (Status.Approved, Status.InProcess) or not by.holds(P.SalesOrderPositionProcessIn):
        return []
    return [
        MovementAction(
            type="in",
            production_process_id=process.id,
            production_process_name=process.name,
            max_quantity=free,
        )
        for process in own
        if process.active and (free := pieces_of(row, records, process.id).may_enter)
    ]


def _releases(row: Line, records: list[ProcessRecord]) -> list[ReleaseAction]:
    """The last record of each process, the latest first: none that is paid, or of a line that is billed."""
    return [
        ReleaseAction(
            production_process_id=record.process_id,
            production_process_name=record.process.name,
            record_id=record.pk,
            side=side_of(record),
            quantity=record.quantity,
        )
        for record in releasable(row, records)
    ]


def _undos(row: Line, records: list[ProcessRecord], by: Principal) -> list[UndoAction]:
    return [
        UndoAction(
            record_id=movement.records[0].pk,
            side=movement.side,
            production_process_id=movement.records[0].process_id,
            production_process_name=movement.records[0].process.name,
            quantity=movement.pieces,
            until=movement.until,
        )
        for movement in undoable(row, records, by)
    ]
