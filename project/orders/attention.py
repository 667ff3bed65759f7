"""Query conditions for the lines that the office must attend to, and sort keys of lines. No query."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    DateTimeField,
    Expression,
    F,
    Field,
    IntegerField,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce

from project.access.permissions import Permission
from project.catalogs.models import Weighs
from project.core import clock
from project.orders.forecast import Risk, is_likely_late
from project.orders.models import CLOSED, NO_DATE, OPEN, Line, ProcessRecord
from project.orders.rules import (
    DOUBTFUL_PERCENT,
    FINISHED,
    LIKELY_LATE_PERCENT,
    LONG_INSIDE,
    MAY_BE_ENTERED,
    Status,
    is_late,
)

NOTHING_INSIDE = datetime(9000, 1, 1, tzinfo=UTC)
"""Sort key of lines with nothing inside: they come last."""
NO_PROCESS = 1 << 60
_PLACES = 1 << 20
"""More than the highest process id, so that processes with the same `order` never get the same place."""

METAL = frozenset({Permission.SalesOrderPositionRecord, Permission.ViewMetal})
"""Permissions to read the grams of a line, and whether a weight or a signature is missing."""
Part = Literal["late", "likelyLate", "dueThisWeek", "insideOverADay", "toApprove", "toBill", "called"]
"""A part of Hoy, which lists what the office must attend to."""


def parts_of(line: Line, *, oldest: datetime | None) -> list[Part]:
    """Return the parts of Hoy that a line belongs to, by the conditions below. No query.

    `oldest`: when the oldest of the pieces that are inside a process entered.
    """
    status, today = Status(line.status), clock.today()
    due = line.delivery_date
    belongs: dict[Part, bool] = {
        "late": is_late(status, due, today),
        "likelyLate": is_likely_late(line, today),
        "dueThisWeek": due is not None and status not in FINISHED and today <= due <= end_of_week(),
        "insideOverADay": oldest is not None and oldest < clock.now() - LONG_INSIDE,
        "toApprove": status is Status.New,
        "toBill": status is Status.Done and line.quantity_billed < line.quantity_good,
        "called": line.call_id is not None,
    }
    return [part for part, true in belongs.items() if true]


def late(line: str = "") -> Q:
    """Select open lines past their delivery date (`rules.is_late`). `line`: the lookup's prefix, such as `line__`."""
    return Q(**{f"{line}urgency__lt": clock.today()})


def likely_late() -> Q:
    """Select open lines for which the bell rings: two forecasts at least an hour apart called them likely late."""
    today = clock.today()
    return Q(urgency=F("delivery_date"), urgency__gte=today, forecast__likely_late=True, forecast__due=F("urgency"))


def likely_late_now() -> Q:
    """Select open lines that are likely late by their present forecast (`forecast.is_likely_late`)."""
    return _not_late_yet() & Q(forecast__late_percent__gte=LIKELY_LATE_PERCENT)


def of_risk(asked: Risk) -> Q:
    """Select open lines whose forecast has this risk (`forecast.forecast_of`)."""
    if asked == "high":
        known = Q(urgency=F("delivery_date"), forecast__p10__isnull=False)
        return known & (late() | likely_late_now())
    least, above = (DOUBTFUL_PERCENT, LIKELY_LATE_PERCENT) if asked == "medium" else (0, DOUBTFUL_PERCENT)
    return _not_late_yet() & Q(forecast__late_percent__gte=least, forecast__late_percent__lt=above)


def _not_late_yet() -> Q:
    """Select open lines that are not late, and have a forecast for their present delivery date."""
    known = Q(urgency=F("delivery_date"), forecast__p10__isnull=False)
    return known & Q(urgency__gte=clock.today(), forecast__due=F("urgency"))


def risk() -> Expression:
    """Return the chance in percent that a line is late; -1 if it is finished, or has no delivery date or forecast."""
    none = Value(-1, output_field=IntegerField())
    chance = Coalesce(F("forecast__late_percent"), none, output_field=IntegerField())
    return Case(When(urgency=NO_DATE, then=none), default=chance, output_field=IntegerField())


def end_of_week() -> date:
    """Return the Sunday that ends the plant's week."""
    today = clock.today()
    return today + timedelta(days=6 - today.weekday())


def due_this_week() -> Q:
    """Select open lines that are due from today to the end of the week."""
    return Q(urgency__gte=clock.today(), urgency__lte=end_of_week())


def inside_over_a_day() -> Q:
    """Select lines with pieces that have been inside one process for more than a day."""
    long = ProcessRecord.objects.filter(OPEN, input_at__lt=clock.now() - LONG_INSIDE)
    return Q(pk__in=long.order_by().values("line"))


def to_weigh() -> Q:
    """Select unfinished lines with a movement that a station reported later without the weight that it needs."""
    unweighed = Q(mg_in__isnull=True, entry__press__received_at__isnull=False) | Q(
        mg_out__isnull=True, scrapped=False, exit__press__received_at__isnull=False
    )
    records = ProcessRecord.objects.filter(unweighed, released_at__isnull=True, process__weighs=Weighs.required.value)
    unfinished = ~Q(status__in=[status.value for status in FINISHED])
    return unfinished & Q(item__alloy__isnull=False, pk__in=records.order_by().values("line"))


def called() -> Q:
    """Select lines with a call that nobody comes for."""
    return Q(call_at__isnull=False)


def to_sign() -> Q:
    """Select lines with a loss of metal that nobody has signed for.

    The loss is above what a process allows, or metal was missing when pieces entered a process.
    """
    records = ProcessRecord.objects.filter(loss_to_sign=True, released_at__isnull=True)
    return Q(pk__in=records.order_by().values("line"))


def inside_since() -> Expression:
    """Return when a line's oldest pieces inside a process entered. Only lines with pieces inside need a look-up."""
    return _of_the_oldest(F("input_at"), DateTimeField(), NOTHING_INSIDE)


def here_since() -> Expression:
    """Return since when a line's pieces are where they are.

    If pieces are inside a process: when the oldest of them entered. If not, and pieces may enter: when the last ones
    left a process.
    """
    none = Value(NOTHING_INSIDE, output_field=DateTimeField())
    exits = ProcessRecord.objects.filter(CLOSED, scrapped=False, line=OuterRef("pk")).order_by("-output_at", "-id")
    left = Coalesce(Subquery(exits.values("output_at")[:1]), none)
    waits = Q(quantity_inside=0, status__in=[status.value for status in MAY_BE_ENTERED])
    return Case(When(waits, then=left), default=inside_since(), output_field=DateTimeField())


def process_place() -> Expression:
    """Return the place, in the plant's order, of the process that holds the oldest pieces."""
    place = Cast("process__order", BigIntegerField()) * _PLACES + F("process_id")
    return _of_the_oldest(place, BigIntegerField(), NO_PROCESS)


def process_name() -> Expression:
    """Return the name of the process that holds the oldest pieces; empty if nothing is inside."""
    return _of_the_oldest(F("process__name"), CharField(), "")


def _of_the_oldest(value: Any, field: "Field[Any, Any]", nothing: datetime | int | str) -> Expression:
    oldest = ProcessRecord.objects.filter(OPEN, line=OuterRef("pk")).order_by("input_at", "id")
    found = Subquery(oldest.annotate(key=value).values("key")[:1], output_field=field)
    none = Value(nothing, output_field=field)
    return Case(When(quantity_inside__gt=0, then=Coalesce(found, none)), default=none, output_field=field)
