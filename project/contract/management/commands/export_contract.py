"""`manage.py export_contract`: write the contract of the API and of live events, and the tables of the web client."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from project.contract import generated


class Command(BaseCommand):
    help = "Write the contract and the client's tables below a folder: by default this checkout."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("root", type=Path, nargs="?", default=settings.BASE_DIR)

    def handle(self, *args: Any, **options: Any) -> None:
        for path in generated.export(options["root"]):
            self.stdout.write(str(path))
