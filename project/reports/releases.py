"""The report of releases by process and reason: its operation, query, rows and file.

A whole report in one module. Start another report as a copy of it (CONTRIBUTING.md, "A report").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, OuterRef, Q, Sum
from django.http import HttpRequest, HttpResponseBase
from ninja import Query

from project.access.guard import Requires
from project.access.permissions import Permission
from project.audit.exporting import export_table
from project.catalogs.models import ProductionProcess
from project.catalogs.selectors import release_reasons
from project.core import clock
from project.core.exporting import Column
from project.core.routing import domain_router
from project.core.schemas import Out
from project.orders.models import Movement
from project.orders.rules import MovementSide, PressKind
from project.reports.schemas import FlowQuery

router = domain_router("reports")


class ReleasesOut(Out):
    """The releases of a process for a reason, and the pieces released.

    `reason`: a key of the list `release-reasons`, "" if none was given. `reasonName`: its name in the caller's
    language.
    """

    production_process_id: int
    production_process_name: str
    reason: str
    reason_name: str
    releases: int
    pieces: int


COLUMNS: Sequence[Column[ReleasesOut]] = (
    Column("productionProcessName", lambda row: row.production_process_name),
    Column("releaseReason", lambda row: row.reason_name, heads=("Motivo de liberación", "Reason for release")),
    Column("releases", lambda row: row.releases, heads=("Liberaciones", "Releases")),
    Column("pieces", lambda row: row.pieces),
)


@router.get(
    "",
    auth=Requires(Permission.ReportListSalesOrders, Permission.Dashboard),
    operation_id="report_releases",
)
def releases(request: HttpRequest, query: Query[FlowQuery]) -> list[ReleasesOut] | HttpResponseBase:
    """Report the releases of these days (by default the last 30), by process and reason. 3 queries."""
    first, last = query.days()
    rows = rows_of(counted(first=first, last=last, **query.filters()))
    return export_table(request, rows, query.format, COLUMNS, "releases") if query.format else rows


@dataclass
class Released:
    """The releases of one process for one reason, and the pieces released."""

    count: int
    pieces: int


def counted(
    *,
    first: date,
    last: date,
    process_id: int | None = None,
    customer_id: int | None = None,
    item_id: int | None = None,
) -> dict[tuple[int, str], Released]:
    """Count the releases of these plant days, both included, by process and the reason's key ("" for none). 1 query.

    Releasing only an exit also counts as a release. Undoing a movement does not.
    """
    released = Movement.objects.filter(
        press__kind=PressKind.release.value, at__gte=clock.start_of(first), at__lt=clock.end_of(last)
    )
    for column, value in (("process", process_id), ("line__order__customer", customer_id), ("line__item", item_id)):
        if value is not None:
            released = released.filter(**{column: value})
    # A release of entry and exit at once takes both back, by two movements.
    entry = Movement.objects.filter(press=OuterRef("press"), record=OuterRef("record"), side=MovementSide.entry.value)
    rows = (
        released.filter(Q(side=MovementSide.entry.value) | ~Exists(entry))
        .order_by()
        .values_list("process_id", "release_reason__key")
        .annotate(count=Count("pk"), pieces=Sum("pieces"))
    )
    return {(process, reason or ""): Released(count, pieces) for process, reason, count, pieces in rows if process}


def rows_of(found: dict[tuple[int, str], Released]) -> list[ReleasesOut]:
    """Build a row for each process and reason. Processes are in the plant's order, the most frequent reasons first.

    2 queries.
    """
    names = {reason.key: reason.name for reason in release_reasons()}
    processes = ProductionProcess.objects.filter(pk__in={process for process, _ in found})
    places = {
        pk: (place, name)
        for place, (pk, name) in enumerate(processes.order_by("order", "name").values_list("pk", "name"))
    }
    rows = [
        ReleasesOut(
            production_process_id=process,
            production_process_name=places[process][1],
            reason=reason,
            reason_name=names.get(reason, ""),
            releases=released.count,
            pieces=released.pieces,
        )
        for (process, reason), released in found.items()
    ]
    return sorted(
        rows, key=lambda row: (places[row.production_process_id], -row.releases, -row.pieces, row.reason_name)
    )
