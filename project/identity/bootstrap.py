"""Create an administrator from the command line, for example the first one, when nobody can grant permissions yet."""

from django.contrib.auth.hashers import make_password
from django.db import transaction

from project.access.permissions import ALL
from project.audit.services import HIDDEN
from project.events import record_and_publish
from project.identity import auditing, rights
from project.identity.models import Role, RolePermission, User, UserType
from project.identity.selectors import role_get, user_get
from project.identity.sessions import announce_end

ADMINISTRATORS = "Administrador"


class NotStaff(Exception):
    """The e-mail belongs to an account that is not of staff, so this account cannot become an administrator."""


def administrator_ensure(*, email: str, password: str, first_name: str, last_name: str = "") -> User:
    """Ensure that an active, unlocked account has this e-mail, this password, and a role that holds every permission.

    The sessions of an existing account end. An existing account keeps its name.
    """
    hashed = make_password(password)
    with transaction.atomic():
        role = _role_ensure()
        found = User.objects.of_email(email)
        if found and found.user_type != UserType.INTERNAL:
            raise NotStaff
        before = auditing.user_snapshot(user_get(found.pk)) if found else None
        user = found or User(email=email, first_name=first_name, last_name=last_name)
        if found:
            user.end_sessions()
            user.claim(None)
            announce_end(user.pk, None)
        user.active, user.locked = True, False
        user.password = hashed
        user.save()
        user.roles.add(role)
        kept = user_get(user.pk)
        after = {**auditing.user_snapshot(kept), "password": HIDDEN}
        record_and_publish("users", kept, "changed" if found else "created", None, before=before, after=after)
        return user


def _role_ensure() -> Role:
    """Ensure that the administrators' role exists and holds every permission.

    If the role lacked permissions, its users receive `permissions.changed`.
    """
    role, made = Role.objects.get_or_create(name__name_key=ADMINISTRATORS, defaults={"name": ADMINISTRATORS})
    before = auditing.role_snapshot(role)
    missing = ALL - set(role.permissions.values_list("action", flat=True))
    if missing:
        with rights.publish_changed_rights(role.users.values_list("pk", flat=True), None):
            RolePermission.objects.bulk_create(RolePermission(role=role, action=one) for one in sorted(missing))
        kept = role_get(role.pk)
        record_and_publish(
            "roles",
            kept,
            "created" if made else "changed",
            None,
            before=None if made else before,
            after=auditing.role_snapshot(kept),
        )
    return role
