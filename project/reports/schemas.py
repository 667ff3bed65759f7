"""Questions and answers of reports, dashboard and flow."""

from datetime import date
from typing import Literal

from pydantic import Field

from project.core.exporting import ExportQuery, TableQuery
from project.core.pagination import ListQuery
from project.core.schemas import MOST_ID, Day, DaysQuery, Instant, Out, QueryId
from project.orders.rules import Status
from project.orders.schemas import LineRowOut


class LineReportFilters(ListQuery, DaysQuery):
    """The report's filters; `from` and `to` are order dates, both included. Customer 0 and status `all` mean all."""

    status: Status | Literal["all"] | None = None
    customer_id: int | None = Field(default=None, ge=0, le=MOST_ID)


class LineReportQuery(LineReportFilters, ExportQuery):
    """The report: filtered, paged, or as a file."""


class LineReportRow(Out):
    """A line of the report of sales orders. Quantities are pieces; `late`: open past its delivery date."""

    id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    item_id: int
    item_key: str
    item_name: str
    quantity: int
    quantity_done: int
    quantity_billed: int
    status: Status
    sales_order_status_name: Status
    sales_order_date: date
    shipment_date: date | None
    delivery_date: date | None
    shipping_date: date | None
    late: bool
    notes: str


class ExpiredRow(LineReportRow):
    """A line past its delivery date: where its oldest pieces are, and since when; null where none are inside."""

    production_process_name: str | None
    inside_since: Instant | None


class LineReportOut(Out):
    """The report, in the shape that existing clients read."""

    sales_order_positions: list[LineReportRow]


class LineTotalsOut(Out):
    """All lines that a report's filters leave, not the page alone; quantities are pieces."""

    lines: int
    quantity: int
    quantity_done: int
    quantity_billed: int
    late: int


class StatusCountOut(Out):
    """How many orders have a status."""

    status: Status
    count: int


class OrderReportRow(Out):
    """An order of the dashboard's details; `deliveryDate` is the earliest of its open lines."""

    id: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    sales_order_date: date
    status: Status
    lines: int
    quantity: int
    delivery_date: date | None


class ExpiredCountOut(Out):
    """How many open lines were due in the last `days` days before today."""

    count: int
    days: int


class ThroughputQuery(DaysQuery, TableQuery):
    """Days, and whether as a file."""


class FlowQuery(DaysQuery, TableQuery):
    """Whose flow or releases: a process's, a customer's, a product's, what all of them leave, or the whole
    workshop's."""

    production_process_id: QueryId | None = None
    customer_id: QueryId | None = None
    item_id: QueryId | None = None


class SpreadOut(Out):
    """Durations of `count` visits in hours: their median and their 90th percentile, linear between ranks."""

    count: int
    median: float | None
    p90: float | None


class ThroughputOut(Out):
    """What came out of a process in the days asked for, and how long it had been inside."""

    production_process_id: int
    production_process_name: str
    pieces: int
    inside: SpreadOut


class FlowTotalOut(Out):
    """Pieces that came out, how long they had been inside, and how long they had waited before they went in."""

    pieces: int
    inside: SpreadOut
    waited: SpreadOut


class FlowDayOut(FlowTotalOut):
    """The same of a plant day; days on which nothing came out are left out."""

    day: date


class FlowOut(Out):
    """How pieces flowed from day to day, and over all the days."""

    date_from: date = Field(serialization_alias="from")
    date_to: date = Field(serialization_alias="to")
    total: FlowTotalOut
    days: list[FlowDayOut]


class ReleasesOut(Out):
    """Releases of a process for a reason, and the pieces that they took back. `reason` is the key of a row of the list
    `release-reasons`, "" where none was given; `reasonName` is its name in the caller's language."""

    production_process_id: int
    production_process_name: str
    reason: str
    reason_name: str
    releases: int
    pieces: int


class TodayPartOut(Out):
    """How many lines there are to see to, and the first of them."""

    count: int
    lines: list[LineRowOut]


class TodayOut(Out):
    """Hoy: what the caller can see to now; null where it is not his to do. `weekEnds` is the last day of this week.

    `insideOverADay` is the longest inside first, everything else the earliest due first.
    """

    today: Day
    week_ends: Day
    late: TodayPartOut
    due_this_week: TodayPartOut
    inside_over_a_day: TodayPartOut
    to_approve: TodayPartOut | None
    to_bill: TodayPartOut | None
