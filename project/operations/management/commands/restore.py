"""`manage.py restore`: restore a backup into an empty installation, then check it."""

import subprocess
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from project.core.earlier_builds import refusal_of
from project.operations import backing_up, checking, restoring
from project.operations.repository import LATEST, BackupError, Repository, keys


class Command(BaseCommand):
    help = "Put a backup into an empty database and storage, start a new epoch, and check what was put back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("snapshot", nargs="?", help="a backup's id in the repository, or `latest`")
        parser.add_argument("--from", dest="place", help="a folder or s3://bucket/prefix; else BACKUP_TO")
        parser.add_argument("--check", action="store_true", help="only check what is there, and end a restore")
        parser.add_argument(
            "--recovered", action="store_true", help="the database was put back by other means: end its past, and check"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if refusal := refusal_of(connection):
            raise CommandError(refusal)
        if options["recovered"]:
            restoring.mark()
        if options["check"] or options["recovered"]:
            self._check()
        elif options["snapshot"]:
            self._restore(options["snapshot"], options["place"])
        else:
            raise CommandError("Say which backup: its id, or `latest`.")

    def _restore(self, snapshot: str, place: str | None) -> None:
        try:
            repository = Repository(place or settings.BACKUP_TO, keys())
            made = repository.snapshots()
            if not made:
                raise BackupError("There is no backup at all.")
            name = made[-1].id if snapshot == LATEST else snapshot
            manifest, warnings = restoring.restore(repository, name)
        except backing_up.FAILURES as error:
            raise CommandError(f"Not restored: {error}") from error
        self._say(
            "backup", True, f"{name}, made {manifest.made_at} by version {manifest.version}, is as it was written"
        )
        self._say(
            "counts", True, f"{sum(manifest.tables.values())} rows in {len(manifest.tables)} tables, as in the backup"
        )
        self._say("files", True, f"{manifest.files} files of {manifest.files_bytes // 1024} KB")
        for warning in warnings:
            self.stdout.write(f"note  {warning}")
        self.stdout.flush()
        # A new process reads the restored secret at its start.
        checked = subprocess.run([sys.executable, sys.argv[0], "restore", "--check"], check=False)  # noqa: S603
        sys.exit(checked.returncode)

    def _check(self) -> None:
        marked = checking.is_marked()
        outcomes = checking.finish() if marked else []
        for outcome in outcomes:
            self._say(outcome.name, outcome.ok, outcome.says)
        failed = 0
        for outcome in checking.checks():
            self._say(outcome.name, outcome.ok, outcome.says)
            failed += not outcome.ok
        if failed:
            raise CommandError(
                "Something does not work: see above. Mend it and run `manage.py restore --check`, or restore again."
            )
        if marked:
            checking.unmark()
        self.stdout.write("restored, and it works" if marked else "it works")

    def _say(self, name: str, ok: bool, says: str) -> None:
        self.stdout.write(f"{'ok  ' if ok else 'FAIL'}  {name}: {says}")
