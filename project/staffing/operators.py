"""Sets the PIN and the badge that identify a user at stations (infra/docs/rules.md#operators).

Only their hashes are stored, so nobody can read them again.
"""

from typing import Literal

from project.access import operators
from project.access.principal import Principal
from project.audit import services as audit
from project.core.constraints import unique
from project.core.errors import AlreadyExists, InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.versions import Unchanged, changed_or_as_it_is
from project.events import record_and_publish
from project.identity import pins, rights, rules
from project.identity.models import User, UserType
from project.identity.services import PIN_ONCE
from project.staffing import selectors
from project.staffing.services import user_snapshot


def pin_change(*, user_id: int, pin: str | None, by: Principal, expected: frozenset[int] | None = None) -> User:
    """Set or remove a user's PIN, and end their operator tokens.

    Raises `NotFound`, `StaleVersion`, `PinTaken`, `TooManyAttempts`, `AlreadyErased`, `InvalidFields` with code
    `weak_pin`, `staff_only` or `email_or_pin`, and `PermissionDenied` for a user who holds permissions that the caller
    lacks.
    """
    if pin is None:
        return _change_pin(user_id, None, [], by, expected)
    pins.check_pin(pin)
    with pins.attempt(by):
        return _change_pin(user_id, pins.hash_of_pin(pin), pins.former_hashes(pin), by, expected)


@unit_of_work
def _change_pin(
    user_id: int, hashed: str | None, former: list[str], by: Principal, expected: frozenset[int] | None
) -> User:
    user = _change(user_id, "pin", hashed, by, expected)
    if pins.is_anothers(former, user_id):
        raise AlreadyExists("pin")
    return user


@unit_of_work
def badge_make(*, user_id: int, by: Principal, expected: frozenset[int] | None = None) -> tuple[User, str]:
    """Make a new badge for a user; the old badge stops working. Returns the user and the badge's code.

    Raises `NotFound`, `StaleVersion`, `AlreadyErased`, `PermissionDenied`, and `InvalidFields` with code `staff_only`.
    """
    code = pins.new_badge()
    return _change(user_id, "badge", pins.hash_of_badge(code), by, expected), code


@unit_of_work
def badge_revoke(*, user_id: int, by: Principal, expected: frozenset[int] | None = None) -> User:
    """Revoke a user's badge.

    Raises `NotFound` (also if the user has no badge), `StaleVersion`, `AlreadyErased`, `PermissionDenied`, and
    `InvalidFields` with code `email_or_pin`.
    """
    return _change(user_id, "badge", None, by, expected)


def _change(
    user_id: int, kind: Literal["pin", "badge"], hashed: str | None, by: Principal, expected: frozenset[int] | None
) -> User:
    by = rights.take_turn(by)

    def change() -> User:
        return _changed(user_id, kind, hashed, by, expected)

    return changed_or_as_it_is(change, lambda: selectors.user_get(user_id))


def _changed(
    user_id: int, kind: Literal["pin", "badge"], hashed: str | None, by: Principal, expected: frozenset[int] | None
) -> User:
    """Store the hash of a PIN or badge, and audit and publish the change. The caller has called `rights.take_turn`.

    Raises `Unchanged` if the PIN stays the same, and `NotFound` also if there is no badge to revoke.
    """
    user = selectors.users().select_for_update(of=("self",)).filter(pk=user_id).first()
    if user is None:
        raise NotFound
    before = user_snapshot(user)
    with rights.checked_user_change(user_id, by):
        user.claim(expected)
        if user.erased_at:
            raise rules.AlreadyErased
        if hashed and user.user_type == UserType.CUSTOMER:
            raise InvalidFields.of(kind, "staff_only")
        had = getattr(user, f"{kind}_hash")
        setattr(user, f"{kind}_hash", hashed)
        if had != hashed:
            rules.check_identified(user.email, user.pin_hash, user.badge_hash, field=kind)
        with unique(PIN_ONCE):
            user.save(update_fields=[f"{kind}_hash", "version"])
    if had == hashed:
        raise Unchanged if kind == "pin" else NotFound
    operators.end_for(user_id)
    # The audit records that the PIN or badge changed, never its value.
    secret: dict[str, str] = {kind: audit.HIDDEN} if hashed else {}
    after = {**user_snapshot(user), **secret}
    record_and_publish("users", user, "changed", by, before=before, after=after)
    return user
