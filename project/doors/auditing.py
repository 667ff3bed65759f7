"""Audit rows of changes to a person's ways of signing in. They never hold a secret."""

from typing import Any

from project.audit import services as audit
from project.identity.models import User
from project.identity.sessions import Account


def record(user: User, before: dict[str, Any], after: dict[str, Any], *, by_command: bool = False) -> None:
    """Record a change of a person's ways of signing in. `by_command`: made from the command line, not by the person."""
    audit.record(
        entity="users",
        entity_id=user.pk,
        label=str(user),
        action="changed",
        before=before,
        after=after,
        by=None if by_command else Account(user.pk, user.full_name),
    )
