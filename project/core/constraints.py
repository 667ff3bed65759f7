"""What the database refuses, said as the product says it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db import IntegrityError, models
from django.db.models import ProtectedError, Q

from project.core.clock import FIRST_DAY, LAST_DAY
from project.core.errors import AlreadyExists, InUse
from project.core.written_last import one_change


def days_in_range(*fields: str, name: str) -> models.CheckConstraint:
    """Days from 1900 to 2200 alone, or none, in each of these columns."""
    condition = Q()
    for field in fields:
        condition &= Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__range": (FIRST_DAY, LAST_DAY)})
    return models.CheckConstraint(condition=condition, name=name)


@contextmanager
def unique(fields: Mapping[str, str]) -> Iterator[None]:
    """Turn a violated unique constraint into `AlreadyExists`; `fields`: constraint name → public field."""
    try:
        with one_change():
            yield
    except IntegrityError as error:
        for constraint, field in fields.items():
            if constraint in str(error):
                raise AlreadyExists(field) from error
        raise


def delete_unused(row: models.Model) -> None:
    """Delete `row`; raises `InUse`, which says by what, while something points at it."""
    try:
        with one_change():
            row.delete()
    except ProtectedError as error:
        by: dict[str, int] = {}
        for user in error.protected_objects:
            name = str(user._meta.model_name)
            by[name] = by.get(name, 0) + 1
        raise InUse(by) from error
