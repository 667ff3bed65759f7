"""Reads of users with their customer and processes, and of processes with their workers.

The number of queries does not grow with the number of rows.
"""

from django.db import connection
from django.db.models import F, QuerySet

from project.access.principal import Rights
from project.catalogs import selectors as catalogs
from project.catalogs.models import ProductionProcess
from project.core.errors import NotFound
from project.identity import selectors as identity
from project.identity.models import User, UserType, joined_name
from project.staffing.models import ProcessWorker


def users(
    search: str | None = None,
    *,
    active: bool | None = None,
    locked: bool | None = None,
    user_type: str | None = None,
    role_id: int | None = None,
) -> QuerySet[User]:
    """Return users with their roles, their processes and, as `customer_id`, the customer they belong to. 3 queries."""
    found = identity.users(search, active=active, locked=locked, user_type=user_type, role_id=role_id)
    return found.annotate(customer_id=F("customer_account__customer")).prefetch_related("workplaces")


def user_get(user_id: int) -> User:
    """Return a user as `users` loads them. Raises `NotFound`."""
    found = users().filter(pk=user_id).first()
    if found is None:
        raise NotFound
    return found


def processes_of(user_id: int) -> set[int]:
    """Return the ids of the production processes in which a user works. 1 query."""
    return set(ProcessWorker.objects.filter(user=user_id).values_list("process", flat=True))


def production_processes() -> QuerySet[ProductionProcess]:
    """Return processes with their workers. 2 queries."""
    return catalogs.production_processes().prefetch_related("workers")


# Raw SQL because every request sends it: Django takes five times as long to build the query as PostgreSQL to answer.
_STANDING = """
SELECT first_name, last_name, second_last_name, token_version, user_type, customer_id, action
FROM identity_user
LEFT JOIN staffing_customeraccount ON staffing_customeraccount.user_id = identity_user.id
LEFT JOIN identity_user_roles ON identity_user_roles.user_id = identity_user.id
LEFT JOIN identity_rolepermission ON identity_rolepermission.role_id = identity_user_roles.role_id
WHERE identity_user.id = %s AND active AND NOT locked
  AND NOT EXISTS (SELECT 1 FROM access_signedouttoken WHERE jti = %s)
"""


def rights(user_id: int, *, jti: str) -> Rights | None:
    """Return the current permissions of an account. 1 query.

    None if the account is inactive, locked or unknown, or the token `jti` was signed out.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, [user_id, jti])
        rows = cursor.fetchall()
    if not rows:
        return None
    first, last, second, version, user_type, customer_id, _ = rows[0]
    return Rights(
        full_name=joined_name(first, last, second),
        token_version=version,
        permissions=frozenset(action for *_, action in rows if action),
        is_customer=user_type == UserType.CUSTOMER,
        customer_id=customer_id,
    )
