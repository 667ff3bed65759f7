"""Read orders, lines and histories, in a constant number of queries: all that a line shows is loaded with the line."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Count, Exists, F, Model, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from project.access.principal import Principal, may_read_of, visible_to
from project.catalogs.models import Weighs
from project.catalogs.selectors import PRODUCT_OF_ROW, components_of
from project.core.errors import InvalidFields, NotFound
from project.core.pagination import Orderings
from project.core.queries import prepared
from project.core.searching import COLUMN
from project.core.spanish import matching
from project.identity.models import full_name_of
from project.orders import attention
from project.orders.forecast import Risk
from project.orders.models import OPEN, Line, Movement, PastExit, ProcessRecord, SalesOrder
from project.orders.rules import FINISHED, UNSEEN_BY_CUSTOMERS, MovementSide, Status
from project.orders.summaries import summaries_of, unfinished_items

ORDER_ORDERINGS = Orderings(
    columns={
        "id": "id",
        "salesOrderDate": "sales_order_date",
        "customerSalesOrderId": "customer_sales_order_id",
        "status": "status",
        "customerName": "customer__name",
    },
    default="-id",
)
LINE_ORDERINGS = Orderings(
    columns={
        "id": "id",
        "position": "position",
        "deliveryDate": "due",
        "urgency": "urgency",
        "status": "status",
        "quantity": "quantity",
        "itemName": "item__name",
        "customerName": "order__customer__name",
        "customerSalesOrderId": "order__customer_sales_order_id",
        "salesOrderDate": "order__sales_order_date",
        "insideSince": "inside_since",
        "hereSince": "here_since",
        "process": "process_place",
        "risk": "late_risk",
    },
    default="urgency",
)


# The columns of a customer and a product that are shown. Other columns are long, or slow to read.
_CUSTOMER = ("name", "quinto", "image")
_ITEM = ("key", "name", "description_english", "measures", "image", "alloy")
_FORECAST = ("made_at", "p10", "p50", "p80", "p90", "due", "on_time", "late_percent", "basis", "why", "likely_late")


def _whole(model: type[Model], path: str = "") -> list[str]:
    return [path + field.name for field in model._meta.concrete_fields if field.name != COLUMN]


def _shown(path: str, columns: Iterable[str]) -> list[str]:
    return [path + column for column in columns]


_LINES = Line.objects.select_related("order__customer", "item", "forecast").only(
    *_whole(Line),
    *_whole(SalesOrder, "order__"),
    *_shown("order__customer__", _CUSTOMER),
    *_shown("item__", _ITEM),
    *_shown("forecast__", _FORECAST),
)
_LINES_OF_ORDERS = Line.objects.select_related("item", "forecast").only(
    *_whole(Line), *_shown("item__", _ITEM), *_shown("forecast__", _FORECAST)
)
_ORDERS = SalesOrder.objects.select_related("customer").only(*_whole(SalesOrder), *_shown("customer__", _CUSTOMER))


def lines() -> QuerySet[Line]:
    """Return lines with their order, customer and product. 1 query."""
    return _LINES.all()


def unknown_part(order_id: int, known: Collection[int]) -> str:
    """Return the field with the unknown value: `salesOrderId` if the order is not in `known`, else `position`."""
    return "position" if order_id in known else "salesOrderId"


def known_orders(order_ids: Iterable[int], by: Principal | None = None) -> set[int]:
    """Return the ids of these orders that exist and that `by` may read. `by` None: staff, who may read all. 1 query."""
    found = SalesOrder.objects.filter(pk__in=set(order_ids))
    return set((orders_visible_to(found, by) if by else found).values_list("pk", flat=True))


def orders_visible_to(rows: QuerySet[SalesOrder], by: Principal) -> QuerySet[SalesOrder]:
    """Filter orders to those that `by` may read. Customers read only their own orders with an approved line."""
    found = visible_to(rows, by, customer="customer")
    return seen_by_customers(found) if by.is_customer else found


def lines_visible_to(rows: QuerySet[Line], by: Principal) -> QuerySet[Line]:
    """Filter lines to those that `by` may read. Customers read their own lines that `lines_seen_by_customers` keeps."""
    found = visible_to(rows, by, customer="order__customer")
    return lines_seen_by_customers(found) if by.is_customer else found


def seen_by_customers(rows: QuerySet[SalesOrder]) -> QuerySet[SalesOrder]:
    """Filter orders to those with an approved line (`rules.UNSEEN_BY_CUSTOMERS`)."""
    return rows.exclude(status__in=UNSEEN_BY_CUSTOMERS)


def lines_seen_by_customers(rows: QuerySet[Line]) -> QuerySet[Line]:
    """Filter lines to those that are not New, of orders with an approved line."""
    return rows.exclude(status=Status.New).exclude(order__status__in=UNSEEN_BY_CUSTOMERS)


_order = prepared(lambda order_id: _ORDERS.filter(pk=order_id))
_lines_of = prepared(lambda order_id: _LINES_OF_ORDERS.filter(order_id=order_id).order_by("position"))
_line = prepared(lambda order_id, position: _LINES.filter(order_id=order_id, position=position))


def order_get(order_id: int, by: Principal | None = None) -> SalesOrder:
    """Return the order with its customer, lines and figures, if `by` may read it. Raises `NotFound`. At most 7 queries.

    `by` None: a write by staff, who may read all.
    """
    found = next(iter(_order(order_id)), None)
    if found is None or not _may_read(found, by):
        raise NotFound
    found.loaded_lines = _lines_of(order_id)
    of_customer = by is not None and by.is_customer
    if of_customer:
        found.loaded_lines = [line for line in found.loaded_lines if line.status != Status.New]
    for line in found.loaded_lines:
        line.order = found
    _load_whole(found.loaded_lines)
    found.loaded_summaries = summaries_of(
        [order_id], items=unfinished_items(found.loaded_lines), without_new=of_customer
    )
    return found


def line_get(order_id: int, position: int, by: Principal | None = None) -> Line:
    """Return the line with its order, customer, product, components and records, if `by` may read it.

    `by` None: a write by staff, who may read all. Raises `NotFound`. 3 queries.
    """
    found = next(iter(_line(order_id, position)), None)
    if found is None or not _may_read(found.order, by):
        raise NotFound
    if by is not None and by.is_customer and found.status == Status.New:
        raise NotFound
    _load_whole([found])
    return found


def _may_read(order: SalesOrder, by: Principal | None) -> bool:
    if by is None or not by.is_customer:
        return True
    return may_read_of(order.customer_id, by) and order.status not in UNSEEN_BY_CUSTOMERS


def _load_whole(lines: list[Line]) -> None:
    """Load the records and the components of lines. 2 queries for any number of lines."""
    records = records_of([line.pk for line in lines])
    components = components_of({line.item_id for line in lines})
    for line in lines:
        line.loaded_records, line.loaded_components = records[line.pk], components[line.item_id]


def order_list(
    by: Principal,
    *,
    search: str | None = None,
    status: Status | None = None,
    customer_id: int | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
) -> QuerySet[SalesOrder]:
    """Return orders with their customer and without their lines.

    Filters: status, customer, and order date (both ends included). `search` covers PO#, customer and, for staff, notes:
    callers must not search what they may not read.
    """
    notes = () if by.is_customer else ("notes",)
    orders = orders_visible_to(_ORDERS, by)
    found = matching(orders, search, "customer_sales_order_id", "customer__name", *notes)
    if status:
        found = found.filter(status=status)
    if customer_id:
        found = found.filter(customer_id=customer_id)
    if date_from:
        found = found.filter(sales_order_date__gte=date_from)
    if date_to:
        found = found.filter(sales_order_date__lte=date_to)
    return found


def line_list(
    by: Principal,
    *,
    search: str | None = None,
    status: Status | None = None,
    customer_id: int | None = None,
    production_process_id: int | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
    late: bool | None = None,
    due_this_week: bool | None = None,
    inside_over_a_day: bool | None = None,
    to_weigh: bool | None = None,
    to_sign: bool | None = None,
    likely_late: bool | None = None,
    called: bool | None = None,
    risk: Risk | None = None,
    ids: Sequence[int] | None = None,
    ordering: str | None = None,
) -> QuerySet[Line]:
    """Return lines of all orders, without their records.

    `production_process_id`: lines with pieces inside it now. `late`, `due_this_week`, `inside_over_a_day`, `to_weigh`,
    `to_sign`, `likely_late`, `called`, `risk`: as `attention` defines them. Computed sort columns are annotated only if
    `ordering` needs them. Raises `InvalidFields` for a filter or an order that would reveal what the caller may not
    read.
    """
    found = matching(
        lines_visible_to(_LINES, by),
        search,
        "order__customer_sales_order_id",
        "order__customer__name",
        *PRODUCT_OF_ROW,
    )
    if ids:
        found = found.filter(pk__in=ids)
    if status:
        found = found.filter(status=status)
    if customer_id:
        found = found.filter(order__customer_id=customer_id)
    if production_process_id:
        inside = ProcessRecord.objects.filter(OPEN, line=OuterRef("pk"), process_id=production_process_id)
        found = found.filter(Exists(inside))
    if date_from:
        found = found.filter(order__sales_order_date__gte=date_from)
    if date_to:
        found = found.filter(order__sales_order_date__lte=date_to)
    for asked, condition in (
        (late, attention.late),
        (due_this_week, attention.due_this_week),
        (inside_over_a_day, attention.inside_over_a_day),
        (to_weigh, attention.to_weigh),
        (to_sign, attention.to_sign),
        (likely_late, attention.likely_late_now),
        (called, attention.called),
    ):
        if asked is not None:
            found = found.filter(condition() if asked else ~condition())
    if risk is not None:
        found = found.filter(attention.of_risk(risk))
    column = LINE_ORDERINGS.columns.get((ordering or "").removeprefix("-"))
    # A filter or an order must not reveal what the caller may not read: what the workshop expects or calls for, or
    # the metal.
    expected = {
        "likelyLate": likely_late is not None,
        "called": called is not None,
        "risk": risk is not None,
        "ordering": column in ("late_risk", "here_since"),
    }
    of_metal = {"toWeigh": to_weigh is not None, "toSign": to_sign is not None}
    reads_metal = not by.is_customer and by.holds(*attention.METAL)
    for name, asked in {**(expected if by.is_customer else {}), **({} if reads_metal else of_metal)}.items():
        if asked:
            raise InvalidFields.of(name, "not_a_choice")
    computed = {
        "inside_since": attention.inside_since,
        "here_since": attention.here_since,
        "process_place": attention.process_place,
        "late_risk": attention.risk,
    }.get(column or "")
    return found.annotate(**{column: computed()}) if column and computed else found


def line_rows_of(ids: Iterable[int]) -> list[Line]:
    """Return these lines as `line_list` loads them. 1 query."""
    return list(_LINES.filter(pk__in=ids))


def whole_lines(ids: Iterable[int]) -> list[Line]:
    """Return these lines with their records and components. 3 queries."""
    found = line_rows_of(ids)
    _load_whole(found)
    return found


def uncanceled_lines(orders: Iterable[int], by: Principal | None = None) -> dict[int, int]:
    """Return for each order the number of lines that are not canceled and that `by` may read. 1 query.

    Without `by` all lines count, as for staff. No query without orders.
    """
    rows = Line.objects.filter(order__in=set(orders)).exclude(status=Status.Canceled)
    if by is not None:
        rows = lines_visible_to(rows, by)
    return dict(rows.values_list("order_id").annotate(Count("id")).order_by())


def history(order_id: int, position: int) -> list[ProcessRecord]:
    """Return all records of a line, newest first. Raises `NotFound`."""
    line = Line.objects.filter(order_id=order_id, position=position).first()
    if line is None:
        raise NotFound
    return records_of([line.pk])[line.pk]


@dataclass(frozen=True)
class ShopProcess:
    """A production process. `own`: whether the user of `processes_for` works in it."""

    id: int
    name: str
    name_english: str
    active: bool
    own: bool
    weighs: str = Weighs.no.value
    allowed_loss: Decimal | None = None
    gains: bool = False


# Raw SQL, because almost every call runs it: Django takes seven times as long to build it as the database to answer.
_PROCESSES = """
SELECT process.id, name, name_english, status, works_there.id IS NOT NULL, weighs, allowed_loss, gains
FROM catalogs_productionprocess AS process
LEFT JOIN staffing_processworker AS works_there ON works_there.process_id = process.id AND works_there.user_id = %s
ORDER BY "order", name
"""


def processes_for(user_id: int | None = None) -> list[ShopProcess]:
    """Return all processes in their order; `own` marks those that the user works in. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(_PROCESSES, [user_id or 0])
        rows = cursor.fetchall()
    return [
        ShopProcess(
            *(pk, name, english, bool(active), bool(own), weighs, None if loss is None else Decimal(str(loss))),
            gains=bool(gains),
        )
        for pk, name, english, active, own, weighs, loss, gains in rows
    ]


