"""Documents of orders, lines and records, as lists, pages, boards and live events show them.

A document is the same for everybody who may read it. `kind`, `id` and `version` identify it. `PRIVATE` and `SCOPED` say
which fields are emptied for some readers. `presenters.mask` derives from `offers` what the caller may do.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic.alias_generators import to_camel, to_snake

from project.access.permissions import Permission
from project.catalogs.models import Weighs
from project.core import clock
from project.core.pictures import PictureAddress, address, thumbnail_address, thumbnail_of, whole_address
from project.core.schemas import Day, Document, GramsOut, Instant, PerMilleOut
from project.metal.rules import grams_or_none
from project.orders import attention, rules
from project.orders.attention import Part
from project.orders.fields import FIELDS, ORDERS, LineFields, values_of
from project.orders.forecast import ForecastWhy, LineForecast, Risk, forecast_of
from project.orders.models import Line, PastExit, ProcessRecord, SalesOrder
from project.orders.offers import Offers, offers
from project.orders.rules import CallKind, PressKind, Status
from project.orders.selectors import Record, ShopProcess
from project.orders.situation import PiecesWaiting, Situation, situation, waiting
from project.orders.summaries import Summary
from project.orders.ways import Ways
from realtime.privacy import Private, Scoped

HISTORY = frozenset({Permission.SalesOrderPositionRecord})
HISTORY_OR_BOARD = HISTORY | {Permission.ShopFloor}
"""Permissions to read who moved pieces, and which pieces left a process: the history and the board show both."""
LINES = ORDERS | {Permission.ShopFloor, Permission.Station}
MOVERS = frozenset(
    {Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut, Permission.ScrapPieces}
)


class ProcessName(Document):
    production_process_id: int
    production_process_name: str


class PiecesInside(Document):
    """Pieces of a line that are inside a process, and that one person brought in. `since`: the oldest of their entries.

    `by` is empty unless the reader may read the history or the board.
    """

    production_process_id: int
    quantity: int
    since: Instant
    by: str


class LineCall(Document):
    """The newest open call at a line: a worker calls for somebody, and nobody comes yet. `id`: the message's id."""

    id: int
    kind: CallKind
    at: Instant


class PiecesLeft(Document):
    """How many pieces of a line left a process today. Released and scrapped pieces do not count."""

    production_process_id: int
    quantity: int


class ReleasedExit(Document):
    output_date: Instant
    output_username: str
    output_notes: str
    output_received_at: Instant | None = None
    released_date: Instant
    released_by: str
    release_reason: str | None = None
    release_notes: str = ""
    scrap_reason: str | None = None
    undone: bool = False


class HistoryRow(Document):
    """A process record as a row of the history. `version` grows with each exit, release of an exit, and release.

    `press`: the press of the exit; before the exit, that of the entry. `scrapReason`: why the pieces left as scrap;
    null if they did not. `photo`: a photo of the scrapped pieces; it stays if the scrap is taken back. Grams are metal
    without stones; `gramsOther` are the stones. A weight is null if nobody weighed it. `lossGrams`: in + added − out −
    scrap; below 0 if more left than entered. `allowedLoss`: what the process may lose, in per mille. `weighs`: whether
    the process weighs pieces. `weightReason`: why more was lost than is allowed, why more left than entered, or why
    metal was missing. `gramsBetween`: the metal that was missing at the entry, compared with the last weighing in
    another process; below 0 if there was more; null within two steps of the scale. `lossToSign`: nobody has signed yet
    for a loss above what was allowed at the weighing, or for missing metal.
    """

    kind: Literal["record"] = "record"
    id: int
    version: int
    press: UUID | None
    production_process_id: int
    production_process_name: str
    quantity: int
    input_date: Instant
    input_by_id: int
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
    scrap_reason: str | None
    photo: PictureAddress | None
    photo_thumbnail: PictureAddress | None
    undone: bool
    released_exits: list[ReleasedExit]
    grams_in: GramsOut | None = None
    grams_out: GramsOut | None = None
    grams_other: GramsOut | None = None
    scrap_grams: GramsOut | None = None
    grams_added: GramsOut | None = None
    added_alloy_id: int | None = None
    grams_between: GramsOut | None = None
    loss_grams: GramsOut | None = None
    loss_per_mille: PerMilleOut | None = None
    allowed_loss: PerMilleOut | None = None
    weighs: Weighs = Weighs.no
    weight_reason: str = ""
    loss_to_sign: bool = False
    loss_signed_at: Instant | None = None
    loss_signed_by: str | None = None


