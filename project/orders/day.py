"""A day of the shop floor again, from the records alone: what was inside at midnight, and each movement since."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from django.db.models import Q, QuerySet

from project.core import clock
from project.orders.models import ProcessRecord

MovementType = Literal["in", "out", "returned", "removed"]
"""Pieces enter, leave, are inside again since their exit was released, were never here since their entry was."""


@dataclass(frozen=True)
class DayMovement:
    """Pieces of a record at an instant, and the full name of who moved them."""

    at: datetime
    type: MovementType
    record: ProcessRecord
    by: str


def records_of_day(day: date) -> QuerySet[ProcessRecord]:
    """The records of which pieces were inside a process at some time of the day, with their lines. 1 query."""
    start = clock.start_of(day)
    return (
        ProcessRecord.objects.filter(
            Q(output_at__isnull=True) | Q(output_at__gte=start),
            Q(released_at__isnull=True) | Q(released_at__gte=start),
            input_at__lt=clock.end_of(day),
        )
        .select_related("process", "input_by", "output_by", "released_by", "line__item", "line__order__customer")
        .order_by("process__order", "input_at", "id")
    )


def inside_at(record: ProcessRecord, instant: datetime) -> bool:
    """Whether the record's pieces were inside its process just before `instant`."""
    moved = [movement for movement in movements_of(record) if movement.at < instant]
    return bool(moved) and moved[-1].type in ("in", "returned")


def movements(records: Iterable[ProcessRecord], day: date) -> list[DayMovement]:
    """What happened on the day, in order; pieces that left one process and entered another at once leave first."""
    first, end = clock.start_of(day), clock.end_of(day)
    found = [one for record in records for one in movements_of(record) if first <= one.at < end]
    return sorted(found, key=lambda one: (one.at, one.type in ("in", "returned"), one.record.pk))


def movements_of(record: ProcessRecord) -> Iterator[DayMovement]:
    """All that ever happened to a record, in order."""
    yield DayMovement(record.input_at, "in", record, record.input_by.full_name)
    for exit_ in record.released_exits:
        yield DayMovement(datetime.fromisoformat(exit_["outputDate"]), "out", record, exit_["outputUsername"])
        yield DayMovement(datetime.fromisoformat(exit_["releasedDate"]), "returned", record, exit_["releasedBy"])
    if record.output_at is not None:
        assert record.output_by is not None  # noqa: S101 - the database keeps both or neither
        yield DayMovement(record.output_at, "out", record, record.output_by.full_name)
    if record.released_at is not None:
        assert record.released_by is not None  # noqa: S101 - the database keeps both or neither
        yield DayMovement(record.released_at, "removed", record, record.released_by.full_name)
