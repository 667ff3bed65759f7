"""The report of promises, by month: how often forecasts, delivery dates and offered days came true."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, F, Q
from django.db.models.functions import TruncDate
from django.http import HttpRequest, HttpResponseBase
from ninja import Query

from project.access.guard import Requires
from project.access.permissions import Permission
from project.audit.exporting import export_table
from project.core import clock
from project.core.exporting import Column, TableQuery
from project.core.routing import domain_router
from project.core.schemas import Day, DaysQuery, Out
from project.forecasts.models import KeptForecast
from project.orders.models import Line
from project.orders.rules import COMPLETED
from project.reports import rules

USUAL_MONTHS = 12

router = domain_router("reports")


class PromisesQuery(DaysQuery, TableQuery):
    """The days on which lines were done, both included, and the file format."""

    def days(self) -> tuple[date, date]:
        """Return the first and the last day; by default those of the last 12 months. Raises `InvalidFields` (422)."""
        last = self.date_to or max(clock.today(), self.date_from or clock.today())
        first = self.date_from or max(_months_before(last, USUAL_MONTHS - 1), clock.FIRST_DAY)
        rules.check_days(first, last, name="to", most=rules.MOST_DAYS)
        return first, last


class PromisesOut(Out):
    """How many promises were kept for the lines that were done in a month.

    `month`: its first day. `lines`: how many lines were done. `foreseen`: how many of these lines had forecasts.
    `kept50`, `kept80`, `kept90`: how often, in percent, a line was done by the day that was forecast with a chance of
    50, 80 and 90 %. Each line weighs the same; null if no line had a forecast. `promised`: lines with a delivery date.
    `promisedKept`: lines that were done by that date. `offered` and `offeredKept`: the same for the days that were
    offered at order entry.
    """

    month: Day
    lines: int
    foreseen: int
    kept50: float | None
    kept80: float | None
    kept90: float | None
    promised: int
    promised_kept: int
    offered: int
    offered_kept: int


COLUMNS: Sequence[Column[PromisesOut]] = (
    Column("month", lambda row: row.month.isoformat()[:7]),
    Column("lines", lambda row: row.lines),
    Column("foreseen", lambda row: row.foreseen),
    Column("kept50", lambda row: row.kept50),
    Column("kept80", lambda row: row.kept80),
    Column("kept90", lambda row: row.kept90),
    Column("promised", lambda row: row.promised),
    Column("promisedKept", lambda row: row.promised_kept),
    Column("offered", lambda row: row.offered),
    Column("offeredKept", lambda row: row.offered_kept),
)


@router.get("", auth=Requires(Permission.ReportPromises), operation_id="report_promises")
def promises(request: HttpRequest, query: Query[PromisesQuery]) -> list[PromisesOut] | HttpResponseBase:
    """Report, by month, how many promises were kept for the lines that were done on these days. 2 queries.

    By default the days of the last 12 months. The newest month comes first. Months in which no line was done are left
    out.
    """
    first, last = query.days()
    rows = rows_of(*found(first=first, last=last))
    return export_table(request, rows, query.format, COLUMNS, "promises") if query.format else rows


@dataclass(frozen=True)
class Done:
    """A finished line: when it was done, and the days that were promised and offered."""

    id: int
    day: date
    delivery: date | None
    offered: date | None


Kept = dict[int, tuple[float, float, float]]
"""Line id → the shares of its forecast days that came true: of the days with a chance of 50, of 80 and of 90 %."""


def found(*, first: date, last: date) -> tuple[list[Done], Kept]:
    """Return the lines that were done on these plant days, both included, and how their forecasts came true.

    2 queries.
    """
    begin, end = clock.start_of(first), clock.end_of(last)
    lines = Line.objects.filter(status__in=COMPLETED, done_at__gte=begin, done_at__lt=end).order_by()
    done = [
        Done(pk, _day_of(at), delivery, offered)
        for pk, at, delivery, offered in lines.values_list("pk", "done_at", "delivery_date", "offered_date")
    ]
    forecasts = (
        KeptForecast.objects.filter(line__status__in=COMPLETED, line__done_at__gte=begin, line__done_at__lt=end)
        .order_by()
        .annotate(done=TruncDate("line__done_at", tzinfo=clock.plant()))
        .values("line_id")
        .annotate(
            count=Count("pk"),
            in50=Count("pk", filter=Q(p50__gte=F("done"))),
            in80=Count("pk", filter=Q(p80__gte=F("done"))),
            in90=Count("pk", filter=Q(p90__gte=F("done"))),
        )
    )
    kept = {
        row["line_id"]: (row["in50"] / row["count"], row["in80"] / row["count"], row["in90"] / row["count"])
        for row in forecasts
    }
    return done, kept


def rows_of(done: Iterable[Done], kept: Kept) -> list[PromisesOut]:
    """Build a row for each month, the newest first. No query."""
    months: defaultdict[date, list[Done]] = defaultdict(list)
    for line in done:
        months[line.day.replace(day=1)].append(line)
    return [_row(month, months[month], kept) for month in sorted(months, reverse=True)]


def _row(month: date, lines: Sequence[Done], kept: Kept) -> PromisesOut:
    foreseen = [kept[line.id] for line in lines if line.id in kept]
    delivery = [line.day <= line.delivery for line in lines if line.delivery is not None]
    offered = [line.day <= line.offered for line in lines if line.offered is not None]
    return PromisesOut(
        month=month,
        lines=len(lines),
        foreseen=len(foreseen),
        kept50=_percent([in50 for in50, _, _ in foreseen]),
        kept80=_percent([in80 for _, in80, _ in foreseen]),
        kept90=_percent([in90 for *_, in90 in foreseen]),
        promised=len(delivery),
        promised_kept=sum(delivery),
        offered=len(offered),
        offered_kept=sum(offered),
    )


def _percent(shares: Sequence[float]) -> float | None:
    return round(100 * sum(shares) / len(shares), 1) if shares else None


def _day_of(at: datetime | None) -> date:
    assert at is not None  # noqa: S101 - the filter has a range of it
    return clock.day_of(at)


def _months_before(day: date, months: int) -> date:
    """Return the first day of the month that is `months` months before the month of `day`."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(max(year, 1), month + 1, 1)
