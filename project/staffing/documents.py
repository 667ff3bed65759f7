"""Builds the answers and the export columns of users."""

from collections.abc import Sequence

from project.core.exporting import Column
from project.core.texts import text
from project.identity.models import User
from project.staffing import schemas

USER_COLUMNS: Sequence[Column[User]] = (
    Column("fullName", lambda row: row.full_name),
    Column("email", lambda row: row.email),
    Column("roles", lambda row: ", ".join(sorted(role.name for role in row.roles.all()))),
    Column("userType", lambda row: text(f"user_{row.user_type}")),
    Column("active", lambda row: row.active),
    Column("locked", lambda row: row.locked),
    Column("hasPin", lambda row: row.pin_hash is not None),
    Column("hasBadge", lambda row: row.badge_hash is not None),
)


def user(row: User) -> schemas.UserOut:
    return schemas.UserOut(
        id=row.pk,
        email=row.email or None,
        first_name=row.first_name,
        last_name=row.last_name,
        second_last_name=row.second_last_name,
        full_name=row.full_name,
        role_ids=sorted(role.pk for role in row.roles.all()),
        user_type=row.user_type,
        customer_id=row.customer_id,  # type: ignore[attr-defined]
        active=row.active,
        locked=row.locked,
        language=row.language,
        production_process_ids=sorted(one.process_id for one in row.workplaces.all()),
        has_pin=row.pin_hash is not None,
        has_badge=row.badge_hash is not None,
        erased=row.erased_at is not None,
        version=row.version,
    )
