"""Writes of users and roles (contract, section 2)."""

from typing import Any, TypedDict

from django.db import models

from project.access.permissions import OF_CUSTOMERS, P
from project.access.principal import Principal
from project.audit import services as audit
from project.core.constraints import delete_unused, unique
from project.core.errors import FieldError, InvalidFields, NotFound, PermissionDenied
from project.core.idempotency import unit_of_work
from project.core.versions import Unchanged, changed_or_as_it_is
from project.identity import auditing, rights, rules
from project.identity.models import Role, RolePermission, User, UserType
from project.identity.selectors import an_administrator_remains, holdings, processes_of, role_get, user_get, users
from project.identity.sessions import announce_end

EMAIL_ONCE = {"user_email_once": "email"}
ROLE_ONCE = {"role_name_once": "name"}


class UserFields(TypedDict, total=False):
    """The writable fields of a user; on changing, those left out keep their values."""

    email: str
    first_name: str
    last_name: str
    second_last_name: str
    user_type: str
    customer_id: int | None
    active: bool
    locked: bool
    language: str
    password: str
    role_ids: list[int]
    production_process_ids: list[int]


class RoleFields(TypedDict, total=False):
    """The writable fields of a role."""

    name: str
    description: str
    permissions: list[str]


PLAIN = (
    "email",
    "first_name",
    "last_name",
    "second_last_name",
    "user_type",
    "customer_id",
    "active",
    "locked",
    "language",
)


@unit_of_work
def user_create(*, fields: UserFields, by: Principal) -> User:
    """Create a user. Raises `InvalidFields`, `AlreadyExists`, `PermissionDenied` for a role beyond one's own, or a
    process that is not the caller's to give."""
    by = rights.take_turn(by)
    rules.check_password_pattern(fields["password"], "password")
    user = User()
    _write_user(user, fields, by)
    created = user_get(user.pk)
    auditing.record_and_publish("users", created, "created", by, before=None, after=auditing.user_snapshot(created))
    return created


@unit_of_work
def user_change(*, user_id: int, fields: UserFields, by: Principal, expected: frozenset[int] | None = None) -> User:
    """Change a user; a new password, a lock or a deactivation ends his sessions at once.

    Nobody changes anything of a user who holds more than himself. Raises `NotFound`, `StaleVersion`, `InvalidFields`,
    `AlreadyExists`, `PermissionDenied`, `OwnAccount`, `LastAdministrator`, `LastHolder`.
    """
    by = rights.take_turn(by)
    return changed_or_as_it_is(lambda: _change_user(user_id, fields, by, expected), lambda: user_get(user_id))


@unit_of_work
def language_change(*, user_id: int, language: str, by: Principal) -> User:
    """Set one's own language: of the first screen, of mails and of what is printed. Raises `PermissionDenied`."""
    if user_id != by.user_id:
        raise PermissionDenied
    user = users().select_for_update(of=("self",)).get(pk=user_id)
    if user.language != language:
        before = auditing.user_snapshot(user)
        user.claim(None)
        user.language = language
        user.save(update_fields=["language", "version"])
        auditing.record_and_publish("users", user, "changed", by, before=before, after=auditing.user_snapshot(user))
    return user


@unit_of_work
def user_delete(*, user_id: int, by: Principal) -> User:
    """Delete a user who left no trace. Returns him as he was.

    Raises `NotFound`, `OwnAccount`, `LastAdministrator`, `LastHolder`, `PermissionDenied`, and `InUse` for somebody who
    has moved pieces.
    """
    by = rights.take_turn(by)
    user = user_get(user_id)
    before = auditing.user_snapshot(user)
    if user_id == by.user_id:
        raise rules.OwnAccount
    _check_above(user_id, by)  # before it is looked up what the account is used for
    with rights.nobody_above_touched(user_id, by):
        delete_unused(User.objects.get(pk=user_id))
    announce_end(user_id, by)
    auditing.record_and_publish("users", user, "deleted", by, before=before, after=None)
    return user


@unit_of_work
def role_create(*, fields: RoleFields, by: Principal) -> Role:
    """Create a role. Raises `AlreadyExists`, `PermissionDenied` for a permission beyond one's own."""
    by = rights.take_turn(by)
    role = Role()
    _write_role(role, fields, by)
    created = role_get(role.pk)
    auditing.record_and_publish("roles", created, "created", by, before=None, after=auditing.role_snapshot(created))
    return created


@unit_of_work
def role_change(*, role_id: int, fields: RoleFields, by: Principal, expected: frozenset[int] | None = None) -> Role:
    """Change a role; its users' rights change at once.

    Raises `NotFound`, `StaleVersion`, `AlreadyExists`, `PermissionDenied`, `LastAdministrator`, `LastHolder`.
    """
    by = rights.take_turn(by)
    return changed_or_as_it_is(lambda: _change_role(role_id, fields, by, expected), lambda: role_get(role_id))


@unit_of_work
def role_delete(*, role_id: int, by: Principal) -> Role:
    """Delete a role; whoever has it loses its permissions. Returns it as it was.

    Raises `NotFound`, `LastAdministrator`, `LastHolder`, `PermissionDenied`.
    """
    by = rights.take_turn(by)
    role = role_get(role_id)
    holders = _holders(role)
    before = {**auditing.role_snapshot(role), "userIds": holders}
    held = _held(role)
    with rights.nobody_robbed(holders, by, role=held), rights.told_to_whom_they_concern(holders, by):
        Role.objects.filter(pk=role_id).delete()
    auditing.record_and_publish("roles", role, "deleted", by, before=before, after=None)
    return role


