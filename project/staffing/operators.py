"""Sets the PIN and the badge that identify a user at stations (infra/docs/rules.md#operators).

Only their hashes are stored, so nobody can read them again.
"""

from typing import Literal

from project.access import operators, throttle
from project.access.models import SignInAttempt
from project.access.principal import Principal
from project.audit import services as audit
from project.core.constraints import unique
from project.core.errors import AlreadyExists, InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.requests import current_address
from project.core.versions import Unchanged, changed_or_as_it_is
from project.events import record_and_publish
from project.identity import pins, rights
from project.identity.models import User, UserType
from project.identity.rules import AlreadyErased
from project.staffing import selectors
from project.staffing.services import user_snapshot

PIN_ONCE = {"pin_hash": "pin"}


def pin_change(*, user_id: int, pin: str | None, by: Principal, expected: frozenset[int] | None = None) -> User:
    """Set or remove a user's PIN, and end their operator tokens.

    `AlreadyExists` reveals that somebody has the PIN, so attempts are limited. They are counted outside the
    transaction, so that a refused PIN still counts.

    Raises `NotFound`, `StaleVersion`, `AlreadyExists`, `TooManyAttempts`, `AlreadyErased`, `InvalidFields` with code
    `weak_pin` or `staff_only`, and `PermissionDenied` for a user who holds permissions that the caller lacks.
    """
    if pin is None:
        return _change_pin(user_id, None, [], by, expected)
    pins.check_pin(pin)
    attempt = throttle.begin(f"user {by.user_id}", current_address.get(), purpose=SignInAttempt.PIN_GIVEN)
    try:
        user = _change_pin(user_id, pins.hash_of_pin(pin), pins.former_hashes(pin), by, expected)
    except AlreadyExists:
        if throttle.failed(attempt):
            audit.record_guessing("pin", entity_id=by.user_id, label=by.full_name, by=by)
        raise
    except BaseException:
        throttle.withdraw(attempt)
        raise
    throttle.withdraw(attempt)
    return user


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
    """Revoke a user's badge. Raises as `badge_make`, and `NotFound` if the user has no badge."""
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
    """Write the change of `_change`, after `rights.take_turn`. Raises also `Unchanged`, for the same PIN."""
    user = selectors.users().select_for_update(of=("self",)).filter(pk=user_id).first()
    if user is None:
        raise NotFound
    before = user_snapshot(user)
    with rights.checked_user_change(user_id, by):
        user.claim(expected)
        if user.erased_at:
            raise AlreadyErased
        if hashed and user.user_type == UserType.CUSTOMER:
            raise InvalidFields.of(kind, "staff_only")
        had = getattr(user, f"{kind}_hash")
        setattr(user, f"{kind}_hash", hashed)
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
