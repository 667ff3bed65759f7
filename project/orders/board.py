"""What the shop-floor board shows: the lines at work, and how fast each process is."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.db.models import F, QuerySet

from project.core import clock
from project.orders import selectors
from project.orders.documents import LineDocument, line_document
from project.orders.models import CLOSED, Line, ProcessRecord
from project.orders.records import standing_records_of
from project.orders.rules import MAY_BE_ENTERED
from project.orders.selectors import ShopProcess, open_records
from project.orders.summaries import usual_processes_of

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


def lines_on_board(processes: list[ShopProcess]) -> list[LineDocument]:
    """The lines of which something waits, is inside or left today. At most 4 queries: the lines first, so that their
    records may be newer than they are, never older: an event of the line follows then."""
    lines = list(selectors.lines().filter(pk__in=_shown(clock.start_of(clock.today()))).order_by("pk"))
    records = standing_records_of([line.pk for line in lines])
    usual = usual_processes_of(lines)
    documents = (line_document(line, records[line.pk], processes, usual) for line in lines)
    return [document for document in documents if document.inside or document.left_today or document.waiting]


def _shown(midnight: datetime) -> QuerySet[ProcessRecord, tuple[int]]:
    """The ids of the lines: each part has an index of its own, which one condition over all of them would not use."""
    inside = open_records().order_by().values_list("line_id")
    left = ProcessRecord.objects.filter(CLOSED, output_at__gte=midnight).order_by().values_list("line_id")
    may_wait = Line.objects.filter(status__in=MAY_BE_ENTERED, quantity_inside__lt=F("quantity")).order_by()
    return inside.union(left, may_wait.values_list("pk"))
