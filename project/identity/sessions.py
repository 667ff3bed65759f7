"""Signing in and out (infra/docs/rules.md#sign-in)."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest

from project.access import throttle, token
from project.access.known_browsers import Browser
from project.access.principal import Principal
from project.audit import services as audit
from project.core import clock
from project.identity.models import User
from project.identity.rules import LONGEST_PASSWORD, InvalidCredentials
from realtime import outbox
from realtime.registry import Actor, SessionData, SessionEnded

# Checked for unknown e-mails, so that they take as long as a wrong password.
_nobody = make_password("nobody's password")


def user_of_password(*, username: str, password: str, address: str, browser: Browser) -> User:
    """Return the user with this e-mail and password. Raises `TooManyAttempts`, `InvalidCredentials`."""
    account = username.strip().lower()[:254]  # cut to the column's size: lower case can be longer
    user = User.objects.of_email(account)
    attempt = throttle.begin_here(account, user, browser, address)
    # Passwords have at most 50 characters. Hash one more at most, so that long input costs no extra time.
    matches = check_password(password[: LONGEST_PASSWORD + 1], user.password if user else _nobody)
    if user is None or not matches or not user.may_sign_in:
        if throttle.failed(attempt):
            # Record unknown accounts too, so that they take as long.
            known = (user.pk, user.full_name) if user else (0, "")
            audit.record_guessing("password", entity_id=known[0], label=known[1])
        raise InvalidCredentials
    throttle.succeeded(attempt)
    return user


def begin(user: User) -> str:
    """Begin a session and return its access token. Every way of signing in ends here."""
    _note("signed-in", Account(user.pk, user.full_name))
    return token.issue(user)


@dataclass(frozen=True)
class Account:
    """A user as the author of an audit entry, at a sign-in or where no `Principal` is at hand."""

    user_id: int
    full_name: str


def _note(action: str, by: Account | Principal) -> None:
    """Record the start or end of a session in the audit."""
    audit.record(
        entity="users", entity_id=by.user_id, label=by.full_name, action=action, before=None, after=None, by=by
    )


@transaction.atomic
def sign_out(*, by: Principal) -> None:
    """End this session: revoke its token and close its open sockets."""
    token.sign_out(by)
    _note("signed-out", by)
    event = SessionEnded(data=SessionData(id=by.user_id, jti=by.jti))
    outbox.publish(event, by=Actor.of(by), to_user=by.user_id)


def announce_end(user_id: int, by: Principal | None) -> None:
    """Publish the end of all sessions of a user."""
    event = SessionEnded(data=SessionData(id=user_id, jti=None))
    outbox.publish(event, by=Actor.of(by) if by else None, to_user=user_id)


_COUNTED_FROM = datetime(2026, 1, 1, tzinfo=UTC)


def end_all() -> int:
    """End every session after a database was restored from a backup. Returns the number of accounts.

    Tokens issued after the backup may have higher versions than the restored accounts. So the new version is the number
    of seconds since 2026. No token can have a version that high, because versions grow by one with each password change
    or lock.
    """
    seconds = int((clock.now() - _COUNTED_FROM).total_seconds())
    return User.objects.update(token_version=Greatest(F("token_version") + 1, seconds))