def most_in_one_process(lines: Collection[int]) -> dict[int, int]:
    """Return for each line the highest number of its pieces that have entered the same process. 1 query.

    Lines without unreleased records are left out.
    """
    most: dict[int, int] = {}
    if lines:
        unreleased = ProcessRecord.objects.filter(line__in=lines, released_at__isnull=True).order_by()
        seen = unreleased.values_list("line_id", "process_id").annotate(pieces=Sum("quantity"))
        for line_id, _, pieces in seen:
            most[line_id] = max(pieces, most.get(line_id, 0))
    return most


MOST_NAMED = 5
"""How many lines a refusal names."""


def lines_with_metal() -> QuerySet[Line]:
    """Return the lines with metal of their alloy: on the line, or with pieces that were weighed into a process."""
    inside = ProcessRecord.objects.filter(OPEN, line=OuterRef("pk"), mg_in__isnull=False)
    return Line.objects.filter((Q(metal_mg__gt=0) & ~Q(status__in=FINISHED)) | Exists(inside))


def weighed_lines(items: Collection[int]) -> dict[int, list[str]]:
    """Return for each product the first lines that have metal, each as PO# and position. 1 query.

    At most MOST_NAMED lines of a product. Products without such lines are left out.
    """
    found: dict[int, list[str]] = {}
    rows = lines_with_metal().filter(item__in=items).order_by("pk")
    for item_id, po, position in rows.values_list("item", "order__customer_sales_order_id", "position"):
        named = found.setdefault(item_id, [])
        if len(named) < MOST_NAMED:
            named.append(f"{po} · {position}")
    return found


