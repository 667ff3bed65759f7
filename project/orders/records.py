"""Loads the process records of lines: whole where a history is shown, and only what stands for lists of lines."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F

from project.core.queries import prepared
from project.identity.models import full_name_of
from project.orders.models import ProcessRecord

_NAMES: dict[str, Any] = {
    "process_name": F("process__name"),
    "process_price": F("process__price"),
    "input_by_name": full_name_of("input_by"),
    "output_by_name": full_name_of("output_by"),
    "released_by_name": full_name_of("released_by"),
    "release_reason_key": F("release_reason__key"),
}
_NEWEST_FIRST = ("-input_at", "-id")
_RECORDS = ProcessRecord.objects.annotate(**_NAMES).order_by(*_NEWEST_FIRST)


class StandingRecord(NamedTuple):
    """A record that was not released, as far as a list of lines shows it and offers follow from it.

    A list loads many: a row of the table's own class costs ten times as much.
    """

    id: int
    line_id: int
    process_id: int
    process_name: str
    quantity: int
    quantity_paid: int
    input_at: datetime
    input_by_id: int
    input_by_name: str
    output_at: datetime | None
    output_by_id: int | None
    released_at: None = None

    @property
    def open(self) -> bool:
        """Its pieces are inside the process now."""
        return self.output_at is None


Record = ProcessRecord | StandingRecord

_STANDING = (
    ProcessRecord.objects.annotate(**{name: _NAMES[name] for name in ("process_name", "input_by_name")})
    .filter(released_at__isnull=True)
    .order_by(*_NEWEST_FIRST)
    .values_list(*(name for name in StandingRecord._fields if name != "released_at"))
)


_records = prepared(lambda *lines: _RECORDS.filter(line__in=lines))
_standing = prepared(lambda *lines: _STANDING.filter(line__in=lines))


def records_of(lines: Collection[int]) -> Mapping[int, list[ProcessRecord]]:
    """The whole history of each of these lines, newest first; none for any other. 1 query."""
    return _by_line(_records(*lines) if lines else ())


def standing_records_of(lines: Collection[int]) -> Mapping[int, list[StandingRecord]]:
    """What stands of each of these lines, newest first; nothing for any other. 1 query."""
    return _by_line([StandingRecord(*row) for row in _standing(*lines)] if lines else ())


def _by_line[R: Record](records: Iterable[R]) -> Mapping[int, list[R]]:
    found: defaultdict[int, list[R]] = defaultdict(list)
    for record in records:
        found[record.line_id].append(record)
    return found
