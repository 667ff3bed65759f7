"""What the shop-floor board shows beside its cards: what left today, what waits, and how fast each process is."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from statistics import median

from django.db.models import F, Q, QuerySet, Sum

from project.catalogs.models import Item
from project.core import clock
from project.core.pictures import address, thumbnail_of
from project.orders.figures import waiting
from project.orders.models import CLOSED, Line, ProcessRecord
from project.orders.offers import LastRecord, LineState, Offers, offers_of
from project.orders.rules import FINISHED, MAY_BE_ENTERED, Pieces
from project.orders.selectors import ShopProcess, open_records
from project.orders.summaries import usual_processes

LATELY = timedelta(days=30)
MOST_RECORDS = 1_000
"""Of the whole plant: enough for a median of each process that is at work, read in milliseconds."""


@dataclass(frozen=True)
class Pace:
    """How a process went lately: half of its stays were over within `usual_seconds`."""

    usual_seconds: int
    pieces_a_day: float


def paces(before: datetime) -> dict[int, Pace]:
    """The pace of each process that pieces left in the 30 days before an instant, from the newest records. 1 query."""
    newest = (
        ProcessRecord.objects.filter(CLOSED, output_at__lt=before, output_at__gte=before - LATELY)
        .order_by("-output_at", "-id")
        .values_list("process_id", "quantity", "input_at", "output_at")[:MOST_RECORDS]
    )
    stays: defaultdict[int, list[float]] = defaultdict(list)
    pieces: defaultdict[int, int] = defaultdict(int)
    first = before
    for process_id, quantity, entered, left in newest:
        assert left is not None  # noqa: S101 - a closed record has an exit
        stays[process_id].append((left - entered).total_seconds())
        pieces[process_id] += quantity
        first = left
    days = max((before - first) / timedelta(days=1), 1.0)
    return {
        process_id: Pace(round(median(found)), round(pieces[process_id] / days, 2))
        for process_id, found in stays.items()
    }


@dataclass(frozen=True)
class BoardItem:
    """A product of which lines are open, and the processes it usually takes; None for all that are active."""

    item: Item
    usual: frozenset[int] | None


def items_on_board(active: frozenset[int]) -> dict[int, BoardItem]:
    """The products of all open lines. At most 3 queries."""
    still_open = Line.objects.exclude(status__in=FINISHED).order_by().values("item")
    items = list(Item.objects.filter(pk__in=still_open).only("id", "image").order_by("id"))
    usual = usual_processes({item.pk for item in items})
    return {item.pk: BoardItem(item, None if usual[item.pk] == active else usual[item.pk]) for item in items}


@dataclass(frozen=True)
class LineOnBoard:
    """A line of which something waits, is inside or left today: what left each process, what waits for which, and what
    may be done to it next, whoever does it."""

    order_id: int
    position: int
    version: int
    late: bool
    image: str | None
    left: dict[int, int]
    waiting: dict[int, int]
    offers: Offers


LINE_COLUMNS = ("pk", "order_id", "position", "version", "urgency", "image", "item_id")
STATE_COLUMNS = ("status", "order__status", "quantity", "quantity_inside", "quantity_billed")
"""What a `LineState` is made of."""


def lines_on_board(processes: list[ShopProcess], items: dict[int, BoardItem]) -> list[LineOnBoard]:
    """The lines that the board shows something of. 2 queries: the first, so that a line's figures are all of one
    version; then its records, which may be newer than that, never older: an event of the line follows then."""
    today = clock.today()
    midnight = clock.start_of(today)
    stands = Q(records__released_at__isnull=True)
    left_today = stands & Q(records__output_at__gte=midnight)
    rows = list(
        Line.objects.filter(pk__in=_shown(midnight))
        .order_by("pk")
        .values_list(*LINE_COLUMNS, *STATE_COLUMNS, "records__process_id")
        .annotate(
            inside=Sum("records__quantity", filter=stands & Q(records__output_at__isnull=True), default=0),
            completed=Sum("records__quantity", filter=stands & Q(records__output_at__isnull=False), default=0),
            left=Sum("records__quantity", filter=left_today, default=0),
        )
    )
    last = _last_records({row[0] for row in rows})
    lines = []
    columns_of_a_line = itemgetter(slice(len(LINE_COLUMNS) + len(STATE_COLUMNS)))
    for (pk, order, position, version, due, image, item, *state), counted in groupby(rows, columns_of_a_line):
        line = LineState(*state)
        pieces: dict[int, Pieces] = {}
        left: dict[int, int] = {}
        for *_, process, inside, completed, gone in counted:
            pieces[process] = Pieces(line.quantity, line.quantity_inside, inside, completed)
            if gone:
                left[process] = gone
        offers = offers_of(line, pieces, last.get(pk, {}).values(), processes)
        # A product whose line was opened since the products were read is taken to go everywhere.
        usual = items[item].usual if item in items else None
        waits = waiting(((offer.production_process_id, offer.max_quantity) for offer in offers.in_), usual)
        if offers.out or left or waits:
            picture = address(thumbnail_of(image)) if image else None
            lines.append(LineOnBoard(order, position, version, due < today, picture, left, waits, offers))
    return lines


def _last_records(lines: Collection[int]) -> dict[int, dict[int, LastRecord]]:
    """Line → process → its last standing record, newest first. 1 query."""
    last: defaultdict[int, dict[int, LastRecord]] = defaultdict(dict)
    standing = ProcessRecord.objects.filter(line__in=lines, released_at__isnull=True).order_by("-input_at", "-id")
    for line, pk, process, name, quantity, paid, output_at in standing.values_list(
        "line_id", "pk", "process_id", "process__name", "quantity", "quantity_paid", "output_at"
    ):
        if process not in last[line]:
            last[line][process] = LastRecord(pk, process, name, quantity, paid, output_at is None)
    return last


def _shown(midnight: datetime) -> QuerySet[ProcessRecord, tuple[int]]:
    """The ids of the lines: each part has an index of its own, which one condition over all of them would not use."""
    inside = open_records().order_by().values_list("line_id")
    left = ProcessRecord.objects.filter(CLOSED, output_at__gte=midnight).order_by().values_list("line_id")
    may_wait = Line.objects.filter(status__in=MAY_BE_ENTERED, quantity_inside__lt=F("quantity")).order_by()
    return inside.union(left, may_wait.values_list("pk"))
