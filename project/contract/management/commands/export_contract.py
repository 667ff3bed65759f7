"""Writes the OpenAPI, the event types and the permission union for the web client."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from project.contract import generated


class Command(BaseCommand):
    help = "Export the public contract into a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        for path in generated.export(options["folder"]):
            self.stdout.write(str(path))
