"""Stores the flow of past days. The worker calls it.

Percentiles of single days cannot be combined. So each day stores the sorted durations of its visits, four bytes each,
and a percentile over many days is found in them by bisection. Code that writes records without the product's services
(a restore, a benchmark) calls `flow_forget`.
"""

from collections.abc import Iterator
from datetime import date, timedelta

from django.db import transaction

from project.core import clock
from project.orders.models import ChangedDay, ProcessRecord
from project.reports import flow
from project.reports.models import KeptDay, KeptFlow

SETTLED = timedelta(hours=1)
"""A day is stored this long after its end, when the transactions under way at midnight have ended."""


def flow_keep() -> int:
    """Store the flow of each past day that is not stored yet or has changed since. Returns the number of these days."""
    # Days after the last settled one were stored before the clock was set back. They can still get output.
    KeptDay.objects.filter(day__gt=_last_settled()).delete()
    days = [*_missing(), *_changed()]
    for day in days:
        _keep(day)
    return len(days)


@transaction.atomic
def flow_forget() -> None:
    """Delete all stored days. Call it after records were written without the product's services."""
    KeptDay.objects.all().delete()


def _missing() -> Iterator[date]:
    closed = ProcessRecord.objects.filter(released_at__isnull=True, output_at__isnull=False)
    oldest = closed.order_by("output_at").values_list("output_at", flat=True).first()
    if oldest is None:
        return
    first, last = clock.day_of(oldest), _last_settled()
    kept = set(KeptDay.objects.values_list("day", flat=True))
    for day in (first + flow.DAY * n for n in range((last - first).days + 1)):
        if day not in kept:
            yield day


def _changed() -> list[date]:
    changed = ChangedDay.objects.filter(day__lte=_last_settled()).values_list("day", flat=True)
    return list(KeptDay.objects.filter(day__in=changed.distinct()).values_list("day", flat=True))


def _last_settled() -> date:
    return clock.day_of(clock.now() - SETTLED) - flow.DAY


@transaction.atomic
def _keep(day: date) -> None:
    """Store a day. Reads the `ChangedDay` rows before the records: a row added in the meantime remains, so the day is
    stored again."""
    changes = list(ChangedDay.objects.filter(day=day).values_list("pk", flat=True))
    KeptDay.objects.filter(day=day).delete()
    kept = KeptDay.objects.create(day=day)
    KeptFlow.objects.bulk_create(
        KeptFlow(
            day=kept,
            process_id=one.process_id,
            pieces=one.pieces,
            inside=one.inside.tobytes(),
            waited=one.waited.tobytes(),
        )
        for one in flow.computed(day)
    )
    ChangedDay.objects.filter(pk__in=changes).delete()
