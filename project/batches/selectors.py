"""Read batches, and the lines that may be put on one."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from project.access.permissions import Permission
from project.access.principal import Principal
from project.batches.models import Batch, BatchLine
from project.catalogs.selectors import PRODUCT_OF_ROW
from project.core.errors import NotFound
from project.core.pagination import Orderings
from project.core.spanish import matching
from project.orders.models import Line
from project.orders.offers import pieces_by_process
from project.orders.rules import MAY_BE_ENTERED, Status
from project.orders.selectors import Record, ShopProcess, light_records_of, line_list, processes_for
from project.orders.situation import in_order, waiting
from project.orders.summaries import ways_of_lines
from project.orders.ways import Way

READERS = (
    Permission.ManageBatches,
    Permission.SalesOrderPositionProcessIn,
    Permission.SalesOrderPositionProcessOut,
    Permission.Station,
)
"""Holders of one of these may read batches."""
ORDERINGS = Orderings(columns={"id": "id", "number": "number"}, default="-number")
MOST_OFFERED = 50
MOST_READ = 400
"""The most lines that are read to find those that may be put on a batch."""


_COUNTS: dict[str, Any] = {"lines_count": Count("lines"), "pieces": Coalesce(Sum("lines__quantity"), 0)}


def _whole() -> QuerySet[Batch]:
    return Batch.objects.select_related("process", "alloy", "created_by", "closed_by")


def batch_list(
    *, search: str | None = None, is_open: bool | None = None, process_id: int | None = None
) -> QuerySet[Batch]:
    """Return batches with the number of their lines and pieces. `is_open`: not closed. 1 query.

    `search`: the number or the name of the batch, or PO#, key or name (in either language) of a line on it.
    """
    found = _whole().annotate(**_COUNTS)
    if is_open is not None:
        found = found.filter(closed_at__isnull=is_open)
    if process_id:
        found = found.filter(process=process_id)
    return matching(found, search, "name", also=_numbered_or_holding)


def _numbered_or_holding(word: str) -> Q:
    """Match the batch with this number, and batches with a line whose PO#, product's key or name holds the word."""
    lines = matching(
        BatchLine.objects.filter(batch=OuterRef("pk")),
        word,
        "line__order__customer_sales_order_id",
        *(f"line__{text}" for text in PRODUCT_OF_ROW),
    )
    number = word.removeprefix("#")
    return Q(number=number) | Q(Exists(lines)) if number.isdecimal() and len(number) < 10 else Q(Exists(lines))


def batch_get(batch_id: int) -> Batch:
    """Return a batch with its lines. Raises `NotFound`. 2 queries."""
    found = _whole().filter(pk=batch_id).first()
    if found is None:
        raise NotFound
    found.loaded_lines = lines_on(found)
    return found


def lines_on(batch: Batch) -> list[BatchLine]:
    """Return the lines of a batch in their order, with order, customer and product. 1 query."""
    return list(
        BatchLine.objects.filter(batch=batch).select_related("line__order__customer", "line__item").order_by("place")
    )


def batches_at_work(processes: Iterable[int] | None = None) -> list[Batch]:
    """Return the batches that are open or inside their process, with their lines. 2 queries.

    `processes`: only those at these processes; None: all.
    """
    found = Batch.objects.select_related("process").filter(closed_at__isnull=True, left_at__isnull=True)
    if processes is not None:
        found = found.filter(process__in=processes)
    lines = BatchLine.objects.select_related("line").order_by("place")
    batches = list(found.order_by("number").prefetch_related(Prefetch("lines", lines)))
    for batch in batches:
        batch.loaded_lines = list(batch.lines.all())
    return batches


@dataclass(frozen=True)
class PiecesElsewhere:
    """Pieces that are `inside` a process, or that wait for it."""

    process_id: int
    pieces: int
    inside: bool


@dataclass(frozen=True)
class OfferedLine:
    """A line that may be put on a batch, with at most `pieces` pieces.

    `ready`: how many of them wait for the batch's process now. `elsewhere`: where the others are.
    """

    line: Line
    pieces: int
    ready: int
    elsewhere: list[PiecesElsewhere]


def lines_offered(batch: Batch, by: Principal, search: str | None = None) -> list[OfferedLine]:
    """Return lines with pieces that may be put on the batch: those with ready pieces first, then the most urgent.

    At most MOST_OFFERED. Leaves out lines that are on the batch already, and lines of another alloy. 4 queries, and 1
    per 100 products.
    """
    possible = Q() if batch.alloy_id is None else Q(item__alloy=None) | Q(item__alloy=batch.alloy_id)
    found = list(
        line_list(by, search=search)
        .filter(possible, status__in=MAY_BE_ENTERED)
        .exclude(pk__in=BatchLine.objects.filter(batch=batch).values("line"))
        .order_by("urgency", "pk")[:MOST_READ]
    )
    records = light_records_of([line.pk for line in found])
    taken = pieces_on_open_batches(batch.process_id, [line.pk for line in found])
    processes, ways = processes_for(), ways_of_lines(found)
    offered = [
        _offered(line, records[line.pk], batch.process_id, taken.get(line.pk, 0), processes, ways.get(line.item_id))
        for line in found
    ]
    return sorted((one for one in offered if one.pieces > 0), key=lambda one: one.ready == 0)[:MOST_OFFERED]


def _offered(
    line: Line,
    records: Sequence[Record],
    process_id: int,
    on_batches: int,
    processes: Sequence[ShopProcess],
    way: Way | None,
) -> OfferedLine:
    """Return how many pieces of the line may join a batch, how many are ready, and where the others are. No query.

    Pieces that are not ready are counted where the line has pieces, from the start of its way on. `on_batches`: as in
    `free_pieces`.
    """
    pieces = free_pieces(line, records, process_id, on_batches)
    waits = {one.production_process_id: one.quantity for one in waiting(line, records, processes, way)}
    inside: Counter[int] = Counter()
    for record in records:
        if record.open:
            inside[record.process_id] += record.quantity
    ready = min(pieces, max(0, waits.pop(process_id, 0) - on_batches))
    elsewhere: list[PiecesElsewhere] = []
    left = pieces - ready
    for process in in_order(processes, way):
        for there, is_inside in ((waits.get(process.id, 0), False), (inside[process.id], True)):
            if (some := min(left, there)) and process.id != process_id:
                elsewhere.append(PiecesElsewhere(process.id, some, is_inside))
                left -= some
    return OfferedLine(line, pieces, ready, elsewhere)


def free_pieces(line: Line, records: Sequence[Record], process_id: int, on_batches: int) -> int:
    """Return how many pieces of the line may still be put on a batch at the process. No query.

    These pieces have not been in the process, and are not on open batches of the process (`on_batches`). They may still
    be inside another process. 0 if the status of the line allows no entry.
    """
    if Status(line.status) not in MAY_BE_ENTERED:
        return 0
    return max(0, pieces_by_process(line, records)[process_id].not_been_here - on_batches)


def pieces_on_open_batches(process_id: int, lines: Iterable[int]) -> dict[int, int]:
    """Return for each of these lines how many pieces are on open batches of a process. 1 query."""
    rows = BatchLine.objects.filter(
        batch__process=process_id, batch__entered_at__isnull=True, batch__closed_at__isnull=True, line__in=list(lines)
    )
    return dict(rows.order_by().values_list("line").annotate(pieces=Sum("quantity")))
