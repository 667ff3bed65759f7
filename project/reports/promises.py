"""The report of promises, by month: how often delivery dates, offered days and forecasts were kept."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce, TruncDate, TruncMonth
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
from project.orders.models import GOOD, Line
from project.orders.rules import Status
from project.reports import rules

USUAL_MONTHS = 12

router = domain_router("reports")


class PromisesQuery(DaysQuery, TableQuery):
    """The promised days, both included, and the file format."""

    def days(self) -> tuple[date, date]:
        """Return the first and the last day; by default those of the last 12 months. Raises `InvalidFields` (422)."""
        last = self.date_to or max(clock.today(), self.date_from or clock.today())
        first = self.date_from or max(_months_before(last, USUAL_MONTHS - 1), clock.FIRST_DAY)
        rules.check_days(first, last, name="to", most=rules.MOST_DAYS)
        return first, last


class PromisesOut(Out):
    """How many promises for the days of a month were kept.

    A promise counts once it came out: the line is done, or the promised day has passed. A promise is not kept if its
    day has passed and the line is still open. Canceled lines and lines without a good piece are left out.

    `month`: its first day. `lines`: how many lines had a promised, offered or forecast day in the month. `promised`:
    lines with a delivery date in the month. Only the first date that was written for a line counts. `promisedKept`:
    those that were done by this date. `open`: those that are not done yet. `offered` and `offeredKept`: the same for
    the days that were offered at order entry.

    `forecasts`: the forecasts whose day of 80 % was in the month. `kept50`, `kept80`, `kept90`: how often, in percent,
    a line was done by the day that was forecast with a chance of 50, 80 and 90 %. Each forecast weighs the same, and a
    line has one forecast a day. `foreseen`: the lines of these forecasts. `lines50`, `lines80`, `lines90`: the same
    shares, where each line weighs the same, however many days it was open. Null if no forecast came out.
    """

    month: Day
    lines: int
    promised: int
    promised_kept: int
    open: int
    offered: int
    offered_kept: int
    forecasts: int
    kept50: float | None
    kept80: float | None
    kept90: float | None
    foreseen: int
    lines50: float | None
    lines80: float | None
    lines90: float | None


COLUMNS: Sequence[Column[PromisesOut]] = (
    Column("month", lambda row: row.month.isoformat()[:7], heads=("Mes", "Month")),
    Column("lines", lambda row: row.lines),
    Column("promised", lambda row: row.promised, heads=("Con fecha de entrega", "With a delivery date")),
    Column("promisedKept", lambda row: row.promised_kept, heads=("Entregas cumplidas", "Delivery dates kept")),
    Column(
        "promisedOpen", lambda row: row.open, heads=("Entregas vencidas sin terminar", "Deliveries overdue and open")
    ),
    Column("offered", lambda row: row.offered),
    Column("offeredKept", lambda row: row.offered_kept, heads=("Ofrecidos cumplidos", "Offered days kept")),
    Column("forecasts", lambda row: row.forecasts),
    Column("kept50", lambda row: row.kept50, heads=("Pronósticos de 50 % cumplidos (%)", "Forecasts of 50% kept (%)")),
    Column("kept80", lambda row: row.kept80, heads=("Pronósticos de 80 % cumplidos (%)", "Forecasts of 80% kept (%)")),
    Column("kept90", lambda row: row.kept90, heads=("Pronósticos de 90 % cumplidos (%)", "Forecasts of 90% kept (%)")),
    Column("foreseen", lambda row: row.foreseen, heads=("Líneas con pronóstico", "Lines with a forecast")),
    Column("lines50", lambda row: row.lines50, heads=("Por línea: de 50 % (%)", "By line: of 50% (%)")),
    Column("lines80", lambda row: row.lines80, heads=("Por línea: de 80 % (%)", "By line: of 80% (%)")),
    Column("lines90", lambda row: row.lines90, heads=("Por línea: de 90 % (%)", "By line: of 90% (%)")),
)


@router.get("", auth=Requires(Permission.ReportPromises), operation_id="report_promises")
def promises(request: HttpRequest, query: Query[PromisesQuery]) -> list[PromisesOut] | HttpResponseBase:
    """Report, by month of the promised day, how many promises for these days were kept. 2 queries.

    By default the days of the last 12 months. The newest month comes first. Months without a promise that came out are
    left out.
    """
    first, last = query.days()
    rows = rows_of(promised_on(first=first, last=last), forecasts_on(first=first, last=last))
    return export_table(request, rows, query.format, COLUMNS, "promises") if query.format else rows


class Promise(NamedTuple):
    """A day that was promised for a line. `done`: the day on which the line was done; None if the line is open."""

    line: int
    day: date
    done: date | None

    @property
    def is_kept(self) -> bool:
        return self.done is not None and self.done <= self.day


class Promises(NamedTuple):
    """The promises that came out: delivery dates, and the days that were offered at order entry."""

    promised: list[Promise]
    offered: list[Promise]


class Outcomes(NamedTuple):
    """How many forecasts with one chance, such as 80 %, came out, and how many of these were kept."""

    out: int
    kept: int


class Forecasts(NamedTuple):
    """The outcomes of a line's forecasts, by chance. Only forecasts with a day of 80 % in `month` count."""

    line: int
    month: date
    of50: Outcomes
    of80: Outcomes
    of90: Outcomes


