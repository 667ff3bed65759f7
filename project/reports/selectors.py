"""Reads of the reports and the dashboard. The number of queries does not grow with the number of rows."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Case, Count, Min, Q, QuerySet, Sum, When

from project.access.principal import Principal
from project.core import clock
from project.core.pagination import Orderings
from project.orders import attention, selectors as orders
from project.orders.fields import FIELDS
from project.orders.models import GOOD, Line, SalesOrder
from project.orders.rules import COMPLETED, FINISHED, Status

LINE_ORDERINGS = Orderings(
    columns={
        "salesOrderDate": "order__sales_order_date",
        "id": "id",
        "deliveryDate": "due",
        "quantity": "quantity",
        "status": "status",
        "customerName": "order__customer__name",
        "customerSalesOrderId": "order__customer_sales_order_id",
        "itemName": "item__name",
    },
    default="-salesOrderDate",
)
ORDER_ORDERINGS = Orderings(columns={"salesOrderDate": "sales_order_date", "id": "id"}, default="-salesOrderDate")
MOST_AT_ONCE = 2_000
_DONE = Case(When(status__in=COMPLETED, then=GOOD), default=0)
"""The done pieces of a line, as `Line.quantity_done`."""
EXPIRED_ORDERINGS = Orderings(columns={"deliveryDate": "urgency", "id": "id"}, default="deliveryDate")


def lines(
    by: Principal,
    *,
    search: str | None,
    status: Status | None,
    customer_id: int | None,
    date_from: date | None,
    date_to: date | None,
) -> QuerySet[Line]:
    """Return lines with their order, customer and product, but without records. 1 query."""
    found = orders.line_list(
        by, search=search, status=status, customer_id=customer_id, date_from=date_from, date_to=date_to
    )
    return _lean(found.prefetch_related(None))


SHOWN_IN_FILES = (
    "id",
    "position",
    "quantity",
    "quantity_scrapped",
    "quantity_billed",
    "status",
    *FIELDS,
    "due",
    "urgency",
    "item__key",
    "item__name",
    "item__description_english",
    "order__customer_sales_order_id",
    "order__sales_order_date",
    "order__customer__name",
)


def values(rows: QuerySet[Line]) -> QuerySet[Line, Any]:
    """Return a named tuple of `SHOWN_IN_FILES`, `good` and `done` for each line.

    Model instances would take most of the time of a file, because each line needs four of them.
    """
    return rows.annotate(good=GOOD, done=_DONE).values_list(*SHOWN_IN_FILES, "good", "done", named=True)


def _lean(rows: QuerySet[Line]) -> QuerySet[Line]:
    return rows.defer("item__search_text", "order__search_text", "order__customer__search_text")


@dataclass(frozen=True)
class LineTotals:
    """Sums over lines. `pieces`, `done` and `billed` are numbers of pieces; `count` and `late` of lines."""

    count: int
    pieces: int
    done: int
    billed: int
    late: int


def line_totals(rows: QuerySet[Line]) -> LineTotals:
    """Return the sums over all lines in `rows`. 1 query."""
    sums = rows.order_by().aggregate(
        count=Count("pk"),
        pieces=Sum("quantity", default=0),
        done=Sum(_DONE, default=0),
        billed=Sum("quantity_billed", default=0),
        late=Count("pk", filter=attention.late()),
    )
    return LineTotals(**sums)


def orders_by_status(first: date, last: date) -> dict[Status, int]:
    """Count the orders of these order dates, both included, by status. Omits statuses without orders. 1 query."""
    counted = (
        SalesOrder.objects.filter(sales_order_date__range=(first, last))
        .values_list("status")
        .annotate(count=Count("id"))
        .order_by()
    )
    return {Status(status): count for status, count in counted}


def orders_of_status(status: Status, first: date, last: date) -> QuerySet[SalesOrder]:
    """Return the orders that `orders_by_status` counts for a status."""
    found = SalesOrder.objects.filter(status=status, sales_order_date__range=(first, last))
    return found.select_related("customer").defer("customer__search_text")


def line_figures(found: list[SalesOrder]) -> dict[int, tuple[int, int, date | None]]:
    """Return, by order id, the numbers of lines and pieces, and the earliest delivery date of an open line. 1 query.

    Canceled lines are left out.
    """
    figures = (
        Line.objects.filter(order__in=found)
        .exclude(status=Status.Canceled)
        .values_list("order")
        .annotate(
            lines=Count("id"),
            pieces=Sum("quantity"),
            delivery=Min("delivery_date", filter=~Q(status__in=FINISHED)),
        )
        .order_by()
    )
    return {order: (count, pieces, delivery) for order, count, pieces, delivery in figures}


def expired() -> QuerySet[Line]:
    """Return open lines past their delivery date."""
    return _dated().filter(attention.late())


def expired_today() -> QuerySet[Line]:
    """Return open lines due today. Only open lines have an `urgency`, which is their delivery date."""
    return _dated().filter(urgency=clock.today())


def expired_within(days: int) -> QuerySet[Line]:
    """Return open lines that were due from `days` days ago to yesterday."""
    return _dated().filter(attention.late(), urgency__gte=clock.today() - timedelta(days=days))


def _dated() -> QuerySet[Line]:
    lines = Line.objects.annotate(process_name=attention.process_name(), inside_since=attention.inside_since())
    return _lean(lines.select_related("order__customer", "item"))
