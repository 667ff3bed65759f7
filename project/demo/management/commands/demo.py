"""`manage.py demo`: fills an empty database with a believable silver workshop."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from project.demo.people import ADMINISTRATOR, PASSWORD, PEOPLE
from project.demo.workshop import build
from project.identity.models import User


class Command(BaseCommand):
    """Loads the demo workshop once; says who may sign in wherever it is loaded."""

    help = "Loads demo data into an empty database, and prints its accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="leave a database with other data alone")

    def handle(self, *args: Any, **options: Any) -> None:
        if not User.objects.exists():
            build()
        elif not User.objects.filter(email=ADMINISTRATOR).exists():
            if options["if_empty"]:
                return
            raise CommandError("The database has data of its own: the demo goes into an empty one only.")
        self.stdout.write(f"\n  Demo accounts, all with the password {PASSWORD}")
        for somebody in PEOPLE:
            self.stdout.write(f"    {somebody.email:24} {somebody.role}")
