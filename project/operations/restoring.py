"""Restores a backup into an empty installation. A restore that fails can be run again."""

import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, transaction

from project.catalogs.models import CustomerType, ReleaseReason, ScrapReason, TaxSection
from project.core.earlier_builds import known_migrations, made_by_an_earlier_build
from project.operations import archive
from project.operations.archive import DATABASE, FILES, SECRET, Manifest
from project.operations.models import KnownKey
from project.operations.repository import BackupError, Repository, read_all
from project.operations.snapshot import environment, fingerprint, program, server
from project.worker.models import Lease
from realtime.models import OutboxCounter

MARK = "restore_under_way"
"""A table that exists from the first change of the database until the restore is proven."""
_OF_A_NEW_DATABASE = {
    "django_migrations",
    *(
        model._meta.db_table
        for model in (CustomerType, ReleaseReason, ScrapReason, TaxSection, Lease, OutboxCounter, KnownKey)
    ),
}
"""The tables that have rows in a new, unused database."""


def restore(repository: Repository, snapshot: str) -> tuple[Manifest, list[str]]:
    """Restore database, files and the secret of a backup. Returns its manifest, and warnings.

    Changes nothing before the whole backup has been read. The database stays marked until `checking.unmark`; a restore
    may be run again on a marked database. Raises `BackupError`.
    """
    refuse_unless_empty()
    with repository.reading(snapshot) as file:
        manifest = archive.read_whole(file)
    _refuse_what_does_not_fit(manifest)
    with _database() as database, repository.reading(snapshot) as file:
        secret = put_back(archive.entries(file), database)
    _check_counts(manifest)
    return manifest, [*_keep_secret(manifest, secret), *_about_files(manifest)]


def put_back(entries: Iterable[tuple[str, bytes]], database: IO[bytes]) -> str | None:
    """Write each file to the storage and the dump to `database`. Returns the backup's own secret, or None."""
    secret = None
    for name, data in entries:
        if name.startswith(DATABASE):
            database.write(data)
        elif name.startswith(FILES):
            kept = name.removeprefix(FILES)
            if default_storage.exists(kept):  # from an earlier attempt: names are random
                default_storage.delete(kept)
            default_storage.save(kept, ContentFile(data))
        elif name == SECRET:
            secret = data.decode()
    return secret


def refuse_unless_empty() -> None:
    """Raise `BackupError` if the database is in use. A database that is marked as being restored is accepted."""
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
    if made_by_an_earlier_build([(app, name) for app, name in manifest.migrations]):
        raise BackupError(
            f"The backup was made by an earlier build of Obrador, {manifest.version}, which cannot be upgraded: "
            "run `python manage.py migrate` to start afresh."
        )
    known = known_migrations()
    unknown = [f"{app}.{name}" for app, name in manifest.migrations if (app, name) not in known]
    if unknown:
        raise BackupError(
            f"The backup is of version {manifest.version}, which is newer: install it. It has {unknown[-1]}."
        )


def _check_counts(manifest: Manifest) -> None:
    """Raise `BackupError` unless every table has as many rows as the manifest says."""
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
    """Store the backup's own SECRET_KEY if this host generated its own. Yield warnings about keys that are missing."""
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


@contextmanager
def _database() -> Iterator[IO[bytes]]:
    with (_postgresql if connection.vendor == "postgresql" else _sqlite)() as database:
        yield database


@contextmanager
def _sqlite() -> Iterator[IO[bytes]]:
    """Yield a file beside the empty database. It replaces the database once it is complete."""
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
def _postgresql() -> Iterator[IO[bytes]]:
    """Mark and empty the database, and yield the input of a `pg_restore` that works in one transaction."""
    _empty_and_mark()
    connection.close()
    command = [program("pg_restore"), "--clean", "--if-exists", "--no-owner", "--no-privileges"]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(  # noqa: S603 - a program of Debian's, and no text of a user
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
            process.wait()  # its own message says why
        except BaseException:
            process.kill()
            raise
        if process.wait():
            raise BackupError(f"pg_restore failed, and nothing is half done: {read_all(said)}. Run the restore again.")


def mark() -> None:
    """Mark that a restore into this database has begun and is not proven yet."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {MARK} (at text)")


def _empty_and_mark() -> None:
    """Mark the database, and drop the tables of a new database or of an earlier attempt."""
    tables = [table for table in connection.introspection.table_names() if table != MARK]
    with transaction.atomic(), connection.cursor() as cursor:
        mark()
        if tables:
            cursor.execute(f"DROP TABLE {', '.join(map(connection.ops.quote_name, tables))} CASCADE")
