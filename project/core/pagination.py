"""Keyset paging: a page begins after the last row of the page before, so every page costs as much as the first.

Cursors are encrypted, because a list may be ordered by values that its reader may not see.
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
"""The user id and the path of the request, set by its guard. A cursor is valid only for that user and list."""
ROWS_WITHOUT_LIMIT = 1_000
MOST_COUNTED = 100_000
"""Rows are counted up to this number. For a longer list the answer says that there are more."""


class ListQuery(BaseModel):
    """The query of every list. Subclasses add filters (infra/docs/rules.md#lists)."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    limit: Annotated[int, Bounds(ge=1, le=200)] | None = None
    cursor: Annotated[str, Bounds(max_length=2_000)] | None = None
    search: Annotated[str, Bounds(max_length=200)] | None = None
    ordering: Annotated[str, Bounds(max_length=60)] | None = None


@dataclass(frozen=True)
class Page[Row: Model]:
    """One page of a list, the total number of rows, and the cursor of the next page if there is one.

    `exact` is false if there are more rows than `total`: counting a million rows would take longer than reading the
    page. `total` is None if the caller did not ask for it.
    """

    rows: list[Row]
    total: int | None
    exact: bool
    next_cursor: str | None


@dataclass(frozen=True)
class Orderings:
    """The fixed orderings of a list: public name → a column (or annotation) that is never null."""

    columns: Mapping[str, str]
    default: str

    def chosen(self, asked: str | None) -> tuple[str, bool, str]:
        """Return `(column, descending, public name)`. Raises `InvalidFields` (422) if the list has no such ordering."""
        name = asked or self.default
        descending = name.startswith("-")
        column = self.columns.get(name.removeprefix("-"))
        if column is None:
            raise InvalidFields.of("ordering", "not_a_choice")
        return column, descending, name


def paginate[Row: Model](
    rows: QuerySet[Row], query: ListQuery, orderings: Orderings, *, counted: bool = True
) -> Page[Row]:
    """Return one page of `rows`. 1 query besides prefetches, 2 if `counted` and the list has more than this page.

    Raises `InvalidFields` (422): `not_a_choice` for an unknown ordering, `unknown` for an invalid cursor or a cursor of
    another ordering, list or user.
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
    """Yield all `rows` in the requested order, `size` at a time. 1 query per batch, by keyset.

    Named tuples (`values_list(named=True)`) must contain `id` and the columns of `orderings`. Raises `InvalidFields`
    (422) for an unknown ordering at the call, before the first batch.
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
    """Set `X-Total-Count` and, if there are more rows, `Link: <…>; rel="next"`. Return the page's rows.

    If there are more rows than are counted, also set `X-Total-Count-Exact: false`.
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
    try:  # a cursor of an earlier release may hold a value too long for its column
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
    # Do not escape letters: 200 escaped letters of some alphabets would exceed a cursor's maximum length.
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
