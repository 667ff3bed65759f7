"""A migration that a site at work would notice is refused, and so is one that the release before does not survive."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.postgres.operations import AddIndexConcurrently as Undressed
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import Index, Q

from project.core.operations import (
    AddCheckNotValid,
    AddIndexConcurrently,
    AlterGeneratedField,
    InBatches,
    ValidateConstraint,
)
from project.operations.migration_rules import Fault, Judge, Kind, faults, released, sums

RINGS = {
    "id": models.BigAutoField(primary_key=True),
    "name": models.CharField(max_length=20),
    "notes": models.TextField(null=True),
    "size": models.IntegerField(db_default=7),
    "price": models.DecimalField(max_digits=8, decimal_places=2),
}
AREA = models.GeneratedField(expression=models.F("size") * 2, output_field=models.IntegerField(), db_persist=True)
BY_NAME = Index(fields=["name"], name="ring_name")
HEAVY = models.CheckConstraint(condition=Q(size__gt=0), name="ring_size")
LETTERS, NUMBER = models.CharField(max_length=20), models.IntegerField()


def state() -> ProjectState:
    found = ProjectState()
    found.add_model(ModelState("shop", "Ring", list(RINGS.items())))
    return found


def found(*operations: Any, accepted: dict[str, str] | None = None, release: ProjectState | None = None) -> list[Fault]:
    migration = migrations.Migration("0002_next", "shop")
    migration.operations = list(operations)
    if accepted:
        migration.accepted = accepted  # type: ignore[attr-defined]
    return [*Judge(release or state()).faults(migration, state())]


def fill(apps: Any, rows: Any) -> None:
    rows.update(notes="")


def in_the_state_alone(operation: Any) -> migrations.SeparateDatabaseAndState:
    return migrations.SeparateDatabaseAndState(state_operations=[operation])


@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        (migrations.AddField("ring", "weight", models.IntegerField(default=0)), Kind.BREAKS),
        (migrations.AddField("ring", "tag", models.CharField(max_length=9, null=True, db_index=True)), Kind.LOCKS),
        (migrations.AddField("ring", "code", models.CharField(max_length=9, null=True, unique=True)), Kind.LOCKS),
        (migrations.RemoveField("ring", "notes"), Kind.BREAKS),
        (migrations.RenameField("ring", "notes", "remarks"), Kind.BREAKS),
        (migrations.RenameModel("Ring", "Band"), Kind.BREAKS),
        (migrations.DeleteModel("Ring"), Kind.BREAKS),
        (migrations.AlterModelTable("ring", "rings"), Kind.BREAKS),
        (migrations.AlterUniqueTogether("ring", {("name", "size")}), Kind.BREAKS),
        (migrations.AlterField("ring", "name", models.CharField(max_length=10)), Kind.BREAKS),
        (migrations.AlterField("ring", "name", models.TextField()), Kind.BREAKS),
        (migrations.AlterField("ring", "name", models.CharField(max_length=20, db_column="label")), Kind.BREAKS),
        (migrations.AlterField("ring", "notes", models.TextField()), Kind.BREAKS),
        (migrations.AlterField("ring", "size", models.IntegerField()), Kind.BREAKS),
        (AlterGeneratedField("ring", "area", AREA), Kind.LOCKS),
        (migrations.AlterField("ring", "price", models.DecimalField(max_digits=9, decimal_places=3)), Kind.LOCKS),
        (migrations.AlterField("ring", "price", models.DecimalField(max_digits=8, decimal_places=3)), Kind.BREAKS),
        (migrations.AlterField("ring", "price", models.DecimalField(max_digits=8, decimal_places=1)), Kind.BREAKS),
        (migrations.AddIndex("ring", BY_NAME), Kind.LOCKS),
        (Undressed("ring", BY_NAME), Kind.LOCKS),  # of PostgreSQL alone
        (migrations.AddConstraint("ring", HEAVY), Kind.LOCKS),
        (migrations.AddConstraint("ring", models.UniqueConstraint(fields=["name"], name="ring_once")), Kind.LOCKS),
        (migrations.RunPython(fill), Kind.DATA),
        (migrations.RunSQL("UPDATE shop_ring SET notes = ''"), Kind.SQL),
        (migrations.RunSQL([("CREATE INDEX ring_name ON shop_ring (name)", None)]), Kind.SQL),
        (migrations.RunSQL("ALTER TABLE shop_ring DROP COLUMN notes"), Kind.BREAKS),
        (migrations.RunSQL('DROP TABLE IF EXISTS "shop_ring";'), Kind.BREAKS),
        (migrations.SeparateDatabaseAndState([migrations.AddIndex("ring", BY_NAME)]), Kind.LOCKS),
        (in_the_state_alone(migrations.RemoveField("ring", "name")), Kind.BREAKS),
    ],
    ids=lambda one: getattr(one, "migration_name_fragment", None) or type(one).__name__,
)
def test_what_a_site_at_work_would_notice_is_a_fault(operation: Any, kind: Kind) -> None:
    assert [fault.kind for fault in found(operation)] == [kind]


@pytest.mark.parametrize(
    "operations",
    [
        [migrations.AddField("ring", "weight", models.IntegerField(default=0, db_default=0))],
        [migrations.AddField("ring", "weight", models.IntegerField(null=True))],
        [migrations.AddField("ring", "twins", models.ManyToManyField("shop.Ring"))],
        [migrations.AlterField("ring", "name", models.CharField(max_length=30, null=True, default="x", blank=True))],
        [migrations.AlterField("ring", "name", models.CharField(max_length=20, db_default=""))],
        [AddIndexConcurrently("ring", BY_NAME)],
        [AddCheckNotValid("ring", HEAVY)],
        [ValidateConstraint("ring", "ring_size")],
        [InBatches("shop.Ring", fill)],
        [in_the_state_alone(migrations.RemoveField("ring", "notes"))],
        [in_the_state_alone(migrations.RemoveField("ring", "size"))],
        [
            migrations.CreateModel("Case", [("id", models.BigAutoField(primary_key=True)), ("name", LETTERS)]),
            migrations.AddField("case", "depth", NUMBER),
            migrations.AddIndex("case", Index(fields=["depth"], name="case_depth")),
            migrations.RenameField("case", "depth", "height"),
            migrations.RemoveField("case", "height"),
        ],
    ],
    ids=lambda one: one[0].migration_name_fragment or type(one[0]).__name__,
)
def test_what_nobody_notices_is_none(operations: list[Any]) -> None:
    assert found(*operations) == []


def test_a_column_is_dropped_once_a_release_does_not_know_it() -> None:
    release = ProjectState()
    release.add_model(ModelState("shop", "Ring", [(name, one) for name, one in RINGS.items() if name != "notes"]))
    assert found(migrations.RunSQL("ALTER TABLE shop_ring DROP COLUMN notes"), release=release) == []


def test_what_is_done_again_where_it_was_cut_off_stands_alone() -> None:
    column = migrations.AddField("ring", "weight", models.IntegerField(null=True))
    assert [fault.kind for fault in found(column, InBatches("shop.Ring", fill))] == [Kind.BREAKS]


def test_a_migration_says_why_what_takes_its_time_takes_none_here() -> None:
    small = {"locks": "the table has a dozen rows"}
    assert found(migrations.AddIndex("ring", BY_NAME), accepted=small) == []
    assert found(migrations.RunPython(fill), accepted=small) != []
    assert found(migrations.RemoveField("ring", "notes"), accepted={"breaks": "we are sure"}) != []


@pytest.fixture(scope="module")
def loader() -> MigrationLoader:
    return MigrationLoader(None)


def kinds(found: Iterator[tuple[str, Fault]]) -> set[tuple[str, Kind]]:
    return {(name, fault.kind) for name, fault in found}


def test_a_released_migration_is_neither_changed_nor_gone(loader: MigrationLoader) -> None:
    release = dataclasses.replace(released(), migrations=sums(loader))
    assert kinds(faults(loader, release)) == set()
    release.migrations["catalogs.0001_initial"] = "another sum"
    release.migrations["catalogs.0000_lost"] = "a sum"
    assert kinds(faults(loader, release)) == {
        ("catalogs.0001_initial", Kind.CHANGED),
        ("catalogs.0000_lost", Kind.CHANGED),
    }


def test_those_after_the_release_are_judged(loader: MigrationLoader) -> None:
    release = dataclasses.replace(released(), migrations=sums(loader))
    del release.migrations["catalogs.0002_short_lists_and_search"]
    assert kinds(faults(loader, release)) == {("catalogs.0002_short_lists_and_search", Kind.DATA)}
