"""Rules of accounts: passwords, and changes that are never allowed (infra/docs/rules.md#accounts)."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from django.contrib.auth.password_validation import CommonPasswordValidator

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.errors import InvalidFields, PermissionDenied, Refusal
from project.core.folding import name_key

# One uppercase, one lowercase, one digit, one special character, 8 to 15 characters (infra/docs/rules.md#passwords).
PASSWORD = re.compile(r"(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[^A-Za-z0-9\s]).{8,15}", re.DOTALL)
LONGEST_PASSWORD = 50


class InvalidCredentials(Refusal):
    """A wrong password, or an unknown, locked or inactive user: the answer does not reveal which."""

    status = 401
    code = "invalid_credentials"


class WrongCurrentPassword(InvalidFields):
    code = "wrong_current_password"


class ConfirmationDiffers(InvalidFields):
    code = "confirmation_differs"


class WeakPassword(InvalidFields):
    code = "weak_password"


class InvalidToken(InvalidFields):
    code = "invalid_token"


class OwnAccount(Refusal):
    code = "own_account"


class AlreadyErased(Refusal):
    """The person was erased, so their account can no longer be changed."""

    code = "already_erased"


class LastAdministrator(Refusal):
    code = "last_administrator"


class LastHolder(Refusal):
    """After the change, no active user would hold `permissions` any more."""

    code = "last_holder"

    def __init__(self, permissions: Iterable[str]) -> None:
        super().__init__(permissions=sorted(permissions))


def check_name(typed: str, name: str) -> None:
    """Check the full name that is typed to confirm an erasure, ignoring case and blanks.

    Raises `InvalidFields` with code `name_differs`.
    """
    if name_key(typed) != name_key(name):
        raise InvalidFields.of("name", "name_differs", fullName=name)


type Holdings = frozenset[str]
"""The permissions of a user's roles, and for a customer's account also `OF_CUSTOMERS`."""


@cache
def _common_passwords() -> frozenset[str]:
    """Return the 20,000 most common passwords in lower case: Django's list, by Royce Williams."""
    return frozenset(CommonPasswordValidator().passwords)


def is_weak(password: str) -> bool:
    """Return whether a new password breaks the pattern `PASSWORD`, or is a common one in any case of its letters."""
    return not PASSWORD.fullmatch(password) or password.lower() in _common_passwords()


def check_new_password(password: str, field: str) -> None:
    """Raise `InvalidFields` with code `weak_password` if the password `is_weak`."""
    if is_weak(password):
        raise InvalidFields.of(field, "weak_password")


def check_identified(email: str, pin: str | None, badge: str | None, *, field: str) -> None:
    """Check that a person keeps at least one way to identify themselves.

    `pin` and `badge`: hashes; None if the person has none. `field`: the field that the caller changes. Raises
    `InvalidFields` with code `email_or_pin`.
    """
    if not (email or pin or badge):
        raise InvalidFields.of(field, "email_or_pin")


def check_grant(by: Principal, granted: Iterable[str], *, named_to: Permission = Permission.ListRoles) -> None:
    """Refuse to grant permissions that `by` does not hold. Raises `PermissionDenied`.

    The refusal names the missing permissions only to holders of `named_to`, who may read what was granted.
    """
    _check_held(by, granted, named_to=named_to)


def check_above(by: Principal, others: Iterable[Holdings]) -> None:
    """Refuse to change users who hold more than `by`. Raises `PermissionDenied`.

    The refusal names the missing permissions only to callers who may read what the other users hold.
    """
    for other in others:
        _check_held(by, other, named_to=Permission.ListUsers)


def check_taking(by: Principal, before: Mapping[int, Holdings], after: Mapping[int, Holdings]) -> None:
    """Refuse to take a permission from a user who holds more than `by`. Raises `PermissionDenied`.

    `before` and `after`: the holdings of the users with the changed role, without `by`.
    """
    check_above(by, (was for user_id, was in before.items() if was - after[user_id]))


def _check_held(by: Principal, wanted: Iterable[str], *, named_to: Permission) -> None:
    beyond = sorted(set(wanted) - by.permissions)
    if beyond:
        raise PermissionDenied(missing=beyond if by.holds(named_to) else [])
