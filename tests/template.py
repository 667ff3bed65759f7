"""A migrated database that test databases are copied from, so that not every test process runs every migration."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.sqlite3.creation import DatabaseCreation

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (
    "*/migrations/*.py",
    "project/*/migrations/*.py",
    "project/core/*.py",
    "project/*/terms.py",
    "requirements.lock",
)
"""What decides the tables and first rows of a new database: the migrations, and what they import."""


def sources() -> set[Path]:
    return {path for pattern in SOURCES for path in ROOT.glob(pattern)}


def use(patch: pytest.MonkeyPatch) -> None:
    """Let new test databases be copies of the template, without a `migrate`. Create it if it is out of date."""
    files = [(path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in sorted(sources())]
    # Migrations may write the plant's zone and currency into rows.
    decisive = repr([settings.PLANT_TIME_ZONE, settings.PLANT_CURRENCY, files])
    fingerprint = hashlib.sha256(decisive.encode()).hexdigest()[:16]
    test: dict[str, Any] = connection.settings_dict["TEST"]
    patch.setitem(test, "MIGRATE", False)
    with (settings.DATA_DIR / "test-template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if connection.vendor == "sqlite":
            _let_create(patch, _file(fingerprint))
        else:
            patch.setitem(test, "TEMPLATE", _database(f"obrador_template_{fingerprint}"))


def _let_create(patch: pytest.MonkeyPatch, template: Path) -> None:
    """Let Django create test databases on SQLite as copies of `template`, which it does on PostgreSQL alone.

    Let SQLite not wait for the disk: a test database need not survive a power failure.
    """
    options: dict[str, Any] = connection.settings_dict["OPTIONS"]
    patch.setitem(options, "init_command", f"{options['init_command']} PRAGMA synchronous=OFF;")
    create = DatabaseCreation._create_test_db  # type: ignore[attr-defined]

    def copied(self: DatabaseCreation, *args: Any, **kwargs: Any) -> str:
        name: str = create(self, *args, **kwargs)
        for log in ("-wal", "-shm"):  # of a run that was killed: SQLite would apply them to the copy
            Path(f"{name}{log}").unlink(missing_ok=True)
        return str(shutil.copy(template, name))

    patch.setattr(DatabaseCreation, "_create_test_db", copied)


def _file(fingerprint: str) -> Path:
    template: Path = settings.DATA_DIR / f"test-template.{fingerprint}.sqlite3"
    if not template.exists():
        for old in settings.DATA_DIR.glob("test-template.*.sqlite3*"):
            old.unlink()
        draft = settings.DATA_DIR / "test-template.draft.sqlite3"
        _migrate(f"sqlite:///{draft}")
        draft.rename(template)
    return template


def _database(template: str) -> str:
    url = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(url._replace(path="/postgres").geturl(), autocommit=True) as admin:
        if not admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone():
            for (old,) in admin.execute("SELECT datname FROM pg_database WHERE datname LIKE 'obrador_template_%'"):
                admin.execute(f"DROP DATABASE {old}")
            admin.execute("CREATE DATABASE obrador_template_draft")
            _migrate(url._replace(path="/obrador_template_draft").geturl())
            admin.execute(f"ALTER DATABASE obrador_template_draft RENAME TO {template}")
    return template


def _migrate(url: str) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"DATABASE_URL": url}, check=True)