class LineDocument(LineFields, Document):
    """A line as every list, page, board, station and event shows it: everything that changes, except the history.

    Quantities are pieces. `quantityGood`: the pieces that may be Done and billed: without scrapped ones, with those
    made in their place. `leftToday`: the pieces that left each process since midnight in the plant. `waiting`: where
    the line's free pieces wait. `standing`: the situation of the line, as every screen says it. `attention`: the parts
    of Hoy that list the line. `image`: the line's own picture, else its product's. `weighed`: the product has an alloy,
    so that its pieces are weighed where a process weighs. `metalGrams`: the metal of the line's pieces outside all
    processes; null unless some were weighed. `forecast`: when the line will probably be done; if null, `forecastWhy`
    says why there is no forecast. `call`: the newest call at the line that nobody comes for.
    """

    kind: Literal["line"] = "line"
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
    item_name_english: str
    status: str
    order_status: str
    quantity: int
    quantity_inside: int
    quantity_available: int
    quantity_done: int
    quantity_billed: int
    quantity_scrapped: int
    quantity_replaced: int
    quantity_good: int
    late: bool
    image: str | None
    thumbnail: str | None
    version: int
    current_production_process: ProcessName | None
    last_production_process: ProcessName | None
    inside: list[PiecesInside]
    left_today: list[PiecesLeft]
    waiting: list[PiecesWaiting]
    standing: Situation
    attention: list[Part]
    weighed: bool
    metal_grams: GramsOut | None = None
    forecast: LineForecast | None = None
    forecast_why: ForecastWhy | None = None
    call: LineCall | None = None
    offers: Offers


class OrderForecast(Document):
    """When all open lines of an order will probably be done: the latest days of the lines, and the greatest risk."""

    p50: Day
    p80: Day
    risk: Risk | None


class OrderOffers(Document):
    """What the state of an order allows next. `delete`: no line has movements or billed pieces."""

    delete: bool


class OrderHead(Document):
    """The part of an order that changes when one of its lines changes: its status and the figures of its lines.

    `version` is the order's own. `revision` grows with every change of the order or of one of its lines. Quantities are
    good pieces; canceled lines count none. `progress` is between 0 and 1. `firstDeliveryDate`: the earliest delivery
    date of the open lines; if no line is open, that of the Done and Invoiced lines. `forecast`: null unless each open
    line has one.
    """

    kind: Literal["order"] = "order"
    id: int
    version: int
    revision: int
    status: str
    lines_count: int
    open_lines_count: int
    late_lines_count: int
    quantity: int
    quantity_done: int
    progress: float
    first_delivery_date: Day | None
    forecast: OrderForecast | None = None
    offers: OrderOffers


class OrderDocument(OrderHead):
    """A sales order as every list, page and event shows it."""

    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    sales_order_date: Day
    creation_date: Instant
    notes: str


