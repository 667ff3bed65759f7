"""Who is calling, with the rights held at this moment, and which rows are his to read."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db.models import Model, QuerySet


@dataclass(frozen=True)
class Standing:
    """What an account is and what its roles hold now."""

    full_name: str
    token_version: int
    permissions: frozenset[str]
    is_customer: bool
    customer_id: int | None


class Account(Protocol):
    """What a token needs to know of the user it is for; `identity.User` is one."""

    pk: int
    token_version: int


class StandingOf(Protocol):
    """What this package asks of the accounts: given once, when the process starts (`token.configure`).

    None where the account may not sign in, or the token `jti` was signed out.
    """

    def __call__(self, user_id: int, *, jti: str) -> Standing | None: ...


@dataclass(frozen=True)
class Principal:
    """A signed-in person: what the token says, checked against the database now.

    An account of type Customer (`is_customer`) reads what belongs to `customer_id` and nothing else, whatever its roles
    say; one that has no customer yet reads nothing (contract, section 8). It holds `permissions.OF_CUSTOMERS`.
    """

    user_id: int
    full_name: str
    permissions: frozenset[str]
    jti: str
    expires_at: datetime
    token_version: int
    is_customer: bool = False
    customer_id: int | None = None

    def holds(self, *actions: str) -> bool:
        """Whether at least one of `actions` is held."""
        return not self.permissions.isdisjoint(actions)


def visible_to[Row: Model](rows: QuerySet[Row], by: Principal, *, customer: str) -> QuerySet[Row]:
    """Those of `rows` that `by` may read: all for staff, for a customer's account its own by the column `customer`."""
    if not by.is_customer:
        return rows
    return rows.none() if by.customer_id is None else rows.filter(**{customer: by.customer_id})
