"""Writes the audit. Called inside the change's transaction; 1 query."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import models
from pydantic.alias_generators import to_camel

from project.access.principal import Principal
from project.audit.models import AuditEntry
from project.core import clock
from project.core.address import current_address
from project.core.schemas import utc_z

# What says nothing, or must never be written down.
LEFT_OUT = frozenset({"id", "version", "password", "token_version", "last_login", "created_at"})
HIDDEN = "•••"

Snapshot = Mapping[str, Any]


def snapshot(row: models.Model, **beside: Any) -> Snapshot:
    """The columns of `row` by their public names, and what is kept beside them (lists of ids, nested rows)."""
    columns = {
        to_camel(field.attname): _plain(field.value_from_object(row))
        for field in row._meta.concrete_fields
        if field.attname not in LEFT_OUT
    }
    return columns | {to_camel(name): value for name, value in beside.items()}


def record(
    *,
    entity: str,
    entity_id: int,
    label: str,
    action: str,
    before: Snapshot | None,
    after: Snapshot | None,
    by: Principal | None,
) -> None:
    """Write one change; `before` None for a creation, `after` None for a deletion. What stayed the same is left out."""
    names = [*(before or {}), *(name for name in after or {} if name not in (before or {}))]
    changes = {
        name: {"before": (before or {}).get(name), "after": (after or {}).get(name)}
        for name in names
        if (before or {}).get(name) != (after or {}).get(name)
    }
    AuditEntry.objects.create(
        at=clock.now(),
        user_id=by.user_id if by else None,
        user_name=by.full_name if by else "",
        address=current_address.get(),
        entity=entity,
        entity_id=entity_id,
        label=label[:400],
        action=action,
        changes=changes,
    )


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
