"""`manage.py backup`: database and files of one moment, encrypted, as one file."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from project.core.database import LACKS_TABLES, lacks_tables
from project.operations import backing_up, sealed
from project.operations.places import place_of
from project.operations.retention import rule_of


class Command(BaseCommand):
    help = "Write database and stored files, encrypted, to a folder or a bucket, while the product runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", default=settings.BACKUP_TO, help="a folder or s3://bucket/prefix; else BACKUP_TO")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = backing_up.backup(place_of(options["to"]), sealed.keys(), keep=rule_of(settings.BACKUP_KEEP))
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
