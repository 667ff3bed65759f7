"""Migration operations that do not block a running site, tested on a separate table."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import IntegrityError, connection, migrations, models
from django.db.migrations.state import ProjectState
from django.db.models import Index, Q

from project.core.operations import AddCheckNotValid, AddIndexConcurrently, InBatches, ValidateConstraint

BY_NAME = Index(fields=["name"], name="ring_by_name")


class World:
    """The state of a table `shop_ring` with five rows, and the migrations applied to it."""

    def __init__(self) -> None:
        self.state = ProjectState()
        columns = [
            ("id", models.BigAutoField(primary_key=True)),
            ("name", models.CharField(max_length=20)),
            ("size", models.IntegerField(null=True)),
        ]
        self.apply(migrations.CreateModel("Ring", columns))
        self.rings.bulk_create(self.model(name=f"Anillo {number}") for number in range(5))

    @property
    def model(self) -> Any:
        return self.state.apps.get_model("shop", "Ring")

    @property
    def rings(self) -> Any:
        return self.model.objects.order_by("pk")

    def apply(self, operation: Any, *, atomic: bool = True, back: bool = False) -> None:
        migration = migrations.Migration("0001", "shop")
        migration.operations, migration.atomic = [operation], atomic
        with connection.schema_editor(atomic=atomic) as editor:
            if back:
                migration.unapply(self.state, editor)
            else:
                self.state = migration.apply(self.state, editor)

    def indexes(self) -> set[str]:
        with connection.cursor() as cursor:
            return {*connection.introspection.get_constraints(cursor, "shop_ring")}


@pytest.fixture
def world(transactional_db: None) -> Iterator[World]:
    made = World()
    yield made
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE shop_ring")


def test_index_is_built_and_removed_concurrently(world: World) -> None:
    before = world.state.clone()
    world.apply(AddIndexConcurrently("ring", BY_NAME), atomic=False)
    assert "ring_by_name" in world.indexes()
    world.state = before
    world.apply(AddIndexConcurrently("ring", BY_NAME), atomic=False, back=True)
    assert "ring_by_name" not in world.indexes()


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has one writer at a time")
def test_invalid_index_is_rebuilt_without_a_lock_timeout(world: World) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '3s'")
        cursor.execute("CREATE INDEX ring_by_name ON shop_ring (size)")
    world.apply(AddIndexConcurrently("ring", BY_NAME), atomic=False)
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'ring_by_name'")
        assert "(name)" in cursor.fetchone()[0]
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("3s",), "the lock timeout is restored"
        cursor.execute("RESET lock_timeout")


def test_rows_are_filled_in_batches_and_each_batch_is_committed(world: World) -> None:
    batches = []

    def fill(apps: Any, rows: Any) -> None:
        batches.append(rows.count())
        rows.update(size=len(batches))
        if len(batches) == 3:
            raise ConnectionError("the canary sings")

    with pytest.raises(ConnectionError):
        world.apply(InBatches("shop.Ring", fill, size=2), atomic=False)
    assert batches == [2, 2, 1]
    assert [*world.rings.values_list("size", flat=True)] == [1, 1, 2, 2, None]
    world.apply(InBatches("shop.Ring", fill, size=2), atomic=False)
    assert [*world.rings.values_list("size", flat=True)] == [4, 4, 5, 5, 6], "the second run starts from the beginning"


def test_batches_in_one_transaction_are_refused(world: World) -> None:
    with pytest.raises(RuntimeError, match="atomic = False"):
        world.apply(InBatches("shop.Ring", lambda apps, rows: rows.update(size=1)))
    assert not world.rings.filter(size__isnull=False).exists()


def test_check_applies_to_new_writes_and_is_validated_later(world: World) -> None:
    if connection.vendor == "postgresql":
        world.rings.filter(name="Anillo 0").update(size=-1)  # a row from before the check
    check = models.CheckConstraint(condition=Q(size__gt=0), name="ring_has_a_size")
    world.apply(AddCheckNotValid("ring", check))
    with pytest.raises(IntegrityError):
        world.rings.filter(name="Anillo 1").update(size=-2)
    if connection.vendor == "postgresql":
        with pytest.raises(IntegrityError):
            world.apply(ValidateConstraint("ring", "ring_has_a_size"))
        world.rings.filter(name="Anillo 0").update(size=1)
    world.apply(ValidateConstraint("ring", "ring_has_a_size"))
