"""Reads the notifications of a person (`rules.is_notified`). A notification lasts until its cause is gone."""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Protocol

from django.conf import settings
from django.db.models import BigIntegerField, CharField, DateField, Exists, F, Model, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Coalesce

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core import clock
from project.core.pagination import ROWS_WITHOUT_LIMIT
from project.notices.models import Announcement, ReadMark
from project.notices.rules import Cause, Kind, is_notified
from project.orders import attention
from project.orders.models import Line, ProcessRecord
from project.orders.rules import FINISHED
from project.orders.selectors import open_records
from project.staffing.selectors import processes_of

log = logging.getLogger(__name__)

MOST_UNREAD = ROWS_WITHOUT_LIMIT
"""The most notifications that one call returns as unread."""
MOST_AT_ONCE = 5_000
"""The most causes that one pass announces; the next pass announces the rest."""


@dataclass(frozen=True)
class Notification:
    """A notification as its reader sees it. `created_at`: when its cause began.

    `process_id`, `process_name` and `inside_since` say where pieces are inside, and since when. `delivery_date` is the
    date that is near or past, or that will probably be missed. `answer`: what a customer answered. Each is None in a
    notification of another kind.
    """

    cause: Cause
    version: int
    created_at: datetime
    po: str
    order_id: int
    line_id: int
    position: int
    process_id: int | None
    process_name: str | None
    inside_since: datetime | None
    delivery_date: date | None
    answer: str | None = None


class Source(Protocol):
    """The causes of one kind that another package stores, such as customers' answers. `cause_id`: their primary key."""

    def current(self, orders: Collection[int] | None = None) -> QuerySet[Any]:
        """Return the causes that hold now, newest first: of all orders, or of `orders`."""

    def known(self) -> QuerySet[Any]:
        """Return all causes, also those that no longer hold."""

    def notifications(self, rows: QuerySet[Any]) -> list[Notification]:
        """Return the notifications of these causes. 1 query."""


_sources: dict[Kind, Source] = {}


def register(kind: Kind, source: Source) -> None:
    """Set the source of the causes of a kind. Call it once for each kind, when the process starts."""
    _sources[kind] = source


def unread(by: Principal) -> list[Notification]:
    """Return the caller's unread notifications, at most `MOST_UNREAD`. At most 4 queries, and 1 for each `Source`.

    Their order: pieces without exit, newest entry first; lines that are likely late, by delivery date; lines near or
    past their delivery date, by delivery date; notifications of each `Source`.
    """
    if not by.holds(Permission.ListOrders):
        return []
    own = processes_of(by.user_id)
    of_everything = is_notified(None, permissions=by.permissions, processes=own)
    open_long = without_output() if of_everything else without_output().filter(process__in=own)
    records = _records(_unmarked(open_long.order_by("-input_at", "-id"), Kind.WithoutOutput, by))
    if not of_everything:
        return _all_of(records[:MOST_UNREAD])
    likely = _likely(_unmarked(likely_late().order_by("delivery_date", "id"), Kind.LikelyLate, by))
    lines = _lines(_unmarked(expiring().order_by("delivery_date", "id"), Kind.Expiring, by))
    found = _all_of([*records[:MOST_UNREAD], *likely[:MOST_UNREAD], *lines[:MOST_UNREAD]][:MOST_UNREAD])
    for kind, source in _sources.items():
        found += source.notifications(_unmarked(source.current(), kind, by)[:MOST_UNREAD])
    return found[:MOST_UNREAD]


