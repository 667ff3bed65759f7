"""What the database refuses, said as the product says it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from django.db import IntegrityError, models, transaction
from django.db.models import ProtectedError

from project.core.errors import AlreadyExists, InUse


@contextmanager
def unique(fields: Mapping[str, str]) -> Iterator[None]:
    """Turn a violated unique constraint into `AlreadyExists`; `fields`: constraint name → public field."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        for constraint, field in fields.items():
            if constraint in str(error):
                raise AlreadyExists(field) from error
        raise


def delete_unused(row: models.Model) -> None:
    """Delete `row`; raises `InUse`, which says by what, while something points at it."""
    try:
        with transaction.atomic():
            row.delete()
    except ProtectedError as error:
        by: dict[str, int] = {}
        for user in error.protected_objects:
            name = str(user._meta.model_name)
            by[name] = by.get(name, 0) + 1
        raise InUse(by) from error
