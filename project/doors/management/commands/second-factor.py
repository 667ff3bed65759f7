"""Break the glass: remove the second factors of a person who lost them all."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from project.core.errors import NotFound
from project.doors.services import reset


class Command(BaseCommand):
    help = "Remove the authenticator app, the recovery codes and the passkeys of a person, and end their sessions."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reset", metavar="EMAIL", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = reset(options["reset"].strip())
        except NotFound as error:
            raise CommandError(f"Nobody has the e-mail {options['reset']}.") from error
        self.stdout.write(f"{user.email} signs in with the password alone, and sets up what their role requires")
