"""Writes the audit. Called inside the change's transaction, at whose end its rows are written (see `written_last`)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any, Protocol

from django.db import models
from pydantic.alias_generators import to_camel

from project.audit.models import AuditEntry
from project.core import clock
from project.core.address import current_address
from project.core.schemas import utc_z
from project.core.written_last import write_last

# What says nothing, or must never be written down.
LEFT_OUT = frozenset({"id", "version", "token_version", "last_login", "created_at", "search_text"}) | {
    "password",
    "pin_hash",
    "badge_hash",
}
HIDDEN = "•••"

Snapshot = Mapping[str, Any]


class Person(Protocol):
    """Who did it: a `Principal`, or somebody who is only about to be one."""

    @property
    def user_id(self) -> int: ...

    @property
    def full_name(self) -> str: ...


def snapshot(row: models.Model, **beside: Any) -> Snapshot:
    """The columns of `row` by their public names, and what is kept beside them (lists of ids, nested rows)."""
    columns = {
        _public(field.attname): _plain(field.value_from_object(row))
        for field in row._meta.concrete_fields
        if field.attname not in LEFT_OUT and not field.generated
    }
    return columns | {to_camel(name): value for name, value in beside.items()}


@dataclass(frozen=True)
class Change:
    """One change of a record; `before` None for a creation, `after` None for a deletion."""

    entity_id: int
    label: str
    action: str
    before: Snapshot | None
    after: Snapshot | None

    def differences(self) -> dict[str, dict[str, Any]]:
        """What changed, by field; what stayed the same is left out."""
        before, after = self.before or {}, self.after or {}
        return {
            name: {"before": before.get(name), "after": after.get(name)}
            for name in dict.fromkeys([*before, *after])
            if before.get(name) != after.get(name)
        }


def record(
    *,
    entity: str,
    entity_id: int,
    label: str,
    action: str,
    before: Snapshot | None,
    after: Snapshot | None,
    by: Person | None,
) -> None:
    """Write one change."""
    record_all(entity, [Change(entity_id, label, action, before, after)], by=by)


def record_all(entity: str, changes: Iterable[Change], *, by: Person | None) -> None:
    """Write many changes of one kind of record, a row each. 1 query for 1,000 of a unit of work."""
    now, address = clock.now(), current_address.get()
    write_last(
        _store,
        (
            AuditEntry(
                at=now,
                user_id=by.user_id if by else None,
                user_name=by.full_name if by else "",
                address=address,
                entity=entity,
                entity_id=change.entity_id,
                label=change.label[:400],
                action=change.action,
                changes=change.differences(),
            )
            for change in changes
        ),
    )


def _store(rows: Sequence[AuditEntry]) -> None:
    AuditEntry.objects.bulk_create(rows, batch_size=1_000)


_public = cache(to_camel)


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return utc_z(value)
        case date():
            return value.isoformat()
        case Decimal():
            return float(value)
        case _:
            return value
