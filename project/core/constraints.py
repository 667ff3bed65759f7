"""Database constraints, and the product's errors for their violations."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db import IntegrityError, models
from django.db.models import ProtectedError, Q, RestrictedError

from project.core.clock import FIRST_DAY, LAST_DAY
from project.core.errors import AlreadyExists, InUse
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


def delete_unused(row: models.Model) -> None:
    """Delete `row`. Raises `InUse` with the kinds and counts of the rows that reference `row` and forbid the deletion.

    Rows that reference `row` with `RESTRICT` are counted only if none references it with `PROTECT`.
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
