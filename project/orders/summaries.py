"""Count an order's lines in the database, without loading them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import floor
from typing import Any

from django.db import connection

from project.catalogs.models import ProductionProcess
from project.core import clock
from project.orders.models import Line
from project.orders.rules import COMPLETED, DOUBTFUL, FINISHED, Status


def _statuses(statuses: Iterable[Status]) -> str:
    return ", ".join(f"'{status}'" for status in statuses)


# Raw SQL in one statement, because each movement runs it: Django takes longer to build it than the database to answer.
# The first part answers one row for each order: the figures of its lines. The second part answers one row for each
# order, product and process: how many pieces of unfinished lines have left the process. A line counts at most its good
# pieces for a process, because pieces that left the process may have been scrapped later. A line is late
# (`rules.is_late`) if its `urgency` is before today.
_FIGURES = """
SELECT line.order_id, NULL, NULL,
  SUM(CASE WHEN line.status = '{canceled}' THEN 0 WHEN line.status IN ({completed}) THEN {good}
    ELSE line.quantity END),
  COUNT(*), SUM(line.version),
  SUM(CASE WHEN line.status NOT IN ({finished}) THEN 1 ELSE 0 END),
  SUM(CASE WHEN line.urgency < %s THEN 1 ELSE 0 END),
  SUM(CASE WHEN line.status IN ({completed}) THEN {good} ELSE 0 END),
  MIN(CASE WHEN line.status NOT IN ({finished}) THEN line.delivery_date END),
  MIN(CASE WHEN line.status IN ({completed}) THEN line.delivery_date END),
  SUM(line.quantity_billed),
  SUM(CASE WHEN EXISTS (SELECT 1 FROM orders_processrecord AS record WHERE record.line_id = line.id) THEN 1 ELSE 0 END),
  MAX(forecast.p50), MAX(forecast.p80), SUM(CASE WHEN forecast.p80 IS NOT NULL THEN 1 ELSE 0 END),
  MAX(CASE WHEN line.urgency < %s THEN 2 WHEN forecast.due <> line.delivery_date THEN NULL
    WHEN forecast.due IS NULL OR line.delivery_date IS NULL THEN NULL
    WHEN forecast.likely_late THEN 2 WHEN forecast.late_percent >= {doubtful} THEN 1 ELSE 0 END)
FROM orders_line AS line
LEFT JOIN orders_forecast AS forecast ON forecast.line_id = line.id AND line.status NOT IN ({finished})
WHERE line.order_id IN ({orders}) GROUP BY line.order_id
UNION ALL
SELECT order_id, item_id, process_id, CAST(SUM(CASE WHEN pieces > good THEN good ELSE pieces END) AS bigint),
  0, 0, 0, 0, 0, NULL, NULL, 0, 0, NULL, NULL, 0, NULL
