"""Reads the contents of work sheets and labels. The number of queries does not grow with the number of sheets."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Prefetch, Q, QuerySet
from pydantic.alias_generators import to_camel

from project.access.principal import Principal
from project.batches.models import Batch
from project.billing.models import Bill
from project.catalogs.models import Alloy, ProductionProcess
from project.catalogs.selectors import components_in_place
from project.core.errors import FieldError, InvalidFields
from project.core.texts import named
from project.orders.fields import FIELDS, TEXTS
from project.orders.models import Line
from project.orders.rules import Status
from project.orders.selectors import known_orders, lines_visible_to, processes_for, uncanceled_lines, unknown_part
from project.orders.summaries import ways_of
from project.printing.codes import Place, UnknownCode, place_of

MOST_SHEETS = 5_000
_ON_SHEETS = [name for name, field in FIELDS.items() if field.sheet]


@dataclass(frozen=True)
class Document:
    """A line to print; without a position, all lines of the order that are not canceled."""

    sales_order_id: int
    position: int | None = None


@dataclass(frozen=True)
class Component:
    name: str
    material: str
    description: str
    notes: str


@dataclass(frozen=True)
class Sheet:
    """A line as its sheet shows it. `of`: the total in `n of total`. Pictures are names in the storage.

    `good`: the pieces without scrapped ones, with those made in their place.
    `processes`: the names of the processes that the product goes through, in order; empty for a customer. `weighing`:
    those of them that weigh the metal. `days`, `texts`: other fields, as pairs of the column's name in exported files
    and the value.
    """

    place: Place
    of: int
    po: str
    customer: str
    quinto: str
    item: str
    item_key: str
    quantity: int
    good: int
    delivery: date | None
    days: tuple[tuple[str, date | None], ...]
    texts: tuple[tuple[str, str], ...]
    item_image: str
    customer_image: str
    components: tuple[Component, ...]
    processes: tuple[str, ...]
    weighing: frozenset[str] = frozenset()
    continued: bool = False
    """Whether this part only continues the sheet before it, whose components were too long to lay out at once."""
    goes_on: bool = False
    """Whether more components of the sheet follow in the next part. The processes come in the last part."""


@dataclass(frozen=True)
class Labelled:
    """What the labels of a line say. `pieces`: all pieces to label, in one bag or several.

    `fineness`: in tenths of a per mille, 0 if unknown. `origin`: the code of the country where the product is made.
    """

    place: Place
    of: int
    po: str
    item: str
    item_key: str
    pieces: int
    fineness: int
    origin: str


def _lines(by: Principal) -> QuerySet[Line]:
    return lines_visible_to(Line.objects.all(), by)


def exists(place: Place, by: Principal) -> bool:
    """Whether the line exists and `by` may see it. 1 query."""
    return _lines(by).filter(order=place.sales_order_id, position=place.position).exists()


def line_total(position: int, uncanceled: int) -> int:
    """Return the total in `n of total`: the number of lines that are not canceled (`uncanceled`), but at least n."""
    return max(position, uncanceled)


def total_of(place: Place, by: Principal) -> int:
    """Return the total in a line's `n of total`. Counts only lines that `by` may see. 1 query."""
    uncanceled = _lines(by).filter(order=place.sales_order_id).exclude(status=Status.Canceled)
    return line_total(place.position, uncanceled.count())


def scanned(code: str, by: Principal) -> Place:
    """Return the line that `code` identifies. At most 1 query. Raises `UnknownCode`, also for a deleted line and for a
    line that `by` may not see."""
    place = place_of(code)
    if not exists(place, by):
        raise UnknownCode
    return place


def sheets(documents: list[Document], by: Principal) -> list[Sheet]:
    """Return the sheets of `documents` in their order, each once. At most 8 queries.

    A customer's sheets omit the staff's notes, and the processes, which are derived from the orders of all customers.

    Raises `InvalidFields`: `unknown` for a line or an order that `by` cannot see, `too_many` for over 5,000 sheets.
    """
    chosen = _choose(documents, by)
    uncanceled = uncanceled_lines((document.sales_order_id for document in documents), by)
    rows = (
        Line.objects.filter(pk__in=chosen)
        .select_related("order__customer", "item")
        .prefetch_related(Prefetch("item__components", queryset=components_in_place()))
    )
    by_id = {row.pk: row for row in rows}
    processes = {} if by.is_customer else _processes({row.item_id for row in by_id.values()})
    weighing: frozenset[str] = frozenset() if by.is_customer else _weighing()
    return [
        _sheet(
            by_id[line_id],
            line_total(by_id[line_id].position, uncanceled.get(by_id[line_id].order_id, 0)),
            processes.get(by_id[line_id].item_id, ()),
            weighing,
            notes=not by.is_customer,
        )
        for line_id in chosen
        if line_id in by_id
    ]


def labels_of_lines(documents: list[Document], by: Principal) -> list[Labelled]:
    """Return what the labels of `documents` say, in their order, each line once, with its good pieces.

    At most 4 queries. Raises `InvalidFields` as `sheets` does.
    """
    chosen = _choose(documents, by)
    rows = Line.objects.filter(pk__in=chosen).select_related("order", "item").in_bulk()
    lines = [rows[line_id] for line_id in chosen if line_id in rows]
    uncanceled = uncanceled_lines(line.order_id for line in lines)
    fineness = _fineness(line.item.alloy_id for line in lines)
    return [
        _labelled(line, uncanceled, fineness, line.order.customer_sales_order_id, line.quantity_good) for line in lines
    ]