def _change_user(user_id: int, fields: UserFields, by: Principal, expected: frozenset[int] | None) -> User:
    """As `user_change`, whose turn it is. Raises `Unchanged`."""
    user = users().select_for_update(of=("self",)).filter(pk=user_id).first()
    if user is None:
        raise NotFound
    user.claim(expected)
    before = auditing.user_snapshot(user)
    if "password" in fields:
        rules.check_password_pattern(fields["password"], "password")
    stays = fields.get("active", True) and not fields.get("locked", False)
    if user_id == by.user_id and not stays:
        raise rules.OwnAccount
    ends = "password" in fields or not stays
    if ends:
        user.end_sessions()
    with rights.nobody_above_touched(user_id, by), rights.told_to_whom_they_concern([] if ends else [user_id], by):
        _write_user(user, fields, by)
    changed = user_get(user_id)
    # That there is a new password is told, never what it is.
    secret = {"password": audit.HIDDEN} if "password" in fields else {}
    after = {**auditing.user_snapshot(changed), **secret}
    if after == before:
        raise Unchanged
    if ends:
        announce_end(user_id, by)
    auditing.record_and_publish("users", changed, "changed", by, before=before, after=after)
    return changed


def _change_role(role_id: int, fields: RoleFields, by: Principal, expected: frozenset[int] | None) -> Role:
    """As `role_change`, whose turn it is. Raises `Unchanged`."""
    role = Role.objects.prefetch_related("permissions").filter(pk=role_id).first()
    if role is None:
        raise NotFound
    role.claim(expected)
    before = auditing.role_snapshot(role)
    held = _held(role)
    taken = held - set(fields.get("permissions", held))
    concerned = _holders(role) if "permissions" in fields else []
    robs = rights.nobody_robbed(concerned, by, role=held if taken else frozenset())
    with robs, rights.told_to_whom_they_concern(concerned, by):
        _write_role(role, fields, by)
    changed = role_get(role_id)
    after = auditing.role_snapshot(changed)
    if after == before:
        raise Unchanged
    auditing.record_and_publish("roles", changed, "changed", by, before=before, after=after)
    return changed


def _holders(role: Role) -> list[int]:
    return sorted(role.users.values_list("pk", flat=True))


def _held(role: Role) -> frozenset[str]:
    return frozenset(permission.action for permission in role.permissions.all())


def _write_user(user: User, fields: UserFields, by: Principal) -> None:
    kind = (user.user_type, user.customer_id)
    for name in PLAIN:
        if name in fields:
            setattr(user, name, fields[name])  # type: ignore[literal-required]
    user.email = user.email.strip()
    _settle_customer(user, named="customer_id" in fields)
    if (user.user_type, user.customer_id) != kind:
        rules.check_grant(by, _given_by_kind(user), told_to=P.ListUsers)
    if "password" in fields:
        user.set_password(fields["password"])
    role_ids = fields.get("role_ids")
    roles = _known("roleIds", Role, role_ids)
    processes = _known("productionProcessIds", _process_model(), fields.get("production_process_ids"))
    if role_ids is not None:
        before = set(user.roles.values_list("pk", flat=True)) if user.pk else set()
        added = set(role_ids) - before
        granted = RolePermission.objects.filter(role__in=added).values_list("action", flat=True)
        rules.check_grant(by, granted)
    if processes is not None:
        before = set(user.production_processes.values_list("pk", flat=True)) if user.pk else set()
        rules.check_processes(by, given={process.pk for process in processes} - before, own=processes_of(by.user_id))
    with unique(EMAIL_ONCE):
        user.save()
    if roles is not None:
        user.roles.set(roles)
    if processes is not None:
        user.production_processes.set(processes)


def _check_above(user_id: int, by: Principal) -> None:
    """Raises `LastAdministrator`, `PermissionDenied` for a user who holds more than `by`."""
    try:
        rules.check_above(by, holdings({user_id} - {by.user_id}).values())
    except PermissionDenied:
        if not an_administrator_remains(beside=user_id):
            raise rules.LastAdministrator from None
        raise


def _given_by_kind(user: User) -> frozenset[str]:
    """What the kind of account lets the user do: a customer's account its customer's, one of the staff what its roles
    hold, which counted for nothing before."""
    if user.user_type != UserType.CUSTOMER:
        return frozenset(RolePermission.objects.filter(role__users=user.pk).values_list("action", flat=True))
    return OF_CUSTOMERS if user.customer_id is not None else frozenset()


def _settle_customer(user: User, *, named: bool) -> None:
    """Only an account of a customer's belongs to a customer; one that becomes staff's leaves it. Raises
    `InvalidFields`."""
    customers = User._meta.get_field("customer").related_model
    if user.customer_id is not None and not customers._default_manager.filter(pk=user.customer_id).exists():
        raise InvalidFields.of("customerId", "unknown")
    if user.customer_id is not None and user.user_type != UserType.CUSTOMER:
        if named:
            raise InvalidFields.of("customerId", "customers_only")
        user.customer_id = None


def _process_model() -> type[models.Model]:
    model: Any = User._meta.get_field("production_processes").related_model
    return model


def _known(field: str, model: type[models.Model], ids: list[int] | None) -> list[Any] | None:
    """The rows with these ids; None where none were given. Raises `InvalidFields` with code `unknown`."""
    if ids is None:
        return None
    rows = list(model._default_manager.filter(pk__in=ids))
    known = {row.pk for row in rows}
    errors = [FieldError(f"{field}.{index}", "unknown") for index, one in enumerate(ids) if one not in known]
    if errors:
        raise InvalidFields(errors=errors)
    return rows


def _write_role(role: Role, fields: RoleFields, by: Principal) -> None:
    role.name = fields.get("name", role.name)
    role.description = fields.get("description", role.description)
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
