"""Create an administrator, or give an existing account an administrator's role and a new password."""

import getpass
import warnings
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from pydantic import TypeAdapter, ValidationError

from project.core.emails import is_deliverable
from project.core.errors import InvalidFields
from project.core.schemas import Name, OneLine
from project.core.texts import text
from project.core.validation import code_of
from project.identity.bootstrap import NotStaff, administrator_ensure
from project.identity.rules import check_new_password
from project.identity.schemas import Email


class Command(BaseCommand):
    help = "Create an administrator: every permission, able to sign in at once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--password", help="asked for when left out")
        parser.add_argument("--first-name", default="Admin")
        parser.add_argument("--last-name", default="")

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override("en"):
            self._create(options)

    def _create(self, options: dict[str, Any]) -> None:
        try:
            email: str = TypeAdapter(Email).validate_python(options["email"])
        except ValidationError as error:
            raise CommandError(text("invalid_email")) from error
        if not is_deliverable(email):
            raise CommandError(text("invalid_email"))
        names = {"first_name": Name, "last_name": OneLine}
        for name, kind in names.items():
            try:
                options[name] = TypeAdapter(kind).validate_python(options[name])
            except ValidationError as error:
                code, params = code_of(error.errors()[0])
                raise CommandError(f"{name}: {text(code, params)}") from error
        password = options["password"] or self._asked()
        try:
            check_new_password(password, "password")
        except InvalidFields as refusal:
            raise CommandError(refusal.as_json()["errors"][0]["message"]) from refusal
        try:
            administrator_ensure(
                email=email,
                password=password,
                first_name=options["first_name"],
                last_name=options["last_name"],
            )
        except NotStaff as error:
            raise CommandError(f"{email} is a customer's account: an administrator needs another e-mail.") from error
        self.stdout.write(f"{email} is an administrator")

    def _asked(self) -> str:
        try:
            with warnings.catch_warnings():
                # Without a terminal `getpass` warns, and would read the password where it is shown.
                warnings.simplefilter("error", getpass.GetPassWarning)
                return getpass.getpass("Password: ")
        except (EOFError, getpass.GetPassWarning) as error:
            raise CommandError("There is no terminal to ask for the password at: give --password.") from error
