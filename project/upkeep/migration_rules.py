"""Which migrations a site at work would notice, and which the release before does not survive (decision 37).

Migrations of a release are in `infra/setup/released.json` and are never changed. Those after it are judged, operation
by operation. What only takes its time, and does not here, a migration may say itself:
`accepted = {"locks": "the table has a dozen rows"}`.
"""

import hashlib
import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.postgres.operations import CreateCollation
from django.db import models
from django.db.migrations import operations as django
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.state import ProjectState

from project.core.operations import (
    ALONE,
    AddCheckNotValid,
    AddIndexConcurrently,
    AlterGeneratedField,
    InBatches,
    ValidateConstraint,
)

RELEASED = settings.BASE_DIR / "infra" / "setup" / "released.json"
HARMLESS = (
    AddCheckNotValid,
    AddIndexConcurrently,
    CreateCollation,
    InBatches,
    ValidateConstraint,
    django.AlterConstraint,
    django.AlterModelManagers,
    django.AlterModelOptions,
    django.AlterModelTableComment,
    django.CreateModel,
    django.RemoveConstraint,
    django.RemoveIndex,
    django.RenameIndex,
)
NOT_IN_THE_DATABASE = {*models.Field.non_db_attrs, "default", "on_delete"} - {"db_column"}
DROPS = re.compile(
    r'ALTER TABLE "?(\w+)"? DROP COLUMN (?:IF EXISTS )?"?(\w+)"?;?|DROP TABLE (?:IF EXISTS )?"?(\w+)"?;?'
)


class Kind(StrEnum):
    BREAKS = "breaks"
    """The release before writes or reads what is no longer so."""
    CHANGED = "changed"
    LOCKS = "locks"
    """Others wait while a whole table is read or written."""
    DATA = "data"
    SQL = "sql"


@dataclass(frozen=True)
class Fault:
    kind: Kind
    says: str


@dataclass(frozen=True)
class Released:
    """What the last release had: its commit, and its migrations with the sums of their files."""

    commit: str
    migrations: dict[str, str]


def released() -> Released:
    return Released(**json.loads(RELEASED.read_text()))


def sums(loader: MigrationLoader) -> dict[str, str]:
    """Every migration of ours, and the sum of its file."""
    return {f"{app}.{name}": _sum(migration) for (app, name), migration in sorted(_ours(loader).items())}


def faults(loader: MigrationLoader, release: Released) -> Iterator[tuple[str, Fault]]:
    """What is wrong with the migrations, each with the name of its own."""
    ours = _ours(loader)
    for name, kept in release.migrations.items():
        migration = ours.get((name.partition(".")[0], name.partition(".")[2]))
        if migration is None:
            yield name, Fault(Kind.CHANGED, "was released, and is gone")
        elif _sum(migration) != kept:
            yield name, Fault(Kind.CHANGED, "was released, and is changed: add another one")
    before = [key for key in loader.graph.nodes if key not in ours or ".".join(key) in release.migrations]
    state = loader.project_state([key for key in before if key in loader.graph.nodes])
    judge = Judge(state.clone())
    for key in _in_their_order(loader):
        if key not in before:
            for fault in judge.faults(loader.graph.nodes[key], state):
                yield ".".join(key), fault


