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

# Checked where there is no account, so that an unknown e-mail takes as long as a wrong password.
_nobody = make_password("nobody's password")


def sign_in(*, username: str, password: str, address: str, browser: Browser) -> tuple[str, Browser]:
    """An access token, and the browser as it is known from now on. Raises `TooManyAttempts`, `InvalidCredentials`."""
    account = username.strip().lower()[:254]  # some letters grow in lower case: what the column holds
    user = User.objects.filter(email__iexact=account).first()
    attempt = throttle.begin_here(account, user, browser, address)
    # Nobody's password is longer than 50 characters: the hash is taken of no more than that.
    matches = check_password(password[: LONGEST_PASSWORD + 1], user.password if user else _nobody)
    if user is None or not matches or not user.may_sign_in:
        if throttle.failed(attempt):
            # Of an account that there is not as well: it must take as long.
            known = (user.pk, user.full_name) if user else (0, "")
            audit.record_guessing("password", entity_id=known[0], label=known[1])
        raise InvalidCredentials
    throttle.succeeded(attempt)
    _note("signed-in", Account(user.pk, user.full_name))
    return token.issue(user), browser.with_account(user.pk, user.password)


@dataclass(frozen=True)
class Account:
    """Whose session begins or ends, as the audit names him."""

    user_id: int
    full_name: str


def _note(action: str, by: Account | Principal) -> None:
    """Write into the audit that a session began or ended."""
    audit.record(
        entity="users", entity_id=by.user_id, label=by.full_name, action=action, before=None, after=None, by=by
    )


@transaction.atomic
def sign_out(*, by: Principal) -> None:
    """End this session: its token is refused from now on, its open sockets close."""
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
    """End every session, those of a lost history too: for a database that was put back. Returns of how many.

    Token versions of the lost history may be higher than those kept, by one a password or a lock. So they go on from
    the seconds of the clock, which no account can have reached by then.
    """
    seconds = int((clock.now() - _COUNTED_FROM).total_seconds())
    return User.objects.update(token_version=Greatest(F("token_version") + 1, seconds))
