"""What may go wrong with a backup or a restore, and what must be left as it was."""

import os
import resource
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest
from django.conf import LazySettings
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection
from moto import mock_aws

from project.catalogs.models import Item, Material
from project.core.pictures import thumbnail_of
from project.operations import archive, backing_up, places, restoring
from project.operations.archive import Nowhere
from tests.builders import Shop
from tests.project.core import test_object_storage
from tests.project.operations.backups import KEY, backup, give_picture, manifest_of

stored_pictures = test_object_storage.bucket


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
