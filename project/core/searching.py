"""Search columns: a generated column of each row and, on PostgreSQL, its trigram index.

The extension `pg_trgm` comes with PostgreSQL, and usually the database's owner may add it. Without it searches work
too, but read the column of every row; `manage.py indexsearch` adds the indexes after the extension was added. SQLite
has no such index and reads every row.
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
    """Return a generated column with the folded texts of `fields`, computed on write, so a search only compares."""
    text = models.TextField()
    parts: list[models.Value | Cast] = [Cast(fields[0], text)]
    for field in fields[1:]:
        parts += [models.Value("\n", output_field=text), Cast(field, text)]
    whole = Concat(*parts) if len(parts) > 1 else parts[0]
    return models.GeneratedField(expression=Folded(NameKey(whole)), output_field=models.TextField(), db_persist=True)


def ensure_indexes(connection: Any, tables: Iterable[str]) -> bool:
    """Add the missing extension and indexes. Return whether searches are indexed now."""
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
