"""REST of reports, dashboard and flow (infra/docs/rules.md#reports)."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Path, Query
from pydantic import Field, TypeAdapter, ValidationError, WithJsonSchema

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.audit.exporting import export, export_table
from project.core.errors import InvalidFields
from project.core.exporting import Column, ExportQuery, TableQuery
from project.core.pagination import announce, paginate
from project.core.routing import domain_router
from project.core.schemas import MOST_ID, Day
from project.core.validation import code_of
from project.orders.models import Line
from project.orders.rules import Status
from project.reports import documents, flow, rules, schemas, selectors, today as hoy

router = domain_router("reports")

REPORT = Requires(Permission.ReportListSalesOrders)
DASHBOARD = Requires(Permission.Dashboard)
TODAY = Requires(Permission.ListSalesOrders, Permission.ListOrders)
ANALYSIS = Requires(Permission.ReportListSalesOrders, Permission.Dashboard)

ALL = "all"
DATES = "/start-date/{start_date}/end-date/{end_date}"
MOST_DAYS_AGO = 36_500
PathId = Annotated[int, Path(), Field(ge=0, le=MOST_ID)]
PathDay = Annotated[str, Path(), WithJsonSchema({"type": "string", "format": "date"})]
_DAY: TypeAdapter[date] = TypeAdapter(Day)


@router.get("", auth=REPORT, operation_id="report_sales_orders")
def report(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.LineReportQuery]
) -> schemas.LineReportOut | HttpResponseBase:
    """List lines of sales orders, newest order first, with keyset pagination. `format` answers a file."""
    return _lines(request, response, query, _filtered(request, query))


@router.get("/totals", auth=REPORT, operation_id="report_sales_orders_totals")
def totals(request: HttpRequest, query: Query[schemas.LineReportFilters]) -> schemas.LineTotalsOut:
    """Sum over all lines of the report. A separate operation, so that the first page need not wait for the sums."""
    return documents.totals(selectors.line_totals(_filtered(request, query)))


@router.get(
    "/customer/{int:customer_id}/sales-orders/status/{status}" + DATES,
    auth=REPORT,
    operation_id="report_sales_orders_of_customer",
)
def report_of_customer(
    request: HttpRequest,
    response: HttpResponse,
    customer_id: PathId,
    status: str,
    start_date: PathDay,
    end_date: PathDay,
    query: Query[ExportQuery],
) -> schemas.LineReportOut | HttpResponseBase:
    """List the lines of the report with filters in the path. Customer 0 and status `all` mean all."""
    first, last = _days(start_date, end_date)
    rows = selectors.lines(
        caller(request),
        search=query.search,
        status=None if status == ALL else _status(status),
        customer_id=customer_id or None,
        date_from=first,
        date_to=last,
    )
    return _lines(request, response, query, rows)


EXPIRED = "/sales-orders/details/deliverydate/expired"


@router.get(
    "/sales-orders/aggregate/status" + DATES,
    auth=DASHBOARD,
    operation_id="dashboard_status_counts",
)
def status_counts(
    request: HttpRequest, start_date: PathDay, end_date: PathDay, query: Query[TableQuery]
) -> list[schemas.StatusCountOut] | HttpResponseBase:
    """Count the orders of these dates by status. The statuses have the order of the workflow. 1 query."""
    counted = selectors.orders_by_status(*_days(start_date, end_date))
    rows = [schemas.StatusCountOut(status=status, count=counted[status]) for status in Status if status in counted]
    return _table(request, rows, query, documents.STATUS_COLUMNS, "orders-by-status")


@router.get(
    "/sales-orders/details/status/{status}" + DATES,
    auth=DASHBOARD,
    operation_id="dashboard_status_details",
)
def status_details(
    request: HttpRequest,
    response: HttpResponse,
    status: str,
    start_date: PathDay,
    end_date: PathDay,
    query: Query[ExportQuery],
) -> list[schemas.OrderReportRow] | HttpResponseBase:
    """List the orders of these dates with a status, newest first."""
    rows = selectors.orders_of_status(_status(status), *_days(start_date, end_date))
    if query.format:
        return export(
            request,
            rows,
            query,
            selectors.ORDER_ORDERINGS,
            documents.ORDER_COLUMNS,
            "orders",
            present=documents.orders,
        )
    page = paginate(rows, query, selectors.ORDER_ORDERINGS)
    return documents.orders(announce(page, request, response))


@router.get(
    "/sales-orders/aggregate/deliverydate/expired/days/{int:days}",
    auth=DASHBOARD,
    operation_id="dashboard_expired_count",
)
def expired_count(request: HttpRequest, days: Annotated[int, Path(), Field(ge=0)]) -> schemas.ExpiredCountOut:
    """Count the open lines that were due in the `days` days before today. 1 query."""
    return schemas.ExpiredCountOut(count=selectors.expired_within(_days_ago(days)).count(), days=days)


@router.get(EXPIRED + "/all", auth=DASHBOARD, operation_id="dashboard_expired")
def expired(
    request: HttpRequest, response: HttpResponse, query: Query[ExportQuery]
) -> list[schemas.ExpiredRow] | HttpResponseBase:
    """List open lines past their delivery date, the oldest date first."""
    return _expired(request, response, query, selectors.expired())


@router.get(EXPIRED + "/today", auth=DASHBOARD, operation_id="dashboard_expired_today")
def expired_today(
    request: HttpRequest, response: HttpResponse, query: Query[ExportQuery]
) -> list[schemas.ExpiredRow] | HttpResponseBase:
    """List open lines due today."""
    return _expired(request, response, query, selectors.expired_today())


@router.get(
    EXPIRED + "/days/{int:days}",
    auth=DASHBOARD,
    operation_id="dashboard_expired_within",
)
def expired_within(
    request: HttpRequest,
    response: HttpResponse,
    days: Annotated[int, Path(), Field(ge=0)],
    query: Query[ExportQuery],
) -> list[schemas.ExpiredRow] | HttpResponseBase:
    """List open lines that were due in the `days` days before today."""
    return _expired(request, response, query, selectors.expired_within(_days_ago(days)))


@router.get("/today", auth=TODAY, operation_id="today")
def today(request: HttpRequest) -> schemas.TodayOut:
    """List the lines that the office must act on, in parts. At most 11 queries.

    The parts: called, late, likely late, due this week, inside for over a day, to approve, to bill.
    """
    by = caller(request)
    return documents.today(hoy.parts(by), by)


@router.get("/throughput", auth=DASHBOARD, operation_id="dashboard_throughput")
def throughput(
    request: HttpRequest, query: Query[schemas.ThroughputQuery]
) -> list[schemas.ThroughputOut] | HttpResponseBase:
    """Report the output of each process in these days (by default the last 30), and the times inside."""
    first, last = query.days()
    rows = documents.throughput(flow.flows(first=first, last=last, waits=False))
    return _table(request, rows, query, documents.THROUGHPUT_COLUMNS, "throughput")


@router.get("/flow", auth=ANALYSIS, operation_id="report_flow")
def flow_by_day(request: HttpRequest, query: Query[schemas.FlowQuery]) -> schemas.FlowOut | HttpResponseBase:
    """Report the output, the times inside and the waiting times day by day (by default the last 30 days)."""
    first, last = query.days()
    found = flow.flows(first=first, last=last, **query.filters())
    answer = documents.flow(found, first=first, last=last)
    if query.format:
        return export_table(request, answer.days, query.format, documents.FLOW_COLUMNS, "flow")
    return answer


def _filtered(request: HttpRequest, query: schemas.LineReportFilters) -> QuerySet[Line]:
    rules.check_days(query.date_from, query.date_to, name="to")
    return selectors.lines(
        caller(request),
        search=query.search,
        status=query.status if isinstance(query.status, Status) else None,
        customer_id=query.customer_id or None,
        date_from=query.date_from,
        date_to=query.date_to,
    )


def _lines(
    request: HttpRequest, response: HttpResponse, query: ExportQuery, rows: QuerySet[Line]
) -> schemas.LineReportOut | HttpResponseBase:
    if query.format:
        found = selectors.values(rows)
        return export(request, found, query, selectors.LINE_ORDERINGS, documents.LINE_COLUMNS, "sales-orders")
    page = paginate(rows, query, selectors.LINE_ORDERINGS, counted=False)
    rows_of_page = announce(page, request, response)
    return schemas.LineReportOut(sales_order_positions=[documents.line(row) for row in rows_of_page])


def _table[Row](
    request: HttpRequest, rows: list[Row], query: TableQuery, columns: Sequence[Column[Row]], name: str
) -> list[Row] | HttpResponseBase:
    return export_table(request, rows, query.format, columns, name) if query.format else rows


def _expired(
    request: HttpRequest, response: HttpResponse, query: ExportQuery, rows: QuerySet[Line]
) -> list[schemas.ExpiredRow] | HttpResponseBase:
    if query.format:
        columns = documents.dashboard_columns(caller(request))
        return export(request, selectors.values(rows), query, selectors.EXPIRED_ORDERINGS, columns, "expired")
    page = paginate(rows, query, selectors.EXPIRED_ORDERINGS)
    return documents.expired(announce(page, request, response), caller(request))


def _days(start: str, end: str) -> tuple[date, date]:
    """Read the two days of a path. Raises `InvalidFields` (422, not 404), because days do not name a resource."""
    first, last = _day("startDate", start), _day("endDate", end)
    rules.check_days(first, last, name="endDate")
    return first, last


def _day(name: str, written: str) -> date:
    try:
        return _DAY.validate_python(written)
    except ValidationError as error:
        code, params = code_of(error.errors()[0])
        raise InvalidFields.of(name, code, **params) from error


def _status(written: str) -> Status:
    try:
        return Status(written)
    except ValueError as error:
        raise InvalidFields.of("status", "not_a_choice") from error


def _days_ago(days: int) -> int:
    if days > MOST_DAYS_AGO:
        raise InvalidFields.of("days", "too_large", limit=MOST_DAYS_AGO)
    return days
