"""Lists as files, each with its row in the audit: who exported what, by which filters, how many rows."""

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
    """As `core.exporting.export`, written down. 1 query more, which counts the rows."""
    answer = exporting.export(request, rows, query, orderings, columns, name, present=present)
    exported(f"{name}.{query.format}", filters=_filters(request), rows=rows.order_by().count(), by=caller(request))
    return answer


def export_table[Row](
    request: HttpRequest, rows: list[Row], kind: FileFormat, columns: Sequence[Column[Row]], name: str
) -> HttpResponseBase:
    """As `core.exporting.export_table`, written down."""
    answer = exporting.export_table(request, rows, kind, columns, name)
    exported(f"{name}.{kind}", filters=_filters(request), rows=len(rows), by=caller(request))
    return answer


def exported(file: str, *, filters: Mapping[str, Any], rows: int, by: Principal) -> None:
    """Record an export in the audit. It concerns no single record: its `entityId` is 0."""
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
    """What the caller asked for, in the address's path and behind it, by its public name."""
    match = request.resolver_match
    path = {to_camel(name): str(value) for name, value in match.kwargs.items()} if match else {}
    asked = {name: value for name, value in request.GET.items() if name not in ("format", "cursor", "limit")}
    return path | asked
