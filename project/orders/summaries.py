"""What the list of orders says of an order's lines, counted in the database: no line is loaded for it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Min, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from project.catalogs.models import Item, ProductionProcess
from project.core import clock
from project.orders.figures import LineFigures, OrderFigures, order_figures
from project.orders.models import CLOSED, Line, ProcessRecord
from project.orders.rules import COMPLETED, FINISHED, Status, is_late

IS_OPEN = ~Q(status__in=FINISHED)
IS_DONE = Q(status__in=COMPLETED)


@dataclass(frozen=True)
class Summary:
    """An order's figures, and its progress between 0 and 1: a finished piece is 1, another one the share of its
    product's usual processes that it has left. `untouched`: nothing of it ever moved or was billed."""

    figures: OrderFigures = field(default_factory=OrderFigures)
    progress: float = 0.0
    untouched: bool = True


def summaries_of(orders: Collection[int]) -> dict[int, Summary]:
    """The summary of each of these orders. At most 5 queries, whatever their number and size."""
    if not orders:
        return {}
    counted = (
        Line.objects.filter(order__in=orders)
        .order_by()
        .values("order_id")
        .annotate(
            lines=Count("pk"),
            open_lines=Count("pk", filter=IS_OPEN),
            late_lines=Count("pk", filter=Q(urgency__lt=clock.today())),
            pieces=Coalesce(Sum("quantity", filter=~Q(status=Status.Canceled)), 0),
            pieces_done=Coalesce(Sum("quantity", filter=IS_DONE), 0),
            next_open=Min("delivery_date", filter=IS_OPEN),
            next_done=Min("delivery_date", filter=IS_DONE),
            billed=Sum("quantity_billed"),
        )
    )
    records = ProcessRecord.objects.filter(line__order__in=orders).order_by()
    moved = set(records.values_list("line__order_id", flat=True).distinct())
    on_the_way = _pieces_on_the_way(orders)
    return {
        row["order_id"]: Summary(
            OrderFigures(
                lines_count=row["lines"],
                open_lines_count=row["open_lines"],
                late_lines_count=row["late_lines"],
                quantity=row["pieces"],
                quantity_done=row["pieces_done"],
                first_delivery_date=row["next_open"] if row["open_lines"] else row["next_done"],
            ),
            progress=_share(row["pieces_done"] + on_the_way.get(row["order_id"], 0.0), of=row["pieces"]),
            untouched=not row["billed"] and row["order_id"] not in moved,
        )
        for row in counted
    }


def summary_of_loaded(lines: Sequence[Line]) -> Summary:
    """The same of one order whose lines are loaded with their records. At most 2 queries: usual processes."""
    figures = order_figures([_figures(line) for line in lines])
    left: dict[tuple[int, int], int] = defaultdict(int)
    for line in lines:
        for record in line.records.all() if line.status not in FINISHED else ():
            if record.output_at is not None and record.released_at is None:
                left[line.item_id, record.process_id] += record.quantity
    on_the_way = sum(_weighed((0, *key, count) for key, count in left.items()).values())
    return Summary(
        figures,
        progress=_share(figures.quantity_done + on_the_way, of=figures.quantity),
        untouched=not any(line.quantity_billed or line.records.all() for line in lines),
    )


def _figures(line: Line) -> LineFigures:
    status = Status(line.status)
    return LineFigures(
        status=status,
        quantity=line.quantity,
        quantity_done=line.quantity_done,
        late=is_late(status, line.delivery_date, clock.today()),
        delivery_date=line.delivery_date,
    )


def _share(part: float, *, of: int) -> float:
    return round(part / of, 4) if of else 0.0


def _pieces_on_the_way(orders: Collection[int]) -> dict[int, float]:
    """Of each order its unfinished pieces, each counted as the share of its usual processes that it has left."""
    return _weighed(
        closed_records()
        .filter(line__order__in=orders)
        .exclude(line__status__in=FINISHED)
        .values_list("line__order_id", "line__item_id", "process_id")
        .annotate(pieces=Sum("quantity"))
    )


def _weighed(left: Iterable[tuple[int, int, int, int]]) -> dict[int, float]:
    """(order, product, process, pieces that left it) → pieces by order, each a share of its product's processes."""
    left = list(left)
    usual = usual_processes({item for _, item, _, _ in left})
    on_the_way: dict[int, float] = defaultdict(float)
    for order_id, item_id, process_id, pieces in left:
        if process_id in usual[item_id]:
            on_the_way[order_id] += pieces / len(usual[item_id])
    return on_the_way


def usual_processes(items: Collection[int]) -> dict[int, frozenset[int]]:
    """The processes that each of these products usually takes: those that its newest finished line left.

    A product of which no line was finished that way takes all active processes. At most 2 queries.
    """
    if not items:
        return {}
    finished = Line.objects.filter(IS_DONE, item=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    newest = Item.objects.filter(pk__in=items).values_list(Subquery(finished))
    taken: dict[int, set[int]] = defaultdict(set)
    for item_id, process_id in closed_records().filter(line__in=newest).values_list("line__item_id", "process_id"):
        taken[item_id].add(process_id)
    if len(taken) < len(items):
        active = frozenset(ProductionProcess.objects.filter(status=True).values_list("pk", flat=True))
    return {item: frozenset(taken[item]) if item in taken else active for item in items}


def closed_records() -> QuerySet[ProcessRecord]:
    """Records whose pieces left their process, and whose exit stands, in no order."""
    return ProcessRecord.objects.filter(CLOSED).order_by()