def find(notification_id: int, by: Principal) -> Notification | None:
    """Return the notification with this id, even if it is read or over; None if `by` does not get it."""
    if not by.holds(Permission.ListOrders):
        return None
    cause = Cause.of(notification_id)
    if cause.kind in _sources:
        source = _sources[cause.kind]
        found = next(iter(source.notifications(source.known().filter(pk=cause.cause_id))), None)
    elif cause.kind is Kind.WithoutOutput:
        found = _first(_records(ProcessRecord.objects.filter(pk=cause.cause_id)))
    else:
        of_kind = _likely if cause.kind is Kind.LikelyLate else _lines
        found = _first(of_kind(Line.objects.filter(pk=cause.cause_id, delivery_date__isnull=False)))
    own = processes_of(by.user_id)
    return found if found and is_notified(found.process_id, permissions=by.permissions, processes=own) else None


def new(orders: Collection[int] | None = None) -> list[Notification]:
    """Return notifications that were not announced yet, of all orders or of `orders`; at most 5,000. 1 query.

    Causes that a `Source` stores are left out: `cause_announce` announces them.
    """
    records, lines, likely = without_output(), expiring(), likely_late()
    if orders is not None:
        records = records.filter(line__order__in=orders)
        lines, likely = lines.filter(order__in=orders), likely.filter(order__in=orders)
    found = _lines(_unannounced(lines, Kind.Expiring)).union(
        _likely(_unannounced(likely, Kind.LikelyLate)),
        _records(_unannounced(records, Kind.WithoutOutput)),
        all=True,
    )
    return _all_of(found[:MOST_AT_ONCE])


def announced(orders: Collection[int]) -> list[Notification]:
    """Return notifications of these orders that were announced and have not ended; at most 5,000 of each kind.

    1 query, and 1 for each `Source`.
    """
    lines = expiring().filter(order__in=orders).filter(_was_announced(Kind.Expiring))
    likely = likely_late().filter(order__in=orders).filter(_was_announced(Kind.LikelyLate))
    records = without_output().filter(line__order__in=orders).filter(_was_announced(Kind.WithoutOutput))
    found = _all_of(_lines(lines).union(_likely(likely), _records(records), all=True)[:MOST_AT_ONCE])
    for kind, source in _sources.items():
        found += source.notifications(source.current(orders).filter(_was_announced(kind))[:MOST_AT_ONCE])
    return found


def gone(orders: Collection[int] | None = None) -> QuerySet[Announcement]:
    """Return the announcements of causes that no longer hold, of all orders or of `orders`."""
    record_stands = Exists(without_output().filter(pk=OuterRef("cause_id")))
    line_stands = Exists(expiring().filter(pk=OuterRef("cause_id")))
    likely_stands = Exists(likely_late().filter(pk=OuterRef("cause_id")))
    over = (
        Q(Q(kind=Kind.WithoutOutput), ~Q(record_stands))
        | Q(Q(kind=Kind.Expiring), ~Q(line_stands))
        | Q(Q(kind=Kind.LikelyLate), ~Q(likely_stands))
    )
    for kind, source in _sources.items():
        over |= Q(Q(kind=kind), ~Q(Exists(source.current().filter(pk=OuterRef("cause_id")))))
    found = Announcement.objects.filter(over)
    return found if orders is None else found.filter(order_id__in=orders)


def stands(cause: Cause) -> bool:
    """Say whether the cause holds now. 1 query."""
    if cause.kind in _sources:
        return bool(_sources[cause.kind].current().filter(pk=cause.cause_id).exists())
    if cause.kind is Kind.WithoutOutput:
        return without_output().filter(pk=cause.cause_id).exists()
    lines = likely_late() if cause.kind is Kind.LikelyLate else expiring()
    return lines.filter(pk=cause.cause_id).exists()


def without_output() -> QuerySet[ProcessRecord]:
    """Return records of pieces that entered at least `ALERT_OPEN_HOURS` ago and are still inside."""
    return open_records().filter(input_at__lte=clock.now() - timedelta(hours=settings.ALERT_OPEN_HOURS))


def expiring() -> QuerySet[Line]:
    """Return open lines with a delivery date that is past or within `ALERT_DELIVERY_DAYS`."""
    limit = clock.today() + timedelta(days=settings.ALERT_DELIVERY_DAYS)
    return Line.objects.filter(delivery_date__lte=limit).exclude(status__in=FINISHED)