PRIVATE = (
    Private("customerId", ORDERS),
    *(
        Private(to_camel(name), field.reads, LineFields.model_fields[name].default, staff=True)
        for name, field in FIELDS.items()
        if field.reads
    ),
    Private("lastProductionProcess", ORDERS),
    Private("inside.by", HISTORY_OR_BOARD, ""),
    Private("leftToday", HISTORY_OR_BOARD, (), staff=True),
    Private("waiting.by", HISTORY_OR_BOARD, ""),
    Private("waiting", LINES, (), staff=True),
    Private("standing.processes.by", HISTORY_OR_BOARD, ""),
    Private("standing.processes", LINES, (), staff=True),
    Private("standing.nextProcesses", LINES, staff=True),
    Private("standing.hereSince", LINES, staff=True),
    Private("metalGrams", attention.METAL, staff=True),
    Private("attention", LINES, (), staff=True),
    Private("call", LINES, staff=True),
    Private("forecast.onTime", LINES, staff=True),
    Private("forecast.risk", LINES, staff=True),
    Private("forecast.basis", LINES, staff=True),
    Private("offers.undo.press", HISTORY, staff=True),
    Private("offers.undo", LINES | MOVERS, (), staff=True),
)
"""Fields of a line's document that some of its readers may not read.

Customers read when a line will probably be done. They do not read whether the workshop expects to be late, nor which
parts of Hoy list the line. They do not read `waiting` and the processes of `standing` either: these depend on the
product's way, which may be learned from the orders of all customers.
"""
SCOPED = (
    *(
        Scoped(path, "productionProcessId")
        for path in ("currentProductionProcess", "inside", "leftToday", "waiting", "offers.out", "offers.release")
    ),
    Scoped("standing.processes", "productionProcessId"),
    Scoped("standing.nextProcesses"),
    Scoped("offers.undo", "productionProcessId"),
)
"""Parts of a line's document that each concern one process. A display with its own lanes receives only its processes.

In `offers.in` it also receives the ids of other processes, and how many pieces may enter them.
"""


def order_head(order: SalesOrder, summary: Summary) -> OrderHead:
    """Return the head of an order. No query."""
    return OrderHead(**_head_fields(order, summary))


def order_fields(order: SalesOrder, summary: Summary) -> dict[str, Any]:
    """Return the fields of an order's document. No query."""
    return {
        **_head_fields(order, summary),
        "customer_sales_order_id": order.customer_sales_order_id,
        "customer_id": order.customer_id,
        "customer_name": order.customer.name,
        "sales_order_date": order.sales_order_date,
        "creation_date": order.creation_date,
        "notes": order.notes,
    }


def _head_fields(order: SalesOrder, summary: Summary) -> dict[str, Any]:
    return {
        "id": order.pk,
        "version": order.version,
        "revision": order.version + summary.versions,
        "status": Status(order.status),
        "lines_count": summary.lines_count,
        "open_lines_count": summary.open_lines_count,
        "late_lines_count": summary.late_lines_count,
        "quantity": summary.quantity,
        "quantity_done": summary.quantity_done,
        "progress": summary.progress,
        "first_delivery_date": summary.first_delivery_date,
        "forecast": _order_forecast(summary),
        "offers": OrderOffers(delete=summary.untouched),
    }


_RISKS: tuple[Risk, ...] = ("low", "medium", "high")


def _order_forecast(summary: Summary) -> OrderForecast | None:
    if summary.p50 is None or summary.p80 is None:
        return None
    risk = None if summary.risk is None else _RISKS[summary.risk]
    return OrderForecast(p50=summary.p50, p80=summary.p80, risk=risk)


def process_name(record: Record | None) -> ProcessName | None:
    """Return the process of a record; None without a record."""
    if record is None:
        return None
    return ProcessName(production_process_id=record.process_id, production_process_name=record.process_name)


