"""PINs and badges: what names a person at a station that somebody else signed in (contract, section 8).

A PIN is found by its hash, which is slow and keyed by SECRET_KEY: no two people have the same, and whoever reads the
table alone cannot try the million that there are. It takes as long for a PIN that nobody has. A badge is random.
"""

import base64
import re
import secrets
from functools import lru_cache

from argon2.low_level import Type, hash_secret_raw
from django.conf import settings

from project.core import sealing
from project.core.errors import InvalidFields
from project.identity.models import User
from project.identity.selectors import WORKING

PIN = r"^[0-9]{6}$"
BADGE_PREFIX = "B1"
"""No other code that a station reads begins with it: those of sheets are base 32, which has no 1."""
_STRAIGHT = "0123456789", "9876543210"
_SECRET_BYTES = 16


def hash_of_pin(pin: str) -> str:
    """About 30 ms, whatever the PIN. Another SECRET_KEY makes all PINs anew."""
    key = _key(settings.SECRET_KEY)
    return hash_secret_raw(
        pin.encode(), key, time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, type=Type.ID
    ).hex()


def hash_of_badge(code: str) -> str:
    """Whatever a scanner makes of the code's case, and of blanks around it."""
    return sealing.digest_of_random(code.strip().upper())


def new_badge() -> str:
    """In capitals and digits alone: a QR packs them densely, and a scanner types them on any keyboard."""
    return BADGE_PREFIX + base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode().rstrip("=")


def check_pin(pin: str) -> None:
    """Raises `InvalidFields` with code `weak_pin` for what is tried first: one digit six times, or a straight row."""
    if re.fullmatch(r"(.)\1*", pin) or any(pin in row for row in _STRAIGHT):
        raise InvalidFields.of("pin", "weak_pin")


def holder(*, pin: str | None = None, badge: str | None = None) -> User | None:
    """Whose PIN or badge it is, if he may sign in. 1 query."""
    found = {"pin_hash": hash_of_pin(pin)} if pin is not None else {"badge_hash": hash_of_badge(badge or "")}
    return User.objects.filter(**WORKING, **found).first()


@lru_cache(maxsize=2)
def _key(secret: str) -> bytes:
    return sealing.key_for(b"obrador PIN", secret)
