"""Count an order's lines in the database, without loading them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import batched
from math import floor
from typing import Any, NamedTuple

from django.db import connection

from project.core import clock
from project.orders.models import Line, ProcessRecord
from project.orders.rules import COMPLETED, DOUBTFUL_PERCENT, FINISHED, LIKELY_LATE_PERCENT, Status
from project.orders.ways import Way, Ways, to_do_again


def _statuses(statuses: Iterable[Status]) -> str:
    return ", ".join(f"'{status}'" for status in statuses)


_WENT = "record.output_at IS NOT NULL AND record.released_at IS NULL AND NOT record.scrapped"
"""The condition that the pieces of a record went through its process."""

# Raw SQL in one statement, because each movement runs it: Django takes longer to build it than the database to answer.
# The first part answers one row for each order: the figures of its lines. The second part answers one row for each
# unfinished line and process: the product, the line's good pieces, how many pieces have left the process, and whether a
# record was released for a reason. A line is late (`rules.is_late`) if its `urgency` is before today.
_FIGURES = """
SELECT line.order_id, NULL, NULL,
  SUM(CASE WHEN line.status = '{canceled}' THEN 0 ELSE {good} END),
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
    WHEN forecast.late_percent >= {likely} THEN 2 WHEN forecast.late_percent >= {doubtful} THEN 1 ELSE 0 END),
  SUM(CASE WHEN line.status = '{new}' THEN 1 ELSE 0 END)
FROM orders_line AS line
LEFT JOIN orders_forecast AS forecast ON forecast.line_id = line.id AND line.status NOT IN ({finished})
WHERE line.order_id IN ({orders}) {shown} GROUP BY line.order_id
UNION ALL
SELECT line.order_id, line.item_id, record.process_id, {good}, line.id,
  SUM(CASE WHEN {went} THEN record.quantity ELSE 0 END), COUNT(record.release_reason_id),
  0, 0, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, 0
FROM orders_line AS line JOIN orders_processrecord AS record ON record.line_id = line.id
WHERE line.order_id IN ({orders}) {shown} AND line.status NOT IN ({finished})
  AND ({went} OR record.release_reason_id IS NOT NULL)
GROUP BY line.id, record.process_id"""
_LEARNED_FROM = 10
_FEWEST = 3
_ITEMS_AT_ONCE = 100
# The lines that teach the way of a product without its own way: finished ones with pieces that went through a process.
# A part for each product, so that the database reads only the last lines of each: SQLite has no LATERAL. The statuses
# are literals, so that the database can use `line_finished_by_item`, an index that has only lines with these statuses.
_TAUGHT = """
SELECT item_id, id FROM (
  SELECT finished.item_id, finished.id FROM orders_line AS finished
  WHERE finished.item_id = %s AND finished.status IN ({completed})
    AND NOT EXISTS (SELECT 1 FROM catalogs_itemprocess AS said WHERE said.item_id = %s)
    AND EXISTS (SELECT 1 FROM orders_processrecord AS record WHERE record.line_id = finished.id AND {went})
  ORDER BY finished.id DESC LIMIT {learned_from}
) AS newest"""
# The first part answers the ways that products say, the second one what their finished lines went through.
_WAYS = """
SELECT said.item_id, NULL, process.id, process.status, said.place, ''
FROM catalogs_itemprocess AS said
JOIN catalogs_productionprocess AS process ON process.id = said.process_id
WHERE said.item_id IN ({items})
UNION ALL
SELECT line.item_id, line.id, process.id, process.status, process."order", process.name
FROM ({taught}) AS line
CROSS JOIN orders_processrecord AS record
JOIN catalogs_productionprocess AS process ON process.id = record.process_id
WHERE record.line_id = line.id AND {went}
ORDER BY 5, 6"""


@dataclass(frozen=True)
class Summary:
    """Figures of an order's lines. Quantities are good pieces; canceled lines count 0 pieces.

    `versions`: the sum of the lines' versions. `first_delivery_date`: the earliest delivery date of the open lines; if
    no line is open, that of the Done and Invoiced lines. `untouched`: no line has a record or billed pieces.
    `new_lines_count`: lines that are New.
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
    new_lines_count: int = 0


@dataclass(frozen=True)
class Summaries:
    """The summaries of orders, by order id, and the ways of products."""

    of_order: Mapping[int, Summary] = field(default_factory=dict)
    ways: Ways = field(default_factory=dict)


def summaries_of(orders: Collection[int], *, items: Collection[int] = (), without_new: bool = False) -> Summaries:
    """Return the summaries of these orders, and the ways of `items`. At most 3 queries for any number of orders.

    `without_new`: without New lines, which customers do not see.
    """
    if not orders:
        return Summaries(ways=ways_of(items))
    ids, today = list(orders), clock.today()
    with connection.cursor() as cursor:
        cursor.execute(
            _FIGURES.format(
                finished=_statuses(FINISHED),
                completed=_statuses(COMPLETED),
                canceled=Status.Canceled,
                likely=LIKELY_LATE_PERCENT,
                doubtful=DOUBTFUL_PERCENT,
                new=Status.New,
                shown=f"AND line.status <> '{Status.New}'" if without_new else "",
                good="line.quantity - line.quantity_scrapped + line.quantity_replaced",
                went=_WENT,
                orders=", ".join(["%s"] * len(ids)),
            ),
            [today, today, *ids, *ids],
        )
        rows = cursor.fetchall()
    left = [_Left(*row[:7]) for row in rows if row[1] is not None]
    ways = ways_of({one.item_id for one in left}.union(items))
    on_the_way = _on_the_way(left, ways)
    return Summaries({row[0]: _summary(row, on_the_way[row[0]]) for row in rows if row[1] is None}, ways)


