"""A backup is put back whole, and every client is told to load afresh (infra/backup.sh, infra/restore.sh)."""

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run(data: Path, *command: str, fails: bool = False) -> str:
    """Run a command of the product on a SQLite database in `data`. Returns what it said."""
    left_out = ("DATABASE_URL", "REDIS_URL", "S3_BUCKET")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**environment, "DATA_DIR": str(data)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert bool(done.returncode) is fails, done.stderr
    return done.stdout + done.stderr


def counter(data: Path) -> tuple[int, str]:
    """The newest event's id, and the epoch."""
    with sqlite3.connect(data / "obrador.sqlite3") as database:
        last_id, epoch = database.execute("SELECT last_id, epoch FROM realtime_outboxcounter").fetchone()
    return last_id, epoch


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database with an event, a picture and a secret."""
    data = tmp_path_factory.mktemp("made")
    for command in (("migrate", "--verbosity", "0"), ("renew_epoch",)):
        run(data, str(ROOT / ".venv/bin/python"), "manage.py", *command)
    (data / "media").mkdir(exist_ok=True)
    (data / "media" / "ring.jpg").write_bytes(b"picture")
    with sqlite3.connect(data / "obrador.sqlite3") as database:
        database.execute("UPDATE realtime_outboxcounter SET last_id = 7")
    return data


@pytest.fixture
def data(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "data"))


def test_what_was_backed_up_is_back_in_another_epoch(data: Path, tmp_path: Path) -> None:
    archive = tmp_path / "backup.tar"
    secret = (data / "secret-key").read_text()
    run(data, "infra/backup.sh", str(archive))
    assert archive.stat().st_mode & 0o077 == 0, "others may not read it"
    _, epoch = counter(data)
    with sqlite3.connect(data / "obrador.sqlite3") as database:
        database.execute("UPDATE realtime_outboxcounter SET last_id = 99")
    (data / "media" / "ring.jpg").unlink()
    (data / "secret-key").write_text("another secret that is long enough to sign tokens with")
    run(data, "infra/restore.sh", str(archive))
    last_id, renewed = counter(data)
    assert (last_id, (data / "media" / "ring.jpg").read_bytes()) == (7, b"picture")
    assert renewed != epoch
    assert (data / "secret-key").read_text() == secret


def test_a_file_that_is_no_backup_changes_nothing(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tar"
    subprocess.run(["tar", "-cf", str(other), "-C", str(data), "secret-key"], check=True)
    before = counter(data)
    assert "no backup" in run(data, "infra/restore.sh", str(other), fails=True)
    assert counter(data) == before
