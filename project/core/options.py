"""Lists for select boxes: `?fields=options` answers only `{id, name}` of each row, to all staff.

The options of processes have more fields, and also displays and operators read them (`staffing.definitions`).

Staff may read these lists without permission for the full list, so ordering, search and filters must not reveal other
columns. Rows are ordered by name or id; processes also by their place in the plant. A search looks only at the shown
name. It puts the exact name first, then the names that begin with the search. The only filter is "active ones only".

See infra/docs/rules.md#lists.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal

from django.db.models import Case, CharField, F, Model, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Collate, Concat
from django.http import HttpRequest, HttpResponse

from project.core.errors import FieldError, InvalidFields
from project.core.pagination import ListQuery, Orderings, announce, paginate
from project.core.schemas import Out
from project.core.spanish import COLLATION, matching

type Shown = Combinable | Callable[[], Combinable]
NAME = F("name")


class OptionOut(Out):
    """One choice of a select box."""

    id: int
    name: str


class OptionsQuery(ListQuery):
    """Query of a list that also answers as options; subclasses add the filters of the full list."""

    fields: Literal["options"] | None = None


@dataclass(frozen=True)
class Options:
    """A list reduced to the fields of `schema`, `{id, name}`.

    `name`: the expression to show, or a function that returns the expression for the caller's language. `active`: the
    name of a flag; callers may ask for the rows with this flag, but not for those without it. `only`: the condition
    that every offered row meets. `place`: the column for `ordering=place`. `narrow`: a function that leaves out the
    rows that the caller of the request may not read.
    """

    model: type[Model]
    name: Shown = NAME
    active: str | None = None
    only: Q = field(default_factory=Q)
    place: str | None = None
    schema: type[OptionOut] = OptionOut
    narrow: Callable[[QuerySet[Any], HttpRequest], QuerySet[Any]] = lambda rows, request: rows

    def orderings(self, search: str) -> Orderings:
        columns = {"id": "id", "name": "shown"}
        if self.place:
            columns["place"] = self.place
        if search:
            columns["nearest"] = "nearest"
        return Orderings(columns, default="nearest" if search else "name")

    def answer(self, request: HttpRequest, response: HttpResponse, query: OptionsQuery) -> list[OptionOut]:
        """Answer one page of choices. At most 2 queries.

        Raises `InvalidFields` with code `not_with_options` for other filters of the list.
        """
        filters = query.model_fields_set - OptionsQuery.model_fields.keys()
        shown = self.name() if callable(self.name) else self.name
        columns = self.schema.model_fields.keys() - OptionOut.model_fields.keys()
        rows = (
            self.narrow(self.model._default_manager.annotate(shown=shown), request)
            .filter(self.only)
            .only("pk", *columns.union(filter(None, [self.place])))
        )
        if self.active in filters and getattr(query, self.active) is True:
            rows = rows.filter(**{self.active: True})
            filters -= {self.active}
        if filters:
            names = sorted(type(query).model_fields[name].alias or name for name in filters)
            raise InvalidFields(errors=[FieldError(name, "not_with_options") for name in names])
        search = (query.search or "").strip()
        if search:
            rows = matching(rows, search, "shown").annotate(nearest=_nearest(search))
        found = announce(paginate(rows, query, self.orderings(search)), request, response)
        return [
            self.schema(id=row.pk, name=row.shown, **{column: getattr(row, column) for column in columns})
            for row in found
        ]


def _nearest(search: str) -> Combinable:
    """Return a text to sort by: a digit, then the shown name.

    The digit is 0 for the exact name, 1 for a name that begins with `search`, and 2 for any other name.
    """
    nearness = Case(
        When(shown__folded=search, then=Value("0")),
        When(shown__folded__startswith=search, then=Value("1")),
        default=Value("2"),
    )
    return Collate(Concat(nearness, F("shown"), output_field=CharField()), COLLATION)


type ListView[Query, Listed] = Callable[[HttpRequest, HttpResponse, Query], Listed]


def with_options[Query: OptionsQuery, Listed](
    options: Options,
) -> Callable[[ListView[Query, Listed]], ListView[Query, Listed | list[OptionOut]]]:
    """Decorate the view of a list: `?fields=options` gets the answer of `options` instead of the full list."""

    def decorate(whole: ListView[Query, Listed]) -> ListView[Query, Listed | list[OptionOut]]:
        @wraps(whole)
        def listed(request: HttpRequest, response: HttpResponse, query: Query) -> Listed | list[OptionOut]:
            if query.fields:
                return options.answer(request, response, query)
            return whole(request, response, query)

        said = whole.__annotations__
        listed.__annotations__ = said | {"return": said["return"] | list[options.schema]}  # type: ignore[name-defined]
        return listed

    return decorate
