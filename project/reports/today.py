"""Reads Hoy: the lines that the office must act on now. Each part is a number and its first lines."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, QuerySet, Window

from project.access.permissions import Permission
from project.access.principal import Principal
from project.billing.selectors import billable
from project.orders import attention
from project.orders.models import Line
from project.orders.rules import Status
from project.orders.selectors import line_rows_of

MOST_SHOWN = 5

Parts = Mapping[str, QuerySet[Line]]


@dataclass(frozen=True)
class Part:
    """The number of lines of a part, and the first ones, loaded by `orders.selectors.line_rows_of`."""

    count: int
    lines: list[Line]


def parts(by: Principal, *, most: int = MOST_SHOWN) -> dict[str, Part]:
    """Return the parts that `by` can act on, each with its `most` most urgent lines. 1 query per part, and 1 more."""
    first: dict[str, list[int]] = {}
    counts: dict[str, int] = {}
    for name, rows in _asked(by).items():
        # A window function counts all matching lines in the query that reads the first ones.
        found = list(rows.annotate(of=Window(Count("pk"))).values_list("pk", "of")[:most])
        first[name] = [pk for pk, _ in found]
        counts[name] = found[0][1] if found else 0
    loaded = {line.pk: line for line in line_rows_of({pk for ids in first.values() for pk in ids})}
    # Omit lines that were deleted between the queries.
    return {name: Part(counts[name], [loaded[pk] for pk in ids if pk in loaded]) for name, ids in first.items()}


def _asked(by: Principal) -> Parts:
    lines = Line.objects.order_by("urgency", "id")
    inside = lines.filter(attention.inside_over_a_day()).annotate(since=attention.inside_since())
    asked: dict[str, QuerySet[Line]] = {
        "late": lines.filter(attention.late()),
        "likely_late": lines.filter(attention.likely_late_now()),
        "due_this_week": lines.filter(attention.due_this_week()),
        "inside_over_a_day": inside.order_by("since", "id"),
    }
    if by.holds(Permission.UpdateSalesOrderPositionStatus):
        asked["to_approve"] = lines.filter(status=Status.New)
    if by.holds(Permission.CreateDelivery):
        asked["to_bill"] = billable().select_related(None).order_by("due", "id")
    return asked
