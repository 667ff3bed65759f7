"""Writes that skip the rules of the code, to test the constraints of the database."""

from typing import Any

from django.db import IntegrityError, models, transaction


def refused(rows: models.QuerySet[Any], **values: Any) -> bool:
    """Whether the database refuses to update `rows` with `values`."""
    try:
        with transaction.atomic():
            rows.update(**values)
    except IntegrityError:
        return True
    return False
