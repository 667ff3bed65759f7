"""Builds the answers of reports, and the columns of their files, from lines, orders and flows."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from operator import attrgetter
from typing import Any

from pydantic.alias_generators import to_camel

from project.access.principal import Principal
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.exporting import Column
from project.core.schemas import LONGEST_NAME
from project.core.texts import named, text
from project.orders.attention import end_of_week
from project.orders.documents import is_late
from project.orders.fields import FIELDS, read_by, values_of
from project.orders.models import Line, SalesOrder
from project.orders.presenters import line_rows
from project.orders.rules import Status
from project.orders.selectors import line_rows_of
from project.reports import schemas, selectors
from project.reports.flow import Flow, by_day
from project.reports.rules import Seconds, percentile
from project.reports.today import Part


def line(row: Line) -> schemas.LineReportRow:
    """Build the answer for a line of a report or of the dashboard. Sends no query."""
    status = Status(row.status)
    return schemas.LineReportRow(
        id=row.pk,
        sales_order_id=row.order_id,
        position=row.position,
        customer_sales_order_id=row.order.customer_sales_order_id,
        customer_id=row.order.customer_id,
        customer_name=row.order.customer.name,
        item_id=row.item_id,
        item_key=row.item.key,
        item_name=row.item.name,
        item_name_english=row.item.name_english,
        quantity=row.quantity,
        quantity_good=row.quantity_good,
        quantity_scrapped=row.quantity_scrapped,
        quantity_done=row.quantity_done,
        quantity_billed=row.quantity_billed,
        status=status,
        sales_order_status_name=status,
        sales_order_date=row.order.sales_order_date,
        late=is_late(row),
        **values_of(row),
    )


def expired(rows: Sequence[Any], by: Principal) -> list[schemas.ExpiredRow]:
    """Build the answers for the dashboard's lines that are late or due today. At most 5 queries.

    `rows`: loaded by one of the `selectors.expired…`.
    """
    documents = {shown.id: shown for shown in line_rows(line_rows_of([row.pk for row in rows]), by)}
    return [
        schemas.ExpiredRow(
            **line(row).model_dump(by_alias=False, exclude=set(FIELDS)),
            **{name: read_by(by, name, row) for name in FIELDS},
            production_process_name=row.process_name or None,
            inside_since=row.inside_since if row.process_name else None,
            **documents[row.pk].model_dump(include={"inside", "waiting", "standing", "thumbnail"}),
        )
        for row in rows
        if row.pk in documents
    ]


def totals(sums: selectors.LineTotals) -> schemas.LineTotalsOut:
    """Build the answer for the sums of the report's lines. Sends no query."""
    return schemas.LineTotalsOut(
        lines=sums.count,
        quantity=sums.pieces,
        quantity_done=sums.done,
        quantity_billed=sums.billed,
        late=sums.late,
    )


# Columns of the rows of `selectors.values`.
_LINE_COLUMNS: Sequence[Column[Any]] = (
    Column("customerSalesOrderId", lambda row: row.order__customer_sales_order_id),
    Column("position", lambda row: row.position),
    Column("customerName", lambda row: row.order__customer__name),
    Column("itemKey", lambda row: row.item__key),
    Column("itemName", lambda row: named(row.item__name, row.item__description_english[:LONGEST_NAME])),
    Column("status", lambda row: text(f"status_{row.status}")),
    Column("quantity", lambda row: row.quantity),
    Column("quantityGood", lambda row: row.good),
    Column("quantityScrapped", lambda row: row.quantity_scrapped),
    Column("quantityDone", lambda row: row.done),
    Column("quantityBilled", lambda row: row.quantity_billed),
    Column("salesOrderDate", lambda row: row.order__sales_order_date),
)
LINE_COLUMNS: Sequence[Column[Any]] = (
    *_LINE_COLUMNS,
    *(Column(to_camel(name), attrgetter(name)) for name in FIELDS),
)


def dashboard_columns(by: Principal) -> Sequence[Column[Any]]:
    """Return the columns of a dashboard file. Fields that the caller may not read are empty."""
    return (*_LINE_COLUMNS, *(Column(to_camel(name), partial(read_by, by, name)) for name in FIELDS))


