"""PINs and badges: what names a person at a station that somebody else signed in (infra/docs/rules.md#operators).

A PIN is found by its hash, which is slow and keyed by SECRET_KEY: no two people have the same, and whoever reads the
table alone cannot try the million that there are. It takes as long for a PIN that nobody has. A hash of a secret before
this one is made anew when its PIN is used. A badge is random.
"""

import base64
import re
import secrets
from collections import Counter

from argon2.low_level import Type, hash_secret_raw

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
    """About 30 ms, whatever the PIN: the key's id, and the hash."""
    return _hash(pin, *next(iter(_keys().items())))


def former_hashes(pin: str) -> list[str]:
    """As each of the installation's secrets before this one makes it; about 30 ms each."""
    return [_hash(pin, key_id, key) for key_id, key in list(_keys().items())[1:]]


def _hash(pin: str, key_id: bytes, key: bytes) -> str:
    made = hash_secret_raw(
        pin.encode(), key, time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, type=Type.ID
    )
    return f"{key_id.hex()}:{made.hex()}"


def kept_by_key() -> dict[str, int]:
    """How many PINs there are by the id of the key that their hash is made with. 1 query."""
    counted: Counter[str] = Counter()
    for hashed in User.objects.filter(pin_hash__isnull=False).values_list("pin_hash", flat=True):
        counted[str(hashed).partition(":")[0]] += 1
    return counted


def key_ids() -> list[str]:
    """The ids of the keys that PINs are read with; new ones are made with the first."""
    return [key_id.hex() for key_id in _keys()]


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
    """Whose PIN or badge it is, if he may sign in. 1 query, and 1 to keep an old PIN's hash as SECRET_KEY makes it."""
    if pin is None:
        return User.objects.filter(**WORKING, badge_hash=hash_of_badge(badge or "")).first()
    hashes = [hash_of_pin(pin), *former_hashes(pin)]
    found = User.objects.filter(**WORKING, pin_hash__in=hashes)[:2]
    if len(found) != 1:  # of two who were given it by processes with different secrets, neither
        return None
    [user] = found
    if user.pin_hash != hashes[0]:
        User.objects.filter(pk=user.pk, pin_hash=user.pin_hash).update(pin_hash=hashes[0])
    return user


def is_anothers(former: list[str], user_id: int) -> bool:
    """Whether another person has this PIN since before SECRET_KEY was changed, by its `former_hashes`."""
    return bool(former) and User.objects.exclude(pk=user_id).filter(pin_hash__in=former).exists()


def _keys() -> sealing.Keys:
    return sealing.own_keys(b"obrador PIN")
