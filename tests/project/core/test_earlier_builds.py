"""A database of an earlier build is refused in one sentence, which says how to make a new one."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from project.core import clock
from project.core.earlier_builds import FIRST, known_migrations, made_by_an_earlier_build
from project.notices.models import Announcement
from project.operations import checking, examinations
from project.operations.doctor import State

OWN = frozenset(MigrationLoader(None).disk_migrations or ())
EARLIER = frozenset(
    {
        ("core", "0001_spanish_collation"),
        ("core", "0002_initial"),
        ("identity", "0001_initial"),
        ("orders", "0001_initial"),
        ("orders", "0002_record_released"),
    }
)
"""Some of them have the names of other migrations of this build."""
REFUSED = r"^This database was made by an earlier build of Obrador, which cannot be upgraded: .* to start afresh\.$"


@pytest.mark.parametrize(
    ("applied", "earlier"),
    [
        (frozenset(), False),
        (OWN, False),
        (OWN - {("worker", "0001_initial")}, False),
        (OWN | {("orders", "9999_of_tomorrow")}, False),
        (frozenset({("worker", "0001_initial")}), False),
        (EARLIER, True),
        (OWN - {FIRST} | EARLIER, True),
        (frozenset({("core", "0001_initial"), ("core", "0002_spanish_collation")}), True),
        (frozenset({("auth", "0001_initial")}), False),
    ],
    ids=["empty", "own", "pending", "newer", "one app", "earlier", "earlier, all apps", "long ago", "not ours"],
)
def test_only_a_database_of_an_earlier_build_is_recognised(
    applied: frozenset[tuple[str, str]], *, earlier: bool
) -> None:
    assert made_by_an_earlier_build(applied) is earlier


def test_the_first_migration_is_applied_before_all_others() -> None:
    loader = MigrationLoader(None)
    [first, *_] = loader.graph.forwards_plan(min(loader.graph.leaf_nodes()))
    assert first == FIRST


@pytest.fixture
def _earlier_build(db: None) -> None:
    recorder = MigrationRecorder(connection)
    recorder.flush()
    for app, name in sorted(EARLIER):
        recorder.record_applied(app, name)


@pytest.mark.usefixtures("_earlier_build")
@pytest.mark.parametrize("command", [["migrate"], ["restore", "latest"], ["restore", "--recovered"]], ids=" ".join)
def test_command_refuses_it_and_changes_nothing(command: list[str]) -> None:
    before = connection.introspection.table_names()
    with pytest.raises(CommandError, match=REFUSED) as refusal:
        call_command(*command)
    wanted = "run `make run`" if connection.vendor == "sqlite" else "DATABASE_URL and run `python manage.py migrate`"
    assert wanted in str(refusal.value)
    assert connection.introspection.table_names() == before
    assert MigrationRecorder(connection).applied_migrations().keys() == EARLIER
    assert not checking.is_marked()


@pytest.mark.usefixtures("_earlier_build")
def test_doctor_says_nothing_else_of_its_migrations() -> None:
    [remark] = examinations.of_migrations()
    assert (remark.state, remark.mend) == (State.BROKEN, "")
    assert remark.says.startswith("This database was made by an earlier build of Obrador, ")


@pytest.fixture
def _last_release(db: None) -> None:
    """The applied migrations as of a release whose notifications were an app of their own."""
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("notices", "0002_notifications")
    recorder.record_applied("notifications", "0001_initial")


@pytest.mark.usefixtures("_last_release")
def test_database_of_the_last_release_keeps_its_notifications_and_is_not_taken_for_a_newer_one() -> None:
    announced = Announcement.objects.create(kind="likelyLate", cause_id=1, order_id=1, announced_at=clock.now())
    call_command("migrate", verbosity=0)
    assert Announcement.objects.get() == announced
    assert [remark.says for remark in examinations.of_migrations()] == ["none is pending"]


def test_backup_of_the_last_release_is_known() -> None:
    assert {*OWN, ("notifications", "0001_initial")} <= known_migrations()
