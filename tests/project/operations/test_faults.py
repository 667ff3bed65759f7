"""Faults of backups and restores, and the data that must survive them."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from project.catalogs.models import Item, Material
from project.core.pictures import thumbnail_of
from project.operations import archive, backing_up, restoring
from project.operations.repository import BackupError
from tests.builders import Shop
from tests.project.operations.backups import KEY, backup, ids, manifest_of


def test_restore_into_a_database_with_data_is_refused(workshop: Shop) -> None:
    backup()
    Material.objects.create(name="since then")
    with pytest.raises(CommandError, match=r"holds data.*nothing was changed") as refusal:
        call_command("restore", "latest")
    assert "orders_line" in str(refusal.value) or "identity_user" in str(refusal.value) or "…" in str(refusal.value)
    assert Material.objects.filter(name="since then").exists()


def test_interrupted_restore_can_be_repeated(workshop: Shop) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {restoring.MARK} (at text)")
        try:
            restoring.refuse_unless_empty()
        finally:
            cursor.execute(f"DROP TABLE {restoring.MARK}")
    with pytest.raises(BackupError):
        restoring.refuse_unless_empty()


def test_damaged_backup_changes_nothing(workshop: Shop, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One bit is flipped. Of a file that is lost or cut off restic says the same, after a minute of tries."""
    backup()
    for path in filter(Path.is_file, folder.glob("data/*/*")):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.chmod(0o600)
        path.write_bytes(data)
    touched: list[str] = []
    monkeypatch.setattr(restoring, "refuse_unless_empty", lambda: None)
    monkeypatch.setattr(restoring, "_database", lambda: touched.append("database"))
    monkeypatch.setattr(default_storage, "save", lambda *args: touched.append("storage"))
    with pytest.raises(CommandError, match="Not restored: restic") as refusal:
        call_command("restore", "latest", "--from", str(folder))
    assert touched == []
    assert KEY not in str(refusal.value)


def test_backup_of_another_database_or_a_newer_version_is_refused(workshop: Shop) -> None:
    manifest = manifest_of(backup())
    restoring._refuse_what_does_not_fit(manifest)
    manifest.migrations.append(["orders", "9999_of_tomorrow"])
    with pytest.raises(BackupError, match=r"newer.*orders\.9999_of_tomorrow"):
        restoring._refuse_what_does_not_fit(manifest)
    manifest.vendor = "oracle"
    with pytest.raises(BackupError, match="is of oracle"):
        restoring._refuse_what_does_not_fit(manifest)


def test_backup_of_an_earlier_build_is_refused(workshop: Shop) -> None:
    manifest = manifest_of(backup())
    manifest.migrations = [["core", "0001_spanish_collation"], ["core", "0002_initial"], ["orders", "0001_initial"]]
    with pytest.raises(BackupError, match=r"^The backup was made by an earlier build .*`python manage.py migrate` to"):
        restoring._refuse_what_does_not_fit(manifest)


def test_missing_file_is_named_and_the_backup_is_still_made(workshop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    name = Item.objects.get(pk=workshop.item.pk).image
    default_storage.delete(thumbnail_of(name))
    manifest = manifest_of(backup())
    assert (manifest.files, manifest.missing_files, manifest.missing) == (1, 1, [thumbnail_of(name)])
    assert thumbnail_of(name) in capsys.readouterr().err


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let the kernel refuse writes beyond `size` bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_keeps_older_backups(workshop: Shop) -> None:
    kept = backup()
    Material.objects.create(name="since then")
    with files_of_at_most(20_000), pytest.raises(CommandError, match="No backup was made"):
        backup()
    assert ids() == [kept]
    assert manifest_of(kept).missing_files == 0


def test_missing_target_is_refused(workshop: Shop, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for target in (tmp_path / "file", tmp_path / "not mounted/backups"):
        with pytest.raises(CommandError, match="No backup was made"):
            backup(target)
    assert not (tmp_path / "not mounted").exists()


def test_unreadable_new_backup_deletes_no_older_one(
    workshop: Shop, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_KEEP = "1"
    kept = backup()
    entries = archive.entries

    def shortened(source: Any) -> Iterator[tuple[str, bytes]]:
        return iter([*entries(source)][:-1])

    monkeypatch.setattr(archive, "entries", shortened)
    with pytest.raises(CommandError, match="never finished"):
        backup()
    monkeypatch.setattr(archive, "entries", entries)
    assert ids() == [kept]
    assert [backup()] == ids()


def test_every_model_with_stored_files_is_backed_up() -> None:
    """A FileField would be missing from every backup."""
    from django.apps import apps
    from django.db.models import FileField

    assert {model._meta.db_table for model in backing_up.pictured()} == {
        "catalogs_company",
        "catalogs_customer",
        "catalogs_item",
        "orders_line",
    }
    assert set(backing_up.file_columns()) == {
        *((model._meta.db_table, "image") for model in backing_up.pictured()),
        ("billing_bill", "logo"),
        ("billing_origincertificate", "logo"),
        ("customer_links_approvalrequest", "photo"),
        ("orders_movement", "photo"),
        ("orders_processrecord", "photo"),
        ("piecework_payment", "logo"),
        ("talk_message", "photo"),
    }
    assert [field for model in apps.get_models() for field in model._meta.fields if isinstance(field, FileField)] == []