_FIRST_RECORDS = [
    Subquery(ProcessRecord.objects.filter(**{path: OuterRef("pk")}).order_by("pk").values("pk")[:1])
    for path in ("entry", "exit", "past_exits__movement")
]
_TAKEN_BACK = (
    Movement.objects.filter(takes_back=OuterRef("pk"))
    .order_by()
    .values("takes_back")
    .annotate(taken=Sum("pieces"))
    .values("taken")
)
_OF_MOVEMENTS: dict[str, Any] = {
    "by_name": full_name_of("press__by"),
    "first_record": Coalesce("record_id", *_FIRST_RECORDS),
    "taken_back_pieces": Coalesce(Subquery(_TAKEN_BACK), 0),
}


def movements(*, since: datetime | None = None, until: datetime | None = None) -> QuerySet[Movement]:
    """Return the movements of pieces, in order, with the press, its author's name and the line.

    `since` and `until` limit when the movement was made; `until` is excluded. Leaves out later weights and pieces to be
    made again, which move nothing. `first_record`: the first record that a movement concerns. `taken_back_pieces`: how
    many of its pieces were taken back.
    """
    found = Movement.objects.exclude(side__in=(MovementSide.weigh, MovementSide.remake))
    if since is not None:
        found = found.filter(at__gte=since)
    if until is not None:
        found = found.filter(at__lt=until)
    return (
        found.select_related("press", "takes_back", "record", "line__item", "line__order__customer")
        .annotate(**_OF_MOVEMENTS)
        .order_by("at", "pk")
    )


