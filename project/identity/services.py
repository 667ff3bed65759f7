"""Writes of users and roles (contract, section 2)."""

from collections.abc import Iterable
from typing import Any, Literal, TypedDict

from django.db import models, transaction

from project.access.principal import Principal
from project.audit import services as audit
from project.core.constraints import delete_unused, unique
from project.core.errors import FieldError, InvalidFields, NotFound
from project.identity import rules
from project.identity.models import Role, RolePermission, User
from project.identity.selectors import an_administrator_remains, permissions_of, role_get, user_get, users
from project.identity.sessions import announce_end
from realtime import outbox
from realtime.events import Actor, CatalogChanged, CatalogData, IdData, PermissionsChanged

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


@transaction.atomic
def user_create(*, fields: UserFields, by: Principal) -> User:
    """Create a user. Raises `InvalidFields`, `AlreadyExists`, `PermissionDenied` for a role beyond one's own."""
    _lock_rights()
    rules.check_password_pattern(fields["password"], "password")
    user = User()
    _write_user(user, fields, by)
    created = user_get(user.pk)
    _told("users", created, "created", by, before=None, after=_user_kept(created))
    return created


@transaction.atomic
def user_change(*, user_id: int, fields: UserFields, by: Principal, expected: frozenset[int] | None = None) -> User:
    """Change a user; a new password, a lock or a deactivation ends his sessions at once.

    Raises `NotFound`, `StaleVersion`, `InvalidFields`, `AlreadyExists`, `PermissionDenied`, `OwnAccount`,
    `LastAdministrator`.
    """
    _lock_rights()
    user = users().select_for_update(of=("self",)).filter(pk=user_id).first()
    if user is None:
        raise NotFound
    user.claim(expected)
    before = _user_kept(user)
    if "password" in fields:
        rules.check_password_pattern(fields["password"], "password")
    stays = fields.get("active", True) and not fields.get("locked", False)
    if user_id == by.user_id and not stays:
        raise rules.OwnAccount
    held = permissions_of(user_id)
    # A new password signs its setter in as this user, and a new e-mail receives the link that sets one: whoever
    # writes either must hold what the user holds.
    takes_over = "password" in fields or fields.get("email", user.email).lower() != user.email.lower()
    if takes_over and user_id != by.user_id:
        rules.check_grant(by.permissions, held)
    ends = "password" in fields or not stays
    if ends:
        user.end_sessions()
    _write_user(user, fields, by)
    if not an_administrator_remains():
        raise rules.LastAdministrator
    if ends:
        announce_end(user_id, by)
    elif "role_ids" in fields:
        _rights_changed([user_id], by)
    changed = user_get(user_id)
    # That there is a new password is told, never what it is.
    secret = {"password": audit.HIDDEN} if "password" in fields else {}
    _told("users", changed, "changed", by, before=before, after={**_user_kept(changed), **secret})
    return changed


@transaction.atomic
def user_delete(*, user_id: int, by: Principal) -> User:
    """Delete a user who left no trace. Returns him as he was.

    Raises `NotFound`, `OwnAccount`, `LastAdministrator`, `InUse` for somebody who has moved pieces.
    """
    _lock_rights()
    user = user_get(user_id)
    before = _user_kept(user)
    if user_id == by.user_id:
        raise rules.OwnAccount
    delete_unused(User.objects.get(pk=user_id))
    if not an_administrator_remains():
        raise rules.LastAdministrator
    announce_end(user_id, by)
    _told("users", user, "deleted", by, before=before, after=None)
    return user


@transaction.atomic
def role_create(*, fields: RoleFields, by: Principal) -> Role:
    """Create a role. Raises `AlreadyExists`, `PermissionDenied` for a permission beyond one's own."""
    _lock_rights()
    role = Role()
    _write_role(role, fields, by)
    created = role_get(role.pk)
    _told("roles", created, "created", by, before=None, after=_role_kept(created))
    return created


