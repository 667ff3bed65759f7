"""`manage.py demo`: fills an empty database with a believable silver workshop."""

import os
from ipaddress import ip_address
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from project.demo.people import ADMINISTRATOR, PASSWORD, PEOPLE
from project.demo.workshop import build, close_published_accounts
from project.identity.models import User


def reached_from_elsewhere(host: str) -> bool:
    """Whether other machines can reach a server that listens on `host`."""
    if host == "localhost":
        return False
    try:
        return not ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return True  # a name may resolve to any address


class Command(BaseCommand):
    """Loads the demo workshop once, and prints its accounts each time.

    If `HOST` is not a loopback address, each account that still has the published password gets a new password, which
    is printed once.
    """

    help = "Loads demo data into an empty database, and prints its accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="leave a database with other data alone")

    def handle(self, *args: Any, **options: Any) -> None:
        elsewhere = reached_from_elsewhere(os.environ.get("HOST", "127.0.0.1"))
        with transaction.atomic():
            if not User.objects.exists():
                build()
            elif not User.objects.filter(email=ADMINISTRATOR).exists():
                if options["if_empty"]:
                    return
                raise CommandError("The database has data of its own: the demo goes into an empty one only.")
            given = close_published_accounts() if elsewhere else {}
        if given:
            self.stdout.write("\n  Demo accounts, each with a password of its own. They are not shown again:")
        elif elsewhere:
            self.stdout.write(
                "\n  Demo accounts. Their passwords were shown when they were made; a new one for the administrator:"
                f"\n    python manage.py createadmin {ADMINISTRATOR}"
            )
        else:
            self.stdout.write(
                f"\n  Demo accounts, all with the published password {PASSWORD} where nobody changed it."
                "\n  Whoever reaches this machine's address is administrator: for demonstration only."
            )
        for somebody in PEOPLE:
            pin = f"PIN {somebody.pin}" if somebody.pin and not elsewhere else ""
            self.stdout.write(f"    {somebody.email:24} {somebody.role:22} {given.get(somebody.email, pin)}".rstrip())
