"""Writes some fields of rows that exist already."""

from collections.abc import Sequence

from django.db.models import Model


def save_fields(rows: Sequence[Model], fields: Sequence[str]) -> None:
    """Write `fields` of all `rows`, which are of one model. 1 query for up to 500 rows, none for none.

    One row is saved alone: `bulk_update` takes four times as long to say the same of it.
    """
    if len(rows) == 1:
        rows[0].save(update_fields=fields)
    elif rows:
        type(rows[0])._default_manager.bulk_update(rows, fields, batch_size=500)