def likely_late() -> QuerySet[Line]:
    """Return open lines that are likely late: their forecast says so, and their delivery date is not past."""
    return Line.objects.filter(attention.likely_late())


type Row = tuple[str, int, int, int, str, int, int, datetime, int | None, str | None, date | None]
"""Kind, id of the cause, version, order, PO#, line, position, since when, process, its name, delivery date.

Since when: the entry of the pieces, the creation of the line, or the first forecast that the line will be late.
"""


# If two parts of a union have a null without a type, PostgreSQL takes the column for text.
NO_PROCESS, NO_NAME = Cast(Value(None), BigIntegerField()), Cast(Value(None), CharField())
NO_DAY = Cast(Value(None), DateField())


def _records(rows: QuerySet[ProcessRecord]) -> QuerySet[ProcessRecord, Row]:
    return rows.values_list(
        Value(Kind.WithoutOutput.value),
        "pk",
        F("line__version") + F("line__order__version"),
        "line__order_id",
        "line__order__customer_sales_order_id",
        "line_id",
        "line__position",
        "input_at",
        "process_id",
        "process__name",
        NO_DAY,
    )


def _lines(rows: QuerySet[Line]) -> QuerySet[Line, Row]:
    return _of_lines(rows, Kind.Expiring, since="creation_date")


def _likely(rows: QuerySet[Line]) -> QuerySet[Line, Row]:
    return _of_lines(rows, Kind.LikelyLate, since=Coalesce("forecast__doubtful_since", "creation_date"))


def _of_lines(rows: QuerySet[Line], kind: Kind, *, since: str | Coalesce) -> QuerySet[Line, Row]:
    return rows.values_list(
        Value(kind.value),
        "pk",
        F("version") + F("order__version"),
        "order_id",
        "order__customer_sales_order_id",
        "pk",
        "position",
        since,
        NO_PROCESS,
        NO_NAME,
        "delivery_date",
    )


def _unmarked[Rows: Model](rows: QuerySet[Rows], kind: Kind, by: Principal) -> QuerySet[Rows]:
    marks = ReadMark.objects.filter(user=by.user_id, announcement__kind=kind, announcement__cause_id=OuterRef("pk"))
    return rows.exclude(Exists(marks))


def _unannounced[Rows: Model](rows: QuerySet[Rows], kind: Kind) -> QuerySet[Rows]:
    return rows.exclude(_was_announced(kind))


def _was_announced(kind: Kind) -> Exists:
    return Exists(Announcement.objects.filter(kind=kind, cause_id=OuterRef("pk")))


def _first(rows: QuerySet[Any, Row]) -> Notification | None:
    row = rows.first()
    return _of(*row) if row else None


def _all_of(rows: Iterable[Row]) -> list[Notification]:
    """Return the notifications of these rows. A row that raises an error is logged and left out."""
    found = []
    for row in rows:
        try:
            found.append(_of(*row))
        except (ValueError, OverflowError):
            log.exception("no notification can be made of %s %s", row[0], row[1])
    return found


def _of(
    kind: str,
    cause_id: int,
    version: int,
    order_id: int,
    po: str,
    line_id: int,
    position: int,
    since: datetime,
    process_id: int | None,
    process_name: str | None,
    delivery: date | None,
) -> Notification:
    if kind == Kind.LikelyLate:
        created = since
    elif delivery is None:
        created = since + timedelta(hours=settings.ALERT_OPEN_HOURS)
    else:
        day = delivery - timedelta(days=settings.ALERT_DELIVERY_DAYS)
        created = max(datetime.combine(day, time.min, tzinfo=clock.plant()).astimezone(UTC), since)
    return Notification(
        Cause(Kind(kind), cause_id),
        version,
        created,
        po,
        order_id,
        line_id,
        position,
        process_id,
        process_name,
        since if delivery is None else None,
        delivery,
    )