def labels_of_batch(batch: Batch) -> list[Labelled]:
    """Return what the labels of the lines on a batch say, with the pieces on the batch. At most 2 queries.

    Load `batch` with `batch_get`.
    """
    lines = [(row.line, row.quantity) for row in batch.loaded_lines]
    uncanceled = uncanceled_lines(line.order_id for line, _ in lines)
    fineness = _fineness(line.item.alloy_id for line, _ in lines)
    return [
        _labelled(line, uncanceled, fineness, line.order.customer_sales_order_id, quantity) for line, quantity in lines
    ]


def labels_of_bill(bill: Bill) -> list[Labelled]:
    """Return what the labels of the lines of a bill say, with the pieces and the texts of the bill. At most 2 queries.

    Load `bill` with `bill_get`. The labels of an issued bill never change.
    """
    rows = [(row, row.texts) for row in bill.lines.all()]
    uncanceled = uncanceled_lines(row.line.order_id for row, texts in rows if texts.order_lines is None)
    fineness = _fineness(row.line.item.alloy_id for row, texts in rows if texts.fineness is None)
    found = []
    for row, texts in rows:
        label = _labelled(row.line, uncanceled, fineness, row.purchase_order, row.quantity)
        lines = texts.order_lines
        found.append(
            replace(
                label,
                of=label.of if lines is None else line_total(row.line.position, lines),
                item=texts.item_name,
                item_key=texts.item_key,
                fineness=label.fineness if texts.fineness is None else texts.fineness,
                origin=texts.origin,
            )
        )
    return found


def _labelled(line: Line, uncanceled: dict[int, int], fineness: dict[int, int], po: str, pieces: int) -> Labelled:
    return Labelled(
        place=Place(line.order_id, line.position),
        of=line_total(line.position, uncanceled.get(line.order_id, 0)),
        po=po,
        item=named(line.item.name, line.item.name_english),
        item_key=line.item.key,
        pieces=pieces,
        fineness=fineness.get(line.item.alloy_id or 0, 0),
        origin=line.item.origin,
    )


def _fineness(alloys: Iterable[int | None]) -> dict[int, int]:
    """Return the fineness of these alloys by their ids. 1 query; none without alloys."""
    return dict(Alloy.objects.filter(pk__in={alloy for alloy in alloys if alloy}).values_list("id", "fineness"))


def _choose(documents: list[Document], by: Principal) -> list[int]:
    """Return the ids of the lines of `documents`, each once. 1 query, and one more if some are unknown. Raises
    `InvalidFields`: `unknown`, `too_many`."""
    whole = Q(order__in={one.sales_order_id for one in documents if one.position is None})
    single = Q(
        order__in={one.sales_order_id for one in documents if one.position is not None},
        position__in={one.position for one in documents if one.position is not None},
    )
    found: dict[int, list[tuple[int, int, str]]] = {}
    rows = _lines(by).filter(whole | single).order_by("order_id", "position")
    for line_id, order_id, position, status in rows.values_list("id", "order_id", "position", "status"):
        found.setdefault(order_id, []).append((line_id, position, status))
    chosen: dict[int, None] = {}
    unknown: dict[int, Document] = {}
    for index, document in enumerate(documents):
        lines = [
            line_id
            for line_id, position, status in found.get(document.sales_order_id, ())
            if position == document.position or (document.position is None and status != Status.Canceled)
        ]
        if not lines:
            unknown[index] = document
        chosen |= dict.fromkeys(lines)
    if unknown:
        known = known_orders((document.sales_order_id for document in unknown.values()), by)
        raise InvalidFields(
            errors=[
                FieldError(f"documents.{index}.{unknown_part(document.sales_order_id, known)}", "unknown")
                for index, document in unknown.items()
            ]
        )
    if len(chosen) > MOST_SHEETS:
        raise InvalidFields.of("documents", "too_many", limit=MOST_SHEETS)
    return list(chosen)


def _processes(items: set[int]) -> dict[int, tuple[str, ...]]:
    """Return the names of the active processes of each product's way. 2 queries.

    If the way is not known, or has no active process, return those of all active processes.
    """
    names = {one.id: named(one.name, one.name_english) for one in processes_for() if one.active}
    every, ways = tuple(names.values()), ways_of(items)
    return {item: tuple(names[one] for one in ways[item].steps) or every if item in ways else every for item in items}


def _weighing() -> frozenset[str]:
    """Return the names of the processes that weigh the metal. 1 query."""
    rows = ProductionProcess.objects.exclude(weighs="no").values_list("name", "name_english")
    return frozenset(named(*row) for row in rows)


def _sheet(line: Line, of: int, processes: tuple[str, ...], weighing: frozenset[str], *, notes: bool) -> Sheet:
    order, item = line.order, line.item
    return Sheet(
        place=Place(line.order_id, line.position),
        of=of,
        po=order.customer_sales_order_id,
        customer=order.customer.name,
        quinto=order.customer.quinto,
        item=named(item.name, item.name_english),
        item_key=item.key,
        quantity=line.quantity,
        good=line.quantity_good,
        delivery=line.delivery_date,
        days=tuple((to_camel(name), getattr(line, name)) for name in _ON_SHEETS if name not in TEXTS),
        texts=(
            ("measures", item.measures),
            *(
                (to_camel(name), getattr(line, name) if notes or not FIELDS[name].reads else "")
                for name in _ON_SHEETS
                if name in TEXTS
            ),
        ),
        item_image=line.pictured.image,
        customer_image=order.customer.image,
        components=tuple(
            Component(
                name=named(row.component_name, row.component_name_english),
                material=named(row.material_name or "", row.material_name_english or ""),
                description=named(row.material_description or "", row.material_description_english or ""),
                notes=row.notes if notes else "",
            )
            for row in item.components.all()
        ),
        processes=processes,
        weighing=weighing.intersection(processes),
    )
