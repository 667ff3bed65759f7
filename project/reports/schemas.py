"""Parameters and answers of reports, dashboard and flow."""

from datetime import date, timedelta
from typing import Literal, TypedDict

from pydantic import Field

from project.core import clock
from project.core.exporting import ExportQuery, TableQuery
from project.core.pagination import ListQuery
from project.core.pictures import PictureAddress
from project.core.schemas import MOST_ID, Day, DaysQuery, Instant, Out, QueryId
from project.orders.documents import PiecesInside
from project.orders.fields import LineFields
from project.orders.rules import Status
from project.orders.schemas import LineRowOut
from project.orders.situation import PiecesWaiting, Situation
from project.reports import rules

USUAL_DAYS = 30


class LineReportFilters(ListQuery, DaysQuery):
    """The report's filters. `from` and `to` are order dates, both included. Customer 0 and status `all` mean all."""

    status: Status | Literal["all"] | None = None
    customer_id: int | None = Field(default=None, ge=0, le=MOST_ID)


class LineReportQuery(LineReportFilters, ExportQuery):
    """The parameters of the report: filters, page, file format."""


class LineReportRow(LineFields, Out):
    """A line of the report of sales orders. Quantities are pieces. `late`: open and past its delivery date.

    `quantityGood`: without the scrapped pieces, with those made again for them.
    """

    id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_id: int
    customer_name: str
    item_id: int
    item_key: str
    item_name: str
    item_name_english: str
    quantity: int
    quantity_good: int
    quantity_scrapped: int
    quantity_done: int
    quantity_billed: int
    status: Status
    sales_order_status_name: Status
    sales_order_date: date
    late: bool


class ExpiredRow(LineReportRow):
    """An open line that is due today or past its delivery date, with its situation (`standing`).

    `productionProcessName` and `insideSince`: the process that holds the oldest pieces, and when they entered; null if
    no piece is inside.
    """

    production_process_name: str | None
    inside_since: Instant | None
    inside: list[PiecesInside]
    waiting: list[PiecesWaiting]
    standing: Situation
    thumbnail: PictureAddress | None


class LineReportOut(Out):
    """A page of the report, in the shape that existing clients read."""

    sales_order_positions: list[LineReportRow]


class LineTotalsOut(Out):
    """Sums over all lines that match the report's filters, on all pages. Quantities are pieces."""

    lines: int
    quantity: int
    quantity_done: int
    quantity_billed: int
    late: int


class StatusCountOut(Out):
    """The number of orders with a status."""

    status: Status
    count: int


class OrderReportRow(Out):
    """An order of the dashboard's details. `deliveryDate`: the earliest of its open lines."""

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
    """The number of open lines that were due in the `days` days before today."""

    count: int
    days: int


class ThroughputQuery(DaysQuery, TableQuery):
    """The parameters of the throughput: days and file format."""

    def days(self) -> tuple[date, date]:
        """Return the first and the last day; by default the last 30. Raises `InvalidFields` (422)."""
        last = self.date_to or max(clock.today(), self.date_from or clock.today())
        first = self.date_from or last - timedelta(days=min(USUAL_DAYS, last.toordinal()) - 1)
        rules.check_days(first, last, name="to", most=rules.MOST_DAYS)
        return first, last


class _Filters(TypedDict):
    process_id: int | None
    customer_id: int | None
    item_id: int | None


class FlowQuery(ThroughputQuery):
    """The parameters of flow and releases: days, file format, and optionally a process, a customer and a product."""

    production_process_id: QueryId | None = None
    customer_id: QueryId | None = None
    item_id: QueryId | None = None

    def filters(self) -> _Filters:
        return _Filters(process_id=self.production_process_id, customer_id=self.customer_id, item_id=self.item_id)


class SpreadOut(Out):
    """The median and the 90th percentile of the durations of `count` visits, in hours.

    Both are interpolated linearly between ranks.
    """

    count: int
    median: float | None
    p90: float | None


class ThroughputOut(Out):
    """The output of a process in the requested days, and the times inside."""

    production_process_id: int
    production_process_name: str
    pieces: int
    inside: SpreadOut


class FlowTotalOut(Out):
    """The pieces that came out, their times inside the process, and their waiting times before they entered."""

    pieces: int
    inside: SpreadOut
    waited: SpreadOut


class FlowDayOut(FlowTotalOut):
    """The flow of a plant day. Days without output are omitted."""

    day: date


class FlowOut(Out):
    """The flow of pieces, day by day and in total."""

    date_from: date = Field(serialization_alias="from")
    date_to: date = Field(serialization_alias="to")
    total: FlowTotalOut
    days: list[FlowDayOut]


class TodayPartOut(Out):
    """The number of lines to act on, and the first ones."""

    count: int
    lines: list[LineRowOut]


class TodayOut(Out):
    """Hoy: the lines that the caller can act on now. `toApprove` and `toBill` are null without the permission.

    `weekEnds`: the last day of this week. `insideOverADay` has the lines that are inside longest first, and
    `called` the lines with the oldest call; the other parts have the earliest due date first.
    """

    today: Day
    week_ends: Day
    called: TodayPartOut
    late: TodayPartOut
    likely_late: TodayPartOut
    due_this_week: TodayPartOut
    inside_over_a_day: TodayPartOut
    to_approve: TodayPartOut | None
    to_bill: TodayPartOut | None
