"""Exports lists as files, and records each export in the audit: who, which file, which filters, how many rows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseBase
from pydantic.alias_generators import to_camel

from project.access.guard import caller
from project.access.principal import Principal
from project.audit import services as audit
from project.core import exporting
from project.core.exporting import Column, ExportQuery, FileFormat
from project.core.pagination import Orderings


def export[Row: Model, Found, Shown](
    request: HttpRequest,
    rows: QuerySet[Row, Found],
    query: ExportQuery,
    orderings: Orderings,
    columns: Sequence[Column[Shown]],
    name: str,
    *,
    present: Callable[[list[Found]], list[Shown]] | None = None,
) -> HttpResponseBase:
    """Export as `core.exporting.export` does, and record the export in the audit. 1 query more, to count the rows."""
    answer = exporting.export(request, rows, query, orderings, columns, name, present=present)
    exported(f"{name}.{query.format}", filters=_filters(request), rows=rows.order_by().count(), by=caller(request))
    return answer


def export_table[Row](
    request: HttpRequest, rows: list[Row], kind: FileFormat, columns: Sequence[Column[Row]], name: str
) -> HttpResponseBase:
    """Export as `core.exporting.export_table` does, and record the export in the audit."""
    answer = exporting.export_table(request, rows, kind, columns, name)
    exported(f"{name}.{kind}", filters=_filters(request), rows=len(rows), by=caller(request))
    return answer


def exported(file: str, *, filters: Mapping[str, Any], rows: int, by: Principal) -> None:
    """Record an export in the audit with `entityId` 0, because it concerns no single record."""
    audit.record(
        entity="files",
        entity_id=0,
        label=file,
        action="exported",
        before=None,
        after={**filters, "rows": rows},
        by=by,
    )


def _filters(request: HttpRequest) -> dict[str, Any]:
    """Return the caller's filters, from the path and the query string, by their public names."""
    match = request.resolver_match
    path = {to_camel(name): str(value) for name, value in match.kwargs.items()} if match else {}
    asked = {name: value for name, value in request.GET.items() if name not in ("format", "cursor", "limit")}
    return path | asked
