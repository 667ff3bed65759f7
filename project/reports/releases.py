"""The report of releases by process and reason: its operation, query, rows and file.

A whole report in one module. Start another report as a copy of it (CONTRIBUTING.md, "A report").
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Sum
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
from project.core.schemas import Out, utc_z
from project.orders.models import EXIT_RELEASED, LAST_EXIT_RELEASED, RELEASED, ProcessRecord
from project.reports.schemas import FlowQuery

MOST_AT_ONCE = 2_000
"""Records that are in memory at once."""

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
    Column("releaseReason", lambda row: row.reason_name),
    Column("releases", lambda row: row.releases),
    Column("pieces", lambda row: row.pieces),
)


@router.get(
    "",
    auth=Requires(Permission.ReportListSalesOrders, Permission.Dashboard),
    operation_id="report_releases",
)
def releases(request: HttpRequest, query: Query[FlowQuery]) -> list[ReleasesOut] | HttpResponseBase:
    """Report the releases of these days (by default the last 30), by process and reason. 4 queries."""
    first, last = query.days()
    rows = rows_of(counted(first=first, last=last, **query.filters()))
    return export_table(request, rows, query.format, COLUMNS, "releases") if query.format else rows


@dataclass
class Released:
    """The releases of one process for one reason, and the pieces released."""

    count: int = 0
    pieces: int = 0


def counted(
    *,
    first: date,
    last: date,
    process_id: int | None = None,
    customer_id: int | None = None,
    item_id: int | None = None,
) -> dict[tuple[int, str], Released]:
    """Count the releases of these plant days, both included, by process and the reason's key ("" for none).

    The release of a single exit counts as a release. An undone movement does not. 2 queries.
    """
    begin, end = clock.start_of(first), clock.end_of(last)
    records = ProcessRecord.objects.order_by()
    for column, value in (("process", process_id), ("line__order__customer", customer_id), ("line__item", item_id)):
        if value is not None:
            records = records.filter(**{column: value})
    whole = (
        records.filter(RELEASED, released_at__gte=begin, released_at__lt=end)
        .values_list("process_id", "release_reason__key")
        .annotate(count=Count("pk"), pieces=Sum("quantity"))
    )
    found = defaultdict[tuple[int, str], Released](Released)
    for process, reason, count, pieces in whole:
        found[process, reason or ""] = Released(count, pieces)
    exits = (
        records.filter(EXIT_RELEASED)
        .alias(last_released=LAST_EXIT_RELEASED)
        .filter(last_released__gte=utc_z(begin))
        .values_list("process_id", "line_id", "quantity", "released_exits")
    )
    seen = set[tuple[int, int, datetime]]()
    for process, line, pieces, released in exits.iterator(MOST_AT_ONCE):
        for exit_ in released:
            at = datetime.fromisoformat(exit_["releasedDate"])
            if exit_.get("undone") or not begin <= at < end:
                continue
            one = found[process, exit_.get("releaseReason") or ""]
            one.pieces += pieces
            # If the record was divided since, each part repeats the release: count it once.
            one.count += (process, line, at) not in seen
            seen.add((process, line, at))
    return dict(found)


def rows_of(found: dict[tuple[int, str], Released]) -> list[ReleasesOut]:
    """Build a row for each process and reason. Processes are in the plant's order, the most frequent reasons first.

    A reason that was deleted is named by its key. 2 queries.
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
            reason_name=names.get(reason, reason),
            releases=released.count,
            pieces=released.pieces,
        )
        for (process, reason), released in found.items()
    ]
    return sorted(
        rows, key=lambda row: (places[row.production_process_id], -row.releases, -row.pieces, row.reason_name)
    )