def history_row(record: ProcessRecord) -> HistoryRow:
    """Return a record as the history shows it, with users by their full names."""
    return HistoryRow(
        id=record.pk,
        version=1 + 2 * len(record.past) + (record.output_at is not None) + (record.released_at is not None),
        press=record.exit_press or record.entry_press,
        production_process_id=record.process_id,
        production_process_name=record.process_name,
        quantity=record.quantity,
        input_date=record.input_at,
        input_by_id=record.input_by_id,
        input_username=record.input_by_name,
        input_notes=record.input_notes or "",
        input_received_at=record.input_received_at,
        output_date=record.output_at,
        output_username=record.output_by_name,
        output_notes=(record.output_notes or "") if record.output_at else None,
        output_received_at=record.output_received_at,
        released=record.released_at is not None,
        deleted_date=record.released_at,
        date_of_reprocessing=record.released_at,
        active=record.released_at is None,
        released_by=record.released_by_name,
        release_reason=record.release_reason_key if record.released_at else None,
        release_notes=(record.release_notes or "") if record.released_at else None,
        scrap_reason=record.scrap_reason_key if record.scrapped else None,
        photo=address(record.photo) if record.photo else None,
        photo_thumbnail=address(thumbnail_of(record.photo)) if record.photo else None,
        undone=record.undone,
        released_exits=[_released_exit(past) for past in record.past],
        **_weights(record),
    )


def _released_exit(past: PastExit) -> ReleasedExit:
    exit_, back = past.movement, past.taken_back
    return ReleasedExit(
        output_date=exit_.at,
        output_username=exit_.press.by.full_name,
        output_notes=exit_.notes,
        output_received_at=exit_.press.received_at,
        released_date=back.at,
        released_by=back.press.by.full_name,
        release_reason=back.release_reason.key if back.release_reason else None,
        release_notes=back.notes,
        scrap_reason=exit_.scrap_reason.key if exit_.scrap_reason else None,
        undone=back.press.kind == PressKind.undo,
    )


def _weights(record: ProcessRecord) -> dict[str, Any]:
    """Return the weights of a record, and its loss if entry and exit were weighed."""
    return {
        "grams_in": grams_or_none(record.mg_in),
        "grams_out": grams_or_none(record.mg_out),
        "grams_other": grams_or_none(record.mg_other),
        "scrap_grams": grams_or_none(record.mg_scrap),
        "grams_added": grams_or_none(record.mg_added),
        "added_alloy_id": record.added_alloy_id,
        "grams_between": grams_or_none(record.mg_between),
        "loss_grams": grams_or_none(record.mg_lost),
        "loss_per_mille": record.lost_per_mille,
        "allowed_loss": None if record.alloy_id is None else record.process_allowed_loss,
        "weighs": Weighs(record.process_weighs),
        "weight_reason": record.weight_reason,
        "loss_to_sign": record.loss_to_sign and record.released_at is None,
        "loss_signed_at": record.loss_signed_at,
        "loss_signed_by": record.loss_signed_by_name,
    }


def current_record(records: Sequence[Record]) -> Record | None:
    """Return the newest record with pieces inside a process. `records`: newest first."""
    return next((record for record in records if record.open), None)


def last_record(records: Sequence[Record]) -> Record | None:
    """Return the newest unreleased record, open or closed. `records`: newest first."""
    return next((record for record in records if record.released_at is None), None)


def pieces_inside(records: Sequence[Record]) -> list[PiecesInside]:
    """Return the pieces inside, one row for each process and person, oldest first. `records`: newest first."""
    found: dict[tuple[int, int], PiecesInside] = {}
    for record in reversed(records):
        if not record.open:
            continue
        here = found.get((record.process_id, record.input_by_id))
        if here:
            here.quantity += record.quantity
        else:
            found[record.process_id, record.input_by_id] = PiecesInside(
                production_process_id=record.process_id,
                quantity=record.quantity,
                since=record.input_at,
                by=record.input_by_name,
            )
    return list(found.values())


def left_today(records: Iterable[Record]) -> list[PiecesLeft]:
    """Return the pieces that left each process since midnight in the plant. Released and scrapped ones do not count."""
    exits = [
        (record.output_at, record)
        for record in records
        if record.released_at is None and record.output_at is not None and not record.scrapped
    ]
    if not exits:
        return []
    midnight = clock.start_of(clock.today())
    left: Counter[int] = Counter()
    for at, record in exits:
        if at >= midnight:
            left[record.process_id] += record.quantity
    return [PiecesLeft(production_process_id=process, quantity=pieces) for process, pieces in sorted(left.items())]


