"""Audit snapshots of users and roles."""

from project.audit import services as audit
from project.audit.services import Snapshot
from project.identity.models import Role, User


def user_snapshot(row: User) -> Snapshot:
    """Return a user with their roles, without the columns that the audit leaves out."""
    return audit.snapshot(row, role_ids=sorted(role.pk for role in row.roles.all()))


def role_snapshot(row: Role) -> Snapshot:
    """Return a role with its permissions."""
    return audit.snapshot(row, permissions=sorted(permission.action for permission in row.permissions.all()))