ORDER_COLUMNS: Sequence[Column[schemas.OrderReportRow]] = (
    Column("customerSalesOrderId", lambda row: row.customer_sales_order_id),
    Column("customerName", lambda row: row.customer_name),
    Column("salesOrderDate", lambda row: row.sales_order_date),
    Column("status", lambda row: text(f"status_{row.status}")),
    Column("lines", lambda row: row.lines),
    Column("quantity", lambda row: row.quantity),
    Column("deliveryDate", lambda row: row.delivery_date),
)
STATUS_COLUMNS: Sequence[Column[schemas.StatusCountOut]] = (
    Column("status", lambda row: text(f"status_{row.status}")),
    Column("count", lambda row: row.count),
)
THROUGHPUT_COLUMNS: Sequence[Column[schemas.ThroughputOut]] = (
    Column("productionProcessName", lambda row: row.production_process_name),
    Column("pieces", lambda row: row.pieces),
    Column("visits", lambda row: row.inside.count),
    Column("insideMedian", lambda row: row.inside.median),
    Column("insideP90", lambda row: row.inside.p90),
)
FLOW_COLUMNS: Sequence[Column[schemas.FlowDayOut]] = (
    Column("day", lambda row: row.day),
    Column("pieces", lambda row: row.pieces),
    Column("visits", lambda row: row.inside.count),
    Column("insideMedian", lambda row: row.inside.median),
    Column("insideP90", lambda row: row.inside.p90),
    Column("waitedMedian", lambda row: row.waited.median),
    Column("waitedP90", lambda row: row.waited.p90),
)


def orders(rows: list[SalesOrder]) -> list[schemas.OrderReportRow]:
    """Build the answers for orders of the dashboard's details. 1 query."""
    figures = selectors.line_figures(rows)
    answer = []
    for row in rows:
        lines, pieces, delivery = figures.get(row.pk, (0, 0, None))
        answer.append(
            schemas.OrderReportRow(
                id=row.pk,
                customer_sales_order_id=row.customer_sales_order_id,
                customer_id=row.customer_id,
                customer_name=row.customer.name,
                sales_order_date=row.sales_order_date,
                status=Status(row.status),
                lines=lines,
                quantity=pieces,
                delivery_date=delivery,
            )
        )
    return answer


def throughput(found: list[Flow]) -> list[schemas.ThroughputOut]:
    """Build a row for each process that is active or has output, in the plant's order. 1 query."""
    by_process: dict[int, list[Flow]] = {}
    for flow in found:
        by_process.setdefault(flow.process_id, []).append(flow)
    return [
        schemas.ThroughputOut(
            production_process_id=process.pk,
            production_process_name=process.name,
            pieces=sum(flow.pieces for flow in by_process.get(process.pk, ())),
            inside=_spread([flow.inside for flow in by_process.get(process.pk, ())]),
        )
        for process in ProductionProcess.objects.defer("search_text").order_by("order", "name")
        if process.status or process.pk in by_process
    ]


def flow(found: list[Flow], *, first: date, last: date) -> schemas.FlowOut:
    """Build the answer for the flow, day by day and in total. Sends no query."""
    return schemas.FlowOut(
        date_from=first,
        date_to=last,
        total=_figures(found),
        days=[schemas.FlowDayOut(day=day, **dict(_figures(flows))) for day, flows in by_day(found).items()],
    )


def _figures(found: list[Flow]) -> schemas.FlowTotalOut:
    return schemas.FlowTotalOut(
        pieces=sum(flow.pieces for flow in found),
        inside=_spread([flow.inside for flow in found]),
        waited=_spread([flow.waited for flow in found]),
    )


def _spread(runs: Iterable[Seconds]) -> schemas.SpreadOut:
    kept = list(runs)
    return schemas.SpreadOut(count=sum(map(len, kept)), median=percentile(kept, 50), p90=percentile(kept, 90))


def today(parts: Mapping[str, Part], by: Principal) -> schemas.TodayOut:
    """Build the answer for the parts of `today.parts`, with the data that `by` may read. At most 4 queries."""
    lines = {row.pk: row for part in parts.values() for row in part.lines}
    rows = {row.id: row for row in line_rows(list(lines.values()), by)}
    shown = {
        name: schemas.TodayPartOut(count=part.count, lines=[rows[line.pk] for line in part.lines])
        for name, part in parts.items()
    }
    return schemas.TodayOut(
        today=clock.today(),
        week_ends=end_of_week(),
        called=shown["called"],
        late=shown["late"],
        likely_late=shown["likely_late"],
        due_this_week=shown["due_this_week"],
        inside_over_a_day=shown["inside_over_a_day"],
        to_approve=shown.get("to_approve"),
        to_bill=shown.get("to_bill"),
    )
