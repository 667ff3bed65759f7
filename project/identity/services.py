"""Writes of accounts and roles (infra/docs/rules.md#accounts).

`staffing` keeps more data of a user. It calls this module to write the account, and records and publishes each change
of a user.
"""

from typing import Any

from django.contrib.auth.hashers import make_password

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core import clock, erased
from project.core.constraints import delete_unused, unique
from project.core.emails import check_deliverable
from project.core.errors import FieldError, InvalidFields, NotFound, PermissionDenied
from project.core.idempotency import unit_of_work
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is
from project.events import record_and_publish
from project.identity import auditing, rights, rules
from project.identity.models import Role, RolePermission, User, UserType
from project.identity.schemas import RoleChange, RoleIn
from project.identity.selectors import an_administrator_remains, holdings, role_get
from project.identity.sessions import announce_end

EMAIL_ONCE = {"user_email_once": "email"}
PIN_ONCE = {"pin_hash": "pin"}
ROLE_ONCE = {"role_name_once": "name"}


PLAIN = (
    "first_name",
    "last_name",
    "second_last_name",
    "user_type",
    "active",
    "locked",
    "language",
)


def hash_of_password(password: str) -> str:
    """Hash the password that an administrator gives to an account.

    Takes about 100 ms, so call it before the unit of work. Raises `InvalidFields` with code `weak_password`.
    """
    rules.check_new_password(password, "password")
    return make_password(password)


def account_create(
    *, fields: dict[str, Any], password_hash: str | None, pin_hash: str | None = None, by: Principal
) -> User:
    """Create an account. Call it in a unit of work, after `rights.take_turn`.

    `fields`: the fields of a user's body. Raises `InvalidFields`, `AlreadyExists`, and `PermissionDenied` for a role
    that holds more than `by`.
    """
    user = User(pin_hash=pin_hash)
    user.set_unusable_password()
    _write_account(user, fields, password_hash, by)
    return user


def account_change(user: User, *, fields: dict[str, Any], password_hash: str | None, by: Principal) -> bool:
    """Change an account, whose row the caller has locked. Call it in a unit of work, after `rights.take_turn`.

    Returns whether the change ended the account's sessions: a new password, a lock, a deactivation or the removal of
    the e-mail ends them. `fields`: the fields that the caller sent. `password_hash`: None keeps the password. A user
    who holds more than `by` cannot be changed. Raises `InvalidFields`, `AlreadyExists`, `PermissionDenied`,
    `OwnAccount`, `AlreadyErased`, `LastAdministrator`, `LastHolder`.
    """
    if user.erased_at:
        raise rules.AlreadyErased
    keeps_email = not user.email or bool(fields.get("email", user.email))
    stays = fields.get("active", True) and not fields.get("locked", False) and keeps_email
    if user.pk == by.user_id and not stays:
        raise rules.OwnAccount
    ends = password_hash is not None or not stays
    if ends:
        user.end_sessions()
        announce_end(user.pk, by)
    with rights.checked_user_change(user.pk, by):
        _write_account(user, fields, password_hash, by)
    return ends


def account_erase(user: User, *, name: str, by: Principal) -> None:
    """Remove names, credentials and roles from an account, whose row the caller has locked, and deactivate it.

    Call it in a unit of work, after `rights.take_turn`. `name`: the full name, typed to confirm. Raises `OwnAccount`,
    `AlreadyErased`, `InvalidFields` with code `name_differs`, `LastAdministrator`, `LastHolder`, `PermissionDenied`.
    """
    if user.pk == by.user_id:
        raise rules.OwnAccount
    if user.erased_at:
        raise rules.AlreadyErased
    full_name = user.full_name
    user.claim(None)
    with rights.checked_user_change(user.pk, by):
        user.email = f"{user.pk}@erased.invalid"
        user.first_name, user.last_name, user.second_last_name = erased.name_of(user.pk), "", ""
        user.set_unusable_password()
        user.active, user.locked, user.language, user.last_login = False, True, "es", None
        user.pin_hash = user.badge_hash = None
        user.erased_at = clock.now()
        user.end_sessions()
        user.save()
        user.roles.clear()
    # Check the permissions first: the refusal `name_differs` contains the right name.
    rules.check_name(name, full_name)
    announce_end(user.pk, by)


def account_delete(user_id: int, *, by: Principal) -> None:
    """Delete an unused account. Call it in a unit of work, after `rights.take_turn`.

    Raises `OwnAccount`, `LastAdministrator`, `LastHolder`, `PermissionDenied`, and `InUse` if records refer to the
    account.
    """
    if user_id == by.user_id:
        raise rules.OwnAccount
    _check_above(user_id, by)  # before `InUse` could reveal what uses the account
    with rights.checked_user_change(user_id, by):
        delete_unused(User.objects.get(pk=user_id))
    announce_end(user_id, by)


@unit_of_work
def role_create(*, body: RoleIn, by: Principal) -> Role:
    """Create a role. Raises `AlreadyExists`, and `PermissionDenied` for a permission that `by` does not hold."""
    by = rights.take_turn(by)
    role = Role()
    _write_role(role, dict(body), by)
    created = role_get(role.pk)
    record_and_publish("roles", created, "created", by, before=None, after=auditing.role_snapshot(created))
    return created


@unit_of_work
def role_change(*, role_id: int, body: RoleChange, by: Principal, expected: frozenset[int] | None = None) -> Role:
    """Change a role. The permissions of its users change immediately.

    Raises `NotFound`, `StaleVersion`, `AlreadyExists`, `PermissionDenied`, `LastAdministrator`, `LastHolder`.
    """
    by = rights.take_turn(by)
    return changed_or_as_it_is(lambda: _change_role(role_id, given(body), by, expected), lambda: role_get(role_id))


