"""Writes past every rule of the program, which the database itself refuses."""

from typing import Any

from django.db import IntegrityError, models, transaction


def refused(rows: models.QuerySet[Any], **values: Any) -> bool:
    """Whether the database refuses to write `values`."""
    try:
        with transaction.atomic():
            rows.update(**values)
    except IntegrityError:
        return True
    return False
