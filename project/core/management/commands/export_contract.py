"""Writes the OpenAPI, the event types and the permission union for the web client."""

from importlib import import_module
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    help = "Export the public contract into a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        # The contract stands above every app, so this command, which lives in one, reaches it by name.
        for path in import_module("project.contract").export(options["folder"]):
            self.stdout.write(str(path))
