"""Turn orders and lines into answers: the fields that the caller may read, and what the caller may do next."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Literal

from pydantic.alias_generators import to_camel

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs.models import ItemComponent
from project.catalogs.selectors import components_of
from project.core.exporting import Column
from project.core.pictures import Pictured, whole_address
from project.core.texts import named as in_language, text
from project.orders.documents import (
    HistoryRow,
    LineDocument,
    PiecesInside,
    history_row,
    line_document,
    order_fields,
    without_private,
)
from project.orders.fields import FIELDS, LINE_NOTES, NOTES
from project.orders.models import Line, Press, ProcessRecord, SalesOrder
from project.orders.movements import Moved
from project.orders.offers import Offers, needed_to_undo, weighs
from project.orders.presses import press_repeated
from project.orders.rules import Status
from project.orders.schemas import (
    Actions,
    DocumentOut,
    LineComponentOut,
    LineOut,
    LineRowOut,
    MovementAction,
    NamedLineRowOut,
    NamedPiecesInside,
    OrderActions,
    OrderOut,
    OrderSummaryOut,
    ReleaseAction,
    UndoAction,
)
from project.orders.selectors import ShopProcess, light_records_of, processes_for, whole_lines
from project.orders.summaries import Summaries, Summary, summaries_of, ways_of_lines
from project.orders.ways import Ways


def moved_line(moved: Moved, by: Principal) -> LineOut:
    """Return the document of a line after a movement. 1 query: the product's components."""
    return moved_lines([moved], by)[0]


def moved_lines(lines: Sequence[Moved], by: Principal) -> list[LineOut]:
    """Return lines after a movement. 1 query: the products' components."""
    components = components_of({moved.line.item_id for moved in lines})
    return [
        _line(
            moved.line,
            moved.document,
            moved.records,
            components[moved.line.item_id],
            moved.processes,
            by,
            press=moved.press,
        )
        for moved in lines
    ]


def lines_now(ids: Collection[int], by: Principal, press: Press) -> list[LineOut]:
    """Return lines as they are now. At most 6 queries. `press`: the press that changed them."""
    rows, processes = whole_lines(ids), processes_for(by.user_id)
    ways = ways_of_lines(rows)
    return [loaded_line(row, processes, ways, by, press) for row in rows]


def one_line(row: Line, by: Principal, press: Press | None = None) -> LineOut:
    """Return the document of a line that the selectors loaded. At most 4 queries.

    `press`: the press that changed the line.
    """
    return loaded_line(row, processes_for(by.user_id), ways_of_lines([row]), by, press or press_repeated())


def reads_presses(by: Principal) -> bool:
    """Say whether the caller may read which press moved pieces: those who read the history may."""
    return by.holds(Permission.SalesOrderPositionRecord) and not by.is_customer


def line_rows(rows: list[Line], by: Principal) -> list[LineRowOut]:
    """Return lines loaded by `selectors.line_list`, as staff read them in a list. At most 4 queries."""
    return [LineRowOut(**_row(document, by)) for document in _documents(rows, processes_for())]


def named_line_rows(rows: list[Line], by: Principal) -> list[NamedLineRowOut]:
    """Return what `line_rows` returns, with the names of processes, for files and for customers' accounts."""
    processes = processes_for()
    found = []
    for document in _documents(rows, processes):
        fields = _row(document, by)
        fields["inside"] = named(fields["inside"], processes)
        found.append(NamedLineRowOut(**fields))
    return found


def _documents(rows: list[Line], processes: Sequence[ShopProcess]) -> list[LineDocument]:
    """Return the documents of lines. At most 3 queries."""
    records = light_records_of([row.pk for row in rows])
    ways = ways_of_lines(rows)
    return [line_document(row, records[row.pk], processes, ways) for row in rows]


def order_summaries(rows: list[SalesOrder], by: Principal) -> list[OrderSummaryOut]:
    """Return orders as the list shows them, with the figures of their lines. At most 3 queries."""
    summaries = summaries_of([row.pk for row in rows], without_new=by.is_customer).of_order
    return [OrderSummaryOut(**_order(row, summaries.get(row.pk, Summary()), by)) for row in rows]


