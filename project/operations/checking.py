"""Checks a restored installation with the product's own code: constraints, a sign-in, a picture, a sheet."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from project.access import throttle, token
from project.access.known_browsers import Browser
from project.access.principal import Principal
from project.calendars import services as calendars
from project.core import pictures
from project.core.errors import Refusal
from project.customer_links import services as links
from project.displays.services import revoke_all
from project.identity import sessions
from project.identity.models import User
from project.identity.selectors import SIGNING_IN
from project.integrations.models import Webhook
from project.integrations.services import end_all_tokens
from project.notices.services import forget_devices
from project.operations.backing_up import pictured
from project.operations.restoring import MARK
from project.orders.models import Line
from project.orders.rules import Status
from project.printing import services as printing
from project.printing.selectors import Document
from realtime import outbox

PICTURES_TRIED = 5


class CheckFailed(Exception):
    """A check failed. The message is a sentence for the operator."""


@dataclass(frozen=True)
class Outcome:
    name: str
    ok: bool
    says: str


def is_marked() -> bool:
    """Return whether a restore was begun in this database and is not proven yet."""
    return MARK in connection.introspection.table_names()


def finish() -> list[Outcome]:
    """Migrate a restored database, and end all access that was given before the restore. Can be repeated.

    Starts a new epoch of live events. Ends every session, every token of a service account, every pairing of a screen,
    every link of a customer, every address of a calendar, and every browser that gets pushes. With the sessions, every
    browser that was remembered after a code is forgotten (`doors.remembered`).
    """
    call_command("migrate", verbosity=0)
    with transaction.atomic():
        ended, tokens, screens, pages = sessions.end_all(), end_all_tokens(), revoke_all(), links.revoke_all()
        addresses, browsers = calendars.end_all(), forget_devices()
        epoch = outbox.renew_epoch()
    webhooks = sorted(f"{one.name} ({one.url})" for one in Webhook.objects.filter(active=True))
    return [
        Outcome("epoch", True, f"every client loads everything again: the epoch is {epoch}"),
        Outcome("sessions", True, f"the sessions of {ended} accounts are over, and no browser is remembered"),
        Outcome("tokens", True, f"{tokens} tokens of service accounts are over: make new ones"),
        Outcome("screens", True, f"{screens} screens on walls are revoked: pair them again"),
        Outcome("links", True, f"{pages} links of customers are revoked: share the orders again"),
        Outcome("calendars", True, f"{addresses} addresses of calendars are over: people make new ones"),
        Outcome("browsers", True, f"{browsers} browsers get no more pushes until they are registered again"),
        Outcome("webhooks", True, f"check that these are still wanted: {', '.join(webhooks) or 'none'}"),
    ]


def unmark() -> None:
    """Remove the mark of a restore."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {MARK}")


def checks() -> Iterator[Outcome]:
    """Run the checks one after the other, and yield their outcomes. The checks leave no change."""
    for name, check in (
        ("constraints", _constraints),
        ("sign-in", _sign_in),
        ("picture", _picture),
        ("sheet", _sheet),
    ):
        yield _outcome(name, check)


def _outcome(name: str, check: Callable[[], str]) -> Outcome:
    try:
        return Outcome(name, True, check())
    except CheckFailed as failure:
        return Outcome(name, False, str(failure))
    except (Refusal, OSError, IntegrityError) as error:
        return Outcome(name, False, f"{type(error).__name__}: {error}")


@contextmanager
def _leaving_nothing() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _constraints() -> str:
    return _constraints_of_postgresql() if connection.vendor == "postgresql" else _constraints_of_sqlite()


def _constraints_of_sqlite() -> str:
    connection.check_constraints()  # raises IntegrityError
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check(5)")
        said = [row[0] for row in cursor.fetchall()]
    if said != ["ok"]:
        raise CheckFailed(f"SQLite finds the database damaged: {'; '.join(said)}")
    return "every row keeps its foreign keys and checks"


