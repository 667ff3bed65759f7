"""`manage.py indexsearch`: add the search indexes if a migration had no right to add them."""

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import connection

from project.core.searching import COLUMN, ensure_indexes


class Command(BaseCommand):
    """Add the missing indexes; a no-op if all exist."""

    help = "Adds the trigram indexes of searches (PostgreSQL). Needs the extension pg_trgm, or the right to add it."

    def handle(self, *args: Any, **options: Any) -> None:
        models = [model for model in apps.get_models() if COLUMN in {field.name for field in model._meta.get_fields()}]
        has = ensure_indexes(connection, [model._meta.db_table for model in models])
        self.stdout.write("Searches have their indexes." if has else "Searches go without an index.")
