"""Keyset paging: a list continues after a row, so the thousandth page costs what the first one does.

A cursor is sealed: what the list is ordered by may be what its reader does not see.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.db.models import F, Field, Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from pydantic import BaseModel, ConfigDict, Field as Bounds
from pydantic.alias_generators import to_camel

from project.core import sealing
from project.core.errors import InvalidFields

cursor_reader: ContextVar[str] = ContextVar("cursor_reader", default="")
"""Who reads which list, as the guard of the request says: a cursor is good for that person and that list alone."""
ROWS_WITHOUT_LIMIT = 1_000
MOST_COUNTED = 100_000
"""Rows of a list that are counted; of a longer one it is only said that there are more."""


class ListQuery(BaseModel):
    """What every list takes. Filters are added by subclasses (infra/docs/rules.md#lists)."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    limit: Annotated[int, Bounds(ge=1, le=200)] | None = None
    cursor: Annotated[str, Bounds(max_length=2_000)] | None = None
    search: Annotated[str, Bounds(max_length=200)] | None = None
    ordering: Annotated[str, Bounds(max_length=60)] | None = None


@dataclass(frozen=True)
class Page[Row: Model]:
    """Some rows of a list, how many there are in all, and the cursor behind the last one while there are more.

    Where `total` is not `exact` there are more than it says: counting a million rows takes longer than the page.
    None where nobody asked for it.
    """

    rows: list[Row]
    total: int | None
    exact: bool
    next_cursor: str | None


@dataclass(frozen=True)
class Orderings:
    """The fixed set of orderings of a list: public name → a column (or annotation) that is never null."""

    columns: Mapping[str, str]
    default: str

    def chosen(self, asked: str | None) -> tuple[str, bool, str]:
        """`(column, descending, public name)`; raises 422 where the ordering is none of this list's."""
        name = asked or self.default
        descending = name.startswith("-")
        column = self.columns.get(name.removeprefix("-"))
        if column is None:
            raise InvalidFields.of("ordering", "not_a_choice")
        return column, descending, name


def paginate[Row: Model](
    rows: QuerySet[Row], query: ListQuery, orderings: Orderings, *, counted: bool = True
) -> Page[Row]:
    """One page of `rows`: 1 query beside what `rows` prefetches, 2 where more are to be `counted` than are on it.

    Raises `InvalidFields` (422) for an unknown ordering and, with code `unknown`, for a cursor of another
    ordering, list or person, or of no list at all.
    """
    column, descending, name = orderings.chosen(query.ordering)
    limit = query.limit or ROWS_WITHOUT_LIMIT
    ordered = _ordered(rows, column, descending)
    if query.cursor:
        ordered = ordered.filter(_after(rows, column, descending, _opened(query.cursor, name)))
    found = list(ordered[: limit + 1])
    more = len(found) > limit
    found = found[:limit]
    next_cursor = _sealed(name, _value(found[-1], column), found[-1].pk) if more else None
    total = None
    if counted:
        whole = not more and not query.cursor
        total = len(found) if whole else rows.order_by()[: MOST_COUNTED + 1].count()
    exact = total is not None and total <= MOST_COUNTED
    return Page(found, total if exact or total is None else MOST_COUNTED, exact, next_cursor)


def in_batches[Row: Model, Found](
    rows: QuerySet[Row, Found], query: ListQuery, orderings: Orderings, size: int
) -> Iterator[list[Found]]:
    """All of `rows` in the order asked for, `size` at a time, by keyset: each batch is a query of its own.

    Named values (`values_list(named=True)`) hold `id` and what `orderings` orders by among them. Raises `InvalidFields`
    (422) for an unknown ordering before the first batch is asked for.
    """
    column, descending, _ = orderings.chosen(query.ordering)
    ordered = _ordered(rows, column, descending)

    def batches() -> Iterator[list[Found]]:
        found = list(ordered[:size])
        while found:
            yield found
            behind = _after(rows, column, descending, (_value(found[-1], column), _value(found[-1], "id")))
            found = list(ordered.filter(behind)[:size]) if len(found) == size else []

    return batches()


def _ordered[Row: Model, Found](rows: QuerySet[Row, Found], column: str, descending: bool) -> QuerySet[Row, Found]:
    sign = "-" if descending else ""
    return rows.order_by(f"{sign}{column}") if column == "id" else rows.order_by(f"{sign}{column}", f"{sign}id")


def announce[Row: Model](page: Page[Row], request: HttpRequest, response: HttpResponse) -> list[Row]:
    """Put `X-Total-Count` and, while there is more, `Link: <…>; rel="next"` on the answer; returns the rows.

    A list of more rows than are counted says so by `X-Total-Count-Exact: false`.
    """
    if page.total is not None:
        response["X-Total-Count"] = str(page.total)
        if not page.exact:
            response["X-Total-Count-Exact"] = "false"
    if page.next_cursor:
        parameters = request.GET.copy()
        parameters["cursor"] = page.next_cursor
        response["Link"] = f'<{request.path}?{parameters.urlencode()}>; rel="next"'
    return page.rows


def _value(row: Any, column: str) -> Any:
    value = row
    for step in [column] if hasattr(row, column) else column.split("__"):
        value = getattr(value, step)
    return value


def _after[Row: Model](rows: QuerySet[Row, Any], column: str, descending: bool, opened: tuple[Any, int]) -> Q:
    raw, pk = opened
    past = "lt" if descending else "gt"
    if column == "id":
        return Q(**{f"id__{past}": pk})
    field = _output_field(rows, column)
    try:  # a cursor of an earlier release may hold what its column has become too narrow for
        value = field.to_python(raw)
        field.run_validators(value)
    except ValidationError as error:
        raise InvalidFields.of("cursor", "unknown") from error
    # The outer condition is a range the index can seek; the inner one drops the ties already shown.
    return Q(**{f"{column}__{past}e": value}) & (Q(**{f"{column}__{past}": value}) | Q(**{f"id__{past}": pk}))


def _output_field[Row: Model](rows: QuerySet[Row, Any], column: str) -> "Field[Any, Any]":
    annotation = rows.query.annotations.get(column)
    if annotation is not None:
        found: Field[Any, Any] = annotation.output_field
        return found
    return F(column).resolve_expression(rows.query.clone()).output_field


def _sealed(ordering: str, value: Any, pk: int) -> str:
    # Letters as they are: escaped, 200 of some alphabets would be longer than a cursor may be.
    text = json.dumps([value if isinstance(value, (int, bool)) else str(value), pk], ensure_ascii=False)
    sealed = sealing.seal(text.encode(), keys=_keys(), bound_to=_bound_to(ordering))
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


def _opened(cursor: str, ordering: str) -> tuple[Any, int]:
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        value, pk = json.loads(sealing.unseal(raw, keys=_keys(), bound_to=_bound_to(ordering)))
    except (binascii.Error, ValueError) as error:
        raise InvalidFields.of("cursor", "unknown") from error
    return value, pk


def _bound_to(ordering: str) -> bytes:
    return f"{cursor_reader.get()}\n{ordering}".encode()


def _keys() -> sealing.Keys:
    return sealing.own_keys(b"obrador list cursor")
