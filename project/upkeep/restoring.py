"""Puts a backup into an empty host: wholly, or so that it can be done again."""

import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Protocol

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader

from project.catalogs.models import CustomerType, ReleaseReason, ScrapReason, TaxSection
from project.upkeep import archive
from project.upkeep.archive import Manifest, Nowhere
from project.upkeep.models import KnownKey
from project.upkeep.places import Place
from project.upkeep.sealed import BackupError
from project.upkeep.snapshot import environment, fingerprint, program, server
from project.worker.models import Lease
from realtime.models import OutboxCounter

MARK = "restore_under_way"
"""A table that is there from the first change of the database until what was put back is proven."""
_OF_A_NEW_DATABASE = {
    "django_migrations",
    *(
        model._meta.db_table
        for model in (CustomerType, ReleaseReason, ScrapReason, TaxSection, Lease, OutboxCounter, KnownKey)
    ),
}
"""The tables that have rows before anybody has done anything."""


def restore(place: Place, name: str, keys: list[str]) -> tuple[Manifest, list[str]]:
    """Put backup `name` back: database, files and the secret. Returns its manifest, and warnings.

    Nothing is changed before the whole backup has been read and found to be as it was written. The database is marked
    until `checking.finish`: a host with the mark takes the restore again. Raises `BackupError`.
    """
    refuse_unless_empty()
    with place.reading(name) as file:
        manifest = archive.read(file, keys, Nowhere())
    _refuse_what_does_not_fit(manifest)
    with _database() as database:
        host = _Host(database)
        with place.reading(name) as file:
            archive.read(file, keys, host)
    _check_counts(manifest)
    return manifest, [*_keep_secret(manifest, host.kept_secret), *_about_files(manifest)]


def refuse_unless_empty() -> None:
    """Raises `BackupError` where the database holds anything that somebody did."""
    tables = connection.introspection.table_names()
    if MARK in tables:
        return
    held = [table for table in tables if table not in _OF_A_NEW_DATABASE and _count(table)]
    if held:
        raise BackupError(
            "The database holds data, and a restore goes into an empty one only: nothing was changed. "
            f"Tables with rows: {', '.join(sorted(held)[:8])}{' …' if len(held) > 8 else ''}. "
            "Name an empty database in DATABASE_URL, or another DATA_DIR."
        )


def _refuse_what_does_not_fit(manifest: Manifest) -> None:
    if manifest.vendor != connection.vendor:
        wanted = "DATABASE_URL to name PostgreSQL" if manifest.vendor == "postgresql" else "no DATABASE_URL"
        raise BackupError(f"The backup is of {manifest.vendor}: it needs {wanted}.")
    known = MigrationLoader(None).disk_migrations or {}
    unknown = [f"{app}.{name}" for app, name in manifest.migrations if (app, name) not in known]
    if unknown:
        raise BackupError(
            f"The backup is of version {manifest.version}, which is newer: install it. It has {unknown[-1]}."
        )


def _check_counts(manifest: Manifest) -> None:
    """Every table has as many rows as the snapshot had."""
    differ = [
        f"{table} {found} of {rows}" for table, rows in manifest.tables.items() if (found := _count(table)) != rows
    ]
    if differ:
        raise BackupError(f"Rows are missing or too many after the restore: {', '.join(differ[:8])}. Run it again.")


def _count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
        return int(cursor.fetchone()[0])


def _keep_secret(manifest: Manifest, secret: str | None) -> Iterator[str]:
    """Keep the backup's own SECRET_KEY where this host made one itself; else say what is different."""
    path = settings.DATA_DIR / "secret-key"
    made_here = path.exists() and path.read_text() == settings.SECRET_KEY
    kept = settings.SECRET_KEY
    if secret and made_here:
        draft = path.with_suffix(".restored")
        draft.touch(mode=0o600)
        draft.write_text(secret)
        draft.replace(path)
        kept = secret
    if manifest.secret not in {fingerprint(key) for key in (kept, *settings.SECRET_KEY_FALLBACKS)}:
        yield (
            "Neither SECRET_KEY nor SECRET_KEY_FALLBACKS has the backup's secret: PINs must be given anew. "
            "Set it before anybody works."
        )
    here = {fingerprint(key) for key in settings.QR_KEYS} | {fingerprint(kept)}
    if not here.issuperset(manifest.qr_keys):
        yield "QR_KEYS lacks a key of the backup's: codes on sheets printed with it cannot be read."


def _about_files(manifest: Manifest) -> Iterator[str]:
    if manifest.missing_files:
        some = ", ".join(manifest.missing[:5])
        yield f"{manifest.missing_files} files were missing when the backup was made: {some}."


class _Database(Protocol):
    """Takes the dump, part by part."""

    def write(self, data: bytes) -> object: ...


class _Host:
    """Takes what a backup holds into this host."""

    def __init__(self, database: _Database) -> None:
        self._database = database
        self.kept_secret: str | None = None

    def database(self, data: bytes) -> None:
        self._database.write(data)

    def file(self, name: str, data: bytes) -> None:
        if default_storage.exists(name):  # of an attempt before this one: names are random
            default_storage.delete(name)
        default_storage.save(name, ContentFile(data))

    def secret(self, secret: str) -> None:
        self.kept_secret = secret


@contextmanager
def _database() -> Iterator[_Database]:
    with (_postgresql if connection.vendor == "postgresql" else _sqlite)() as database:
        yield database


@contextmanager
def _sqlite() -> Iterator[_Database]:
    """A file beside the empty database, which takes its place when it is whole."""
    path = Path(connection.settings_dict["NAME"])
    draft = path.with_name(path.name + ".restoring")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with closing(sqlite3.connect(draft)) as database:
            database.execute(f"CREATE TABLE IF NOT EXISTS {MARK} (at text)")
            database.commit()
        connection.close()
        for beside in ("-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)
        draft.replace(path)
    finally:
        for one in ("", "-wal", "-shm", "-journal"):
            draft.with_name(draft.name + one).unlink(missing_ok=True)


@contextmanager
def _postgresql() -> Iterator[_Database]:
    """`pg_restore` in one transaction, into a database without tables."""
    _empty_and_mark()
    connection.close()
    command = [program("pg_restore"), "--clean", "--if-exists", "--no-owner", "--no-privileges"]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(  # noqa: S603 - a program of Debian's, and no text of a stranger
            [*command, "--single-transaction", "--exit-on-error", f"--dbname={server()}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env=environment(),
        ) as process,
    ):
        try:
            assert process.stdin  # noqa: S101 - for the type checker
            yield process.stdin
            process.stdin.close()
        except BrokenPipeError:
            process.wait()  # it says why
        except BaseException:
            process.kill()
            raise
        if process.wait():
            raise BackupError(f"pg_restore failed, and nothing is half done: {_words(said)}. Run the restore again.")


def _words(said: IO[bytes]) -> str:
    said.seek(0)
    return said.read().decode(errors="replace").strip()


def mark() -> None:
    """From now on the database is one whose past is to be ended, and which is to be proven."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {MARK} (at text)")


def _empty_and_mark() -> None:
    """Drop the tables of a new database, or of an attempt before this one."""
    tables = [table for table in connection.introspection.table_names() if table != MARK]
    with transaction.atomic(), connection.cursor() as cursor:
        mark()
        if tables:
            cursor.execute(f"DROP TABLE {', '.join(map(connection.ops.quote_name, tables))} CASCADE")
