"""`manage.py export_docs`: write the reference pages: the headers of answers, and the API's tour."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from project.contract import reference


class Command(BaseCommand):
    help = "Write the pages of the headers and the API into a folder: by default where they are kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, nargs="?", default=reference.FOLDER)

    def handle(self, *args: Any, **options: Any) -> None:
        reference.export(options["folder"])
