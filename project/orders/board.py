"""What the shop-floor board shows beside its cards: what left today, what waits, and how fast each process is."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median

from django.db.models import F, Q, QuerySet, Sum

from project.catalogs.models import Item
from project.core import clock
from project.core.pictures import address, thumbnail_of
from project.orders.figures import waiting
from project.orders.models import CLOSED, Line, ProcessRecord
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


@dataclass
class LineOnBoard:
    """A line of which something waits, is inside or left today: what left each process, and what waits for which."""

    order_id: int
    position: int
    version: int
    late: bool
    image: str | None
    inside: int = 0
    left: dict[int, int] = field(default_factory=dict)
    waiting: dict[int, int] = field(default_factory=dict)


def lines_on_board(processes: list[ShopProcess], items: dict[int, BoardItem]) -> list[LineOnBoard]:
    """The lines that the board shows something of. 1 query, so that a line's figures are all of one version."""
    today = clock.today()
    midnight = clock.start_of(today)
    stands = Q(records__released_at__isnull=True)
    left_today = stands & Q(records__output_at__gte=midnight)
    rows = (
        Line.objects.filter(pk__in=_shown(midnight))
        .order_by("pk")
        .values_list(
            "pk",
            "order_id",
            "position",
            "version",
            "urgency",
            "image",
            "item_id",
            "status",
            "quantity",
            "quantity_inside",
            "records__process_id",
        )
        .annotate(
            inside=Sum("records__quantity", filter=stands & Q(records__output_at__isnull=True), default=0),
            completed=Sum("records__quantity", filter=stands & Q(records__output_at__isnull=False), default=0),
            left=Sum("records__quantity", filter=left_today, default=0),
        )
    )
    lines: dict[int, LineOnBoard] = {}
    been: defaultdict[int, dict[int, Pieces]] = defaultdict(dict)
    waits: dict[int, tuple[int, Pieces]] = {}
    for pk, order, position, version, due, image, item, status, quantity, inside_anywhere, process, *counts in rows:
        inside, completed, left = counts
        line = lines.setdefault(
            pk, LineOnBoard(order, position, version, due < today, address(thumbnail_of(image)) if image else None)
        )
        line.inside += inside
        been[pk][process] = Pieces(quantity, inside_anywhere, inside, completed)
        if left:
            line.left[process] = left
        if status in MAY_BE_ENTERED and inside_anywhere < quantity:
            waits[pk] = item, Pieces(quantity, inside_anywhere, 0, 0)
    active = [process.id for process in processes if process.active]
    for pk, (item, nowhere) in waits.items():
        # A product whose line was opened since the products were read is taken to go everywhere.
        usual = items[item].usual if item in items else None
        entering = ((process, been[pk].get(process, nowhere).may_enter) for process in active)
        lines[pk].waiting = waiting(entering, usual)
    return [line for line in lines.values() if line.inside or line.left or line.waiting]


def _shown(midnight: datetime) -> QuerySet[ProcessRecord, tuple[int]]:
    """The ids of the lines: each part has an index of its own, which one condition over all of them would not use."""
    inside = open_records().order_by().values_list("line_id")
    left = ProcessRecord.objects.filter(CLOSED, output_at__gte=midnight).order_by().values_list("line_id")
    may_wait = Line.objects.filter(status__in=MAY_BE_ENTERED, quantity_inside__lt=F("quantity")).order_by()
    return inside.union(left, may_wait.values_list("pk"))
