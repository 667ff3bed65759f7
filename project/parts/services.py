"""Which parts of the product are on, and switching them (infra/docs/rules.md#parts)."""

from dataclasses import dataclass
from datetime import datetime

from project.access.principal import Principal
from project.audit import services as audit
from project.core import clock
from project.core.errors import InUse
from project.core.idempotency import unit_of_work
from project.events import CatalogChanged, CatalogData
from project.parts.contents import PARTS, PartKey
from project.parts.models import Part
from realtime import outbox
from realtime.registry import Actor


@dataclass(frozen=True)
class PartState:
    """Whether a part is on. `since`: when it was last switched, or turned on by a write; None if neither happened."""

    key: PartKey
    on: bool
    since: datetime | None


def part_list() -> list[PartState]:
    """Return all parts. 1 query, and one or more for each part that nobody has switched on."""
    rows = {row.key: row for row in Part.objects.all()}
    return [_state(key, rows.get(key)) for key in PartKey]


@unit_of_work
def part_put(key: PartKey, *, on: bool, by: Principal) -> PartState:
    """Switch a part on or off; a no-op if it is so already. Raises `InUse` if it has records and `on` is false."""
    if not on and (used := _records(key)):
        raise InUse(used)
    before = _state(key, Part.objects.filter(pk=key).first())
    return before if before.on == on else _switch(key, on=on, before=before, by=by)


def turn_on(key: PartKey) -> None:
    """Turn a part on at its first write, in the transaction of that write. 1 query if it is on."""
    row = Part.objects.filter(pk=key).first()
    if row is None or not row.on:
        _switch(key, on=True, before=_state(key, row), by=None)


def _switch(key: PartKey, *, on: bool, before: PartState, by: Principal | None) -> PartState:
    row = Part(key=key, on=on, since=clock.now())
    # Two first writes at once must not refuse each other.
    Part.objects.bulk_create([row], update_conflicts=True, unique_fields=["key"], update_fields=["on", "since"])
    place = [*PartKey].index(key) + 1
    audit.record(
        entity="parts",
        entity_id=place,
        label=key,
        action="changed",
        before={"on": before.on},
        after={"on": on},
        by=by,
    )
    event = CatalogChanged(data=CatalogData(id=place, catalog="parts", change="changed"))
    outbox.publish(event, by=Actor.of(by) if by else None)
    return PartState(key, on, row.since)


def _state(key: PartKey, row: Part | None) -> PartState:
    is_on = bool(row and row.on) or bool(_records(key))
    return PartState(key, is_on, row.since if row else None)


def _records(key: PartKey) -> dict[str, int]:
    """Count the records that keep a part on, by the name of their model. 1 query for each model."""
    found = [find() for find in PARTS[key].records]
    counts = ((rows.model._meta.model_name or "", rows.count()) for rows in found)
    return {name: count for name, count in counts if count}
