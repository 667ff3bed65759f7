"""Hoy: what the office must see to now. Each part is a number and the first lines of it."""

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
    """How many lines there are, and the first of them, loaded as `orders.selectors.line_rows_of` does."""

    count: int
    lines: list[Line]


def parts(by: Principal) -> dict[str, Part]:
    """What this person can see to: each part in the order in which it should be. 1 query a part, and 1."""
    first: dict[str, list[int]] = {}
    counts: dict[str, int] = {}
    for name, rows in _asked(by).items():
        # The number comes with the rows: a window over all that match, of which the first are taken.
        found = list(rows.annotate(of=Window(Count("pk"))).values_list("pk", "of")[:MOST_SHOWN])
        first[name] = [pk for pk, _ in found]
        counts[name] = found[0][1] if found else 0
    loaded = {line.pk: line for line in line_rows_of({pk for ids in first.values() for pk in ids})}
    # A line that went between the queries is left out.
    return {name: Part(counts[name], [loaded[pk] for pk in ids if pk in loaded]) for name, ids in first.items()}


def _asked(by: Principal) -> Parts:
    lines = Line.objects.order_by("urgency", "id")
    inside = lines.filter(attention.inside_over_a_day()).annotate(since=attention.inside_since())
    asked: dict[str, QuerySet[Line]] = {
        "late": lines.filter(attention.late()),
        "due_this_week": lines.filter(attention.due_this_week()),
        "inside_over_a_day": inside.order_by("since", "id"),
    }
    if by.holds(Permission.UpdateSalesOrderPositionStatus):
        asked["to_approve"] = lines.filter(status=Status.New)
    if by.holds(Permission.CreateDelivery):
        asked["to_bill"] = billable().select_related(None).order_by("due", "id")
    return asked
