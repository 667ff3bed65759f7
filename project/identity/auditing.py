"""What the audit keeps of users and roles, and the event that tells their lists of a change."""

from typing import Literal

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.events import CatalogChanged, CatalogData
from project.identity.models import Role, User
from realtime import outbox
from realtime.registry import Actor


def user_snapshot(row: User) -> Snapshot:
    """A user with his roles, as far as they may be written down."""
    return audit.snapshot(row, role_ids=sorted(role.pk for role in row.roles.all()))


def role_snapshot(row: Role) -> Snapshot:
    """A role with its permissions."""
    return audit.snapshot(row, permissions=sorted(permission.action for permission in row.permissions.all()))


def record_and_publish(
    catalog: Literal["users", "roles"],
    row: User | Role,
    change: Literal["created", "changed", "deleted"],
    by: Principal | None,
    *,
    before: Snapshot | None,
    after: Snapshot | None,
) -> None:
    """Write the change into the audit and tell every screen that shows the list; `by` None: the command line."""
    audit.record(entity=catalog, entity_id=row.pk, label=str(row), action=change, before=before, after=after, by=by)
    event = CatalogChanged(data=CatalogData(id=row.pk, catalog=catalog, change=change))
    outbox.publish(event, by=Actor.of(by) if by else None)
