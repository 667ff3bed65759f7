"""What the audit keeps of users and roles."""

from project.audit import services as audit
from project.audit.services import Snapshot
from project.identity.models import Role, User


def user_snapshot(row: User) -> Snapshot:
    """A user with his roles, as far as they may be written down."""
    return audit.snapshot(row, role_ids=sorted(role.pk for role in row.roles.all()))


def role_snapshot(row: Role) -> Snapshot:
    """A role with its permissions."""
    return audit.snapshot(row, permissions=sorted(permission.action for permission in row.permissions.all()))
