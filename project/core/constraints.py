"""Database constraints, and the product's errors for their violations."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.db import IntegrityError, models
from django.db.models import ProtectedError, Q, RestrictedError

from project.core.clock import FIRST_DAY, LAST_DAY
from project.core.errors import AlreadyExists, InUse
from project.core.folding import name_key
from project.core.written_last import one_change


def days_in_range(*fields: str, name: str) -> models.CheckConstraint:
    """Constrain each column to a day from 1900 to 2200, or NULL."""
    condition = Q()
    for field in fields:
        condition &= Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__range": (FIRST_DAY, LAST_DAY)})
    return models.CheckConstraint(condition=condition, name=name)


@contextmanager
def unique(fields: Mapping[str, str]) -> Iterator[None]:
    """Turn a violated unique constraint into `AlreadyExists`. `fields` maps constraint names to public fields."""
    try:
        with one_change():
            yield
    except IntegrityError as error:
        for constraint, field in fields.items():
            if constraint in str(error):
                raise AlreadyExists(field) from error
        raise


def number_twins(rows: models.QuerySet[Any], field: str, *scope: str) -> None:
    """Add a number to each name in `field` that an older row of the same `scope` already has.

    Names are the same if their `name_key` is. For a migration that makes names unique. 1 query, and 1 for each renamed
    row.
    """
    found = [(pk, name, tuple(of)) for pk, name, *of in rows.order_by("pk").values_list("pk", field, *scope)]
    taken = {(name_key(name), of) for _, name, of in found}
    seen = set()
    for pk, name, of in found:
        if (name_key(name), of) in seen:
            longest = rows.model._meta.get_field(field).max_length
            numbered = (f"{name[: longest - 8]} ({number})" for number in count(2))
            name = next(one for one in numbered if (name_key(one), of) not in taken)
            rows.filter(pk=pk).update(**{field: name})
            taken.add((name_key(name), of))
        seen.add((name_key(name), of))


def delete_unused(row: models.Model) -> None:
    """Delete `row`. If other rows reference `row`, raises `InUse` with their kinds and counts.

    Rows that only restrict the deletion are counted if no others protect `row`.
    """
    try:
        with one_change():
            row.delete()
    except (ProtectedError, RestrictedError) as error:
        by: dict[str, int] = {}
        for user in error.protected_objects if isinstance(error, ProtectedError) else error.restricted_objects:
            name = str(user._meta.model_name)
            by[name] = by.get(name, 0) + 1
        raise InUse(by) from error