FROM (
  SELECT line.order_id, line.item_id, record.process_id, {good} AS good, SUM(record.quantity) AS pieces
  FROM orders_line AS line JOIN orders_processrecord AS record ON record.line_id = line.id
  WHERE line.order_id IN ({orders}) AND line.status NOT IN ({finished})
    AND record.output_at IS NOT NULL AND record.released_at IS NULL AND NOT record.scrapped
  GROUP BY line.id, record.process_id
) AS visits
GROUP BY order_id, item_id, process_id"""
# The statuses are literals, so that the database can use `line_finished_by_item`, an index that has only lines with
# these statuses.
_TAKEN_LAST = """
SELECT DISTINCT line.item_id, record.process_id
FROM orders_line AS line
JOIN orders_processrecord AS record ON record.line_id = line.id
WHERE record.output_at IS NOT NULL AND record.released_at IS NULL AND NOT record.scrapped AND line.id IN (
  SELECT (
    SELECT finished.id FROM orders_line AS finished
    WHERE finished.item_id = item.id AND finished.status IN ({completed})
    ORDER BY finished.id DESC LIMIT 1
  )
  FROM catalogs_item AS item WHERE item.id IN ({items})
)"""

UsualProcesses = Mapping[int, frozenset[int]]
"""Product id → ids of the processes that it usually takes."""


@dataclass(frozen=True)
class Summary:
    """Figures of an order's lines. Quantities are pieces; canceled lines count 0 pieces.

    Done and Invoiced lines count only their good pieces. `versions`: the sum of the lines' versions.
    `first_delivery_date`: the earliest delivery date of the open lines; if no line is open, that of the Done and
    Invoiced lines. `untouched`: no line has a record or billed pieces.
    """

    lines_count: int = 0
    versions: int = 0
    open_lines_count: int = 0
    late_lines_count: int = 0
    quantity: int = 0
    quantity_done: int = 0
    first_delivery_date: date | None = None
    progress: float = 0.0
    untouched: bool = True
    p50: date | None = None
    p80: date | None = None
    risk: int | None = None


@dataclass(frozen=True)
class Summaries:
    """The summaries of orders, by order id, and the usual processes of products."""

    of_order: Mapping[int, Summary] = field(default_factory=dict)
    usual: UsualProcesses = field(default_factory=dict)


def summaries_of(
    orders: Collection[int], *, items: Collection[int] = (), active: frozenset[int] | None = None
) -> Summaries:
    """Return the summaries of these orders, and the usual processes of `items`.

    `active`: the ids of the active processes, if the caller has loaded them. At most 3 queries for any number of
    orders.
    """
    if not orders:
        return Summaries(usual=usual_processes(items, active=active))
    ids, today = list(orders), clock.today()
    with connection.cursor() as cursor:
        cursor.execute(
            _FIGURES.format(
                finished=_statuses(FINISHED),
                completed=_statuses(COMPLETED),
                canceled=Status.Canceled,
                doubtful=round(100 * DOUBTFUL),
                good="line.quantity - line.quantity_scrapped + line.quantity_replaced",
                orders=", ".join(["%s"] * len(ids)),
            ),
            [today, today, *ids, *ids],
        )
        rows = cursor.fetchall()
    left = [row[:4] for row in rows if row[1] is not None]
    usual = usual_processes({item for _, item, _, _ in left}.union(items), active=active)
    on_the_way = _on_the_way(left, usual)
    return Summaries({row[0]: _summary(row, on_the_way[row[0]]) for row in rows if row[1] is None}, usual)


def _summary(row: Sequence[Any], on_the_way: Mapping[int, int]) -> Summary:
    _, _, _, pieces, lines, versions, still_open, late, done, next_open, next_done, billed, moved, *forecast = row
    p50, p80, foreseen, risk = forecast
    is_foreseen = still_open and foreseen == still_open
    return Summary(
        lines_count=lines,
        versions=int(versions),
        open_lines_count=int(still_open),
        late_lines_count=int(late),
        quantity=int(pieces),
        quantity_done=int(done),
        first_delivery_date=_day(next_open if still_open else next_done),
        progress=progress(int(done), on_the_way, int(pieces)),
        untouched=not billed and not moved,
        p50=_day(p50) if is_foreseen else None,
        p80=_day(p80) if is_foreseen else None,
        risk=risk if is_foreseen else None,
    )


def _day(value: date | str | None) -> date | None:
    """Return a date of a raw query; SQLite answers it as text."""
    return date.fromisoformat(value) if isinstance(value, str) else value


def _on_the_way(left: Iterable[Sequence[int]], usual: UsualProcesses) -> defaultdict[int, Counter[int]]:
    """Return for each order the `on_the_way` of `progress`. `left`: rows of order, product, process and pieces."""
    found: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for order_id, item_id, process_id, pieces in left:
        if process_id in usual[item_id]:
            found[order_id][len(usual[item_id])] += pieces
    return found


def progress(done: int, on_the_way: Mapping[int, int], pieces: int) -> float:
    """Return how far an order is, between 0 and 1, to four places.

    A finished piece counts 1. An unfinished piece counts the share of its product's usual processes that it has left.
    `on_the_way`: the number of usual processes of a product → how often unfinished pieces of products with that number
    have left one of their usual processes.
    """
    part = done + sum(left / usual for usual, left in sorted(on_the_way.items()))
    return floor(10_000 * part / pieces + 0.5) / 10_000 if pieces else 0.0


def usual_processes(items: Collection[int], *, active: frozenset[int] | None = None) -> UsualProcesses:
    """Return the processes that each of these products usually takes: those that its newest finished line left.

    If there is no such line, or it left no process, the product takes all active processes. At most 2 queries.
    """
    if not items:
        return {}
    ids = list(items)
    with connection.cursor() as cursor:
        cursor.execute(_TAKEN_LAST.format(completed=_statuses(COMPLETED), items=", ".join(["%s"] * len(ids))), ids)
        rows = cursor.fetchall()
    taken: dict[int, set[int]] = defaultdict(set)
    for item_id, process_id in rows:
        taken[item_id].add(process_id)
    if active is None and len(taken) < len(items):
        active = frozenset(ProductionProcess.objects.filter(status=True).values_list("pk", flat=True))
    return {item: frozenset(taken[item]) if item in taken else active or frozenset() for item in items}


def usual_processes_of(lines: Iterable[Line]) -> UsualProcesses:
    """Return the usual processes of the products of unfinished lines. At most 2 queries."""
    return usual_processes(unfinished_items(lines))


def unfinished_items(lines: Iterable[Line]) -> set[int]:
    """Return the ids of the products of unfinished lines."""
    return {line.item_id for line in lines if line.status not in FINISHED}