def one_order(row: SalesOrder, by: Principal) -> OrderOut:
    """Return the document of an order that the selectors loaded, as `by` may read it. 1 query."""
    processes = processes_for(by.user_id)
    found: Summaries = row.loaded_summaries
    fields = _order(row, found.of_order[row.pk], by)
    return OrderOut(
        **fields,
        actions=OrderActions(
            edit=by.holds(Permission.UpdateSalesOrder),
            delete=fields["offers"].delete and by.holds(Permission.DeleteSalesOrder),
        ),
        items=[loaded_line(line, processes, found.ways, by) for line in row.loaded_lines],
    )


def _order(row: SalesOrder, summary: Summary, by: Principal) -> dict[str, Any]:
    """Return the fields of an order's document that the caller may read."""
    fields = order_fields(row, summary)
    forecast = fields["forecast"]
    return {
        **fields,
        "notes": for_staff(row.notes, by),
        "forecast": forecast.model_copy(update={"risk": None}) if forecast and by.is_customer else forecast,
    }


def loaded_line(
    row: Line,
    processes: Sequence[ShopProcess],
    ways: Ways,
    by: Principal,
    press: Press | None = None,
) -> LineOut:
    """Return the document of a line that the selectors loaded. No query."""
    document = line_document(row, row.loaded_records, processes, ways)
    return _line(row, document, row.loaded_records, row.loaded_components, processes, by, press=press)


def _line(
    row: Line,
    document: LineDocument,
    records: list[ProcessRecord],
    components: list[ItemComponent],
    processes: Sequence[ShopProcess],
    by: Principal,
    *,
    press: Press | None,
) -> LineOut:
    """Return a line with its records (newest first) and what the caller may do. No query."""
    fields = _row(document, by)
    if by.is_customer:
        fields["inside"] = named(fields["inside"], processes)
    return LineOut(
        **fields,
        actions=mask(
            fields["offers"],
            weighed=document.weighed,
            permissions=by.permissions,
            processes=processes,
            user_id=by.user_id,
        ),
        creation_date=row.creation_date,
        own_image=bool(row.image),
        done_at=row.done_at,
        offered_date=None if by.is_customer else row.offered_date,
        sales_order_notes=for_staff(row.order.notes, by),
        quinto=row.order.customer.quinto,
        sales_order_position_notes=fields["notes"],
        sales_order_status_name=fields["status"],
        measures=row.item.measures,
        components=[component(one, by) for one in components],
        item_documents=documents(row.item),
        customer_documents=documents(row.order.customer),
        production_processes=history(records, by),
        press=press.pk if press and reads_presses(by) else None,
    )


def _row(document: LineDocument, by: Principal) -> dict[str, Any]:
    """Return the fields of a line's document that the caller may read."""
    return dict(without_private(document, by.permissions, is_customer=by.is_customer))


def named(inside: Iterable[PiecesInside], processes: Iterable[ShopProcess]) -> list[NamedPiecesInside]:
    """Return pieces with the names of the processes that they are inside of."""
    found = {process.id: process for process in processes}
    return [
        NamedPiecesInside(
            **dict(one),
            production_process_name=found[one.production_process_id].name,
            production_process_name_english=found[one.production_process_id].name_english,
        )
        for one in inside
    ]


