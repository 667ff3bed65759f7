"""Migration operations that do not disturb a running site on PostgreSQL. On SQLite they are Django's own operations.

Put each operation alone into its migration, so that it can start again after an interruption. Set `atomic = False` if
the operation needs it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
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


class WrittenOnce(migrations.operations.base.Operation):
    """Let the database refuse to change or delete the rows of a model.

    `refuses`: the text of the error. `erasable`: the columns that may change, but only in a transaction that erases a
    person's names (`audit.Exemption`). `deletable`: a condition on the row `OLD`, in SQL of both databases; a row that
    meets it may be deleted. Repeat the operation at the end of a migration that adds a column to the model: SQLite
    makes a new table for it, without the triggers.
    """

    reversible = True

    def __init__(self, model: str, *, refuses: str, erasable: Sequence[str] = (), deletable: str = "1 = 0") -> None:
        self.model, self.refuses, self.erasable, self.deletable = model, refuses, erasable, deletable

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change nothing: Django's model state contains no triggers."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        table, columns = self._table(app_label, to_state)
        self._drop(schema_editor, table)
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        equal = "IS NOT DISTINCT FROM" if is_postgresql else "IS"
        same = " AND ".join(f'OLD."{name}" {equal} NEW."{name}"' for name in columns if name not in self.erasable)
        may_erase = "EXISTS (SELECT 1 FROM audit_exemption WHERE erases)"
        erases = f"{same} AND {may_erase}" if self.erasable else "1 = 0"
        statements = self._on_postgresql(table, erases) if is_postgresql else self._on_sqlite(table, erases)
        for statement in statements:
            schema_editor.execute(statement)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        self._drop(schema_editor, self._table(app_label, from_state)[0])

    def describe(self) -> str:
        return f"Write rows of {self.model} once"

    def _table(self, app_label: str, state: Any) -> tuple[str, list[str]]:
        options = state.apps.get_model(app_label, self.model)._meta
        return options.db_table, [field.column for field in options.concrete_fields]

    def _drop(self, schema_editor: Any, table: str) -> None:
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        for what in ("updated", "deleted", "emptied"):
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_is_never_{what}" + f" ON {table}" * is_postgresql)
        if is_postgresql:
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {table}_is_written_once()")

    def _on_postgresql(self, table: str, erases: str) -> list[str]:
        made = f"EXECUTE FUNCTION {table}_is_written_once()"
        return [
            f"""
            CREATE FUNCTION {table}_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF TG_OP = 'UPDATE' THEN
                    IF {erases} THEN RETURN NEW; END IF;
                ELSIF TG_OP = 'DELETE' THEN
                    IF {self.deletable} THEN RETURN OLD; END IF;
                END IF;
                RAISE EXCEPTION '{self.refuses}' USING ERRCODE = 'integrity_constraint_violation';
            END
            $$
            """,
            f"CREATE TRIGGER {table}_is_never_updated BEFORE UPDATE ON {table} FOR EACH ROW {made}",
            f"CREATE TRIGGER {table}_is_never_deleted BEFORE DELETE ON {table} FOR EACH ROW {made}",
            f"CREATE TRIGGER {table}_is_never_emptied BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {made}",
        ]

    def _on_sqlite(self, table: str, erases: str) -> list[str]:
        refuse = f"BEGIN SELECT RAISE(ABORT, '{self.refuses}'); END"
        return [
            f"CREATE TRIGGER {table}_is_never_updated BEFORE UPDATE ON {table} WHEN NOT ({erases}) {refuse}",
            f"CREATE TRIGGER {table}_is_never_deleted BEFORE DELETE ON {table} WHEN NOT ({self.deletable}) {refuse}",
        ]


@contextmanager
def deletable(connection: Any, tables: Collection[str]) -> Iterator[None]:
    """Let the block delete rows of `tables` even if `WrittenOnce` protects them.

    Other writers of these tables wait until the transaction ends. If the block raises, the transaction must be rolled
    back.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname LIKE '%%is_never_deleted'")
            guarded = [table for (table,) in cursor.fetchall() if table in tables]
            for table in guarded:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {table}_is_never_deleted")
            yield
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # a table with checks to come cannot be altered
            for table in guarded:
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER {table}_is_never_deleted")
            return
        cursor.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE name LIKE '%%is_never_deleted'")
        triggers = [(name, sql) for name, table, sql in cursor.fetchall() if table in tables]
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield
        for _, sql in triggers:
            cursor.execute(sql)


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
