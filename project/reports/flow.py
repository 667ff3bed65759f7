"""Computes the flow of pieces: the output of each process and day, the time inside, and the waiting time before.

Everything is computed from process records. A visit is a closed record that is not released and not scrapped. It
belongs to the plant day of its exit and counts once, for any number of pieces. Its wait begins when the last visit of
the same line ended before it. A visit has no wait if no visit of the line ended before it began. Past days are stored
(`services.py`). All other days are computed here, so answers are right even if no worker runs.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import TruncDate

from project.core import clock
from project.orders.models import ChangedDay, ProcessRecord
from project.reports.models import KeptDay, KeptFlow
from project.reports.rules import Seconds, seconds

BATCH = 2_000
DAY = timedelta(days=1)


@dataclass
class Flow:
    """The output of one process on one day. `inside` and `waited`: the sorted durations of its visits, in seconds."""

    day: date
    process_id: int
    pieces: int = 0
    inside: Seconds = field(default_factory=seconds)
    waited: Seconds = field(default_factory=seconds)


def flows(
    *,
    first: date,
    last: date,
    process_id: int | None = None,
    customer_id: int | None = None,
    item_id: int | None = None,
    waits: bool = True,
) -> list[Flow]:
    """Return the flow of these days, both included. `waits` False leaves the waits empty, which is faster.

    The flow of a customer or a product is computed from records, in 1 query. Else it is read from the stored days: 4
    queries if only today is not stored.
    """
    last = min(last, clock.today())  # future days have no output
    if customer_id is not None or item_id is not None:
        records = visits(first, last)
        if customer_id is not None:
            records = records.filter(line__order__customer=customer_id)
        if item_id is not None:
            records = records.filter(line__item=item_id)
        return _measured(_of_process(records, process_id), waits=waits)
    found, kept = _kept(first, last, process_id, waits=waits)
    for begin, end in _gaps(first, last, kept):
        found += _measured(_of_process(visits(begin, end), process_id), waits=waits)
    return found


def computed(day: date) -> list[Flow]:
    """Compute the flow of a day from its records. 1 query."""
    return _measured(visits(day, day), waits=True)


def visits(first: date, last: date) -> QuerySet[ProcessRecord]:
    """Return the records of pieces that left a process from plant day `first` to `last`, both included.

    Released and scrapped records are left out.
    """
    return ProcessRecord.objects.filter(
        released_at__isnull=True, scrapped=False, output_at__gte=clock.start_of(first), output_at__lt=clock.end_of(last)
    )


def _of_process(records: QuerySet[ProcessRecord], process_id: int | None) -> QuerySet[ProcessRecord]:
    return records if process_id is None else records.filter(process=process_id)


def _kept(first: date, last: date, process_id: int | None, *, waits: bool) -> tuple[list[Flow], set[date]]:
    """Return the stored flow that is still valid, and the days that it covers.

    Reads the changed days before the stored days. A day that is stored again between both reads is computed once more.
    """
    changed = set(ChangedDay.objects.filter(day__range=(first, last)).values_list("day", flat=True))
    rows = KeptFlow.objects.filter(day__day__range=(first, last))
    if process_id is not None:
        rows = rows.filter(process=process_id)
    kept = set(KeptDay.objects.filter(day__range=(first, last)).values_list("day", flat=True)) - changed
    kept.discard(clock.today())  # kept before the clock was set back
    columns = ("day_id", "process_id", "pieces", "inside", *(["waited"] if waits else []))
    found = [
        Flow(day, process, pieces, *(seconds(bytes(runs)) for runs in durations))
        for day, process, pieces, *durations in rows.values_list(*columns).iterator(BATCH)
        if day in kept
    ]
    return found, kept


def _gaps(first: date, last: date, kept: set[date]) -> Iterator[tuple[date, date]]:
    """Yield the spans of days that are not stored, as (first, last)."""
    begin: date | None = None
    for day in (first + DAY * n for n in range((last - first).days + 1)):
        if day in kept:
            if begin is not None:
                yield begin, day - DAY
            begin = None
        elif begin is None:
            begin = day
    if begin is not None:
        yield begin, last


def _measured(records: QuerySet[ProcessRecord], *, waits: bool) -> list[Flow]:
    """Sum the records by day and process. Uses memory for two numbers per record."""
    found = dict[tuple[date, int], Flow]()
    # The database subtracts the instants: reading them takes twice as long as reading durations.
    columns = {"day": TruncDate("output_at", tzinfo=clock.plant()), "inside": F("output_at") - F("input_at")}
    if waits:
        columns["waited"] = F("input_at") - Subquery(_previous_exit())
    rows = records.values_list("process_id", "quantity").annotate(**columns)
    for process_id, quantity, day, inside, *waited in rows.iterator(BATCH):
        flow = found.get((day, process_id))
        if flow is None:
            flow = found[day, process_id] = Flow(day, process_id)
        flow.pieces += quantity
        flow.inside.append(int(inside.total_seconds()))
        if waited and waited[0] is not None:
            flow.waited.append(int(waited[0].total_seconds()))
    for flow in found.values():
        flow.inside, flow.waited = seconds(sorted(flow.inside)), seconds(sorted(flow.waited))
    return list(found.values())


def _previous_exit() -> QuerySet[ProcessRecord, object]:
    """Return the latest exit of the outer record's line that is not after the outer record's entry."""
    return (
        ProcessRecord.objects.filter(
            line=OuterRef("line"), released_at__isnull=True, scrapped=False, output_at__lte=OuterRef("input_at")
        )
        .exclude(pk=OuterRef("pk"))
        .order_by("-output_at")
        .values("output_at")[:1]
    )


def by_day(found: Iterable[Flow]) -> dict[date, list[Flow]]:
    """Return the flows by their day, earliest day first."""
    days: dict[date, list[Flow]] = {}
    for flow in sorted(found, key=lambda flow: flow.day):
        days.setdefault(flow.day, []).append(flow)
    return days