def open_records() -> QuerySet[ProcessRecord]:
    """Return the records with pieces inside their process now."""
    return ProcessRecord.objects.filter(OPEN)


_NAMES: dict[str, Any] = {
    "process_name": F("process__name"),
    "process_price": F("process__price"),
    "process_allowed_loss": F("process__allowed_loss"),
    "process_weighs": F("process__weighs"),
    "process_gains": F("process__gains"),
    "input_by_name": full_name_of("input_by"),
    "output_by_name": full_name_of("output_by"),
    "released_by_name": full_name_of("released_by"),
    "release_reason_key": F("release_reason__key"),
    "scrap_reason_key": F("scrap_reason__key"),
    "loss_signed_by_name": full_name_of("loss_signed_by"),
    "input_notes": F("entry__notes"),
    "input_received_at": F("entry__press__received_at"),
    "output_notes": F("exit__notes"),
    "output_received_at": F("exit__press__received_at"),
    "release_notes": F("released__notes"),
    "released_kind": F("released__press__kind"),
    "entry_press": F("entry__press_id"),
    "entry_lines": F("entry__press__lines"),
    "exit_press": F("exit__press_id"),
    "exit_lines": F("exit__press__lines"),
}
_NEWEST_FIRST = ("-input_at", "-id")
_RECORDS = ProcessRecord.objects.annotate(**_NAMES).order_by(*_NEWEST_FIRST)


