"""What a search looks in: a column of the row's own, and on PostgreSQL its trigram index.

The extension `pg_trgm` comes with PostgreSQL, and a database's owner may add it. Where he may not, searches work all
the same and read the column's rows; `manage.py indexsearch` adds the indexes once somebody has added the extension.
SQLite has no such index and reads its rows one by one.
"""

import logging
from collections.abc import Iterable
from typing import Any

from django.db import ProgrammingError, models, transaction
from django.db.models.functions import Cast, Concat

from project.core.spanish import Folded, NameKey

COLUMN = "search_text"

logger = logging.getLogger(__name__)


def searched(*fields: str) -> models.GeneratedField:
    """What a search looks in, folded and computed when the row is written: a search compares and computes nothing."""
    text = models.TextField()
    parts: list[models.Value | Cast] = [Cast(fields[0], text)]
    for field in fields[1:]:
        parts += [models.Value("\n", output_field=text), Cast(field, text)]
    whole = Concat(*parts) if len(parts) > 1 else parts[0]
    return models.GeneratedField(expression=Folded(NameKey(whole)), output_field=models.TextField(), db_persist=True)


def ensure_indexes(connection: Any, tables: Iterable[str]) -> bool:
    """Add the extension and the indexes as far as they lack. Says whether searches have their indexes now."""
    if connection.vendor != "postgresql":
        return False
    try:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except ProgrammingError as error:
        logger.warning("searches go without an index: %s", str(error).strip())
        return False
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"CREATE INDEX IF NOT EXISTS {table}_searched ON {table} USING gin ({COLUMN} gin_trgm_ops)")
    return True
