"""The report of scrapped pieces by reason, process or product, and of the caller's own scrapped pieces."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import accumulate
from typing import Literal

from django.db.models import Sum
from django.http import HttpRequest, HttpResponseBase
from ninja import Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.audit.exporting import export_table
from project.catalogs.models import Item, ProductionProcess, ScrapReason
from project.core import clock
from project.core.exporting import Column
from project.core.routing import domain_router
from project.core.schemas import Day, Out
from project.orders.models import SCRAPPED, ProcessRecord
from project.reports.schemas import FlowQuery

router = domain_router("reports")

By = Literal["reason", "process", "item"]


class ScrapQuery(FlowQuery):
    """The parameters of the report. `by`: whether a row is a reason, a process or a product."""

    by: By = "reason"


class ScrapOut(Out):
    """The pieces scrapped for a reason, in a process or of a product.

    `share`: the row's percentage of all scrapped pieces. `cumulativeShare`: the sum of this share and those before.
    """

    id: int
    name: str
    pieces: int
    share: float
    cumulative_share: float


class OwnScrapOut(Out):
    """The pieces that the caller scrapped since the day `since`, the first of this month."""

    since: Day
    pieces: int
    reasons: list[ScrapOut]


_COLUMNS: dict[By, str] = {"reason": "scrap_reason", "process": "process", "item": "line__item"}
_HEADS: dict[By, str] = {"reason": "scrapReason", "process": "productionProcessName", "item": "itemName"}


def columns(by: By) -> Sequence[Column[ScrapOut]]:
    return (
        Column(_HEADS[by], lambda row: row.name),
        Column("pieces", lambda row: row.pieces),
        Column("share", lambda row: row.share, heads=("Porcentaje", "Percent")),
        Column(
            "cumulativeShare", lambda row: row.cumulative_share, heads=("Porcentaje acumulado", "Cumulative percent")
        ),
    )


@router.get(
    "",
    auth=Requires(Permission.ReportListSalesOrders, Permission.Dashboard),
    operation_id="report_scrap",
)
def scrap(request: HttpRequest, query: Query[ScrapQuery]) -> list[ScrapOut] | HttpResponseBase:
    """Report the pieces scrapped on these days (by default the last 30), most first. 2 queries.

    The report names no person: people would hide losses instead of avoiding them.
    """
    first, last = query.days()
    rows = rows_of(lost(query.by, first=first, last=last, **query.filters()), query.by)
    return export_table(request, rows, query.format, columns(query.by), "scrap") if query.format else rows


@router.get("/mine", auth=SignedIn("the scrap of their own work only"), operation_id="report_scrap_own")
def own_scrap(request: HttpRequest) -> OwnScrapOut:
    """Return the pieces that the caller scrapped this month, by reason. 2 queries."""
    today = clock.today()
    since = today.replace(day=1)
    rows = rows_of(lost("reason", first=since, last=today, user_id=caller(request).user_id), "reason")
    return OwnScrapOut(since=since, pieces=sum(row.pieces for row in rows), reasons=rows)


def lost(
    by: By,
    *,
    first: date,
    last: date,
    process_id: int | None = None,
    customer_id: int | None = None,
    item_id: int | None = None,
    user_id: int | None = None,
) -> dict[int, int]:
    """Count the pieces scrapped on these plant days, both included. 1 query.

    The keys are ids of reasons, processes or products, as `by` says. Scrap that was taken back does not count.
    """
    records = ProcessRecord.objects.order_by().filter(
        SCRAPPED, released_at__isnull=True, output_at__gte=clock.start_of(first), output_at__lt=clock.end_of(last)
    )
    for column, value in (
        ("process", process_id),
        ("line__order__customer", customer_id),
        ("line__item", item_id),
        ("output_by", user_id),
    ):
        if value is not None:
            records = records.filter(**{column: value})
    return dict(records.values_list(_COLUMNS[by]).annotate(pieces=Sum("quantity")))


def rows_of(pieces: Mapping[int, int], by: By) -> list[ScrapOut]:
    """Build a row for each reason, process or product in `pieces`, most pieces first. 1 query."""
    names = _names(by, pieces)
    ranked = sorted(pieces, key=lambda one: (-pieces[one], names[one]))
    total = sum(pieces.values())
    so_far = accumulate(pieces[one] for one in ranked)
    return [
        ScrapOut(
            id=one,
            name=names[one],
            pieces=pieces[one],
            share=round(100 * pieces[one] / total, 1),
            cumulative_share=round(100 * before / total, 1),
        )
        for one, before in zip(ranked, so_far, strict=True)
    ]


def _names(by: By, ids: Iterable[int]) -> dict[int, str]:
    """Return the names, those of reasons in the caller's language. 1 query."""
    if by == "reason":
        reasons = ScrapReason.objects.filter(pk__in=list(ids))
        return dict(reasons.values_list("pk", ScrapReason.name_column()))
    named: type[ProductionProcess | Item] = ProductionProcess if by == "process" else Item
    return dict(named._default_manager.filter(pk__in=list(ids)).values_list("pk", "name"))
