"""Known browsers. A browser is known to an account that signed in from it before.

Failed attempts from elsewhere do not lock a user out of a browser that is known to their account. The browser keeps a
signed cookie with a random name, and with a mark for each of its latest accounts. A mark is derived from the hash of
the account's password, so a new password makes the mark invalid. The cookie grants no access. If `/identity/` is on
another site than the client, browsers do not send the cookie, and every browser counts as unknown.
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
"""Only the latest accounts are remembered on a shared computer."""
_SALT = "known browser"


@dataclass(frozen=True)
class Browser:
    """A browser, as its cookie describes it. `name` is random.

    `marks` maps the ids of users who signed in here to proofs of their passwords. The latest user comes last.
    """

    name: str
    marks: dict[str, str]

    def knows(self, user_id: int, password_hash: str) -> bool:
        """Return whether this account has signed in from this browser with its current password."""
        mark = self.marks.get(str(user_id), "")
        return any(constant_time_compare(mark, one) for one in _marks(user_id, password_hash))

    def with_account(self, user_id: int, password_hash: str) -> "Browser":
        others = {one: mark for one, mark in self.marks.items() if one != str(user_id)}
        kept = dict(list(others.items())[-(MOST_ACCOUNTS - 1) :])
        return replace(self, marks={**kept, str(user_id): _marks(user_id, password_hash)[0]})


def browser_of(request: HttpRequest) -> Browser:
    """Return the request's browser, or a new one if the request has no valid cookie."""
    try:
        name, marks = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=LASTS)
    except signing.BadSignature:
        return Browser(secrets.token_urlsafe(16), {})
    return Browser(name, marks)


def remember(response: HttpResponse, browser: Browser) -> None:
    """Set the cookie that identifies the browser. Scripts cannot read it. Requests from other sites do not carry it."""
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
    """Return the account's mark by each of the installation's secrets. The first mark is the one to store."""
    text = f"{user_id}:{password_hash}"
    return [salted_hmac(_SALT, text, one, algorithm="sha256").hexdigest()[:32] for one in sealing.own_secrets()]
