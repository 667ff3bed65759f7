"""The report of calls by process and kind: its operation, query, rows and file. It never names a person."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from django.http import HttpRequest, HttpResponseBase
from ninja import Query

from project.access.guard import Requires
from project.access.permissions import Permission
from project.audit.exporting import export_table
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.exporting import Column
from project.core.routing import domain_router
from project.core.schemas import Out
from project.core.texts import text
from project.orders.rules import CallKind
from project.reports.rules import Seconds, percentile, seconds
from project.reports.schemas import FlowQuery
from project.talk.models import OF_CALLS, Message

router = domain_router("reports")


class CallsOut(Out):
    """The calls of a kind at a process.

    `productionProcessId`: null and without a name for calls that no station made. `answered`: calls that somebody came
    for. `medianMinutes`: the median wait of the answered calls; null without answered calls.
    """

    production_process_id: int | None
    production_process_name: str
    kind: CallKind
    calls: int
    answered: int
    median_minutes: float | None


COLUMNS: Sequence[Column[CallsOut]] = (
    Column("productionProcessName", lambda row: row.production_process_name),
    Column("callKind", lambda row: text(f"call_{row.kind.value}"), heads=("Llamado", "Call")),
    Column("calls", lambda row: row.calls, heads=("Llamados", "Calls")),
    Column("callsAnswered", lambda row: row.answered),
    Column(
        "medianMinutes",
        lambda row: row.median_minutes,
        heads=("La mitad se atiende en menos de (min)", "Half answered within (min)"),
    ),
)


@router.get(
    "",
    auth=Requires(Permission.ReportListSalesOrders, Permission.Dashboard),
    operation_id="report_calls",
)
def calls(request: HttpRequest, query: Query[FlowQuery]) -> list[CallsOut] | HttpResponseBase:
    """Report the calls of these days (by default the last 30), by process and kind. 2 queries."""
    first, last = query.days()
    rows = rows_of(waited(first=first, last=last, **query.filters()))
    return export_table(request, rows, query.format, COLUMNS, "calls") if query.format else rows


Calls = dict[tuple[int | None, CallKind], list[int | None]]
"""How many seconds each call waited, by process and kind; None while nobody comes."""


def waited(
    *,
    first: date,
    last: date,
    process_id: int | None = None,
    customer_id: int | None = None,
    item_id: int | None = None,
) -> Calls:
    """Return how long each call of these plant days, both included, waited (`Calls`). 1 query."""
    found = Message.objects.filter(OF_CALLS, at__gte=clock.start_of(first), at__lt=clock.end_of(last))
    for column, value in (("process", process_id), ("line__order__customer", customer_id), ("line__item", item_id)):
        if value is not None:
            found = found.filter(**{column: value})
    calls: defaultdict[tuple[int | None, CallKind], list[int | None]] = defaultdict(list)
    for process, kind, at, came in found.order_by().values_list("process_id", "kind", "at", "coming__at"):
        calls[process, CallKind(kind)].append(None if came is None else int((came - at).total_seconds()))
    return dict(calls)


def rows_of(found: Calls) -> list[CallsOut]:
    """Build a row for each process and kind, in the plant's order; calls of no station come last. 1 query."""
    processes = ProductionProcess.objects.filter(pk__in={process for process, _ in found if process})
    places = {
        pk: (place, name)
        for place, (pk, name) in enumerate(processes.order_by("order", "name").values_list("pk", "name"))
    }
    none = len(places), ""
    rows = [
        CallsOut(
            production_process_id=process,
            production_process_name=places.get(process, none)[1] if process else "",
            kind=kind,
            calls=len(waits),
            answered=len(answered),
            median_minutes=_median_minutes(seconds(sorted(answered))),
        )
        for (process, kind), waits in found.items()
        for answered in [[wait for wait in waits if wait is not None]]
    ]
    kinds = list(CallKind)
    return sorted(rows, key=lambda row: (places.get(row.production_process_id or 0, none)[0], kinds.index(row.kind)))


def _median_minutes(waits: Seconds) -> float | None:
    hours = percentile([waits], 50)
    return None if hours is None else round(hours * 60, 1)
