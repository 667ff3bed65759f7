"""How a screen becomes a display without a sign-in: it shows a code, and asks with a secret.

Anybody may ask, so it costs little: no hash that takes time, no lock where it is refused, and never an event.

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
"""Screens that may wait at one address."""
CODE_LENGTH = 6
LETTERS = "ACDEFGHJKLMNPQRTUVWXYZ"
"""No letter that is mistaken for a digit or another letter from across a room: neither I, O and S, nor B."""
TRIES = 5
"""How often a code is drawn again that another screen shows: each that waits shows one of a hundred million."""


@dataclass(frozen=True)
class Waiting:
    """What a screen receives first: the code that it shows, and the secret that it asks with."""

    code: str
    secret: str


@dataclass(frozen=True)
class Paired:
    """The token of a screen that was named."""

    token: str
    name: str


def code_digests(typed: str) -> list[str]:
    """What is kept of a code, however it is typed: the first, and by secrets before this one the others.

    Keyed: whoever reads the table must not be able to try codes.
    """
    plain = "".join(letter for letter in typed.upper() if letter.isalnum())
    return [salted_hmac("display pairing", plain, secret, algorithm="sha256").hexdigest() for secret in own_secrets()]


def begin(address: str) -> Waiting:
    """A code and a secret for the screen at `address`. Raises `TooManyAttempts` with `retryAfter` in seconds."""
    _check_address(address)  # without a lock: who asks too often costs one query
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
    """The token of the screen that asks with `secret`; None while nobody has named it.

    The same one however often it is asked, until it is used: an answer that was lost on its way is asked for again.
    Raises `NotFound` for a secret that is unknown, over or used. 1 query while it waits.
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
    """The token that belongs to the secret: as random, and nobody can derive it without the server's key."""
    made = salted_hmac("display token", secret, algorithm="sha256").digest()
    return DISPLAY_TOKEN + base64.urlsafe_b64encode(made).decode().rstrip("=")


def forget_over() -> None:
    """Codes that nobody typed in time, and screens that never came back for their token."""
    Pairing.objects.filter(expires_at__lt=clock.now()).delete()


def _check_address(address: str) -> None:
    now = clock.now()
    # Those that end later than now begun were made before a clock was set back.
    ends = Pairing.objects.filter(
        address=address,
        display__isnull=True,
        expires_at__gt=now,
        expires_at__lt=now + LASTS + clock.CLOCKS_DIFFER,
    )
    found = list(ends.order_by("-expires_at").values_list("expires_at", flat=True)[:MOST_OF_ADDRESS])
    if len(found) == MOST_OF_ADDRESS:
        raise TooManyAttempts(retryAfter=ceil((found[-1] - now).total_seconds()))
