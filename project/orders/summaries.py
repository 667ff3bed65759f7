"""What the list of orders says of an order's lines, counted in the database: no line is loaded for it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Count, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from project.catalogs.models import ProductionProcess
from project.core import clock
from project.orders import attention
from project.orders.figures import LineFigures, OrderFigures, order_figures, progress
from project.orders.models import CLOSED, Line, ProcessRecord
from project.orders.rules import COMPLETED, FINISHED, Status, is_late

IS_OPEN = ~Q(status__in=FINISHED)
IS_DONE = Q(status__in=COMPLETED)
_COMPLETED = ", ".join(f"'{status}'" for status in COMPLETED)
# Written out, as `selectors.processes_for`: every page of an order asks it. Its statuses are written into it, so that
# the index `line_finished_by_item`, which is of them alone, is used.
_TAKEN_LAST = """
SELECT DISTINCT line.item_id, record.process_id
FROM orders_line AS line
JOIN orders_processrecord AS record ON record.line_id = line.id
WHERE record.output_at IS NOT NULL AND record.released_at IS NULL AND line.id IN (
  SELECT (
    SELECT finished.id FROM orders_line AS finished
    WHERE finished.item_id = item.id AND finished.status IN ({completed})
    ORDER BY finished.id DESC LIMIT 1
  )
  FROM catalogs_item AS item WHERE item.id IN ({items})
)"""


@dataclass(frozen=True)
class Summary:
    """An order's figures and progress. `untouched`: nothing of it ever moved or was billed."""

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
            late_lines=Count("pk", filter=attention.late()),
            pieces=Coalesce(Sum("quantity", filter=~Q(status=Status.Canceled)), 0),
            pieces_done=Coalesce(Sum("quantity", filter=IS_DONE), 0),
            next_open=Min("delivery_date", filter=IS_OPEN),
            next_done=Min("delivery_date", filter=IS_DONE),
            billed=Sum("quantity_billed"),
        )
    )
    records = ProcessRecord.objects.filter(line__order__in=orders).order_by()
    moved = set(records.values_list("line__order_id", flat=True).distinct())
    left = (
        closed_records()
        .filter(line__order__in=orders)
        .exclude(line__status__in=FINISHED)
        .values_list("line__order_id", "line__item_id", "process_id")
        .annotate(pieces=Sum("quantity"))
    )
    on_the_way = _on_the_way(left, usual_processes({item for _, item, _, _ in left}))
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
            progress=progress(row["pieces_done"], on_the_way[row["order_id"]], row["pieces"]),
            untouched=not row["billed"] and row["order_id"] not in moved,
        )
        for row in counted
    }


def summary_of_loaded(lines: Sequence[Line], usual: Mapping[int, frozenset[int]]) -> Summary:
    """The same of one order whose lines are loaded with their records, by the usual processes of its products."""
    figures = order_figures([_figures(line) for line in lines])
    left = [
        (0, line.item_id, record.process_id, record.quantity)
        for line in lines
        if line.status not in FINISHED
        for record in line.loaded_records
        if record.output_at is not None and record.released_at is None
    ]
    return Summary(
        figures,
        progress=progress(figures.quantity_done, _on_the_way(left, usual)[0], figures.quantity),
        untouched=not any(line.quantity_billed or line.loaded_records for line in lines),
    )


def usual_processes_of(lines: Iterable[Line]) -> dict[int, frozenset[int]]:
    """`usual_processes` of the products of those lines that are not finished. At most 2 queries."""
    return usual_processes({line.item_id for line in lines if line.status not in FINISHED})


def _figures(line: Line) -> LineFigures:
    status = Status(line.status)
    return LineFigures(
        status=status,
        quantity=line.quantity,
        quantity_done=line.quantity_done,
        late=is_late(status, line.delivery_date, clock.today()),
        delivery_date=line.delivery_date,
    )


def _on_the_way(
    left: Iterable[tuple[int, int, int, int]], usual: Mapping[int, frozenset[int]]
) -> defaultdict[int, Counter[int]]:
    """(order, product, process, pieces that left it) → for each order what `progress` counts."""
    found: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for order_id, item_id, process_id, pieces in left:
        if process_id in usual[item_id]:
            found[order_id][len(usual[item_id])] += pieces
    return found


def usual_processes(items: Collection[int]) -> dict[int, frozenset[int]]:
    """The processes that each of these products usually takes: those that its newest finished line left.

    A product of which no line was finished that way takes all active processes. At most 2 queries.
    """
    if not items:
        return {}
    ids = list(items)
    with connection.cursor() as cursor:
        cursor.execute(_TAKEN_LAST.format(completed=_COMPLETED, items=", ".join(["%s"] * len(ids))), ids)
        rows = cursor.fetchall()
    taken: dict[int, set[int]] = defaultdict(set)
    for item_id, process_id in rows:
        taken[item_id].add(process_id)
    if len(taken) < len(items):
        active = frozenset(ProductionProcess.objects.filter(status=True).values_list("pk", flat=True))
    return {item: frozenset(taken[item]) if item in taken else active for item in items}


def closed_records() -> QuerySet[ProcessRecord]:
    """Records whose pieces left their process, and whose exit stands, in no order."""
    return ProcessRecord.objects.filter(CLOSED).order_by()