_KEYS = """
SELECT conrelid::regclass::text, conname, confrelid::regclass::text,
  (SELECT string_agg(format('a.%I = b.%I', x.attname, y.attname), ' AND ')
   FROM unnest(conkey, confkey) AS pair (x, y)
   JOIN pg_attribute x ON x.attrelid = conrelid AND x.attnum = pair.x
   JOIN pg_attribute y ON y.attrelid = confrelid AND y.attnum = pair.y),
  (SELECT string_agg(format('a.%I IS NOT NULL', attname), ' AND ')
   FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey))
FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2"""
_CHECKS = """
SELECT conrelid::regclass::text, conname, pg_get_expr(conbin, conrelid)
FROM pg_constraint WHERE contype = 'c' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2"""


def _constraints_of_postgresql() -> str:
    """Check every row: PostgreSQL checks no constraints when it recovers from a copy of its files."""
    broken = []
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(_KEYS)
        keys = cursor.fetchall()
        for table, name, other, same, given in keys:
            missing = f"NOT EXISTS (SELECT FROM {other} b WHERE {same})"
            cursor.execute(f"SELECT EXISTS (SELECT FROM {table} a WHERE {given} AND {missing})")  # noqa: S608
            broken += [name] if cursor.fetchone()[0] else []
        cursor.execute(_CHECKS)
        conditions = cursor.fetchall()
        for table, name, condition in conditions:
            cursor.execute(f"SELECT EXISTS (SELECT FROM {table} WHERE NOT ({condition}))")  # noqa: S608
            broken += [name] if cursor.fetchone()[0] else []
        cursor.execute("RESET statement_timeout")
    if broken:
        raise CheckFailed(f"rows break {', '.join(broken)}")
    return f"every row keeps {len(keys)} foreign keys and {len(conditions)} checks"


def _administrator() -> User:
    """Return the staff account that may sign in and has the most permissions. Raises `CheckFailed` if there is none."""
    working = User.objects.filter(SIGNING_IN)
    found = max(working.prefetch_related("roles__permissions"), key=_rights, default=None)
    if found is None:
        raise CheckFailed("nobody can sign in: make an administrator with `manage.py createadmin`")
    return found


def _rights(user: User) -> int:
    return len({permission.action for role in user.roles.all() for permission in role.permissions.all()})


def _principal() -> Principal:
    return token.acting_as(_administrator().pk)


def _sign_in() -> str:
    """Sign in with a temporary password in a transaction that is rolled back, because the real one is not known."""
    user = _administrator()
    password = secrets.token_urlsafe(24)
    with _leaving_nothing():
        user.set_password(password)
        user.save(update_fields=["password"])
        throttle.forget(user.email.lower())
        found = sessions.user_of_password(
            username=user.email, password=password, address="restore", browser=Browser("restore", {})
        )
        rights = len(token.verify(sessions.begin(found)).permissions)
    return f"an administrator can sign in, with {rights} permissions"


def _picture() -> str:
    """Decode one of the newest pictures. Files may be missing, because some may have been missing before the backup."""
    names = [
        name
        for model in pictured()
        for name in model._default_manager.exclude(image="")
        .order_by("-pk")
        .values_list("image", flat=True)[:PICTURES_TRIED]
    ]
    for name in names:
        try:
            with default_storage.open(name) as file:
                raw = file.read()
        except FileNotFoundError:
            continue
        pictures.decode(raw, whose=0)
        return f"{name} is readable"
    if names:
        raise CheckFailed(f"none of the pictures that rows name is in the storage: {', '.join(names[:3])}")
    return "no row has a picture"


def _sheet() -> str:
    line = Line.objects.exclude(status=Status.Canceled).order_by("-pk").first()
    if line is None:
        return "there is no line to print"
    with _leaving_nothing():
        printed = printing.print_sheets(
            documents=[Document(line.order_id, line.position)], language="es", run_id=None, by=_principal()
        )
    if not printed.pdf.startswith(b"%PDF-"):
        raise CheckFailed("what was printed is no PDF")
    return f"{printed.name} is printed, {len(printed.pdf) // 1024} KB"
