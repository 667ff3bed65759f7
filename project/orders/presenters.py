"""Turns orders and lines into what is answered: as far as this caller may read it, with what they may do next."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Literal

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs.models import ItemComponent
from project.catalogs.selectors import components_of
from project.core.pictures import Pictured, thumbnail_address, whole_address
from project.orders.board_schemas import CardOut
from project.orders.documents import (
    NOTES,
    HistoryRow,
    LineDocument,
    history_row,
    is_late,
    line_document,
    order_fields,
    without_private,
)
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.movements import Moved
from project.orders.offers import MOVED_BY, Offer, Offers
from project.orders.records import standing_records_of
from project.orders.rules import Side, Status
from project.orders.schemas import (
    Actions,
    DocumentOut,
    LineComponentOut,
    LineOut,
    LineRowOut,
    MovementAction,
    OrderActions,
    OrderOut,
    OrderSummaryOut,
    UndoAction,
)
from project.orders.selectors import ShopProcess, processes_for
from project.orders.summaries import Summaries, Summary, UsualProcesses, summaries_of, usual_processes_of


def moved_line(moved: Moved, by: Principal) -> LineOut:
    """A line after a movement. 1 query: the product's components."""
    components = components_of([moved.line.item_id])[moved.line.item_id]
    return _line(moved.line, moved.document, moved.records, components, moved.processes, by)


def one_line(row: Line, by: Principal) -> LineOut:
    """A line loaded by the selectors. At most 3 queries."""
    return loaded_line(row, processes_for(by.user_id), usual_processes_of([row]), by)


def line_rows(rows: list[Line], by: Principal) -> list[LineRowOut]:
    """Lines as their list shows them, loaded by `selectors.line_list`. At most 4 queries."""
    processes = processes_for(by.user_id)
    records = standing_records_of([row.pk for row in rows])
    usual = usual_processes_of(rows)
    return [
        LineRowOut(**_row(row, line_document(row, records[row.pk], processes, usual), processes, by)) for row in rows
    ]


def order_summaries(rows: list[SalesOrder], by: Principal) -> list[OrderSummaryOut]:
    """Orders as their list shows them: their lines in figures. At most 4 queries."""
    summaries = summaries_of([row.pk for row in rows]).of_order
    return [OrderSummaryOut(**_order(row, summaries.get(row.pk, Summary()), by)) for row in rows]


def one_order(row: SalesOrder, by: Principal) -> OrderOut:
    """An order loaded by the selectors. 1 query."""
    processes = processes_for(by.user_id)
    found: Summaries = row.loaded_summaries
    return OrderOut(
        **_order(row, found.of_order[row.pk], by),
        items=[loaded_line(line, processes, found.usual, by) for line in row.loaded_lines],
    )


def _order(row: SalesOrder, summary: Summary, by: Principal) -> dict[str, Any]:
    """An order's document as far as the caller may read it, and what they may do."""
    fields = order_fields(row, summary)
    return {
        **fields,
        "notes": for_staff(row.notes, by),
        "actions": OrderActions(
            edit=by.holds(Permission.UpdateSalesOrder),
            delete=fields["offers"].delete and by.holds(Permission.DeleteSalesOrder),
        ),
    }


def loaded_line(row: Line, processes: Sequence[ShopProcess], usual: UsualProcesses, by: Principal) -> LineOut:
    """A line loaded by the selectors. No query."""
    document = line_document(row, row.loaded_records, processes, usual)
    return _line(row, document, row.loaded_records, row.loaded_components, processes, by)


def _line(
    row: Line,
    document: LineDocument,
    records: list[ProcessRecord],
    components: list[ItemComponent],
    processes: Sequence[ShopProcess],
    by: Principal,
) -> LineOut:
    """A line with its records (newest first) and what the caller may do. No query."""
    fields = _row(row, document, processes, by)
    return LineOut(
        **fields,
        sales_order_position_notes=fields["notes"],
        sales_order_status_name=fields["status"],
        measures=row.item.measures,
        components=[component(one, by) for one in components],
        item_documents=documents(row.item),
        customer_documents=documents(row.order.customer),
        production_processes=history(records, by),
    )


def _row(row: Line, document: LineDocument, processes: Sequence[ShopProcess], by: Principal) -> dict[str, Any]:
    """A line's document as far as the caller may read it, and what they may do."""
    actions = mask(
        document.offers,
        permissions=by.permissions,
        processes={process.id for process in processes if process.own},
        user_id=by.user_id,
    )
    return {
        **dict(without_private(document, by.permissions, is_customer=by.is_customer)),
        "sales_order_notes": for_staff(row.order.notes, by),
        "quinto": row.order.customer.quinto,
        "actions": actions,
    }


def mask(offers: Offers, *, permissions: Collection[str], processes: Collection[int], user_id: int) -> Actions:
    """What a user may do of `offers`, by their permissions and the processes they work in.

    The client has the same function; both are tested over `tests/contract/mask.json`.
    """

    def movements(direction: Literal["in", "out"], needed: Permission, offered: list[Offer]) -> list[MovementAction]:
        return [
            MovementAction(
                type=direction,
                production_process_id=offer.production_process_id,
                production_process_name=offer.production_process_name,
                max_quantity=offer.max_quantity,
            )
            for offer in offered
            if needed in permissions and offer.production_process_id in processes
        ]

    return Actions(
        statuses=[Status(status) for status in offers.statuses]
        if Permission.UpdateSalesOrderPositionStatus in permissions
        else [],
        movements=[
            *movements("out", Permission.SalesOrderPositionProcessOut, offers.out),
            *movements("in", Permission.SalesOrderPositionProcessIn, offers.in_),
        ],
        release=offers.release if Permission.ReleaseProductionProccess in permissions else [],
        undo=[
            UndoAction(**offer.model_dump(include=set(UndoAction.model_fields)))
            for offer in offers.undo
            if offer.by_id == user_id and (MOVED_BY[offer.side] in permissions)
            if not offer.handed_over or MOVED_BY[Side.entry] in permissions
        ],
        edit=offers.edit and Permission.UpdateSalesOrderPosition in permissions,
        history=Permission.SalesOrderPositionRecord in permissions,
    )


def history(records: list[ProcessRecord], by: Principal) -> list[HistoryRow]:
    """The records of a line for who may read its history; nothing for anybody else."""
    return [history_row(record) for record in records] if by.holds(Permission.SalesOrderPositionRecord) else []


def for_staff(written: str, by: Principal) -> str:
    """What the staff write for each other: read by those of them who read orders or change them, by no customer."""
    return written if by.holds(*NOTES) and not by.is_customer else ""


def documents(row: Pictured) -> list[DocumentOut]:
    """The picture of a product or a customer, as the specified client reads it."""
    url = whole_address(row)
    return [DocumentOut(url=url)] if url else []


def component(row: ItemComponent, by: Principal) -> LineComponentOut:
    """A component row of a product."""
    return LineComponentOut(
        component_id=row.component_id,
        component_name=row.component_name,
        material_id=row.material_id,
        material_name=row.material_name,
        material_description=row.material_description,
        notes=for_staff(row.notes, by),
    )


def card(record: ProcessRecord, on: date | None = None) -> CardOut:
    """The card of a record, late as of a day: today where none is given."""
    line = record.line
    return CardOut(
        record_id=record.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        customer_name=line.order.customer.name,
        item_id=line.item_id,
        item_name=line.item.name,
        image=thumbnail_address(line.pictured),
        pieces=record.quantity,
        quantity=line.quantity,
        since=record.input_at,
        by=record.input_by.full_name,
        delivery_date=line.delivery_date,
        late=is_late(line, on),
    )
