"""`manage.py export_contract`: write the contract that the web client is built on."""

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
