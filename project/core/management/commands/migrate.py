"""`manage.py migrate`, which runs once at a time, and waits only briefly for locks: requests would queue behind it."""

import fcntl
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from psycopg.errors import LockNotAvailable

from project.core.earlier_builds import refusal_of
from project.core.queries import Turn

LOCK_SECONDS = 3
ATTEMPTS = 20
ASK_SECONDS = 0.2
PAUSE_SECONDS = 2.0


class Command(migrate.Command):
    """Django's `migrate`. On PostgreSQL it waits at most three seconds for a lock, then tries again, up to 20 times.

    A migration that waits for one open reader would make all later requests wait too. Applied migrations stay applied,
    and the next attempt continues after them. If another `migrate` runs on the same database, this one waits for it to
    end.

    A database of an earlier build is refused.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options.get("database") or DEFAULT_DB_ALIAS]
        with alone(connection):
            try:
                self._attempt(connection, *args, **options)
            finally:
                _wait_as_before(connection)

    def _attempt(self, connection: Any, *args: Any, **options: Any) -> None:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                _wait_briefly(connection)
                if refusal := refusal_of(connection):
                    raise CommandError(refusal)
                super().handle(*args, **options)
            except OperationalError as error:
                if not isinstance(error.__cause__, LockNotAvailable):
                    raise
                self.stderr.write(f"A table is in use; attempt {attempt} of {ATTEMPTS} gave way.")
                time.sleep(PAUSE_SECONDS * random.uniform(0.5, 1))
            else:
                return
        raise CommandError("The tables stayed in use: nothing is half done, run it again when there is less to do.")


@contextmanager
def alone(connection: Any) -> Iterator[None]:
    """Wait until no other migration of this database runs, and let none begin while the block runs.

    PostgreSQL uses a lock of the session, SQLite a lock on a file. The end of the session or process releases the lock.
    """
    if connection.vendor == "postgresql":
        while not _is_alone(connection):
            time.sleep(ASK_SECONDS)
        try:
            yield
        finally:
            if connection.is_usable():
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_unlock(%s)", [Turn.MIGRATING.value])
    elif connection.is_in_memory_db():
        yield
    else:
        name = Path(connection.settings_dict["NAME"])
        name.parent.mkdir(parents=True, exist_ok=True)
        with name.with_name(f"{name.name}-migrating").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _is_alone(connection: Any) -> bool:
    """Take the lock of the session if it is free.

    A statement that waits for it would hold a snapshot, and an index that the other migration builds waits for that.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [Turn.MIGRATING.value])
        return bool(cursor.fetchone()[0])


def _wait_briefly(connection: Any) -> None:
    """Limit this connection's wait for a lock, and lift the limit of its statements."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'; SET statement_timeout = 0")


def _wait_as_before(connection: Any) -> None:
    """Restore the connection's limits, because it may go back to a pool."""
    if connection.vendor == "postgresql" and connection.is_usable():
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout; RESET statement_timeout")
