"""Recognise a database or a backup of a build that made its tables by other migrations. It is refused.

See infra/decisions/0018-write-the-migrations-again.md.
"""

from collections.abc import Collection
from typing import Any

from django.apps import apps
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

FIRST = ("core", "0001_collation")
"""The first migration of every database that this build can upgrade. No earlier build had one of this name."""


def known_migrations() -> set[tuple[str, str]]:
    """Return the migrations of this build, and those of earlier releases that they replace."""
    disk = MigrationLoader(None).disk_migrations or {}
    return {*disk} | {former for migration in disk.values() for former in migration.replaces}


def made_by_an_earlier_build(applied: Collection[tuple[str, str]]) -> bool:
    """Return whether an earlier build applied these migrations: this build does not know all, and `FIRST` is missing.

    A newer build has unknown migrations too, but it has `FIRST`. One name alone says nothing: `0001_initial` of an app
    may have had other contents.
    """
    known = known_migrations()
    ours = {config.label for config in apps.get_app_configs()}
    return FIRST not in applied and any(app in ours and (app, name) not in known for app, name in applied)


def refusal_of(connection: Any) -> str | None:
    """Return why a database of an earlier build is refused and how to make a new one, or None. 2 queries at most."""
    if not made_by_an_earlier_build(MigrationRecorder(connection).applied_migrations()):
        return None
    if connection.vendor == "sqlite":
        file = connection.settings_dict["NAME"]
        advice = f"move {file} away and run `make run`, or `python manage.py migrate` without demo data,"
    else:
        advice = "name an empty one in DATABASE_URL and run `python manage.py migrate`"
    return f"This database was made by an earlier build of Obrador, which cannot be upgraded: {advice} to start afresh."
