"""Pairs a screen as a display without a sign-in: the screen shows a code, and polls with a secret.

Anybody may call this without an account, so it is cheap: no slow hash, no lock for a refused request, and no event.

See infra/docs/rules.md#displays.
"""

import base64
import secrets
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from project.access.token import DISPLAY_TOKEN
from project.core import clock
from project.core.errors import NotFound, TooManyAttempts
from project.core.queries import Turn, take_turn
from project.core.sealing import digest_of_random, own_secrets
from project.displays.models import Display, Pairing

LASTS = timedelta(minutes=10)
MOST_OF_ADDRESS = 20
"""Most screens that may wait at one address."""
CODE_LENGTH = 6
LETTERS = "ACDEFGHJKLMNPQRTUVWXYZ"
"""The letters of codes, without B, I, O and S, which look like digits from across a room."""
TRIES = 5
"""Most attempts to draw a code that no other screen shows. There are more than a hundred million codes."""


@dataclass(frozen=True)
class Waiting:
    """The first answer to a screen: the code to show, and the secret to poll with."""

    code: str
    secret: str


@dataclass(frozen=True)
class Paired:
    """The token and the name of a screen that an administrator has named."""

    token: str
    name: str


def code_digests(typed: str) -> list[str]:
    """Return the digest of a code by each secret, the current secret first. Ignores case, blanks and dashes.

    The digests are keyed, so that a reader of the table cannot try codes.
    """
    plain = "".join(letter for letter in typed.upper() if letter.isalnum())
    return [salted_hmac("display pairing", plain, secret, algorithm="sha256").hexdigest() for secret in own_secrets()]


def begin(address: str) -> Waiting:
    """Make a code and a secret for the screen at `address`. Raises `TooManyAttempts` with `retryAfter` in seconds."""
    _check_address(address)  # first without a lock, so that refusing a caller costs only one query
    for _ in range(TRIES):
        waiting = Waiting("".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH)), secrets.token_urlsafe(32))
        try:
            with transaction.atomic():
                take_turn(Turn.COUNTING_ATTEMPTS)
                _check_address(address)
                Pairing.objects.create(
                    secret_digest=digest_of_random(waiting.secret),
                    code_digest=code_digests(waiting.code)[0],
                    address=address,
                    expires_at=clock.now() + LASTS,
                )
        except IntegrityError:
            continue
        return waiting
    raise TooManyAttempts(retryAfter=ceil(LASTS.total_seconds()))


def fetch(secret: str) -> Paired | None:
    """Return the token and name of the screen that polls with `secret`; None until an administrator has named it.

    Returns the same token until the screen uses it, so that a screen can repeat a lost request. Raises `NotFound` for
    an unknown, expired or used secret. 1 query while the screen waits.
    """
    pairing = Pairing.objects.filter(secret_digest=digest_of_random(secret), expires_at__gt=clock.now()).first()
    if pairing is None:
        raise NotFound
    if pairing.display_id is None:
        return None
    token = _token_of(secret)
    with transaction.atomic():
        display = Display.objects.select_for_update().filter(pk=pairing.display_id, active=True).first()
        if display is None:
            raise NotFound
        display.token_digest = digest_of_random(token)
        display.save(update_fields=["token_digest"])
    return Paired(token, display.name)


def _token_of(secret: str) -> str:
    """Derive the token from the secret. The token is as random as the secret, and only the server can derive it."""
    made = salted_hmac("display token", secret, algorithm="sha256").digest()
    return DISPLAY_TOKEN + base64.urlsafe_b64encode(made).decode().rstrip("=")


def forget_over() -> None:
    """Delete expired pairings: codes that nobody typed in time, and tokens that were never used."""
    Pairing.objects.filter(expires_at__lt=clock.now()).delete()


def _check_address(address: str) -> None:
    now = clock.now()
    # Ignore pairings that expire later than a new pairing would: they were made before the clock was set back.
    ends = Pairing.objects.filter(
        address=address,
        display__isnull=True,
        expires_at__gt=now,
        expires_at__lt=now + LASTS + clock.CLOCKS_DIFFER,
    )
    found = list(ends.order_by("-expires_at").values_list("expires_at", flat=True)[:MOST_OF_ADDRESS])
    if len(found) == MOST_OF_ADDRESS:
        raise TooManyAttempts(retryAfter=ceil((found[-1] - now).total_seconds()))
