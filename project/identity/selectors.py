"""Queries of users, roles and permissions. The number of queries does not depend on the number of rows."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet

from project.access.permissions import ADMINISTRATOR, OF_CUSTOMERS
from project.core.errors import NotFound
from project.core.pagination import Orderings
from project.core.spanish import matching
from project.identity.models import Role, RolePermission, User, UserType
from project.identity.rules import Holdings

USER_ORDERINGS = Orderings(
    columns={
        "id": "id",
        "email": "email",
        "firstName": "first_name",
        "lastName": "last_name",
        "active": "active",
        "locked": "locked",
    },
    default="id",
)
PEOPLE = ~Q(user_type=UserType.SERVICE)
"""Accounts of people; accounts of other programs are managed in `integrations`."""
ROLE_ORDERINGS = Orderings(columns={"id": "id", "name": "name"}, default="name")


def users(
    search: str | None = None,
    *,
    active: bool | None = None,
    locked: bool | None = None,
    user_type: str | None = None,
    role_id: int | None = None,
) -> QuerySet[User]:
    """Return people with their roles; 2 queries. `search` matches e-mail and names."""
    wanted = {"active": active, "locked": locked, "user_type": user_type, "roles": role_id}
    people = User.objects.prefetch_related("roles").filter(PEOPLE)
    found = people.filter(**{name: value for name, value in wanted.items() if value is not None})
    return matching(found, search, "email", "first_name", "last_name", "second_last_name")


def roles(search: str | None = None) -> QuerySet[Role]:
    """Return roles with their permissions and their number of users; 2 queries."""
    found = Role.objects.prefetch_related("permissions").annotate(users_count=Count("users", distinct=True))
    return matching(found, search, "name", "description")


def user_get(user_id: int) -> User:
    """Return a person with their roles. Raises `NotFound`. 2 queries."""
    found = users().filter(pk=user_id).first()
    if found is None:
        raise NotFound
    return found


def language_of(user_id: int) -> str:
    """Return the language for mail to a user: `es` or `en`. 1 query."""
    return User.objects.values_list("language", flat=True).get(pk=user_id)


def role_get(role_id: int) -> Role:
    """Return a role with its permissions and its number of users. Raises `NotFound`. 2 queries."""
    found = roles().filter(pk=role_id).first()
    if found is None:
        raise NotFound
    return found


def permissions_of(user_id: int) -> frozenset[str]:
    """Return the permissions of a user: those of their roles, or `OF_CUSTOMERS` for a customer's account. 1 query.

    Raises `NotFound`.
    """
    rows = list(User.objects.filter(pk=user_id).values_list("user_type", "roles__permissions__action"))
    if not rows:
        raise NotFound
    if rows[0][0] == UserType.CUSTOMER:
        return OF_CUSTOMERS
    return frozenset(action for _, action in rows if action)


WORKING = {"active": True, "locked": False, "user_type": UserType.INTERNAL}
"""Filter for staff who may identify themselves at a station, also without an e-mail."""
SIGNING_IN = Q(active=True, locked=False, user_type=UserType.INTERNAL) & ~Q(email="")
"""Filter for staff who may sign in."""


def an_administrator_remains(*, beside: int = 0) -> bool:
    """Return whether a user other than `beside` who may sign in as staff holds all of `ADMINISTRATOR`. 1 query."""
    return (
        User.objects.filter(SIGNING_IN, roles__permissions__action__in=ADMINISTRATOR)
        .exclude(pk=beside)
        .annotate(held=Count("roles__permissions__action", distinct=True))
        .filter(held=len(ADMINISTRATOR))
        .exists()
    )


def held_by_anybody() -> frozenset[str]:
    """Return the permissions that at least one user who may sign in as staff holds. 1 query."""
    held = RolePermission.objects.filter(role__users__in=User.objects.filter(SIGNING_IN))
    return frozenset(held.values_list("action", flat=True).distinct())


def holdings(user_ids: Iterable[int]) -> dict[int, Holdings]:
    """Return the permissions that these users hold (`Holdings`), by user id. 1 query."""
    rows = User.objects.filter(pk__in=list(user_ids)).values_list("pk", "user_type", "roles__permissions__action")
    held: defaultdict[int, set[str]] = defaultdict(set)
    for pk, kind, action in rows:
        held[pk] |= {action} if action else set()
        held[pk] |= OF_CUSTOMERS if kind == UserType.CUSTOMER else set()
    return {pk: frozenset(actions) for pk, actions in held.items()}
