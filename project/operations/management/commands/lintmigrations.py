"""`manage.py lintmigrations`: lint the migrations' SQL for PostgreSQL with squawk, without a server.

It refuses migrations that would disturb a running site, or break the previous release. Each app's first migration is
not checked. A migration may break a rule if it says why: `accepted = {"ban-drop-column": "nobody reads it"}`.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.backends.postgresql.schema import DatabaseSchemaEditor
from django.db.migrations import RunPython
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.state import ProjectState

from project.core.operations import InBatches

EXCLUDED = (
    "require-lock-timeout",  # `manage.py migrate` sets it
    "require-statement-timeout",
    "prefer-bigint-over-int",  # matters of taste
    "prefer-bigint-over-smallint",
    "prefer-robust-stmts",
    "prefer-text-field",
)
LEFT_OUT = re.compile(r'ADD COLUMN "(\w+)".* NOT NULL.*?ALTER COLUMN "\1" DROP DEFAULT', re.DOTALL)


class Command(BaseCommand):
    help = "Lint the migrations of ours but each app's first. Ends with 1 if one would be noticed."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(None)
        order: dict[tuple[str, str], None] = {}
        for leaf in sorted(loader.graph.leaf_nodes()):
            order.update(dict.fromkeys(loader.graph.forwards_plan(leaf)))
        state, looked_at = ProjectState(), {}
        for app, name in order:
            migration = loader.graph.nodes[app, name]
            if migration.__module__.startswith(("project.", "realtime.")) and not migration.initial:
                looked_at[f"{app}.{name}"] = (migration, sql_of(migration, state))
            else:
                state = migration.mutate_state(state, preserve=False)
        if faults := dict.fromkeys(found_in(looked_at)):
            self.stderr.write("\n".join(faults))
            sys.exit(1)


def sql_of(migration: Migration, state: ProjectState) -> str:
    """Return the SQL of a migration on PostgreSQL. Changes `state` to the state after the migration."""
    with _Editor(_connection(), collect_sql=True, atomic=False) as editor:
        migration.apply(state, editor, collect_sql=True)
    statements = "\n".join(editor.collected_sql)
    return f"BEGIN;\n{statements}\nCOMMIT;\n" if migration.atomic else statements


def found_in(migrations: dict[str, tuple[Migration, str]]) -> Iterator[str]:
    """Yield each fault as `app.name: rule: explanation`."""
    for name, (migration, sql) in migrations.items():
        accepted = getattr(migration, "accepted", {})
        if "batches" not in accepted:
            for one in migration.operations:
                if isinstance(one, RunPython) and not isinstance(one, InBatches):
                    yield f"{name}: batches: RunPython in one transaction: use project.core.operations.InBatches"
        for column in LEFT_OUT.findall(sql):
            yield f"{name}: db-default: the release before leaves {column} out: give it a db_default"
    for fault in _squawk({name: sql for name, (_, sql) in migrations.items()}):
        name, rule = fault["file"].removesuffix(".sql"), fault["rule_name"]
        if rule not in getattr(migrations[name][0], "accepted", {}):
            yield f"{name}: {rule}: {fault['message']}"


def _squawk(statements: dict[str, str]) -> Any:
    with TemporaryDirectory() as folder:
        for name, sql in statements.items():
            Path(folder, f"{name}.sql").write_text(sql)
        program = Path(sys.executable).with_name("squawk")
        if not program.exists():
            raise CommandError("squawk is not installed: `make setup` brings it.")
        done = subprocess.run(  # noqa: S603 - a program from the developer's packages
            [
                str(program),
                "--reporter=json",
                "--pg-version=15",
                f"--exclude={','.join(EXCLUDED)}",
                *(f"{name}.sql" for name in statements),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    return json.loads(done.stdout or "[]")


def _connection() -> DatabaseWrapper:
    """Return a connection that writes PostgreSQL's SQL without a server."""
    settings = connections["default"].settings_dict | {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {}}
    connection = DatabaseWrapper(settings, "default")
    connection.pg_version = 150_000
    connection.ops.compose_sql = lambda sql, params: sql % tuple(map(_quoted, params))  # type: ignore[method-assign]
    return connection


def _quoted(value: Any) -> str:
    return str(_Editor(_connection(), collect_sql=True).quote_value(value))


class _Editor(DatabaseSchemaEditor):
    """A schema editor that does not ask the server for the name of a constraint."""

    def _constraint_names(self, *args: Any, **kwargs: Any) -> list[str]:
        return ["constraint_of_the_server"]
