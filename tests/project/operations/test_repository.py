"""Backups in a restic repository: only complete ones count, any of the keys opens them, and old ones are deleted."""

import os
import secrets
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings

from project.operations import archive, repository
from project.operations.archive import FILES, ArchiveWriter, Manifest
from project.operations.repository import BackupError, Repository, keep_options, keys
from tests.project.operations.backups import KEY

NEW, OLD, STRANGE = KEY, *(secrets.token_urlsafe(48) for _ in range(2))
ROOT = Path(__file__).resolve().parents[3]


def manifest() -> Manifest:
    return Manifest("2", "2026", "sqlite", "e", 0, [], {}, "s", [])


def made(into: Repository, name: str, *files: bytes) -> Manifest:
    with into.writing(name) as target:
        writer = ArchiveWriter(target)
        writer.database(iter([b"abc", b"def"]))
        for number, data in enumerate(files):
            writer.file(f"{number}.jpeg", data)
        return writer.finish(manifest())


def test_backup_is_read_back_as_written(place: Repository) -> None:
    picture = secrets.token_bytes(100)
    written = made(place, "first", picture)
    assert (written.files, written.files_bytes) == (1, 100)
    with place.reading("first") as file:
        found = dict(archive.entries(file))
    assert (found["database/00000001"], found[f"{FILES}0.jpeg"]) == (b"abcdef", picture)
    with place.reading(place.snapshots()[0].id) as file:
        assert archive.read_whole(file) == written


def test_any_of_the_keys_opens_the_repository(folder: Path) -> None:
    with pytest.raises(BackupError, match="is its disk mounted"):
        Repository(str(folder), [OLD])
    made(Repository(str(folder), [OLD], create=True), "first")
    assert len(Repository(str(folder), [NEW, OLD]).snapshots()) == 1
    with pytest.raises(BackupError, match="None of the keys"):
        Repository(str(folder), [NEW])
    Repository(str(folder), [NEW, OLD], create=True)  # adds the first key to the repository
    assert len(Repository(str(folder), [NEW]).snapshots()) == 1
    with pytest.raises(BackupError, match="None of the keys"):
        Repository(str(folder), [STRANGE])


def test_backup_that_raises_leaves_no_snapshot(place: Repository) -> None:
    with pytest.raises(ZeroDivisionError), place.writing("broken") as target:
        target.write(bytes(1 // 0))
    assert place.snapshots() == []


KILLED = """
import os, signal, sys
import django
django.setup()
from project.operations.repository import Repository
with Repository(sys.argv[1], [sys.argv[2]]).writing("killed") as target:
    target.write(b"begun")
    target.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_backup_leaves_no_snapshot_and_no_lock(place: Repository, folder: Path) -> None:
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "project.settings", "DATA_DIR": str(folder.parent / "data")}
    killed = subprocess.run([sys.executable, "-c", KILLED, str(folder), NEW], cwd=ROOT, env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    again = Repository(str(folder), [NEW], create=True)
    made(again, "second")
    assert again.forget(["--keep-last", "9"], but="second") == [], "the lock of the killed process is removed"
    assert len(place.snapshots()) == 1


def test_unfinished_archive_cannot_be_read(place: Repository) -> None:
    with place.writing("unfinished") as target:
        ArchiveWriter(target).file("0.jpeg", b"picture")
    with pytest.raises(BackupError, match=r"cut off|no manifest"), place.reading("unfinished") as file:
        archive.read_whole(file)


def test_rule_keeps_the_newest_of_each_period_and_the_one_just_made(place: Repository) -> None:
    noon = datetime(2026, 11, 23, 12, tzinfo=UTC)
    for days in (0, 1, 2, 40):
        at = f"{noon - timedelta(days=days):%Y-%m-%d %H:%M:%S}"
        place._run(
            "backup", "--quiet", "--stdin", "--tag", repository.TAG, "--tag", f"d{days}", "--time", at, given="x"
        )
    place._run("backup", "--quiet", "--stdin", "--tag", "of another program", given="x")
    removed = place.forget(keep_options("1 daily, 2 monthly"), but="d2")
    assert len(removed) == 1, "yesterday's"
    days = [(noon.date() - one.made_at.date()).days for one in place.snapshots()]
    assert days == [40, 2, 0]
    assert len(place._run("snapshots", "--json", "--tag", "of another program")) > 10


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("3", ["--keep-last", "3"]),
        ("7 daily, 4 weekly,12 monthly", ["--keep-daily", "7", "--keep-weekly", "4", "--keep-monthly", "12"]),
    ],
)
def test_rule_becomes_options_of_restic(text: str, options: list[str]) -> None:
    assert keep_options(text) == options


@pytest.mark.parametrize("text", ["", "0", "daily", "7 dayly", "-1 daily", "7 daily;", "1.5 weekly", "99999"])
def test_invalid_rule_is_refused(text: str) -> None:
    with pytest.raises(BackupError, match="BACKUP_KEEP"):
        keep_options(text)


def test_keys_come_from_the_setting_and_then_from_the_file(settings: LazySettings, tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"# newest first\n{OLD}\n\n{STRANGE}\n")
    settings.BACKUP_KEY, settings.BACKUP_KEY_FILE = [NEW], str(file)
    assert keys() == [NEW, OLD, STRANGE]


@pytest.mark.parametrize(("given", "file"), [([], ""), (["short"], ""), ([], "/nowhere/keys")])
def test_missing_or_short_key_is_refused(given: list[str], file: str, settings: LazySettings) -> None:
    settings.BACKUP_KEY, settings.BACKUP_KEY_FILE = given, file
    with pytest.raises(BackupError) as refusal:
        keys()
    assert "short" not in str(refusal.value)


def test_missing_restic_error_names_the_package_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackupError, match="install Debian's package restic"):
        Repository(str(folder), [NEW], create=True)
