"""Migrations that block a running site or break the previous release are refused. Test databases have them all."""

import re
from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently as DjangoAddIndexConcurrently
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import Index, Q

from project.core.operations import AddCheckNotValid, AddIndexConcurrently, InBatches, ValidateConstraint, WrittenOnce
from project.operations.management.commands.lintmigrations import found_in, sql_of
from tests import template

RINGS = {
    "id": models.BigAutoField(primary_key=True),
    "name": models.CharField(max_length=20),
    "notes": models.TextField(null=True),
    "price": models.DecimalField(max_digits=8, decimal_places=2),
}
BY_NAME = Index(fields=["name"], name="ring_name")
IMPORTS = re.compile(r"^\s*(?:from|import) ((?:project|realtime)[\w.]*)(?: import ([\w, (]+))?$", re.MULTILINE)
HEAVY = models.CheckConstraint(condition=Q(price__gt=0), name="ring_price")


def fill(apps: Any, rows: Any) -> None:
    rows.update(notes="")


def faults(operation: Any, *, atomic: bool = True, accepted: dict[str, str] | None = None) -> set[str]:
    """The rules that a migration with this operation breaks."""
    state = ProjectState()
    state.add_model(ModelState("shop", "Ring", list(RINGS.items())))
    migration = migrations.Migration("0002_next", "shop")
    migration.operations, migration.atomic = [operation], atomic
    migration.accepted = accepted or {}  # type: ignore[attr-defined]
    return {fault.split(": ")[1] for fault in found_in({"shop.0002_next": (migration, sql_of(migration, state))})}


@pytest.mark.parametrize(
    ("operation", "rule"),
    [
        (migrations.AddField("ring", "weight", models.IntegerField(default=0)), "db-default"),
        (migrations.AddField("ring", "code", models.CharField(max_length=9, null=True, unique=True)), "unique"),
        (migrations.RemoveField("ring", "notes"), "ban-drop-column"),
        (migrations.RenameField("ring", "notes", "remarks"), "renaming-column"),
        (migrations.RenameModel("Ring", "Band"), "renaming-table"),
        (migrations.DeleteModel("Ring"), "ban-drop-table"),
        (migrations.AlterField("ring", "price", models.DecimalField(max_digits=8, decimal_places=3)), "column-type"),
        (migrations.AlterField("ring", "notes", models.TextField()), "adding-not-nullable-field"),
        (migrations.AddIndex("ring", BY_NAME), "require-concurrent-index-creation"),
        (migrations.AddConstraint("ring", HEAVY), "constraint-missing-not-valid"),
        (migrations.AddConstraint("ring", models.UniqueConstraint(fields=["name"], name="ring_once")), "unique"),
        (migrations.RunPython(fill), "batches"),
        (migrations.RunSQL("ALTER TABLE shop_ring DROP COLUMN notes"), "ban-drop-column"),
    ],
    ids=lambda one: (
        one if isinstance(one, str) else getattr(one, "migration_name_fragment", None) or type(one).__name__
    ),
)
def test_a_migration_that_blocks_or_breaks_a_running_site_is_refused(operation: Any, rule: str) -> None:
    found = faults(operation)
    assert any(rule in one for one in found), found


@pytest.mark.parametrize(
    ("operation", "atomic"),
    [
        (migrations.AddField("ring", "weight", models.IntegerField(default=0, db_default=0)), True),
        (migrations.AddField("ring", "weight", models.IntegerField(null=True)), True),
        (migrations.CreateModel("Case", [("id", models.BigAutoField(primary_key=True))]), True),
        (DjangoAddIndexConcurrently("ring", BY_NAME), False),
        (AddIndexConcurrently("ring", BY_NAME), False),
        (AddCheckNotValid("ring", HEAVY), True),
        (ValidateConstraint("ring", "ring_price"), True),
        (InBatches("shop.Ring", fill), False),
    ],
    ids=lambda one: (
        one if isinstance(one, str) else getattr(one, "migration_name_fragment", None) or type(one).__name__
    ),
)
def test_a_harmless_migration_passes(operation: Any, atomic: bool) -> None:
    assert faults(operation, atomic=atomic) == set()


def test_a_migration_may_accept_a_rule_with_a_reason() -> None:
    small = {"require-concurrent-index-creation": "the table has a dozen rows"}
    assert faults(migrations.AddIndex("ring", BY_NAME), accepted=small) == set()
    assert faults(migrations.RemoveField("ring", "notes"), accepted=small) == {"ban-drop-column"}


def test_template_of_test_databases_depends_on_all_that_migrations_import() -> None:
    sources = {path.relative_to(template.ROOT).with_suffix("").as_posix() for path in template.sources()}
    imported = {
        f"{module}.{names}".strip(".").replace(".", "/")
        for path in template.sources()
        if path.parent.name == "migrations"
        for module, names in IMPORTS.findall(path.read_text(encoding="utf-8"))
    }
    assert {"project/core/operations/WrittenOnce", "project/catalogs/terms"} <= imported
    assert {name for name in imported if name not in sources and name.rpartition("/")[0] not in sources} == set()


def test_the_triggers_of_what_is_written_once_know_every_column() -> None:
    """A column that comes after them could be changed by a transaction that erases names."""
    graph = MigrationLoader(None).graph
    changes = (migrations.AddField, migrations.AlterField, migrations.RenameField)
    known: dict[tuple[str, str], bool] = {}
    for app, name in dict.fromkeys(key for leaf in graph.leaf_nodes() for key in graph.forwards_plan(leaf)):
        for operation in graph.nodes[app, name].operations:
            if isinstance(operation, WrittenOnce):
                known[app, operation.model.lower()] = True
            elif isinstance(operation, changes) and (app, operation.model_name_lower) in known:
                known[app, operation.model_name_lower] = False
    assert len(known) >= 6
    assert [model for model, is_known in known.items() if not is_known] == []