class LightRecord(NamedTuple):
    """A record that is unreleased or was released for a reason, with the columns that lists of lines and offers need.

    A list loads many of them, and a model instance would cost ten times as much.
    """

    id: int
    line_id: int
    process_id: int
    process_name: str
    quantity: int
    quantity_paid: int
    input_at: datetime
    input_by_id: int
    input_by_name: str
    output_at: datetime | None
    output_by_id: int | None
    output_by_name: str | None
    scrapped: bool = False
    entry_press: UUID | None = None
    entry_lines: int | None = None
    exit_press: UUID | None = None
    exit_lines: int | None = None
    released_at: datetime | None = None
    release_reason_key: str | None = None

    @property
    def open(self) -> bool:
        """Whether the pieces are inside the process now."""
        return self.output_at is None and self.released_at is None


Record = ProcessRecord | LightRecord

_LIGHT_NAMES = (
    *("process_name", "input_by_name", "output_by_name", "release_reason_key"),
    *("entry_press", "entry_lines", "exit_press", "exit_lines"),
)
_LIGHT = (
    ProcessRecord.objects.annotate(**{name: _NAMES[name] for name in _LIGHT_NAMES})
    .filter(Q(released_at__isnull=True) | Q(release_reason__isnull=False))
    .order_by(*_NEWEST_FIRST)
    .values_list(*LightRecord._fields)
)


_PAST_EXITS = PastExit.objects.select_related(
    *("movement__press__by", "movement__scrap_reason", "taken_back__press__by", "taken_back__release_reason")
).order_by("pk")
_records = prepared(lambda *lines: _RECORDS.filter(line__in=lines))
_light = prepared(lambda *lines: _LIGHT.filter(line__in=lines))


def records_of(lines: Collection[int]) -> Mapping[int, list[ProcessRecord]]:
    """Return all records of each of these lines, newest first; an empty list for any other line.

    1 query, and 1 if an exit was taken back while the entry stayed.
    """
    found = _records(*lines) if lines else []
    load_past_exits(found)
    return _by_line(found)


def load_past_exits(records: Iterable[ProcessRecord]) -> None:
    """Load the former exits of records that were reopened. 1 query, none if no record was reopened."""
    reopened = {record.pk: record for record in records if record.reopened_at is not None}
    for record in reopened.values():
        record.loaded_past_exits = []
    if reopened:
        for past in _PAST_EXITS.filter(record__in=reopened):
            reopened[past.record_id].loaded_past_exits.append(past)


def light_records_of(lines: Collection[int]) -> Mapping[int, list[LightRecord]]:
    """Return the records of each of these lines that are unreleased or were released for a reason, newest first.

    An empty list for any other line. 1 query.
    """
    return _by_line([LightRecord(*row) for row in _light(*lines)] if lines else ())


def _by_line[R: Record](records: Iterable[R]) -> Mapping[int, list[R]]:
    found: defaultdict[int, list[R]] = defaultdict(list)
    for record in records:
        found[record.line_id].append(record)
    return found
