"""The reduced lists of select boxes: `?fields=options` answers `{id, name}` to any of the staff.

They are open to who may not read the list itself, so they tell nothing but what they show: ordered by name or id,
processes also by their place in the plant, searched by the shown name, and with no other filter than "active ones
alone". A search puts the exact name first, then the names that begin with it.

See infra/docs/rules.md#lists.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal

from django.db.models import Case, CharField, F, Model, Q, Value, When
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
    """A list that can also be asked for reduced rows; filters of the whole list are added by subclasses."""

    fields: Literal["options"] | None = None


@dataclass(frozen=True)
class Options:
    """A list reduced to `{id, name}`: `name` is what is shown, for the caller's language where it is a function;
    `active` the flag that is the only filter, and asks for active ones; `only` says which rows are offered at all;
    `place` is the column of `ordering=place`."""

    model: type[Model]
    name: Shown = NAME
    active: str | None = None
    only: Q = field(default_factory=Q)
    place: str | None = None

    def orderings(self, search: str) -> Orderings:
        columns = {"id": "id", "name": "shown"}
        if self.place:
            columns["place"] = self.place
        if search:
            columns["nearest"] = "nearest"
        return Orderings(columns, default="nearest" if search else "name")

    def answer(self, request: HttpRequest, response: HttpResponse, query: OptionsQuery) -> list[OptionOut]:
        """A page of choices. 2 queries. Raises `InvalidFields`: `not_with_options` for a filter of the whole list."""
        filters = query.model_fields_set - OptionsQuery.model_fields.keys()
        shown = self.name() if callable(self.name) else self.name
        rows = (
            self.model._default_manager.annotate(shown=shown).filter(self.only).only("pk", *filter(None, [self.place]))
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
        return [OptionOut(id=row.pk, name=row.shown) for row in found]  # type: ignore[attr-defined]


def _nearest(search: str) -> Combinable:
    """The name that is shown, behind a digit that puts the nearest names first."""
    nearness = Case(
        When(shown__folded=search, then=Value("0")),
        When(shown__folded__startswith=search, then=Value("1")),
        default=Value("2"),
    )
    return Collate(Concat(nearness, F("shown"), output_field=CharField()), COLLATION)


def with_options(options: Options) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a list answer `options` where `?fields=options` asks for them, and itself otherwise."""

    def decorate(whole: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(whole)
        def listed(request: HttpRequest, response: HttpResponse, query: OptionsQuery) -> Any:
            return (options.answer if query.fields else whole)(request, response, query)

        return listed

    return decorate
