"""Read what the shop-floor board shows: the lines at work, the pace of each process, and a day to play back."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import median
from typing import Literal

from django.db.models import Q, QuerySet

from project.core import clock
from project.orders import selectors
from project.orders.documents import LineDocument, line_document
from project.orders.models import CLOSED, GOOD, Line, ProcessRecord
from project.orders.rules import MAY_BE_ENTERED
from project.orders.selectors import ShopProcess, open_records, standing_records_of
from project.orders.summaries import usual_processes_of

LATELY = timedelta(days=30)
MOST_RECORDS = 1_000
"""The most records that a pace is computed from, of all processes together.

They are enough for a median of each process at work, and are read in milliseconds.
"""


@dataclass(frozen=True)
class Pace:
    """The recent pace of a process: half of its stays ended within `usual_seconds`."""

    usual_seconds: int
    pieces_a_day: float


def paces(before: datetime) -> dict[int, Pace]:
    """Return the pace of each process that pieces left in the 30 days before an instant. 1 query.

    Only the newest records count, at most MOST_RECORDS. Scrapped pieces do not count.
    """
    newest = (
        ProcessRecord.objects.filter(CLOSED, scrapped=False, output_at__lt=before, output_at__gte=before - LATELY)
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
    """Return the lines with pieces that wait, are inside a process or left one today. At most 4 queries.

    The lines are loaded before their records. So the records may be newer than the lines, but never older. If they are
    newer, an event of the line follows.
    """
    lines = list(selectors.lines().filter(pk__in=_shown(clock.start_of(clock.today()))).order_by("pk"))
    records = standing_records_of([line.pk for line in lines])
    usual = usual_processes_of(lines)
    documents = (line_document(line, records[line.pk], processes, usual) for line in lines)
    return [document for document in documents if document.inside or document.left_today or document.waiting]


def _shown(midnight: datetime) -> QuerySet[ProcessRecord, tuple[int]]:
    """Return the ids of lines that may be on the board.

    The query is a union, because each part has its own index. One combined condition would not use these indexes.
    """
    inside = open_records().order_by().values_list("line_id")
    left = ProcessRecord.objects.filter(CLOSED, output_at__gte=midnight).order_by().values_list("line_id")
    may_wait = Line.objects.filter(status__in=MAY_BE_ENTERED, quantity_inside__lt=GOOD).order_by()
    return inside.union(left, may_wait.values_list("pk"))


MovementType = Literal["in", "out", "scrap", "returned", "removed"]
"""`in`: pieces enter. `out`: they leave. `scrap`: they leave as scrap. `returned`: their exit is released, so they are
inside again. `removed`: their entry is released.
"""


@dataclass(frozen=True)
class DayMovement:
    """Pieces of a record that moved at an instant. `by`: the full name of the user who moved them."""

    at: datetime
    type: MovementType
    record: ProcessRecord
    by: str


def records_of_day(day: date) -> QuerySet[ProcessRecord]:
    """Return the records with pieces inside a process at some time of the day, with their lines. 1 query."""
    start = clock.start_of(day)
    return (
        ProcessRecord.objects.filter(
            Q(output_at__isnull=True) | Q(output_at__gte=start),
            Q(released_at__isnull=True) | Q(released_at__gte=start),
            input_at__lt=clock.end_of(day),
        )
        .select_related("process", "input_by", "output_by", "released_by", "line__item", "line__order__customer")
        .order_by("process__order", "input_at", "id")
    )


def inside_at(record: ProcessRecord, instant: datetime) -> bool:
    """Say whether the record's pieces were inside its process just before `instant`."""
    moved = [movement for movement in movements_of(record) if movement.at < instant]
    return bool(moved) and moved[-1].type in ("in", "returned")


def movements(records: Iterable[ProcessRecord], day: date) -> list[DayMovement]:
    """Return the movements of the day, in order.

    At one instant exits come first, so that pieces leave one process before they enter another.
    """
    first, end = clock.start_of(day), clock.end_of(day)
    found = [one for record in records for one in movements_of(record) if first <= one.at < end]
    return sorted(found, key=lambda one: (one.at, one.type in ("in", "returned"), one.record.pk))


def movements_of(record: ProcessRecord) -> Iterator[DayMovement]:
    """Yield all movements of a record, in order."""
    yield DayMovement(record.input_at, "in", record, record.input_by.full_name)
    for exit_ in record.released_exits:
        kind: MovementType = "scrap" if exit_.get("scrapReason") else "out"
        yield DayMovement(datetime.fromisoformat(exit_["outputDate"]), kind, record, exit_["outputUsername"])
        yield DayMovement(datetime.fromisoformat(exit_["releasedDate"]), "returned", record, exit_["releasedBy"])
    if record.output_at is not None:
        assert record.output_by is not None  # noqa: S101 - the database keeps both or neither
        kind = "scrap" if record.scrapped else "out"
        yield DayMovement(record.output_at, kind, record, record.output_by.full_name)
    if record.released_at is not None:
        assert record.released_by is not None  # noqa: S101 - the database keeps both or neither
        yield DayMovement(record.released_at, "removed", record, record.released_by.full_name)