def promised_on(*, first: date, last: date) -> Promises:
    """Return the promises for these days of the plant, both included, that came out. 1 query."""
    days, today = (first, last), clock.today()
    lines = (
        Line.objects.annotate(good=GOOD, promised=Coalesce("promised_date", "delivery_date"))
        .filter(~Q(status=Status.Canceled), Q(promised__range=days) | Q(offered_date__range=days), good__gt=0)
        .order_by()
        .values_list("pk", "done_at", "promised", "offered_date")
    )
    found = Promises([], [])
    for pk, done_at, promised, offered in lines:
        done = None if done_at is None else clock.day_of(done_at)
        for day, promises in ((promised, found.promised), (offered, found.offered)):
            if day is not None and first <= day <= last and (done is not None or day < today):
                promises.append(Promise(pk, day, done))
    return found


def forecasts_on(*, first: date, last: date) -> list[Forecasts]:
    """Return the forecasts that came out and whose day of 80 % is one of these days, by line and month. 1 query."""
    rows = (
        KeptForecast.objects.annotate(
            good=F("line__quantity") - F("line__quantity_scrapped") + F("line__quantity_replaced"),
            done=TruncDate("line__done_at", tzinfo=clock.plant()),
            month=TruncMonth("p80"),
        )
        .filter(~Q(line__status=Status.Canceled), p80__range=(first, last), good__gt=0)
        .order_by()
        .values("line_id", "month")
        .annotate(out50=_out("p50"), in50=_kept("p50"), out80=_out("p80"), in80=_kept("p80"))
        .annotate(out90=_out("p90"), in90=_kept("p90"))
        .values_list("line_id", "month", "out50", "in50", "out80", "in80", "out90", "in90")
    )
    return [
        Forecasts(line, month, Outcomes(out50, in50), Outcomes(out80, in80), Outcomes(out90, in90))
        for line, month, out50, in50, out80, in80, out90, in90 in rows
        if out50
    ]


def _out(chance: str) -> Count:
    """Count the forecasts whose line is done, or whose day has passed."""
    return Count("pk", filter=Q(done__isnull=False) | Q(**{f"{chance}__lt": clock.today()}))


def _kept(chance: str) -> Count:
    return Count("pk", filter=Q(done__lte=F(chance)))


def rows_of(promises: Promises, forecasts: Iterable[Forecasts]) -> list[PromisesOut]:
    """Build a row for each month, the newest first. No query."""
    promised, offered = _by_month(promises.promised), _by_month(promises.offered)
    foreseen: defaultdict[date, list[Forecasts]] = defaultdict(list)
    for one in forecasts:
        foreseen[one.month].append(one)
    months = sorted({*promised, *offered, *foreseen}, reverse=True)
    return [_row(month, promised[month], offered[month], foreseen[month]) for month in months]


def _by_month(promises: Iterable[Promise]) -> defaultdict[date, list[Promise]]:
    months: defaultdict[date, list[Promise]] = defaultdict(list)
    for one in promises:
        months[one.day.replace(day=1)].append(one)
    return months


def _row(
    month: date, promised: Sequence[Promise], offered: Sequence[Promise], forecasts: Sequence[Forecasts]
) -> PromisesOut:
    of50, of80, of90 = (
        [one.of50 for one in forecasts],
        [one.of80 for one in forecasts],
        [one.of90 for one in forecasts],
    )
    lines = {one.line for one in promised} | {one.line for one in offered} | {one.line for one in forecasts}
    return PromisesOut(
        month=month,
        lines=len(lines),
        promised=len(promised),
        promised_kept=sum(one.is_kept for one in promised),
        open=sum(one.done is None for one in promised),
        offered=len(offered),
        offered_kept=sum(one.is_kept for one in offered),
        forecasts=sum(one.out for one in of80),
        kept50=_of_forecasts(of50),
        kept80=_of_forecasts(of80),
        kept90=_of_forecasts(of90),
        foreseen=sum(one.out > 0 for one in of80),
        lines50=_of_lines(of50),
        lines80=_of_lines(of80),
        lines90=_of_lines(of90),
    )


def _of_forecasts(outcomes: Sequence[Outcomes]) -> float | None:
    """Return the share that was kept in percent, where each forecast weighs the same."""
    out = sum(one.out for one in outcomes)
    return round(100 * sum(one.kept for one in outcomes) / out, 1) if out else None


def _of_lines(outcomes: Sequence[Outcomes]) -> float | None:
    """Return the share that was kept in percent, where each line weighs the same."""
    shares = [one.kept / one.out for one in outcomes if one.out]
    return round(100 * sum(shares) / len(shares), 1) if shares else None


def _months_before(day: date, months: int) -> date:
    """Return the first day of the month that is `months` months before the month of `day`."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(max(year, 1), month + 1, 1)
