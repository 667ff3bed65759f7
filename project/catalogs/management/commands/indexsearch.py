"""`manage.py indexsearch`: adds the indexes of searches where a migration was not allowed to."""

from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from project.catalogs.searching import ensure_indexes


class Command(BaseCommand):
    """Adds what lacks; harmless where nothing does."""

    help = "Adds the trigram indexes of searches (PostgreSQL). Needs the extension pg_trgm, or the right to add it."

    def handle(self, *args: Any, **options: Any) -> None:
        has = ensure_indexes(connection)
        self.stdout.write("Searches have their indexes." if has else "Searches go without an index.")