def _summary(row: Sequence[Any], on_the_way: Mapping[int, int]) -> Summary:
    _, _, _, pieces, lines, versions, still_open, late, done, next_open, next_done, billed, moved, *forecast = row
    p50, p80, foreseen, risk, new = forecast
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
        new_lines_count=int(new),
    )


def _day(value: date | str | None) -> date | None:
    """Return a date of a raw query; SQLite answers it as text."""
    return date.fromisoformat(value) if isinstance(value, str) else value


class _Left(NamedTuple):
    """How many pieces of an unfinished line have left a process.

    `released`: how many of its records there were released for a reason.
    """

    order_id: int
    item_id: int
    process_id: int
    good: int
    line_id: int
    pieces: int
    released: int


class _Exit(NamedTuple):
    """The part of a record that `to_do_again` reads."""

    process_id: int
    quantity: int
    output_at: datetime | None
    released_at: datetime | None
    release_reason_key: str | None


_EXIT = ("process_id", "quantity", "output_at", "released_at", "release_reason__key")


def _on_the_way(left: Iterable[_Left], ways: Ways) -> defaultdict[int, Counter[int]]:
    """Return for each order the `on_the_way` of `progress`. 1 query if pieces were released for a reason."""
    by_line: defaultdict[int, list[_Left]] = defaultdict(list)
    for one in left:
        if one.item_id in ways:
            by_line[one.line_id].append(one)
    again = _to_do_again(line for line, rows in by_line.items() if any(one.released for one in rows))
    found: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for line, rows in by_line.items():
        way = ways[rows[0].item_id]
        done = way.done({one.process_id: one.pieces for one in rows}, again.get(line, {}), good=rows[0].good)
        steps = way.steps
        if steps:
            found[rows[0].order_id][len(steps)] += sum(done[process] for process in steps)
    return found


def _to_do_again(lines: Iterable[int]) -> dict[int, Counter[int]]:
    """Return for each line the pieces that are to go through a process again. 1 query, none without lines."""
    ids = list(lines)
    if not ids:
        return {}
    records: defaultdict[int, list[_Exit]] = defaultdict(list)
    for line_id, *columns in ProcessRecord.objects.filter(line__in=ids).values_list("line_id", *_EXIT):
        records[line_id].append(_Exit(*columns))
    return {line: to_do_again(of_line) for line, of_line in records.items()}


def progress(done: int, on_the_way: Mapping[int, int], pieces: int) -> float:
    """Return how far an order is, between 0 and 1, to four places.

    A finished piece counts 1. An unfinished piece counts the share of its product's way that it has done; if the way is
    not known, it counts 0. `on_the_way` has a count for each length of a way: how many times a piece of an unfinished
    line is done in a process of such a way.
    """
    part = done + sum(left / steps for steps, left in sorted(on_the_way.items()))
    return floor(10_000 * part / pieces + 0.5) / 10_000 if pieces else 0.0


def ways_of(items: Collection[int]) -> Ways:
    """Return the ways of these products, where they are known. 1 query per 100 products.

    A product may name its way. Else its way is its usual processes, in the plant's order: those that at least half of
    its last ten finished lines went through. At least three such lines are needed.
    """
    said: defaultdict[int, list[int]] = defaultdict(list)
    lines: defaultdict[int, set[int]] = defaultdict(set)
    through: defaultdict[int, dict[int, set[int]]] = defaultdict(dict)
    inactive: set[int] = set()
    for item_id, line_id, process_id, active in _ways(items):
        if not active:
            inactive.add(process_id)
        if line_id is None:
            said[item_id].append(process_id)
        else:
            lines[item_id].add(line_id)
            through[item_id].setdefault(process_id, set()).add(line_id)
    for item_id, of_item in lines.items():
        if len(of_item) >= _FEWEST:
            said[item_id] = [one for one, went in through[item_id].items() if 2 * len(went) >= len(of_item)]
    return {item: Way(tuple(way), frozenset(inactive.intersection(way))) for item, way in said.items() if way}


def _ways(items: Iterable[int]) -> Iterator[tuple[int, int | None, int, bool]]:
    """Yield product, finished line, process, and whether the process is active; no line if the product says its way."""
    for some in batched(items, _ITEMS_AT_ONCE):
        taught = _TAUGHT.format(completed=_statuses(COMPLETED), went=_WENT, learned_from=_LEARNED_FROM)
        sql = _WAYS.format(
            items=", ".join(["%s"] * len(some)), taught=" UNION ALL ".join([taught] * len(some)), went=_WENT
        )
        with connection.cursor() as cursor:
            cursor.execute(sql, [*some, *(one for item in some for one in (item, item))])
            rows = cursor.fetchall()
        yield from (row[:4] for row in rows)


def ways_of_lines(lines: Iterable[Line]) -> Ways:
    """Return the ways of the products of unfinished lines. 1 query per 100 products."""
    return ways_of(unfinished_items(lines))


def unfinished_items(lines: Iterable[Line]) -> set[int]:
    """Return the ids of the products of unfinished lines."""
    return {line.item_id for line in lines if line.status not in FINISHED}
