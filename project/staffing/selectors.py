"""Reads of people with their customer and their processes, and of processes with their people. Constant in queries."""

from django.db.models import Exists, F, QuerySet

from project.access.models import SignedOutToken
from project.access.principal import Standing
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
    """Users with their roles, their processes and, as `customer_id`, the customer they belong to; 3 queries."""
    found = identity.users(search, active=active, locked=locked, user_type=user_type, role_id=role_id)
    return found.annotate(customer_id=F("customer_account__customer")).prefetch_related("workplaces")


def user_get(user_id: int) -> User:
    """Raises `NotFound`."""
    found = users().filter(pk=user_id).first()
    if found is None:
        raise NotFound
    return found


def processes_of(user_id: int) -> set[int]:
    """The ids of the production processes in which a user works. 1 query."""
    return set(ProcessWorker.objects.filter(user=user_id).values_list("process", flat=True))


def production_processes() -> QuerySet[ProductionProcess]:
    """Processes with who works there; 2 queries."""
    return catalogs.production_processes().prefetch_related("workers")


def standing(user_id: int, *, jti: str) -> Standing | None:
    """What an account may do now; None where it may not sign in or this token was signed out. 1 query."""
    rows = list(
        User.objects.filter(pk=user_id, active=True, locked=False)
        .annotate(ended=Exists(SignedOutToken.objects.filter(jti=jti)))
        .filter(ended=False)
        .values_list(
            "first_name",
            "last_name",
            "second_last_name",
            "token_version",
            "user_type",
            "customer_account__customer",
            "roles__permissions__action",
        )
    )
    if not rows:
        return None
    first, last, second, version, user_type, customer_id, _ = rows[0]
    return Standing(
        full_name=joined_name(first, last, second),
        token_version=version,
        permissions=frozenset(action for *_, action in rows if action),
        is_customer=user_type == UserType.CUSTOMER,
        customer_id=customer_id,
    )
