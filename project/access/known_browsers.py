"""Browsers from which an account was signed in to before: strangers' failures do not lock them out.

The browser keeps a signed cookie: an id of its own, and for each of the last accounts a mark of the password that was
given then. It opens nothing and proves nothing but that; a new password makes it worthless. Where the identity provider
has a site of its own that gets no cookies, every browser counts as a stranger's.
"""

import secrets
from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from project.core import sealing

COOKIE = "known-browser"
PATH = "/identity/"
LASTS = timedelta(days=180)
MOST_ACCOUNTS = 10
"""On a shared computer only the accounts that signed in last are remembered."""
_SALT = "known browser"


@dataclass(frozen=True)
class Browser:
    """`name` is random, `marks` are by user id, the latest last."""

    name: str
    marks: dict[str, str]

    def knows(self, user_id: int, password_hash: str) -> bool:
        """Whether this account was signed in to here with the password that it has now."""
        mark = self.marks.get(str(user_id), "")
        return any(constant_time_compare(mark, one) for one in _marks(user_id, password_hash))

    def with_account(self, user_id: int, password_hash: str) -> "Browser":
        others = {one: mark for one, mark in self.marks.items() if one != str(user_id)}
        kept = dict(list(others.items())[-(MOST_ACCOUNTS - 1) :])
        return replace(self, marks={**kept, str(user_id): _marks(user_id, password_hash)[0]})


def browser_of(request: HttpRequest) -> Browser:
    """The browser of the request; a new one where it sends no cookie of ours."""
    try:
        name, marks = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=LASTS)
    except signing.BadSignature:
        return Browser(secrets.token_urlsafe(16), {})
    return Browser(name, marks)


def remember(response: HttpResponse, browser: Browser) -> None:
    """Set the cookie by which the browser is known. No script can read it, and no other site can send it."""
    response.set_cookie(
        COOKIE,
        signing.dumps([browser.name, browser.marks], salt=_SALT),
        max_age=LASTS,
        path=PATH,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Strict",
    )


def _marks(user_id: int, password_hash: str) -> list[str]:
    """As each of the installation's secrets makes it; the first is the one to keep."""
    text = f"{user_id}:{password_hash}"
    return [salted_hmac(_SALT, text, one, algorithm="sha256").hexdigest()[:32] for one in sealing.own_secrets()]
