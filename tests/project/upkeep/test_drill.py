"""A backup goes into an empty host and works there: the drill, on SQLite and on PostgreSQL, and what may go wrong."""

import os
import resource
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import boto3
import psycopg
import pytest
from django.conf import LazySettings
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction
from moto import mock_aws

from project.catalogs.models import Component, Item, Material
from project.core.pictures import thumbnail_of
from project.identity.models import User
from project.upkeep import archive, backing_up, places, restoring, snapshot
from project.upkeep.archive import ArchiveWriter, Manifest, Nowhere
from realtime.models import OutboxCounter
from tests.builders import Shop
from tests.project.core import test_object_storage
from tests.project.pictures import picture, upload

ROOT = Path(__file__).resolve().parents[3]
KEY = secrets.token_urlsafe(48)

stored_pictures = test_object_storage.bucket


@pytest.fixture(autouse=True)
def _settings(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.BACKUP_KEY, settings.BACKUP_KEY_FILE = [KEY], ""
    settings.BACKUP_TO, settings.BACKUP_KEEP = str(tmp_path / "backups"), "7 daily"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def workshop(busy_shop: Shop) -> Shop:
    """With an order to print and a picture."""
    busy_shop.approved(5, 7)
    give_picture(busy_shop)
    return busy_shop


def give_picture(shop: Shop) -> str:
    """A new picture for the product; the name that it is stored under."""
    answer = upload(shop.ana, f"/api/items/{shop.item.pk}/document/anillo.jpeg", picture())
    assert answer.status == 201, answer
    return str(Item.objects.get(pk=shop.item.pk).image)


def backup(to: object = None) -> str:
    """Back up; the name of the newest one there."""
    call_command("backup", *(["--to", str(to)] if to else []))
    return places.place_of(str(to or places.settings.BACKUP_TO)).names()[-1]


def manifest_of(file: Path) -> Manifest:
    with open(file, "rb") as opened:
        return archive.read(opened, [KEY], Nowhere())


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
    """A material and a component that belong together: one without the other is no moment there ever was."""
    with transaction.atomic():
        name = secrets.token_hex(8)
        Material.objects.create(name=name)
        Component.objects.create(name=name)


@contextmanager
def written_meanwhile() -> Iterator[None]:
    """Somebody writes pairs all the time."""
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
    """An empty host: its environment, and a way to ask its database."""
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


def test_the_drill(
    workshop: Shop,
    host: tuple[dict[str, str], Callable[[str], list[Any]]],
    folder: Path,
    tmp_path: Path,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While people write: a picture that is replaced and what comes after the snapshot change nothing of it."""
    environment, ask = host
    shown = Item.objects.get(pk=workshop.item.pk).image
    of_before = User.objects.get(pk=workshop.ana.id).token_version
    epoch = OutboxCounter.objects.get().epoch
    dump = ArchiveWriter.database

    def after_the_snapshot(writer: ArchiveWriter, data: Iterator[bytes]) -> None:
        late = in_a_thread(lambda: (give_picture(workshop), Material.objects.create(name="after the snapshot")))
        late.join(30)
        assert not late.is_alive(), "a backup keeps nobody waiting"
        assert not default_storage.exists(shown)
        dump(writer, data)

    monkeypatch.setattr(ArchiveWriter, "database", after_the_snapshot)
    with written_meanwhile():
        name = backup()
    assert Material.objects.filter(name="after the snapshot").exists()
    assert (folder / name).stat().st_mode & 0o077 == 0, "nobody else may read it"
    assert manifest_of(folder / name).missing_files == 0

    command = [sys.executable, "manage.py", "restore", "latest", "--from", str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = [line.partition(":")[0] for line in done.stdout.splitlines()]
    checked = ("backup", "counts", "files", "epoch", "sessions", "constraints", "sign-in", "picture", "sheet")
    assert said == [*(f"ok    {one}" for one in checked), "restored, and it works"]

    assert ask(f"SELECT image FROM catalogs_item WHERE id = {workshop.item.pk}") == [(shown,)]  # noqa: S608
    for one in (shown, thumbnail_of(shown)):
        assert (tmp_path / "host/media" / one).read_bytes().startswith(b"\xff\xd8")
    [(materials,)], [(components,)] = (ask(f"SELECT count(*) FROM catalogs_{one}") for one in ("material", "component"))  # noqa: S608
    assert materials == components > 0
    assert ask("SELECT name FROM catalogs_material WHERE name LIKE 'after the snapshot'") == []
    [(renewed,)] = ask("SELECT epoch FROM realtime_outboxcounter")
    assert str(renewed).replace("-", "") != epoch.hex
    [(lowest,)] = ask("SELECT min(token_version) FROM identity_user")
    assert lowest > of_before + 1_000, "a token of a history that was lost must not open anything"
    if (settings.DATA_DIR / "secret-key").exists() and "SECRET_KEY" not in os.environ:
        assert (tmp_path / "host/secret-key").read_text() == settings.SECRET_KEY
    attempts = ask("SELECT count(*) FROM audit_auditentry WHERE action IN ('printed', 'signed-in')")
    assert attempts == [(0,)], "the checks leave nothing behind"


def test_a_database_with_data_is_refused_and_stays(workshop: Shop) -> None:
    backup()
    Material.objects.create(name="since then")
    with pytest.raises(CommandError, match=r"holds data.*nothing was changed") as refusal:
        call_command("restore", "latest")
    assert "orders_line" in str(refusal.value) or "identity_user" in str(refusal.value) or "…" in str(refusal.value)
    assert Material.objects.filter(name="since then").exists()


def test_a_restore_that_was_interrupted_may_be_done_again(workshop: Shop) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {restoring.MARK} (at text)")
        try:
            restoring.refuse_unless_empty()
        finally:
            cursor.execute(f"DROP TABLE {restoring.MARK}")
    with pytest.raises(restoring.BackupError):
        restoring.refuse_unless_empty()


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: data[: len(data) // 2], "damaged or cut off"),
        (lambda data: data[:-1], "damaged or cut off"),
        (flipped, "damaged or cut off"),
        (lambda data: b"", "no backup of this product"),
        (lambda data: data, "None of the keys"),
    ],
    ids=["half", "a byte short", "a flipped byte", "nothing", "another key"],
)
def test_a_backup_that_is_not_whole_changes_nothing(
    workshop: Shop,
    folder: Path,
    damage: Callable[[bytes], bytes],
    says: str,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = folder / backup()
    data = file.read_bytes()
    file.write_bytes(damage(data))
    if damage(data) == data:
        settings.BACKUP_KEY = [secrets.token_urlsafe(48)]
    touched: list[str] = []
    monkeypatch.setattr(restoring, "refuse_unless_empty", lambda: None)
    monkeypatch.setattr(restoring, "_database", lambda: touched.append("database"))
    monkeypatch.setattr(default_storage, "save", lambda *args: touched.append("storage"))
    with pytest.raises(CommandError, match=says) as refusal:
        call_command("restore", file.name, "--from", str(folder))
    assert touched == []
    assert KEY not in str(refusal.value)


def test_a_backup_of_the_other_database_or_of_a_newer_version_is_refused(workshop: Shop, folder: Path) -> None:
    manifest = manifest_of(folder / backup())
    restoring._refuse_what_does_not_fit(manifest)
    manifest.migrations.append(["orders", "9999_of_tomorrow"])
    with pytest.raises(restoring.BackupError, match=r"newer.*orders\.9999_of_tomorrow"):
        restoring._refuse_what_does_not_fit(manifest)
    manifest.vendor = "oracle"
    with pytest.raises(restoring.BackupError, match="is of oracle"):
        restoring._refuse_what_does_not_fit(manifest)


def test_a_missing_file_is_named_and_the_backup_is_made(
    workshop: Shop, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = Item.objects.get(pk=workshop.item.pk).image
    default_storage.delete(thumbnail_of(name))
    manifest = manifest_of(folder / backup())
    assert (manifest.files, manifest.missing_files, manifest.missing) == (1, 1, [thumbnail_of(name)])
    assert thumbnail_of(name) in capsys.readouterr().err


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """As on a full disk, the kernel refuses what goes beyond."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [100, 20_000])
def test_a_full_disk_leaves_the_older_backups_and_nothing_half_written(workshop: Shop, folder: Path, size: int) -> None:
    kept = backup()
    with files_of_at_most(size), pytest.raises(CommandError, match="No backup was made"):
        backup()
    assert os.listdir(folder) == [kept]
    assert manifest_of(folder / kept).missing_files == 0


def test_a_target_that_is_not_there_is_said(workshop: Shop, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for target in (tmp_path / "file", tmp_path / "not mounted/backups"):
        with pytest.raises(CommandError, match="No backup was made"):
            backup(target)
    assert not (tmp_path / "not mounted").exists()


def test_what_cannot_be_read_back_takes_nothing_away(
    workshop: Shop, folder: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_KEEP = "1"
    kept = backup()
    reading = places.Folder.reading

    def rotten(self: places.Folder, name: str) -> Any:
        file = self.path / name
        file.write_bytes(flipped(file.read_bytes()))
        return reading(self, name)

    monkeypatch.setattr(places.Folder, "reading", rotten)
    with pytest.raises(CommandError, match="damaged"):
        backup()
    monkeypatch.undo()
    assert os.listdir(folder) == [kept]
    settings.BACKUP_TO, settings.BACKUP_KEY, settings.BACKUP_KEEP = str(folder), [KEY], "1"
    assert [backup()] == os.listdir(folder)


def test_a_bucket_keeps_backups_as_a_folder_does(
    workshop: Shop, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_KEEP = "1"
    settings.BACKUP_S3 = {"region_name": "us-east-1", "aws_access_key_id": "key", "aws_secret_access_key": "secret"}
    with mock_aws():
        bucket = boto3.resource("s3", region_name="us-east-1").Bucket("copias")
        bucket.create()
        first, second = backup("s3://copias/taller"), backup("s3://copias/taller/")
        assert [one.key for one in bucket.objects.all()] == [f"taller/{second}"]
        assert first != second
        with places.place_of("s3://copias/taller").reading(second) as file:
            assert archive.read(file, [KEY], Nowhere()).files == 2
        monkeypatch.setattr(backing_up, "_write", lambda writer: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            backup("s3://copias/taller")
        assert [one.key for one in bucket.objects.all()] == [f"taller/{second}"]
        assert [*bucket.multipart_uploads.all()] == []


def test_pictures_in_a_bucket_are_backed_up_and_put_back(
    busy_shop: Shop, stored_pictures: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = give_picture(busy_shop)
    kept = {one.key: one.get()["Body"].read() for one in stored_pictures.all()}
    assert {*kept} == {name, thumbnail_of(name)}
    whole = folder / backup()
    stored_pictures.delete()
    host = restoring._Host(open(os.devnull, "wb"))  # noqa: SIM115
    for _ in range(2):  # the second time over what the first one left
        with open(whole, "rb") as file:
            archive.read(file, [KEY], host)
        assert {one.key: one.get()["Body"].read() for one in stored_pictures.all()} == kept
    default_storage.delete(name)
    assert manifest_of(folder / backup()).missing == [name]
    assert name in capsys.readouterr().err


def test_a_large_backup_goes_to_a_bucket_in_parts() -> None:
    data = secrets.token_bytes(places.PART_BYTES + 1_000)
    with mock_aws():
        made = boto3.resource("s3", region_name="us-east-1").Bucket("copias")
        made.create()
        places.settings.BACKUP_S3 = {"region_name": "us-east-1"}
        with places.Bucket("copias", "").writing("large") as file:
            for start in range(0, len(data), 1 << 20):
                file.write(data[start : start + (1 << 20)])
        assert made.Object("large").get()["Body"].read() == data


def test_every_stored_file_is_named_by_a_row_that_a_backup_looks_at() -> None:
    """A field of another kind that names files would be left out of every backup."""
    from django.apps import apps
    from django.db.models import FileField

    assert {model._meta.db_table for model in backing_up.pictured()} == {
        "catalogs_company",
        "catalogs_customer",
        "catalogs_item",
        "orders_line",
    }
    assert [field for model in apps.get_models() for field in model._meta.fields if isinstance(field, FileField)] == []
