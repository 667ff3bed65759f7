"""PINs and badges, which identify a person at a station that another person signed in.

See infra/docs/rules.md#operators. A PIN is found by its hash, so it must be unique. The hash is slow and keyed by
SECRET_KEY, so that a stolen table alone does not allow trying all million PINs. An unknown PIN takes as long as a known
one. A hash made with an earlier secret is replaced when its PIN is used. A badge is a random code.
"""

import base64
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from argon2.low_level import Type, hash_secret_raw

from project.access import throttle
from project.access.models import SignInAttempt
from project.access.principal import Principal
from project.audit import services as audit
from project.core import sealing
from project.core.errors import AlreadyExists, FieldError, InvalidFields, Refusal
from project.core.requests import current_address
from project.identity.models import User
from project.identity.selectors import WORKING

PIN = r"^[0-9]{6}$"
BADGE_PREFIX = "B1"
"""Prefix of badge codes. Codes of work sheets are base 32, which has no 1, so they never begin with it."""
_STRAIGHT = "0123456789", "9876543210"
_SECRET_BYTES = 16


class PinTaken(AlreadyExists):
    """The given PIN belongs to another person. The caller must choose another PIN."""

    def __init__(self) -> None:
        Refusal.__init__(self, errors=[FieldError("pin", "pin_taken")], field="pin")


class UnknownOperator(Refusal):
    """No active, unlocked staff member has this PIN or badge. The answer does not say whether somebody else has it."""

    status = 422
    code = "unknown_operator"


@contextmanager
def attempt(by: Principal) -> Iterator[None]:
    """Count an attempt to give somebody a PIN, because `PinTaken` reveals that another person has this PIN.

    Enter this block before the transaction begins, so that a refused PIN still counts. Turns an `AlreadyExists` of the
    PIN into `PinTaken`. Raises `TooManyAttempts`.
    """
    counted = throttle.begin(f"user {by.user_id}", current_address.get(), purpose=SignInAttempt.PIN_GIVEN)
    try:
        yield
    except AlreadyExists as error:
        if error.params["field"] != "pin":
            throttle.withdraw(counted)
            raise
        if throttle.failed(counted):
            audit.record_guessing("pin", entity_id=by.user_id, label=by.full_name, by=by)
        raise PinTaken from error
    except BaseException:
        throttle.withdraw(counted)
        raise
    throttle.withdraw(counted)


def hash_of_pin(pin: str) -> str:
    """Return the hash of a PIN, after the id of the key that made it. Takes about 30 ms for any PIN."""
    return _hash(pin, *next(iter(_keys().items())))


def former_hashes(pin: str) -> list[str]:
    """Return the hash of a PIN by each fallback secret. Takes about 30 ms for each secret."""
    return [_hash(pin, key_id, key) for key_id, key in list(_keys().items())[1:]]


def _hash(pin: str, key_id: bytes, key: bytes) -> str:
    made = hash_secret_raw(
        pin.encode(), key, time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, type=Type.ID
    )
    return f"{key_id.hex()}:{made.hex()}"


def kept_by_key() -> dict[str, int]:
    """Count the PINs by the id of the key that hashed them. 1 query."""
    counted: Counter[str] = Counter()
    for hashed in User.objects.filter(pin_hash__isnull=False).values_list("pin_hash", flat=True):
        counted[str(hashed).partition(":")[0]] += 1
    return counted


def key_ids() -> list[str]:
    """Return the ids of the keys that can verify PINs; the first one hashes new PINs."""
    return [key_id.hex() for key_id in _keys()]


def hash_of_badge(code: str) -> str:
    """Hash a badge code, ignoring case and surrounding blanks, which depend on the scanner."""
    return sealing.digest_of_random(code.strip().upper())


def new_badge() -> str:
    """Return a new code of capitals and digits: dense in a QR code, and typed correctly with any keyboard layout."""
    return BADGE_PREFIX + base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode().rstrip("=")


def check_pin(pin: str) -> None:
    """Raise `InvalidFields` with code `weak_pin` for one repeated digit or a straight sequence."""
    if re.fullmatch(r"(.)\1*", pin) or any(pin in row for row in _STRAIGHT):
        raise InvalidFields.of("pin", "weak_pin")


def holder(*, pin: str | None = None, badge: str | None = None) -> User | None:
    """Return the active, unlocked staff member with this PIN or badge; None unless there is exactly one.

    1 query, and 1 more to replace the hash of a PIN if it was made with an earlier secret.
    """
    if pin is None:
        return User.objects.filter(**WORKING, badge_hash=hash_of_badge(badge or "")).first()
    hashes = [hash_of_pin(pin), *former_hashes(pin)]
    found = User.objects.filter(**WORKING, pin_hash__in=hashes)[:2]
    if len(found) != 1:  # two people may have the same PIN by different secrets: admit neither
        return None
    [user] = found
    if user.pin_hash != hashes[0]:
        User.objects.filter(pk=user.pk, pin_hash=user.pin_hash).update(pin_hash=hashes[0])
    return user


def identified(*, pin: str | None, badge: str | None, by: Principal) -> User:
    """Return the person who identifies themselves by PIN or badge in the caller's session.

    Call it outside a transaction, so that a wrong PIN stays counted. Raises `TooManyAttempts`, `UnknownOperator`, and
    `InvalidFields` unless exactly one of `pin` and `badge` is given.
    """
    if (pin is None) == (badge is None):
        raise InvalidFields.of("pin", "required")
    account = by.screen
    purpose = SignInAttempt.BADGE if pin is None else SignInAttempt.OPERATOR
    counted = throttle.begin(account.jti, f"account {account.user_id}", purpose=purpose)
    found = holder(pin=pin, badge=badge)
    if found is None:
        if throttle.failed(counted):
            kind = "badge" if pin is None else "pin"
            audit.record_guessing(kind, entity_id=account.user_id, label=account.full_name, by=account)
        raise UnknownOperator
    throttle.withdraw(counted)
    return found


def is_anothers(former: list[str], user_id: int) -> bool:
    """Return whether a person other than `user_id` has a PIN with one of these hashes (`former_hashes`)."""
    return bool(former) and User.objects.exclude(pk=user_id).filter(pin_hash__in=former).exists()


def _keys() -> sealing.Keys:
    return sealing.own_keys(b"obrador PIN")