class Judge:
    """Judges the migrations after a release, whose models are in `release`, one after the other."""

    def __init__(self, release: ProjectState) -> None:
        self._release = release
        self._columns = {
            model._meta.db_table: {field.column for field in model._meta.local_fields}
            for model in release.apps.get_models(include_auto_created=True)
        }

    def faults(self, migration: Migration, state: ProjectState) -> Iterator[Fault]:
        """What is wrong with one, from `state`, which it moves on."""
        accepted = getattr(migration, "accepted", {})
        if len(migration.operations) > 1 and any(isinstance(one, ALONE) for one in migration.operations):
            yield Fault(Kind.BREAKS, "an operation that is done again where it was cut off stands beside others")
        for operation in migration.operations:
            for fault in self._of(operation, migration.app_label, state):
                if fault.kind not in accepted or fault.kind is Kind.BREAKS:
                    yield fault
            operation.state_forwards(migration.app_label, state)

    def _of(self, operation: Any, app: str, state: ProjectState) -> Iterator[Fault]:
        match operation:
            case django.SeparateDatabaseAndState():
                moved = state.clone()
                for one in operation.database_operations:
                    yield from self._of(one, app, moved)
                    one.state_forwards(app, moved)
                for one in operation.state_operations:
                    if isinstance(one, django.RemoveField) and not _may_be_left_out(_field(state, app, one)):
                        yield Fault(
                            Kind.BREAKS, f"{one.describe()}: the new release leaves it out, and it needs a value"
                        )
            case django.RunSQL():
                yield from self._of_sql(operation.sql)
            case django.RunPython() if not isinstance(operation, InBatches):
                yield Fault(Kind.DATA, "RunPython in one transaction: use project.core.operations.InBatches")
            case _ if isinstance(operation, HARMLESS) or self._is_new(app, operation):
                return
            case django.AddField():
                yield from _of_added(operation)
            case AlterGeneratedField():
                yield Fault(Kind.LOCKS, f"{operation.describe()}: every row is written")
            case django.AlterField():
                yield from _of_altered(operation, _field(state, app, operation))
            case django.AddIndex():
                yield Fault(Kind.LOCKS, f"{operation.describe()}: use project.core.operations.AddIndexConcurrently")
            case django.AddConstraint():
                yield Fault(
                    Kind.LOCKS,
                    f"{operation.describe()}: every row is read; for a check use AddCheckNotValid, then "
                    "ValidateConstraint",
                )
            case django.RemoveField() | django.DeleteModel():
                yield Fault(
                    Kind.BREAKS,
                    f"{operation.describe()}: take it out of the state alone (SeparateDatabaseAndState), and drop it "
                    "by RunSQL in the release after",
                )
            case _:
                yield Fault(Kind.BREAKS, f"{operation.describe()}: the release before knows it as it was")

    def _is_new(self, app: str, operation: Any) -> bool:
        """Whether it concerns a table that no release has."""
        named = (getattr(operation, one, None) for one in ("model_name", "name", "old_name"))
        name = next((one for one in named if isinstance(one, str)), None)
        return name is not None and (app, name.lower()) not in self._release.models

    def _of_sql(self, sql: Any) -> Iterator[Fault]:
        for one in [sql] if isinstance(sql, str) else sql:
            statement = (one if isinstance(one, str) else one[0]).strip()
            drops = DROPS.fullmatch(statement)
            if drops is None:
                yield Fault(Kind.SQL, f"SQL that only a reader can judge: {statement[:60]}")
            elif drops[3] in self._columns or drops[2] in self._columns.get(drops[1] or "", ()):
                yield Fault(Kind.BREAKS, f"the release before reads what is dropped: {statement[:60]}")


def _of_added(operation: Any) -> Iterator[Fault]:
    field = operation.field
    if field.many_to_many:
        return
    if not _may_be_left_out(field):
        yield Fault(Kind.BREAKS, f"{operation.describe()}: the release before leaves it out: give it a db_default")
    if field.unique or field.db_index:
        yield Fault(Kind.LOCKS, f"{operation.describe()}: its index: db_index=False, then AddIndexConcurrently")
    if isinstance(field, models.GeneratedField):
        yield Fault(Kind.LOCKS, f"{operation.describe()}: every row is written")


def _of_altered(operation: Any, before: Any) -> Iterator[Fault]:
    """Free is only: more letters, NULL allowed, a default of the database's, and what the database does not know.

    A decimal that keeps all of its digits and gets more is written again, and the release before reads it.
    """
    was, now = _described(before), _described(operation.field)
    differ = {name for name in was.keys() | now.keys() if was.get(name) != now.get(name)} - NOT_IN_THE_DATABASE
    if now.get("null") or not was.get("null"):
        differ.discard("null")
    if "db_default" in now:
        differ.discard("db_default")
    if (now.get("max_length") or 0) >= (was.get("max_length") or 0):
        differ.discard("max_length")
    if differ & _DECIMALS and _keeps_digits(was, now):
        differ -= _DECIMALS
        yield Fault(Kind.LOCKS, f"{operation.describe()}: every row is written")
    if differ:
        yield Fault(Kind.BREAKS, f"{operation.describe()}: {', '.join(sorted(differ))}")


_DECIMALS = {"max_digits", "decimal_places"}


def _keeps_digits(was: dict[str, Any], now: dict[str, Any]) -> bool:
    if not was.keys() & now.keys() >= _DECIMALS:
        return False
    whole_before, whole_now = (one["max_digits"] - one["decimal_places"] for one in (was, now))
    return bool(whole_now >= whole_before and now["decimal_places"] >= was["decimal_places"])


def _described(field: Any) -> dict[str, Any]:
    _, path, _, options = field.deconstruct()
    return {"type": path, "db_column": field.db_column, **options}


def _field(state: ProjectState, app: str, operation: Any) -> Any:
    return state.models[app, operation.model_name_lower].get_field(operation.name)


def _may_be_left_out(field: Any) -> bool:
    return bool(field.null or field.has_db_default() or field.many_to_many)


def _ours(loader: MigrationLoader) -> dict[tuple[str, str], Migration]:
    found: dict[tuple[str, str], Migration] = loader.disk_migrations or {}
    return {key: one for key, one in found.items() if one.__module__.startswith(("project.", "realtime."))}


def _in_their_order(loader: MigrationLoader) -> list[tuple[str, str]]:
    order: dict[tuple[str, str], None] = {}
    for leaf in sorted(loader.graph.leaf_nodes()):
        order.update(dict.fromkeys(loader.graph.forwards_plan(leaf)))
    return [*order]


def _file(migration: Migration) -> Path:
    return Path(inspect.getfile(type(migration))).resolve()


def _sum(migration: Migration) -> str:
    return hashlib.sha256(_file(migration).read_bytes()).hexdigest()
