"""Options and fixtures of all backend tests."""

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from project.core import clock
from project.importing import jobs
from tests import builders, template
from tests.on_servers import is_on_servers
from tests.realtime import daphnes

# A busy machine fails no test.
settings.register_profile("obrador", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("obrador")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--servers", action="store_true", help="only what PostgreSQL and Redis can change: on_servers.py")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--servers"):
        chosen = [
            item
            for item in items
            if is_on_servers(item.path.relative_to(config.rootpath).as_posix()) and _needs_database(item)
        ]
        config.hook.pytest_deselected(items=[item for item in items if item not in {*chosen}])
        items[:] = chosen


def _needs_database(item: pytest.Item) -> bool:
    """Whether a test asks for the database, or depends on which one it is."""
    asks = "django_db_setup" in item.fixturenames or item.get_closest_marker("django_db")  # type: ignore[attr-defined]
    return bool(asks) or any("connection.vendor" in str(mark.args) for mark in item.iter_markers("skipif"))


def pytest_collection_finish() -> None:
    """Exclude imported modules and collected tests from garbage collection: they live until the end of the run."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    """Create the test database as a copy of a migrated one."""
    with pytest.MonkeyPatch.context() as patch:
        template.use(patch)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Empty the tables after each test with real transactions down to the rows that a new database has.

    Stop the shared servers before the test database is dropped.
    """
    with django_db_blocker.unblock():
        first_rows = [list(model._base_manager.all()) for model in apps.get_models(include_auto_created=True)]
    execute = BaseDatabaseOperations.execute_sql_flush

    def flush(self: Any, statements: Any) -> None:
        with transaction.atomic():
            execute(self, _emptying(statements))
            for rows in filter(None, first_rows):
                type(rows[0])._base_manager.bulk_create(rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", flush)
        yield
    daphnes.stop_shared()


def _emptying(statements: Sequence[str]) -> list[str]:
    """Return statements that empty the tables in spite of the triggers of audit and metal, which refuse DELETE.

    On PostgreSQL use DELETE: TRUNCATE creates a new file for each table and index, which takes ten times as long here.
    """
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
        return [*(f"DROP TRIGGER {name}" for name, _ in triggers), *statements, *(sql for _, sql in triggers)]
    tables = re.findall(r'"\w+"', " ".join(statements))
    deletes = "".join(map("DELETE FROM {};".format, tables))  # Foreign keys are checked at the commit.
    kept = (
        "audit_auditentry",
        "metal_metalcount",
        "metal_metalcountrow",
        "metal_metalentry",
        "orders_movement",
        "orders_press",
    )
    alter = "; ".join(f"ALTER TABLE {table} {{0}} TRIGGER USER" for table in kept)
    # A table with checks that wait for the commit cannot be altered: check them now.
    return [alter.format("DISABLE"), deletes, "SET CONSTRAINTS ALL IMMEDIATE", alter.format("ENABLE")]


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Wrap all tests of a module in one transaction, for records that are slow to create and that many tests read.

    Create these records in a fixture of module scope. The tests request `db` too, which rolls back what each of them
    writes.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def shop(db: None) -> builders.Shop:
    """The workshop with its cast."""
    return builders.shop()


@pytest.fixture
def busy_shop(transactional_db: None) -> Iterator[builders.Shop]:
    """The workshop with real transactions, for calls in several threads."""
    yield builders.shop()
    builders.tasks_ended()  # they must not write while the tables are emptied


@pytest.fixture
def tasks_at_once(
    settings: Any, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    """Run what a call enqueues directly after the call, in the test's transaction, instead of in threads."""
    settings.TASKS = {"default": {"BACKEND": "django.tasks.backends.immediate.ImmediateBackend"}}
    # Another connection cannot renew the lease of an import that is not committed.
    monkeypatch.setattr(jobs, "RENEWED", timedelta(days=1))
    call = builders.Caller.call

    def committed(*args: Any, **options: Any) -> builders.Answer:
        with django_capture_on_commit_callbacks(execute=True):
            return call(*args, **options)

    monkeypatch.setattr(builders.Caller, "call", committed)


@pytest.fixture
def in_mexico_city(settings: object) -> None:
    """Put the plant six hours behind UTC all year, for tests that name its midnights. Other tests run in any zone."""
    settings.PLANT_TIME_ZONE = "America/Mexico_City"  # type: ignore[attr-defined]


@pytest.fixture
def noon() -> Iterator[datetime]:
    """Stop the clock at noon in the plant, and return that instant."""
    instant = clock.start_of(clock.today()) + timedelta(hours=12)
    with clock.at(instant):
        yield instant


@pytest.fixture
def quick_passwords(settings: object) -> None:
    """Hash passwords with MD5, which is fast, in tests of anything but hashing."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]
