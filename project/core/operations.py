"""Operations of migrations that a site at work does not notice, on PostgreSQL; on SQLite the plain ones.

Each is alone in its migration, which sets `atomic = False` where the operation says so: what it was cut off in, it does
again (decision 37).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.postgres import operations as postgresql
from django.db import migrations, transaction
from django.db.models import QuerySet


class AddIndexConcurrently(postgresql.AddIndexConcurrently):
    """An index that is built while rows are written. Needs `atomic = False`.

    It waits for transactions that are open, and nobody waits for it: as long as it takes. One that was left half built
    is built anew.
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


class AlterGeneratedField(migrations.AlterField):
    """Another expression of a stored generated column: every row is written. Its indexes are made again."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        field = model._meta.get_field(self.name)
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.add_field(model, field)  # the table is made again, with this column in place of the former
            return
        schema_editor.remove_field(model, field)
        schema_editor.add_field(model, field)
        for index in model._meta.indexes:
            if self.name in index.fields:
                schema_editor.add_index(model, index)


class AddCheckNotValid(postgresql.AddConstraintNotValid):
    """A check of what is written from now on. `ValidateConstraint`, in the migration after, reads what was there."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        else:
            migrations.AddConstraint.database_forwards(self, app_label, schema_editor, from_state, to_state)


class ValidateConstraint(postgresql.ValidateConstraint):
    """Reads every row while others are written. On SQLite the check was made whole."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class InBatches(migrations.RunPython):
    """`fill(apps, rows)` for every row of a model, some at a time, each time in a transaction. Needs `atomic = False`.

    `fill` must stand being given the same rows again. Rows that the release before writes meanwhile may be left out:
    the new one reads both.
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


ALONE = (AddIndexConcurrently, InBatches, ValidateConstraint)
"""Beside these nothing else may stand in a migration."""


@contextmanager
def _unhurried(schema_editor: Any) -> Iterator[None]:
    """Wait for locks as long as it takes, and not as briefly as `manage.py migrate` otherwise does."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        [before] = cursor.fetchone()
    schema_editor.execute("SET lock_timeout = 0")
    try:
        yield
    finally:
        schema_editor.execute(f"SET lock_timeout = '{before}'")
