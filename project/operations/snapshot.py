"""Reads the database as it is at one moment, while the product continues to write."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.db import connection, transaction

from project.core.queries import give_connection_back
from project.core.spanish import COLLATION, compared
from project.operations.repository import BackupError, read_all

CHUNK = 1 << 20
_OF_THE_SERVER = (
    "host",
    "port",
    "user",
    "dbname",
    "passfile",
    "service",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
)


class Snapshot(Protocol):
    """A view of the database at one moment: all its methods read the same state."""

    def tables(self) -> list[str]: ...

    def rows(self, sql: str) -> Iterator[tuple[Any, ...]]: ...

    def dump(self) -> Iterator[bytes]:
        """Yield the whole database: a SQLite file, or what `pg_dump --format=custom` writes."""


@contextmanager
def taken() -> Iterator[Snapshot]:
    """Take a snapshot of the default database for the block."""
    taker = _of_postgresql if connection.vendor == "postgresql" else _of_sqlite
    with taker() as snapshot:
        yield snapshot


@contextmanager
def _of_sqlite() -> Iterator[Snapshot]:
    """Copy the database by SQLite's online backup in one step. The write-ahead log lets readers and writers go on."""
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix="backup-") as folder:
        path = Path(folder, "copy.sqlite3")
        address = f"file:{connection.settings_dict['NAME']}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=20)) as source, closing(sqlite3.connect(path)) as copy:
            source.backup(copy)
            copy.create_collation(COLLATION, compared)
            yield _SqliteCopy(copy, path)


class _SqliteCopy:
    def __init__(self, copy: sqlite3.Connection, path: Path) -> None:
        self._copy = copy
        self._path = path

    def tables(self) -> list[str]:
        found = self.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return sorted(name for (name,) in found)

    def rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        return iter(self._copy.execute(sql))

    def dump(self) -> Iterator[bytes]:
        with open(self._path, "rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk


@contextmanager
def _of_postgresql() -> Iterator[Snapshot]:
    """Open a repeatable-read transaction, and export its snapshot for `pg_dump`."""
    give_connection_back()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # The transaction is idle while files are read, longer than the limits for requests.
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0")
        cursor.execute("SELECT pg_export_snapshot()")
        yield _PostgresqlSnapshot(cursor.fetchone()[0])


class _PostgresqlSnapshot:
    def __init__(self, name: str) -> None:
        self._name = name

    def tables(self) -> list[str]:
        return sorted(connection.introspection.table_names())

    def rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        with connection.chunked_cursor() as cursor:
            cursor.execute(sql)
            yield from cursor

    def dump(self) -> Iterator[bytes]:
        command = [program("pg_dump"), "--format=custom", "--compress=0", "--no-owner", "--no-privileges"]
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(  # noqa: S603 - a program of Debian's, and no text of a user
                [*command, f"--snapshot={self._name}", f"--dbname={server()}"],
                stdout=subprocess.PIPE,
                stderr=said,
                env=environment(),
            ) as process,
        ):
            assert process.stdout  # noqa: S101 - for the type checker
            try:
                while chunk := process.stdout.read(CHUNK):
                    yield chunk
            except BaseException:
                process.kill()
                raise
            if process.wait():
                raise BackupError(f"pg_dump failed: {read_all(said)}")


def program(name: str) -> str:
    """Return the path of the newest installed version of a PostgreSQL program. Raises `BackupError` without one."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[4]))
    found = str(versions[-1]) if versions else shutil.which(name)
    if found is None:
        raise BackupError(f"{name} is not installed: install Debian's postgresql-client.")
    return found


def server() -> str:
    """Return libpq's connection string without the password, because other users of the machine see a command line."""
    from psycopg.conninfo import make_conninfo  # only if the database is PostgreSQL

    params = connection.get_connection_params()
    return make_conninfo(**{name: params[name] for name in _OF_THE_SERVER if name in params})


def environment() -> dict[str, str]:
    """Return the environment for a PostgreSQL program, with the password. Other users of the machine cannot see it."""
    password = connection.get_connection_params().get("password")
    return os.environ | ({"PGPASSWORD": str(password)} if password else {})


def count_of(snapshot: Snapshot, table: str) -> int:
    [(count,)] = snapshot.rows(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
    return int(count)


def fingerprint(secret: str) -> str:
    """Return a short digest of a secret, to see whether two installations have the same secret without revealing it."""
    return hashlib.sha256(b"obrador fingerprint:" + secret.encode()).hexdigest()[:16]
