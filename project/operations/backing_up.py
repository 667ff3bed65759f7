"""Makes a backup, reads it back to prove it, and removes older ones that `BACKUP_KEEP` does not keep."""

import secrets
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection

from project.core import clock
from project.core.pictures import Pictured, thumbnail_of
from project.operations import archive, snapshot as snapshots
from project.operations.archive import ArchiveWriter, Manifest
from project.operations.repository import BackupError, Repository
from project.operations.snapshot import Snapshot
from realtime.models import OutboxCounter

FAILURES = (BackupError, OSError, sqlite3.Error, DatabaseError)
"""Exceptions that end a backup or a restore without a traceback: disk, database and service may all fail."""
NAMES_OF_FILES = frozenset({"image", "logo", "photo"})
"""The fields that hold the name of a stored file, in every model."""
MOST_MISSING = 1_000
"""The most names of missing files in a manifest. All missing files are counted."""


@dataclass(frozen=True)
class Made:
    """A backup that was read back whole, and the ids of the older backups that were removed."""

    name: str
    manifest: Manifest
    removed: list[str]


def backup(repository: Repository, *, keep: list[str]) -> Made:
    """Back up database and files of one moment. Raises the exceptions in `FAILURES`.

    Older backups are removed only after the new one was read back whole.
    """
    name = f"{clock.now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"
    with repository.writing(name) as file:
        manifest = _write(ArchiveWriter(file))
    try:
        with repository.reading(name) as file:
            proven = archive.read_whole(file)
        if proven != manifest:
            raise BackupError("The backup could not be read back as it was written.")
    except BackupError:
        repository.remove(name)
        raise
    return Made(name, manifest, repository.forget(keep, but=name))


def _write(written: ArchiveWriter) -> Manifest:
    """Write the files, then the database, then those files of the snapshot that are not written yet.

    So a file that is replaced in the meantime is in the backup, under the name that the snapshot has.
    """
    files = _Files(written)
    files.take(_names_of(_now()))
    with snapshots.taken() as snapshot:
        files.missing.clear()
        manifest = _manifest(snapshot)
        written.database(snapshot.dump())
        files.take(_names_of(snapshot.rows(_names_sql())))
    if secret := _generated_secret():
        written.secret(secret)
    manifest.missing_files, manifest.missing = len(files.missing), files.missing[:MOST_MISSING]
    return written.finish(manifest)


class _Files:
    """Writes files of the storage into a backup, each once. Remembers their names: about 100 bytes for each."""

    def __init__(self, written: ArchiveWriter) -> None:
        self._written = written
        self._taken: set[str] = set()
        self.missing: list[str] = []
        """Names of files that the storage lacks."""

    def take(self, names: Iterator[str]) -> None:
        for name in names:
            if name not in self._taken:
                try:
                    with default_storage.open(name) as file:
                        data = file.read()
                except FileNotFoundError:
                    self.missing.append(name)
                else:
                    self._written.file(name, data)
                    self._taken.add(name)


def pictured() -> list[type[Pictured]]:
    """Return the models that inherit from `Pictured`."""
    return [model for model in apps.get_models() if issubclass(model, Pictured)]


def file_columns() -> list[tuple[str, str]]:
    """Return the table and the name of each column that holds names of stored files."""
    return [
        (model._meta.db_table, field.column)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.column and field.name in NAMES_OF_FILES
    ]


def _names_sql() -> str:
    """Return SQL for the names of all stored files that rows name, each name once. Thumbnails are not named."""
    quote = connection.ops.quote_name
    each = (f"SELECT {column} FROM {quote(table)} WHERE {column} <> ''" for table, column in file_columns())  # noqa: S608
    return " UNION ".join(each)


def _now() -> Iterator[tuple[str]]:
    with connection.cursor() as cursor:
        cursor.execute(_names_sql())
        rows = cursor.fetchall()
    return iter(rows)


def _names_of(rows: Iterator[tuple[str]]) -> Iterator[str]:
    for (name,) in rows:
        yield name
        yield thumbnail_of(name)


def _manifest(snapshot: Snapshot) -> Manifest:
    [(epoch, last_event)] = [*snapshot.rows(f"SELECT epoch, last_id FROM {OutboxCounter._meta.db_table}")] or [("", 0)]  # noqa: S608
    return Manifest(
        version=settings.VERSION,
        made_at=clock.now().isoformat(timespec="seconds"),
        vendor=connection.vendor,
        epoch=str(epoch).replace("-", ""),
        last_event=last_event,
        migrations=[list(row) for row in snapshot.rows("SELECT app, name FROM django_migrations ORDER BY id")],
        tables={table: snapshots.count_of(snapshot, table) for table in snapshot.tables()},
        secret=snapshots.fingerprint(settings.SECRET_KEY),
        qr_keys=[snapshots.fingerprint(key) for key in settings.QR_KEYS],
    )


def _generated_secret() -> str | None:
    """Return SECRET_KEY if the installation generated it, else None. Without it PINs and printed codes are lost."""
    path = settings.DATA_DIR / "secret-key"
    kept = path.read_text() if path.exists() else None
    return kept if kept == settings.SECRET_KEY else None
