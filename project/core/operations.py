"""Migration operations that do not disturb a running site on PostgreSQL. On SQLite they are Django's own operations.

Put each operation alone into its migration, so that it can start again after an interruption. Set `atomic = False` if
the operation needs it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.postgres import operations as postgresql
from django.db import migrations, transaction
from django.db.models import QuerySet


class AddIndexConcurrently(postgresql.AddIndexConcurrently):
    """Build an index while rows are written. Needs `atomic = False`.

    The operation waits until all open transactions have ended, and blocks nobody. An index that an interrupted attempt
    left half built is dropped and built again.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            migrations.AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        with _unhurried(schema_editor):
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(self.index.name)}")
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor != "postgresql":
            migrations.AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)
            return
        with _unhurried(schema_editor):
            super().database_backwards(app_label, schema_editor, from_state, to_state)


class AddCheckNotValid(postgresql.AddConstraintNotValid):
    """Add a check for new writes only. `ValidateConstraint`, in the next migration, checks the existing rows."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        else:
            migrations.AddConstraint.database_forwards(self, app_label, schema_editor, from_state, to_state)


class ValidateConstraint(postgresql.ValidateConstraint):
    """Check all existing rows while others are written. A no-op on SQLite, where `AddCheckNotValid` checked them."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class InBatches(migrations.RunPython):
    """Call `fill(apps, rows)` for all rows of a model in batches, each in a transaction. Needs `atomic = False`.

    `fill` must be idempotent. The batches may miss rows that the previous release writes in the meantime, so the new
    release must read both forms.
    """

    def __init__(self, model: str, fill: Callable[[Any, "QuerySet[Any]"], object], *, size: int = 1_000) -> None:
        def run(apps: Any, schema_editor: Any) -> None:
            using = schema_editor.connection.alias
            rows = apps.get_model(model)._default_manager.using(using).order_by("pk")
            last = None
            while True:
                behind = rows if last is None else rows.filter(pk__gt=last)
                keys = list(behind.values_list("pk", flat=True)[:size])
                if not keys:
                    return
                with transaction.atomic(using=using):
                    fill(apps, rows.filter(pk__in=keys).order_by())
                last = keys[-1]

        super().__init__(run, migrations.RunPython.noop)

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.in_atomic_block:
            raise RuntimeError("InBatches needs atomic = False: each batch is a transaction of its own.")
        super().database_forwards(app_label, schema_editor, from_state, to_state)


class Statements(migrations.RunPython):
    """Run statements that each database has in a form of its own, such as triggers. Each `_back` undoes them."""

    def __init__(
        self,
        *,
        postgresql: Iterable[str],
        postgresql_back: Iterable[str],
        sqlite: Iterable[str],
        sqlite_back: Iterable[str],
    ) -> None:
        def running(on_postgresql: Iterable[str], on_sqlite: Iterable[str]) -> Callable[[Any, Any], None]:
            def run(apps: Any, schema_editor: Any) -> None:
                for one in on_postgresql if schema_editor.connection.vendor == "postgresql" else on_sqlite:
                    schema_editor.execute(one)

            return run

        super().__init__(running(postgresql, sqlite), running(postgresql_back, sqlite_back))


@contextmanager
def _unhurried(schema_editor: Any) -> Iterator[None]:
    """Wait for locks without a limit; `manage.py migrate` sets a short one."""
    if schema_editor.collect_sql:
        yield
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        [before] = cursor.fetchone()
    schema_editor.execute("SET lock_timeout = 0")
    try:
        yield
    finally:
        schema_editor.execute(f"SET lock_timeout = '{before}'")
