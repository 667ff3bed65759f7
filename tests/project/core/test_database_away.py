"""A database that hangs or is busy blocks no caller for long."""

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection, connections, transaction

from project.core import database
from project.core.management.commands import migrate
from project.orders.models import SalesOrder
from tests.builders import Caller, Shop, at_once

needs_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no server")


@pytest.fixture
def _away() -> Iterator[None]:
    database.away.set()
    yield
    database.away.clear()


@pytest.mark.usefixtures("_away")
def test_calls_get_503_at_once_while_the_database_is_away(shop: Shop) -> None:
    for answer in (shop.ana.get("/api/materials"), shop.ana.post("/api/materials", {"name": "x"}, idempotency_key="k")):
        assert (answer.status, answer.code) == (503, "unavailable")
        assert answer.headers["Retry-After"] == "1"
    assert Caller().get("/health/live").status == 200
    assert Caller().get("/health/ready").status == 200, "readiness checks the database itself"


@pytest.mark.django_db(transaction=True)
def test_second_migration_waits_for_the_first(tmp_path: Path) -> None:
    """On SQLite for a file of its own: the tests' database is in memory."""

    class OnDisk:
        vendor, settings_dict = "sqlite", {"NAME": str(tmp_path / "new" / "db.sqlite3")}

        def is_in_memory_db(self) -> bool:
            return False

    def connected() -> Any:
        return connection if connection.vendor == "postgresql" else OnDisk()

    def migrates() -> None:
        try:
            with migrate.alone(connected()):
                pass
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        with migrate.alone(connected()):
            second = thread.submit(migrates)
            with pytest.raises(TimeoutError):
                second.result(0.5)
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    # It waits for every statement that is under way: none may wait for this migration.
                    cursor.execute("CREATE INDEX CONCURRENTLY built_meanwhile ON identity_user (first_name)")
                    cursor.execute("DROP INDEX built_meanwhile")
        second.result(20)


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_connection_ended_by_the_server_is_replaced_before_use() -> None:
    def of_a_request() -> int:
        with connection.cursor() as cursor:
            number: int = cursor.execute("SELECT pg_backend_pid()").fetchone()[0]
        connection.close()
        return number

    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
        for _ in range(5):
            ended = of_a_request()
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [ended])
            assert of_a_request() != ended


@needs_postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_sleepers_end")
def test_running_query_is_abandoned_when_the_database_goes_away() -> None:
    """The query would sleep for longer than a test may take."""
    begun = threading.Event()

    def waits() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            begun.set()
            try:
                cursor.execute("SELECT pg_sleep(600)")
            except OperationalError as error:
                return str(error)
            finally:
                connections.close_all()
        return "slept"

    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(waits)
        assert begun.wait(30)
        database.away.set()
        try:
            assert waiting.result(30) == "the database does not answer"
        finally:
            database.away.clear()
    assert SalesOrder.objects.count() == 0, "later queries are served"


@pytest.fixture
def _sleepers_end() -> Iterator[None]:
    """End the sleeping queries, because the test database could not be dropped while they run."""
    yield
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE query LIKE 'SELECT pg_sleep%' AND pid <> pg_backend_pid()"
        )


@pytest.fixture
def frozen() -> Iterator[dict[str, Any]]:
    """A server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        yield {"host": host, "port": port, "user": "x", "dbname": "x", "connect_timeout": 2}


def test_server_that_never_answers_counts_as_away(frozen: dict[str, Any]) -> None:
    assert database._connected(frozen) is None
    assert database._asked(None) is None


@pytest.mark.usefixtures("_away")
def test_database_is_checked_again_after_an_unexpected_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stop = threading.Event()

    def fails_once(params: dict[str, Any]) -> object:
        if "failed" not in caplog.text:
            raise RuntimeError("the canary sings")
        stop.set()
        return object()

    monkeypatch.setattr(database, "ASK_SECONDS", 0)
    monkeypatch.setattr(database, "_connected", fails_once)
    monkeypatch.setattr(database, "_asked", lambda connection: connection)
    database._ask_forever({}, stop)
    assert not database.away.is_set()


@needs_postgresql
@pytest.mark.django_db
@pytest.mark.usefixtures("_sleepers_end")
def test_connection_of_the_check_is_reused_and_limits_its_queries() -> None:
    params = connection.get_connection_params()
    asking = database._asked(database._connected(params))
    assert asking is not None
    try:
        assert database._asked(asking) is asking
        with pytest.raises(psycopg.OperationalError):
            asking.execute("SELECT pg_sleep(600)")
    finally:
        asking.close()


@needs_postgresql
def test_lock_timeout_gets_503(busy_shop: Shop) -> None:
    order = busy_shop.order(5)
    taken, done = threading.Event(), threading.Event()

    def holds() -> None:
        with transaction.atomic():
            SalesOrder.objects.select_for_update().get(pk=order)
            taken.set()
            assert done.wait(60)

    def waits() -> int:
        assert taken.wait(30)
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '50ms'")
        try:
            return busy_shop.ana.put(f"/api/sales-order/{order}", {"notes": "x"}).status
        finally:
            done.set()
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")  # the pool reuses this connection

    assert at_once([holds, waits])[1] == 503


@needs_postgresql
def test_migration_yields_to_readers_and_retries(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(migrate, "ATTEMPTS", 3)
    monkeypatch.setattr(migrate, "LOCK_SECONDS", 0.05)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0)
    taken, done = threading.Event(), threading.Event()

    def reads() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE django_migrations IN ACCESS SHARE MODE")
            cursor.execute("LOCK TABLE core_idempotentanswer IN ACCESS SHARE MODE")
            taken.set()
            assert done.wait(60)

    def migrates() -> None:
        assert taken.wait(30)
        try:
            with pytest.raises(CommandError, match="stayed in use"):
                call_command("migrate", "core", "zero", verbosity=0)
        finally:
            done.set()

    try:
        at_once([reads, migrates])
        assert "attempt 3 of 3" in capsys.readouterr().err
    finally:
        call_command("migrate", verbosity=0)
