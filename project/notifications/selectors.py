"""The notifications of a person: gone when their cause is gone, for those who hold `ListOrders`."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db.models import Exists, Model, OuterRef, QuerySet

from project.access.principal import Principal
from project.access.table import P
from project.core import clock
from project.core.pagination import ROWS_WITHOUT_LIMIT
from project.notifications.models import ReadMark
from project.notifications.rules import Cause, Kind
from project.orders.models import Line, ProcessRecord
from project.orders.selectors import FINISHED, open_records


@dataclass(frozen=True)
class Notification:
    """One notification as its reader sees it."""

    cause: Cause
    created_at: datetime
    line: Line


def unread(by: Principal) -> list[Notification]:
    """Unread notifications, those without exit first, each kind's newest first, at most 1,000. 2 queries."""
    if not by.holds(P.ListOrders):
        return []
    records = _unmarked(without_output(), Kind.WithoutOutput, by)[:ROWS_WITHOUT_LIMIT]
    lines = _unmarked(expiring(), Kind.Expiring, by)[:ROWS_WITHOUT_LIMIT]
    return ([_of_record(record) for record in records] + [_of_line(line) for line in lines])[:ROWS_WITHOUT_LIMIT]


def find(notification_id: int, by: Principal) -> Notification | None:
    """The notification with this id, whether read, still caused or not; None where it is nobody's or not his."""
    if not by.holds(P.ListOrders):
        return None
    cause = Cause.of(notification_id)
    if cause.kind is Kind.WithoutOutput:
        record = ProcessRecord.objects.select_related("line__order").filter(pk=cause.cause_id).first()
        return _of_record(record) if record else None
    line = Line.objects.select_related("order").filter(pk=cause.cause_id, delivery_date__isnull=False).first()
    return _of_line(line) if line else None


def without_output() -> QuerySet[ProcessRecord]:
    """Records open for longer than `ALERT_OPEN_HOURS`, newest first."""
    since = clock.now() - timedelta(hours=settings.ALERT_OPEN_HOURS)
    return open_records().filter(input_at__lte=since).select_related("line__order").order_by("-input_at", "-id")


def expiring() -> QuerySet[Line]:
    """Open lines whose delivery date is past or within `ALERT_DELIVERY_DAYS`, the latest date first."""
    limit = clock.today() + timedelta(days=settings.ALERT_DELIVERY_DAYS)
    near = Line.objects.filter(delivery_date__lte=limit).exclude(status__in=FINISHED)
    return near.select_related("order").order_by("-delivery_date", "-id")


def _unmarked[Row: Model](rows: QuerySet[Row], kind: Kind, by: Principal) -> QuerySet[Row]:
    return rows.exclude(Exists(ReadMark.objects.filter(user=by.user_id, kind=kind, cause_id=OuterRef("pk"))))


def _of_record(record: ProcessRecord) -> Notification:
    due = record.input_at + timedelta(hours=settings.ALERT_OPEN_HOURS)
    return Notification(Cause(Kind.WithoutOutput, record.pk), due, record.line)


def _of_line(line: Line) -> Notification:
    assert line.delivery_date is not None  # noqa: S101 - both callers ask for lines that have one
    day = line.delivery_date - timedelta(days=settings.ALERT_DELIVERY_DAYS)
    midnight = datetime.combine(day, time.min, tzinfo=clock.plant()).astimezone(UTC)
    return Notification(Cause(Kind.Expiring, line.pk), max(midnight, line.creation_date), line)
