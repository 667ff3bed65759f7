"""The restic repository of the backups, in a folder or in a bucket of an S3-compatible service.

restic encrypts, deduplicates, verifies and removes backups. This module runs its commands and turns its failures into
messages for the operator.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from django.conf import settings

FILE = "obrador.tar"
"""The one file of each snapshot."""
TAG = "obrador"
"""The tag of our snapshots: a repository may hold snapshots of other programs too."""
SHORTEST_KEY = 32
PRUNE = ("--prune", "--max-unused=0")
"""Delete all data that only removed backups used: it may be the data of an erased person."""
LATEST = "latest"

_KEEP = re.compile(r"(\d{1,4}) ?(|daily|weekly|monthly|yearly)")
_ABSENT = ("Is there a repository at", "repository does not exist")
_WRONG_KEY = "wrong password or no key found"


class BackupError(Exception):
    """A failure of a backup or restore. The message is a whole sentence for the operator, without a secret."""


def keys() -> list[str]:
    """Return the operator's keys: the first encrypts, any of them decrypts.

    Raises `BackupError` if there is no key, if a key is too short, or if BACKUP_KEY_FILE cannot be read.
    """
    found = list(settings.BACKUP_KEY)
    if settings.BACKUP_KEY_FILE:
        try:
            lines = Path(settings.BACKUP_KEY_FILE).read_text().splitlines()
        except OSError as error:
            raise BackupError(f"BACKUP_KEY_FILE cannot be read: {error.strerror}.") from error
        found += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not found:
        raise BackupError("Backups are encrypted: set BACKUP_KEY or BACKUP_KEY_FILE to a key of your own.")
    if any(len(key.encode()) < SHORTEST_KEY for key in found):
        raise BackupError(f"A backup key must have at least {SHORTEST_KEY} bytes: `openssl rand -base64 48` makes one.")
    return found


def keep_options(text: str) -> list[str]:
    """Return restic's options for a text like `7 daily, 4 weekly, 12 monthly`. `30` alone keeps the last 30 backups.

    Raises `BackupError` for any other text.
    """
    options = []
    for part in text.split(","):
        found = _KEEP.fullmatch(part.strip())
        if found is None or int(found[1]) < 1:
            raise BackupError(f"BACKUP_KEEP is like '7 daily, 4 weekly, 12 monthly' or '30', not {text!r}.")
        options += [f"--keep-{found[2] or 'last'}", found[1]]
    return options


@dataclass(frozen=True)
class Snapshot:
    """One backup in the repository."""

    id: str
    made_at: datetime


class Repository:
    """A repository that one of the keys in `known` opens. `address`: a folder, or `s3://bucket/prefix`.

    Raises `BackupError` if it does not exist or no key opens it. `create`: create a missing repository, and add the
    first key to a repository that only another key opens.
    """

    def __init__(self, address: str, known: list[str], *, create: bool = False) -> None:
        if not address:
            raise BackupError("Say where backups lie: --to or --from, or BACKUP_TO.")
        self._command = [_program(), "--no-cache"]
        self._environment = _environment(address)
        if not address.startswith("s3://"):
            _look_for_folder(Path(address), create=create)
        self._open(known, create=create)

    def _open(self, known: list[str], *, create: bool) -> None:
        for key in known:
            self._environment["RESTIC_PASSWORD"] = key
            tried = self._tried("unlock")  # removes the locks of killed processes
            if tried.returncode == 0:
                if create and key != known[0]:
                    self._run("key", "add", "--new-password-file", "/dev/stdin", given=known[0])
                return
            if any(one in tried.stderr for one in _ABSENT):
                if not create:
                    raise BackupError("There is no backup yet.")
                self._environment["RESTIC_PASSWORD"] = known[0]
                self._run("init")
                return
            if _WRONG_KEY not in tried.stderr:
                raise _failure("unlock", tried.stderr)
        raise BackupError("None of the keys in BACKUP_KEY or BACKUP_KEY_FILE opens these backups.")

    def snapshots(self) -> list[Snapshot]:
        """Return all our backups, oldest first."""
        found = json.loads(self._run("snapshots", "--json", "--tag", TAG)) or []
        made = (Snapshot(one["short_id"], datetime.fromisoformat(one["time"])) for one in found)
        return sorted(made, key=lambda one: one.made_at)

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """Yield a file to write a backup to, tagged `name`. The backup exists only if the block raises nothing."""
        # If this process is killed, restic must be killed too: else it takes the end of its input for the backup's end.
        tied = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        command = [*tied, *self._command, "backup", "--quiet", "--stdin", "--stdin-filename", FILE]
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(  # noqa: S603 - no text of a user
                [*command, "--tag", TAG, "--tag", name],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=said,
                env=self._environment,
            )
            assert process.stdin  # noqa: S101 - for the type checker
            try:
                yield process.stdin
                process.stdin.close()
            except BrokenPipeError:
                pass  # restic's own message says why
            except BaseException:
                process.kill()
                raise
            finally:
                process.wait()
                with suppress(BrokenPipeError):
                    process.stdin.close()
            if process.returncode:
                raise _failure("backup", read_all(said))

    @contextmanager
    def reading(self, snapshot: str) -> Iterator[IO[bytes]]:
        """Yield the file of the backup with this id or tag. Raises `BackupError` at the end if it is damaged."""
        which = [snapshot] if re.fullmatch(r"[0-9a-f]{8,64}", snapshot) else [LATEST, "--tag", snapshot]
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(  # noqa: S603 - no text of a user
                [*self._command, "dump", *which, FILE], stdout=subprocess.PIPE, stderr=said, env=self._environment
            ) as process,
        ):
            assert process.stdout  # noqa: S101 - for the type checker
            try:
                yield process.stdout
                while process.stdout.read(1 << 20):
                    pass
            except BaseException:
                process.kill()
                if process.wait() > 0:  # restic failed first, and its message says why
                    raise _failure("dump", read_all(said)) from None
                raise
            if process.wait():
                raise _failure("dump", read_all(said))

    def forget(self, keep: list[str], *, but: str) -> list[str]:
        """Remove all backups except those that restic's options `keep` select, and the one tagged `but`.

        Returns the ids of the removed backups.
        """
        options = ["--tag", TAG, "--group-by", "", "--keep-tag", but, *keep]
        said = self._run("forget", "--json", *PRUNE, *options)
        [group, *_] = json.loads(said.splitlines()[0])
        return [one["short_id"] for one in group["remove"] or []]

    def remove(self, name: str) -> None:
        """Remove the backup tagged `name`."""
        self._run("unlock")  # removes the lock of a process that was killed while it read
        found = json.loads(self._run("snapshots", "--json", "--tag", name)) or []
        self._run("forget", *PRUNE, *(one["id"] for one in found))

    def _run(self, *arguments: str, given: str = "") -> str:
        done = self._tried(*arguments, given=given)
        if done.returncode:
            raise _failure(arguments[0], done.stderr)
        return done.stdout

    def _tried(self, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - no text of a user
            [*self._command, *arguments],
            input=given,
            capture_output=True,
            text=True,
            env=self._environment,
            check=False,
        )


def _program() -> str:
    found = shutil.which("restic")
    if found is None:
        raise BackupError("restic is not installed: install Debian's package restic.")
    return found


def _look_for_folder(folder: Path, *, create: bool) -> None:
    """Check that the folder exists. `create`: create it, but not its parents.

    So a disk that is not mounted is an error, and the root disk does not fill up. Raises `BackupError` and OSError.
    """
    if create:
        folder.mkdir(mode=0o700, exist_ok=True)
    elif not folder.is_dir():
        raise BackupError(f"There is no folder {folder}: is its disk mounted?")


def _environment(address: str) -> dict[str, str]:
    """Return the environment for restic. Keys are in it because other users of the machine can read a command line."""
    found = {name: value for name, value in os.environ.items() if not name.startswith("RESTIC_")}
    found["TZ"] = settings.PLANT_TIME_ZONE
    found.setdefault("TMPDIR", str(settings.DATA_DIR))
    found["RESTIC_REPOSITORY"] = address
    if address.startswith("s3://"):
        service = settings.BACKUP_S3
        endpoint = service.get("endpoint_url") or "https://s3.amazonaws.com"
        found["RESTIC_REPOSITORY"] = f"s3:{endpoint}/{address.removeprefix('s3://').strip('/')}"
        given = {
            "AWS_DEFAULT_REGION": service.get("region_name"),
            "AWS_ACCESS_KEY_ID": service.get("aws_access_key_id"),
            "AWS_SECRET_ACCESS_KEY": service.get("aws_secret_access_key"),
        }
        found |= {name: value for name, value in given.items() if value}
    return found


def _failure(command: str, said: str) -> BackupError:
    lines = [line for line in said.splitlines() if line.strip()]
    return BackupError(f"restic {command} failed: {' '.join(lines[-3:]) or 'it says nothing'}")


def read_all(said: IO[bytes]) -> str:
    """Return the text that a program wrote into a temporary file."""
    said.seek(0)
    return said.read().decode(errors="replace").strip()