def line_document(line: Line, records: Sequence[Record], processes: Sequence[ShopProcess], ways: Ways) -> LineDocument:
    """Return a line's document. No query.

    `records`: newest first, at least the unreleased ones and those that were released for a reason. `ways`: must have
    the way of the line's product, if that way is known and pieces of the line may enter a process.
    """
    order = line.order
    status = Status(line.status)
    inside = pieces_inside(records)
    way = ways.get(line.item_id)
    waits = waiting(line, records, processes, way)
    forecast, forecast_why = forecast_of(line)
    return LineDocument(
        id=line.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=order.customer_sales_order_id,
        customer_id=order.customer_id,
        customer_name=order.customer.name,
        sales_order_date=order.sales_order_date,
        item_id=line.item_id,
        item_key=line.item.key,
        item_name=line.item.name,
        item_name_english=line.item.name_english,
        status=status,
        order_status=Status(order.status),
        quantity=line.quantity,
        quantity_inside=line.quantity_inside,
        quantity_available=line.quantity_free,
        quantity_done=line.quantity_done,
        quantity_billed=line.quantity_billed,
        quantity_scrapped=line.quantity_scrapped,
        quantity_replaced=line.quantity_replaced,
        quantity_good=line.quantity_good,
        **values_of(line),
        late=is_late(line),
        image=whole_address(line.pictured),
        thumbnail=thumbnail_address(line.pictured),
        version=line.version,
        current_production_process=process_name(current_record(records)),
        last_production_process=process_name(last_record(records)),
        inside=inside,
        left_today=left_today(records),
        waiting=waits,
        standing=situation(line, records, processes, way, waits),
        attention=attention.parts_of(line, oldest=inside[0].since if inside else None),
        weighed=line.item.alloy_id is not None,
        metal_grams=grams_or_none(line.metal_mg),
        forecast=forecast,
        forecast_why=forecast_why,
        call=call_of(line),
        offers=offers(line, records, processes),
    )


def call_of(line: Line) -> LineCall | None:
    """Return the newest open call of a line; None if there is none."""
    if line.call_id is None or line.call_at is None:
        return None
    return LineCall(id=line.call_id, kind=CallKind(line.call_kind), at=line.call_at)


def without_private(document: LineDocument, permissions: Collection[str], *, is_customer: bool) -> LineDocument:
    """Return the document without the fields that a reader with these permissions may not read (`PRIVATE`)."""
    for field in PRIVATE:
        if (field.staff and is_customer) or field.needs.isdisjoint(permissions):
            instead: object = [] if field.instead == () else field.instead
            document = _emptied(document, field.path.split("."), instead)
    return document


def within_scope(document: LineDocument, scope: frozenset[int]) -> LineDocument:
    """Return the document with only the parts about the processes in `scope`, a display's lanes (`SCOPED`)."""
    for part in SCOPED:
        document = _narrowed(document, part.path.split("."), scope, to_snake(part.key))
    return document


def _name_of(key: str) -> str:
    return "in_" if key == "in" else to_snake(key)


def _emptied(part: Any, path: list[str], instead: object) -> Any:
    if part is None:
        return None
    if isinstance(part, list):
        return [_emptied(each, path, instead) for each in part]
    name = _name_of(path[0])
    value = instead if len(path) == 1 else _emptied(getattr(part, name), path[1:], instead)
    return part.model_copy(update={name: value})


def _narrowed(part: Any, path: list[str], scope: frozenset[int], key: str) -> Any:
    name = _name_of(path[0])
    value = getattr(part, name)
    if len(path) > 1:
        value = _narrowed(value, path[1:], scope, key)
    elif isinstance(value, list):
        value = [row for row in value if (getattr(row, key) if key else row) in scope]
    elif value is not None and getattr(value, key) not in scope:
        value = None
    return part.model_copy(update={name: value})


def is_late(line: Line) -> bool:
    """Say whether the line is late today."""
    return rules.is_late(Status(line.status), line.delivery_date, clock.today())
