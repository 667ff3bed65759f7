"""`manage.py indexsearch`: adds the indexes of searches where a migration was not allowed to."""

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.db import connection

from project.core.searching import COLUMN, ensure_indexes


class Command(BaseCommand):
    """Adds what lacks; harmless where nothing does."""

    help = "Adds the trigram indexes of searches (PostgreSQL). Needs the extension pg_trgm, or the right to add it."

    def handle(self, *args: Any, **options: Any) -> None:
        models = [model for model in apps.get_models() if COLUMN in {field.name for field in model._meta.get_fields()}]
        has = ensure_indexes(connection, [model._meta.db_table for model in models])
        self.stdout.write("Searches have their indexes." if has else "Searches go without an index.")