@unit_of_work
def role_delete(*, role_id: int, by: Principal) -> Role:
    """Delete a role; its users lose the role's permissions. Returns the deleted role.

    Raises `NotFound`, `LastAdministrator`, `LastHolder`, `PermissionDenied`.
    """
    by = rights.take_turn(by)
    role = role_get(role_id)
    holders = _holders(role)
    before = {**auditing.role_snapshot(role), "userIds": holders}
    held = _held(role)
    with rights.checked_role_change(holders, by, role=held), rights.publish_changed_rights(holders, by):
        Role.objects.filter(pk=role_id).delete()
    record_and_publish("roles", role, "deleted", by, before=before, after=None)
    return role


def _change_role(role_id: int, fields: dict[str, Any], by: Principal, expected: frozenset[int] | None) -> Role:
    """Change a role after `rights.take_turn`. Raises `Unchanged`, and what `role_change` raises."""
    role = Role.objects.prefetch_related("permissions").filter(pk=role_id).first()
    if role is None:
        raise NotFound
    role.claim(expected)
    before = auditing.role_snapshot(role)
    held = _held(role)
    taken = held - set(fields.get("permissions", held))
    concerned = _holders(role) if "permissions" in fields else []
    checked = rights.checked_role_change(concerned, by, role=held if taken else frozenset())
    with checked, rights.publish_changed_rights(concerned, by):
        _write_role(role, fields, by)
    changed = role_get(role_id)
    after = auditing.role_snapshot(changed)
    if after == before:
        raise Unchanged
    record_and_publish("roles", changed, "changed", by, before=before, after=after)
    return changed


def _holders(role: Role) -> list[int]:
    return sorted(role.users.values_list("pk", flat=True))


def _held(role: Role) -> frozenset[str]:
    return frozenset(permission.action for permission in role.permissions.all())


def _write_account(user: User, fields: dict[str, Any], password_hash: str | None, by: Principal) -> None:
    kind = user.user_type
    for name in PLAIN:
        if name in fields:
            setattr(user, name, fields[name])
    former = user.email
    user.email = (fields.get("email", user.email) or "").strip()
    check_deliverable("email", user.email, former)
    if kind != user.user_type == UserType.INTERNAL:
        # As a customer's account the user did not hold the permissions of these roles, so they are granted now.
        rules.check_grant(by, _held_by_roles(user), named_to=Permission.ListUsers)
    if user.user_type == UserType.CUSTOMER:
        if fields.get("pin"):
            raise InvalidFields.of("pin", "staff_only")
        user.pin_hash = user.badge_hash = None
    if password_hash is not None:
        user.password = password_hash
    _check_identified(user, password_hash, former)
    role_ids = fields.get("role_ids")
    if role_ids is not None:
        _check_roles(user, role_ids, by)
    with unique(EMAIL_ONCE | PIN_ONCE):
        user.save()
    if role_ids is not None:
        user.roles.set(role_ids)


def _check_identified(user: User, password_hash: str | None, former: str) -> None:
    """Check that a person can sign in by their e-mail, or name themselves by PIN or badge.

    Without an e-mail the account has no password. With one it has a password, unless the company's account made it:
    `former` is the e-mail that it had before. Raises `InvalidFields` with code `required` or `email_or_pin`.
    """
    if user.email:
        if not user.has_usable_password() and not former:
            raise InvalidFields.of("password", "required")
        return
    if password_hash is not None or user.user_type != UserType.INTERNAL:
        raise InvalidFields.of("email", "required")
    rules.check_identified(user.email, user.pin_hash, user.badge_hash, field="email")
    if user.has_usable_password():
        user.set_unusable_password()


def _check_roles(user: User, role_ids: list[int], by: Principal) -> None:
    """Check new roles of a user. Raises `InvalidFields` with code `unknown`, and `PermissionDenied`.

    Only added roles are checked for permissions that `by` does not hold.
    """
    known = set(Role.objects.filter(pk__in=role_ids).values_list("pk", flat=True))
    errors = [FieldError(f"roleIds.{index}", "unknown") for index, one in enumerate(role_ids) if one not in known]
    if errors:
        raise InvalidFields(errors=errors)
    before = set(user.roles.values_list("pk", flat=True)) if user.pk else set()
    granted = RolePermission.objects.filter(role__in=known - before).values_list("action", flat=True)
    rules.check_grant(by, granted)


def _held_by_roles(user: User) -> frozenset[str]:
    return frozenset(RolePermission.objects.filter(role__users=user.pk).values_list("action", flat=True))


def _check_above(user_id: int, by: Principal) -> None:
    """Raise `PermissionDenied` if the user holds more than `by`.

    If the user is also the last administrator, raise `LastAdministrator` instead.
    """
    try:
        rules.check_above(by, holdings({user_id} - {by.user_id}).values())
    except PermissionDenied:
        if not an_administrator_remains(beside=user_id):
            raise rules.LastAdministrator from None
        raise


def _write_role(role: Role, fields: dict[str, Any], by: Principal) -> None:
    role.name = fields.get("name", role.name)
    role.description = fields.get("description", role.description)
    second_factor = fields.get("second_factor", role.second_factor)
    if second_factor != role.second_factor:
        # Or holders of few permissions could weaken the sign-in of those who hold more.
        rules.check_grant(by, _held(role) if role.pk else ())
        role.second_factor = second_factor
    with unique(ROLE_ONCE):
        role.save()
    if "permissions" in fields:
        wanted = set(fields["permissions"])
        before = set(role.permissions.values_list("action", flat=True))
        rules.check_grant(by, wanted - before)
        role.permissions.filter(action__in=before - wanted).delete()
        RolePermission.objects.bulk_create(
            RolePermission(role=role, action=action) for action in sorted(wanted - before)
        )