def mask(
    offers: Offers,
    *,
    weighed: bool,
    permissions: Collection[str],
    processes: Sequence[ShopProcess],
    user_id: int,
) -> Actions:
    """Return the part of `offers` that a user may do, by their permissions and the processes that they work in.

    `weighed`: the line's product has an alloy. `processes`: all, in the plant's order. The client has the same
    function. `tests/contract/mask.json` tests both.
    """
    names = {process.id: process.name for process in processes}
    leaves = {one.production_process_id: one.max_quantity for one in offers.out}
    enters = {process.id: offers.may_enter(process.id) for process in processes if process.active}

    def movements(direction: Literal["in", "out"], needed: Permission, most: Mapping[int, int]) -> list[MovementAction]:
        return [
            MovementAction(
                type=direction,
                production_process_id=process.id,
                production_process_name=process.name,
                max_quantity=most[process.id],
                weighs=weighs(process, weighed=weighed),
            )
            for process in processes
            if needed in permissions and process.own and most.get(process.id)
        ]

    return Actions(
        statuses=[Status(status) for status in offers.statuses]
        if Permission.UpdateSalesOrderPositionStatus in permissions
        else [],
        movements=[
            *movements("out", Permission.SalesOrderPositionProcessOut, leaves),
            *movements("in", Permission.SalesOrderPositionProcessIn, enters),
        ],
        scrap=movements("out", Permission.ScrapPieces, leaves),
        release=[
            ReleaseAction(**dict(offer), production_process_name=names[offer.production_process_id])
            for offer in offers.release
            if Permission.ReleaseProductionProccess in permissions
        ],
        undo=[
            UndoAction(
                **offer.model_dump(include=set(UndoAction.model_fields)),
                production_process_name=names[offer.production_process_id],
            )
            for offer in offers.undo
            if offer.by_id == user_id
            and needed_to_undo(offer.side, scrapped=offer.scrapped, handed_over=offer.handed_over).issubset(permissions)
        ],
        edit=offers.edit and Permission.UpdateSalesOrderPosition in permissions,
        history=Permission.SalesOrderPositionRecord in permissions,
    )


def history(records: list[ProcessRecord], by: Principal) -> list[HistoryRow]:
    """Return the records of a line if the caller may read its history, else nothing."""
    return [history_row(record) for record in records] if by.holds(Permission.SalesOrderPositionRecord) else []


def for_staff(written: str, by: Principal, needs: frozenset[Permission] = NOTES) -> str:
    """Return a note of the staff; empty for customers, and for staff who hold none of `needs`."""
    return written if by.holds(*needs) and not by.is_customer else ""


def documents(row: Pictured) -> list[DocumentOut]:
    """Return the picture of a product or a customer in the form that existing clients read."""
    url = whole_address(row)
    return [DocumentOut(url=url)] if url else []


def component(row: ItemComponent, by: Principal) -> LineComponentOut:
    """Return a component row of a product."""
    return LineComponentOut(
        component_id=row.component_id,
        component_name=row.component_name,
        component_name_english=row.component_name_english,
        material_id=row.material_id,
        material_name=row.material_name,
        material_name_english=row.material_name_english,
        material_description=row.material_description,
        material_description_english=row.material_description_english,
        notes=for_staff(row.notes, by, LINE_NOTES),
    )


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
LINE_COLUMNS: Sequence[Column[NamedLineRowOut]] = (
    Column("customerSalesOrderId", lambda row: row.customer_sales_order_id),
    Column("position", lambda row: row.position),
    Column("productionProcessName", lambda row: _where(row)),
    Column("insideSince", lambda row: row.inside[0].since if row.inside else None),
    Column("deliveryDate", lambda row: row.delivery_date),
    Column("late", lambda row: row.late),
    Column("forecastP50", lambda row: row.forecast and row.forecast.p50),
    Column("forecastP80", lambda row: row.forecast and row.forecast.p80),
    Column("itemKey", lambda row: row.item_key),
    Column("itemName", lambda row: in_language(row.item_name, row.item_name_english)),
    Column("customerName", lambda row: row.customer_name),
    Column("quantity", lambda row: row.quantity),
    Column("quantityDone", lambda row: row.quantity_done),
    Column("status", lambda row: text(f"status_{row.status}")),
    *(Column(to_camel(name), attrgetter(name)) for name, field in FIELDS.items() if field.file),
)


def _where(row: NamedLineRowOut) -> str:
    """Return the processes with pieces inside, each with its number of pieces."""
    pieces: Counter[str] = Counter()
    for inside in row.inside:
        name = in_language(inside.production_process_name, inside.production_process_name_english)
        pieces[name] += inside.quantity
    return ", ".join(f"{name}: {quantity}" for name, quantity in pieces.items())
