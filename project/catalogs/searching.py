"""The trigram indexes of what is searched. PostgreSQL alone has them; SQLite reads its rows one by one.

The extension `pg_trgm` comes with PostgreSQL, and a database's owner may add it. Where he may not, searches work all
the same and read the column's rows; `manage.py indexsearch` adds the indexes once somebody has added the extension.
"""

import logging
from typing import Any

from django.db import ProgrammingError, transaction

logger = logging.getLogger(__name__)

TABLES = (
    "catalogs_company",
    "catalogs_component",
    "catalogs_customer",
    "catalogs_exporttaxitem",
    "catalogs_item",
    "catalogs_material",
    "catalogs_productionprocess",
)


def ensure_indexes(connection: Any) -> bool:
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
        for table in TABLES:
            cursor.execute(
                f"CREATE INDEX IF NOT EXISTS {table}_searched ON {table} USING gin (search_text gin_trgm_ops)"
            )
    return True
