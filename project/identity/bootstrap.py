"""The first administrator, whom nobody could have granted his rights."""

from django.db import transaction

from project.access.table import ALL
from project.identity.models import Role, RolePermission, User
from project.identity.sessions import announce_end

ADMINISTRATORS = "Administrador"


@transaction.atomic
def administrator_ensure(*, email: str, password: str, first_name: str, last_name: str = "") -> User:
    """An active, unlocked account with this password whose role holds every permission; made or mended."""
    role, _ = Role.objects.get_or_create(name=ADMINISTRATORS)
    held = set(role.permissions.values_list("action", flat=True))
    RolePermission.objects.bulk_create(RolePermission(role=role, action=action) for action in ALL - held)
    user = User.objects.filter(email__iexact=email).first()
    if user is None:
        user = User(email=email, first_name=first_name, last_name=last_name)
    else:
        user.end_sessions()
        announce_end(user.pk, None)
    user.active, user.locked = True, False
    user.set_password(password)
    user.save()
    user.roles.add(role)
    return user