@transaction.atomic
def role_change(*, role_id: int, fields: RoleFields, by: Principal, expected: frozenset[int] | None = None) -> Role:
    """Change a role; its users' rights change at once.

    Raises `NotFound`, `StaleVersion`, `AlreadyExists`, `PermissionDenied`, `LastAdministrator`.
    """
    _lock_rights()
    role = Role.objects.prefetch_related("permissions").filter(pk=role_id).first()
    if role is None:
        raise NotFound
    role.claim(expected)
    before = _role_kept(role)
    _write_role(role, fields, by)
    if not an_administrator_remains():
        raise rules.LastAdministrator
    if "permissions" in fields:
        _rights_changed(role.users.values_list("pk", flat=True), by)
    changed = role_get(role_id)
    _told("roles", changed, "changed", by, before=before, after=_role_kept(changed))
    return changed


@transaction.atomic
def role_delete(*, role_id: int, by: Principal) -> Role:
    """Delete a role; whoever has it loses its permissions. Returns it as it was.

    Raises `NotFound`, `LastAdministrator`.
    """
    _lock_rights()
    role = role_get(role_id)
    before = _role_kept(role)
    holders = list(role.users.values_list("pk", flat=True))
    Role.objects.filter(pk=role_id).delete()
    if not an_administrator_remains():
        raise rules.LastAdministrator
    _rights_changed(holders, by)
    _told("roles", role, "deleted", by, before=before, after=None)
    return role


def _lock_rights() -> None:
    """Changes of rights wait for each other: two administrators cannot take each other's rights at once."""
    list(Role.objects.select_for_update().order_by("pk").values_list("pk"))


def _write_user(user: User, fields: UserFields, by: Principal) -> None:
    for name in PLAIN:
        if name in fields:
            setattr(user, name, fields[name])  # type: ignore[literal-required]
    user.email = user.email.strip()
    _refuse_unknown_customer(user)
    if "password" in fields:
        user.set_password(fields["password"])
    role_ids = fields.get("role_ids")
    roles = _known("roleIds", Role, role_ids)
    processes = _known("productionProcessIds", _process_model(), fields.get("production_process_ids"))
    if role_ids is not None:
        before = set(user.roles.values_list("pk", flat=True)) if user.pk else set()
        added = set(role_ids) - before
        granted = RolePermission.objects.filter(role__in=added).values_list("action", flat=True)
        rules.check_grant(by.permissions, granted)
    with unique(EMAIL_ONCE):
        user.save()
    if roles is not None:
        user.roles.set(roles)
    if processes is not None:
        user.production_processes.set(processes)


def _refuse_unknown_customer(user: User) -> None:
    customers = User._meta.get_field("customer").related_model
    if user.customer_id is not None and not customers._default_manager.filter(pk=user.customer_id).exists():
        raise InvalidFields.of("customerId", "unknown")


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
        rules.check_grant(by.permissions, wanted - before)
        role.permissions.filter(action__in=before - wanted).delete()
        RolePermission.objects.bulk_create(
            RolePermission(role=role, action=action) for action in sorted(wanted - before)
        )


def _rights_changed(user_ids: Iterable[int], by: Principal) -> None:
    for user_id in user_ids:
        outbox.record(PermissionsChanged(data=IdData(id=user_id)), by=Actor.of(by), to_user=user_id)


def _user_kept(user: User) -> audit.Snapshot:
    return audit.snapshot(
        user,
        role_ids=sorted(role.pk for role in user.roles.all()),
        production_process_ids=sorted(process.pk for process in user.production_processes.all()),
    )


def _role_kept(role: Role) -> audit.Snapshot:
    return audit.snapshot(role, permissions=sorted(permission.action for permission in role.permissions.all()))


def _told(
    catalog: Literal["users", "roles"],
    row: User | Role,
    change: Literal["created", "changed", "deleted"],
    by: Principal,
    *,
    before: audit.Snapshot | None,
    after: audit.Snapshot | None,
) -> None:
    """Write the change into the audit and tell every screen that shows the list."""
    audit.record(entity=catalog, entity_id=row.pk, label=str(row), action=change, before=before, after=after, by=by)
    outbox.record(CatalogChanged(data=CatalogData(id=row.pk, catalog=catalog, change=change)), by=Actor.of(by))
