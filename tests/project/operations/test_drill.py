"""The drill: a backup is restored to an empty host and works there, on SQLite and on PostgreSQL."""

import os
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from django.conf import LazySettings
from django.core.files.storage import default_storage
from django.db import connection, connections, transaction

from project.access.permissions import Permission
from project.catalogs.models import Component, Item, Material
from project.core.pictures import thumbnail_of
from project.identity.models import User
from project.operations import snapshot
from project.operations.archive import ArchiveWriter
from realtime.models import OutboxCounter
from tests.builders import Shop
from tests.project.displays.screens import named
from tests.project.integrations.programs import program
from tests.project.operations.backups import KEY, backup, give_picture, manifest_of

ROOT = Path(__file__).resolve().parents[3]


def in_a_thread(work: Callable[[], object]) -> Thread:
    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = Thread(target=run)
    thread.start()
    return thread


def write_pair() -> None:
    """Create a material and a component in one transaction, so that a consistent backup has both or neither."""
    with transaction.atomic():
        name = secrets.token_hex(8)
        Material.objects.create(name=name)
        Component.objects.create(name=name)


@contextmanager
def pairs_written_all_the_time() -> Iterator[None]:
    """Write pairs in a thread all the time."""
    stop, one_is_there = Event(), Event()

    def write() -> None:
        while not stop.is_set():
            write_pair()
            one_is_there.set()

    thread = in_a_thread(write)
    try:
        assert one_is_there.wait(30)
        yield
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[tuple[dict[str, str], Callable[[str], list[Any]]]]:
    """An empty host: its environment, and a function that queries its database."""
    data = tmp_path / "host"
    away = {"S3_BUCKET", "REDIS_URL", "DATABASE_URL"}
    environment = {name: value for name, value in os.environ.items() if name not in away}
    environment |= {"DATA_DIR": str(data), "BACKUP_KEY": f"{secrets.token_urlsafe(48)},{KEY}"}
    if connection.vendor == "sqlite":

        def ask(sql: str) -> list[Any]:
            with closing(sqlite3.connect(data / "obrador.sqlite3")) as database:
                return database.execute(sql).fetchall()

        yield environment, ask
        return
    name = f"restored_{secrets.token_hex(4)}"
    served = {
        **psycopg.conninfo.conninfo_to_dict(snapshot.server()),
        "password": snapshot.environment().get("PGPASSWORD"),
    }
    url = "postgres://{user}{password}@{host}:{port}/{name}".format(
        **served | {"password": f":{served['password']}" if served["password"] else "", "name": name}
    )

    def ask(sql: str, dbname: str = name) -> list[Any]:
        with psycopg.connect(**served | {"dbname": dbname}, autocommit=True) as database:
            found = database.execute(sql)
            return found.fetchall() if found.description else []

    ask(f"CREATE DATABASE {name}", str(connection.settings_dict["NAME"]))
    try:
        yield environment | {"DATABASE_URL": url}, ask
    finally:
        ask(f"DROP DATABASE {name} WITH (FORCE)", str(connection.settings_dict["NAME"]))


def test_backup_made_while_people_write_is_restored_to_an_empty_host(
    workshop: Shop,
    host: tuple[dict[str, str], Callable[[str], list[Any]]],
    folder: Path,
    tmp_path: Path,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A picture replaced and rows written after the snapshot do not change the backup."""
    environment, ask = host
    shown = Item.objects.get(pk=workshop.item.pk).image
    of_before = User.objects.get(pk=workshop.ana.id).token_version
    epoch = OutboxCounter.objects.get().epoch
    program(workshop, Permission.ListItems)
    named(workshop)
    dump = ArchiveWriter.database

    def after_the_snapshot(writer: ArchiveWriter, data: Iterator[bytes]) -> None:
        late = in_a_thread(lambda: (give_picture(workshop), Material.objects.create(name="after the snapshot")))
        late.join(30)
        assert not late.is_alive(), "a backup blocks no write"
        assert not default_storage.exists(shown)
        dump(writer, data)

    monkeypatch.setattr(ArchiveWriter, "database", after_the_snapshot)
    with pairs_written_all_the_time():
        name = backup()
    assert Material.objects.filter(name="after the snapshot").exists()
    assert folder.stat().st_mode & 0o077 == 0, "only its owner may read it"
    assert manifest_of(name).missing_files == 0

    command = [sys.executable, "manage.py", "restore", "latest", "--from", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = [line.partition(":")[0] for line in done.stdout.splitlines()]
    ended = ("epoch", "sessions", "tokens", "screens", "links", "calendars", "browsers", "webhooks")
    checked = ("backup", "counts", "files", *ended, "constraints", "sign-in", "picture", "sheet")
    assert said == [*(f"ok    {one}" for one in checked), "restored, and it works"]

    assert ask(f"SELECT image FROM catalogs_item WHERE id = {workshop.item.pk}") == [(shown,)]  # noqa: S608
    for one in (shown, thumbnail_of(shown)):
        assert (tmp_path / "host/media" / one).read_bytes().startswith(b"\xff\xd8")
    [(materials,)], [(components,)] = (ask(f"SELECT count(*) FROM catalogs_{one}") for one in ("material", "component"))  # noqa: S608
    assert materials == components > 0
    assert ask("SELECT name FROM catalogs_material WHERE name LIKE 'after the snapshot'") == []
    for table in ("integrations_serviceaccount", "displays_display"):
        assert ask(f"SELECT token_digest FROM {table}") == [(None,)], "it may have been revoked since"  # noqa: S608
    [(renewed,)] = ask("SELECT epoch FROM realtime_outboxcounter")
    assert str(renewed).replace("-", "") != epoch.hex
    [(lowest,)] = ask("SELECT min(token_version) FROM identity_user")
    assert lowest > of_before + 1_000, "tokens issued after the backup must not be valid"
    if (settings.DATA_DIR / "secret-key").exists() and "SECRET_KEY" not in os.environ:
        assert (tmp_path / "host/secret-key").read_text() == settings.SECRET_KEY
    attempts = ask("SELECT count(*) FROM audit_auditentry WHERE action IN ('printed', 'signed-in')")
    assert attempts == [(0,)], "the checks leave nothing behind"
