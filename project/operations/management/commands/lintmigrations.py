"""`manage.py lintmigrations`: whether the migrations since the last release go through while the site is at work."""

import json
import subprocess
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db.migrations.loader import MigrationLoader

from project.operations.migration_rules import RELEASED, faults, released, sums


class Command(BaseCommand):
    help = "Judge the migrations since the last release. Ends with 1 where one would be noticed."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--release", action="store_true", help="this commit is a release: write down what it has")

    def handle(self, *args: Any, **options: Any) -> None:
        loader = MigrationLoader(None)
        if options["release"]:
            commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=settings.BASE_DIR, text=True)  # noqa: S607
            said = {"commit": commit.strip(), "migrations": sums(loader)}
            RELEASED.write_text(json.dumps(said, indent=2) + "\n")
            return
        found = [*faults(loader, released())]
        for name, fault in found:
            self.stderr.write(f"{name}: {fault.kind}: {fault.says}")
        if found:
            sys.exit(1)
