"""REST API of the audit: read-only, filterable, linked from each record (infra/docs/rules.md#audit)."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from django.db.models import Max
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Query
from pydantic import Field

from project.access.guard import Requires
from project.access.permissions import Permission
from project.audit.exporting import export
from project.audit.models import AuditEntry
from project.core import clock
from project.core.exporting import Column, ExportQuery
from project.core.pagination import Orderings, announce, paginate
from project.core.routing import domain_router
from project.core.schemas import DaysQuery, Instant, Out, QueryId
from project.core.spanish import matching
from project.core.texts import active_language, text, texts

router = domain_router("audit")

ORDERINGS = Orderings(columns={"id": "id", "at": "at"}, default="-id")


class AuditQuery(ExportQuery, DaysQuery):
    """Filters: the record (`entity`, `entityId`), the user, the action, and plant days `from` and `to`, inclusive."""

    entity: Annotated[str, Field(max_length=40)] | None = None
    entity_id: QueryId | None = None
    user_id: QueryId | None = None
    action: Annotated[str, Field(max_length=40)] | None = None


class ChangeOut(Out):
    before: Any
    after: Any


class AuditEntryOut(Out):
    id: int
    at: Instant
    user_id: int | None
    user_name: str
    address: str
    entity: str
    entity_id: int
    label: str
    action: str
    changes: dict[str, ChangeOut]


def _word(name: str, *families: str) -> str:
    """Return the caller's word for a name, from the first family that has one; else the name itself."""
    words = texts(active_language())
    return next((words[f"{family}_{name}"] for family in families if f"{family}_{name}" in words), name)


def _value(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return text("yes" if value else "no")
        case _:
            return json.dumps(value, ensure_ascii=False)


def _changes(row: AuditEntry) -> str:
    """Return one line per field: `name: before → after`."""
    return "\n".join(
        f"{_word(name, 'column', 'field')}: {_value(change['before'])} → {_value(change['after'])}"
        for name, change in row.changes.items()
    )


COLUMNS: Sequence[Column[AuditEntry]] = (
    Column("at", lambda row: row.at),
    Column("userName", lambda row: row.user_name),
    Column("address", lambda row: row.address),
    Column("entity", lambda row: _word(row.entity, "entity")),
    Column("label", lambda row: row.label or f"#{row.entity_id}"),
    Column("action", lambda row: _word(row.action, "action")),
    Column("changes", _changes),
)


@router.get("", auth=Requires(Permission.ViewAudit), operation_id="audit_list")
def audit_list(
    request: HttpRequest, response: HttpResponse, query: Query[AuditQuery]
) -> list[AuditEntryOut] | HttpResponseBase:
    """List changes, newest first. `format` exports all of them as a file.

    `search` matches the record's label and the user's name.
    """
    rows = AuditEntry.objects.all()
    same = {"entity": query.entity, "entity_id": query.entity_id, "user_id": query.user_id, "action": query.action}
    rows = rows.filter(**{name: value for name, value in same.items() if value is not None})
    rows = matching(rows, query.search, "label", "user_name")
    if query.date_from:
        rows = rows.filter(at__gte=clock.start_of(query.date_from))
    if query.date_to:
        rows = rows.filter(at__lt=clock.end_of(query.date_to))
    if query.format:
        until_now = rows.filter(pk__lte=AuditEntry.objects.aggregate(last=Coalesce(Max("pk"), 0))["last"])
        return export(request, until_now, query, ORDERINGS, COLUMNS, "audit")  # without this export's own entry
    return [_present(row) for row in announce(paginate(rows, query, ORDERINGS), request, response)]


def _present(row: AuditEntry) -> AuditEntryOut:
    return AuditEntryOut(
        id=row.pk,
        at=row.at,
        user_id=row.user_id,
        user_name=row.user_name,
        address=row.address,
        entity=row.entity,
        entity_id=row.entity_id,
        label=row.label,
        action=row.action,
        changes={name: ChangeOut(**change) for name, change in row.changes.items()},
    )
