"""`manage.py backup`: back up database and files of one moment, encrypted, into a restic repository."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from project.core.database import LACKS_TABLES, lacks_tables
from project.operations import backing_up
from project.operations.repository import Repository, keep_options, keys


class Command(BaseCommand):
    help = "Write database and stored files, encrypted, to a folder or a bucket, while the product runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", default=settings.BACKUP_TO, help="a folder or s3://bucket/prefix; else BACKUP_TO")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            keep = keep_options(settings.BACKUP_KEEP)
            made = backing_up.backup(Repository(options["to"], keys(), create=True), keep=keep)
        except backing_up.FAILURES as error:
            reason = LACKS_TABLES if lacks_tables(error) else error
            raise CommandError(f"No backup was made: {reason}") from error
        said = made.manifest
        self.stdout.write(
            f"{made.name}: {sum(said.tables.values())} rows in {len(said.tables)} tables, "
            f"{said.files} files of {said.files_bytes // 1024} KB, read back whole"
        )
        for name in made.removed:
            self.stdout.write(f"removed {name}, which BACKUP_KEEP no longer keeps")
        if said.missing_files:
            self.stderr.write(f"{said.missing_files} files are missing in the storage: {', '.join(said.missing[:5])}")
