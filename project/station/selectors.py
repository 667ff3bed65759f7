"""Reads stations: what may enter a process next, what is inside it, and what was moved there last."""

from django.db.models import F, IntegerField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from project.access.principal import Principal
from project.catalogs.models import ProductionProcess
from project.core.errors import NotFound
from project.identity.models import full_name_of
from project.orders.board import Moved, moved
from project.orders.models import GOOD, Line, ProcessRecord
from project.orders.rules import MAY_BE_ENTERED
from project.orders.selectors import line_list, lines, movements, open_records
from project.station.schemas import RecordName

LONGEST_QUEUE = 50
MOST_OF_A_STATUS = 200
"""The most lines of a status that are loaded to find the lines that wait for the process."""
RECENT = 20
MOST_PARTS = 100


def process_get(process_id: int) -> ProductionProcess:
    """Return a process. Raises `NotFound`."""
    found = ProductionProcess.objects.filter(pk=process_id).first()
    if found is None:
        raise NotFound
    return found


def may_enter(process: ProductionProcess, by: Principal) -> list[Line]:
    """Return the lines with pieces that may enter the process, the most urgent first. 2 queries.

    A line is also returned if all its pieces that have not been here were scrapped elsewhere. Returns no line if the
    process is inactive. Returns at most MOST_OF_A_STATUS InProcess lines, and as many Approved lines.
    """
    if not process.status:
        return []
    entered = (
        ProcessRecord.objects.filter(line=OuterRef("pk"), process=process, released_at__isnull=True)
        .order_by()
        .values("line")
        .annotate(pieces=Sum("quantity"))
        .values("pieces")
    )
    been_here = Coalesce(Subquery(entered, output_field=IntegerField()), 0)
    free = (
        line_list(by)
        .filter(quantity_inside__lt=GOOD)
        .alias(been_here=been_here)
        .filter(been_here__lt=F("quantity") + F("quantity_replaced"))
        .order_by("urgency", "pk")
    )
    found = [line for status in MAY_BE_ENTERED for line in free.filter(status=status)[:MOST_OF_A_STATUS]]
    return sorted(found, key=lambda line: (line.urgency, line.pk))


def inside(process: ProductionProcess) -> QuerySet[Line]:
    """Return the lines with pieces inside the process now, oldest entry first. 1 query."""
    here = open_records().filter(process=process).order_by("input_at", "pk")
    first = Subquery(here.filter(line=OuterRef("pk")).values("input_at")[:1])
    return lines().filter(pk__in=here.order_by().values("line")).order_by(first, "pk")


def names_inside(process: ProductionProcess) -> list[RecordName]:
    """Return who brought in each record that is inside the process now. 1 query."""
    here = open_records().filter(process=process).annotate(by=full_name_of("input_by")).order_by("input_at", "pk")
    rows = here.values_list("pk", "line__order_id", "line__position", "by")
    return [RecordName(record_id=pk, sales_order_id=order, position=place, by=by) for pk, order, place, by in rows]


def recent(process: ProductionProcess) -> list[Moved]:
    """Return the movements of the last presses at the process, newest first. 1 query.

    Each row is what one press did with one line, so it may have several movements: MOST_PARTS movements are read. All
    rows of a batch's press are returned, because the station shows them as one.
    """
    last = movements().filter(process=process).order_by("-at", "-pk")[:MOST_PARTS]
    rows = list(reversed(moved(reversed(last))))
    presses = list(dict.fromkeys(row.first.press_id for row in rows))[:RECENT]
    return [row for row in rows if row.first.press_id in presses]
