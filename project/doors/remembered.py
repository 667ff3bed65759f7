"""Browsers that are remembered after a code was given there, if `SECOND_FACTOR_DAYS` allows it.

The browser keeps a signed cookie with a mark for each account. A mark is derived from the hash of the account's
password, its authenticator app and its token version, so a new password, a new app, a reset, a lock and a restored
backup make it invalid. The cookie stands for the code alone: it grants no access without the password.
"""

from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from project.access.known_browsers import MOST_ACCOUNTS, PATH
from project.core import clock, sealing
from project.doors import authenticators
from project.identity.models import User

COOKIE = "remembered-browser"
_SALT = "remembered browser"


def lasts() -> timedelta:
    return timedelta(days=settings.SECOND_FACTOR_DAYS)


def is_remembered(request: HttpRequest, user: User) -> bool:
    """Return whether this person gave a code in this browser within `lasts`, with the password and app of today."""
    mark, at = _read(request).get(str(user.pk), ("", 0.0))
    age = timedelta(seconds=clock.now().timestamp() - at)
    fits = any(constant_time_compare(mark, one) for one in _marks(user))
    return fits and -clock.CLOCKS_DIFFER <= age < lasts()


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Remember this browser for the person, for `lasts`; does nothing if the installation does not allow it."""
    if not lasts():
        return
    others = [(one, mark) for one, mark in _read(request).items() if one != str(user.pk)]
    kept = dict(others[-(MOST_ACCOUNTS - 1) :]) | {str(user.pk): [_marks(user)[0], clock.now().timestamp()]}
    response.set_cookie(
        COOKIE,
        signing.dumps(kept, salt=_SALT),
        max_age=lasts(),
        path=PATH,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Strict",
    )


def _read(request: HttpRequest) -> dict[str, tuple[str, float]]:
    try:
        return dict(signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT))
    except signing.BadSignature:
        return {}


def _marks(user: User) -> list[str]:
    """Return the person's mark by each of the installation's secrets. The first mark is the one to store."""
    text = f"{user.pk}:{user.token_version}:{user.password}:{authenticators.proof_of(user)}"
    return [salted_hmac(_SALT, text, one, algorithm="sha256").hexdigest()[:32] for one in sealing.own_secrets()]
