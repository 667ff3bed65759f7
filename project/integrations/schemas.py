"""Bodies and answers of service accounts."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from project.access.permissions import OF_SERVICES, P
from project.core.pagination import ListQuery
from project.core.schemas import Day, Id, In, Instant, Name, Out, changes


def _for_services(action: P) -> P:
    if action not in OF_SERVICES:
        raise PydanticCustomError("not_a_choice", "a permission that a service account may have")
    return action


class ServiceAccountQuery(ListQuery):
    """`active=false`: those that were revoked."""

    active: bool | None = None


class ServiceAccountIn(In):
    """What another program is called and may do; the processes through which it may move pieces."""

    name: Name
    permissions: list[Annotated[P, AfterValidator(_for_services)]] = []
    production_process_ids: Annotated[list[Id], Field(max_length=200)] = []


class ServiceAccountChange(changes(ServiceAccountIn)):  # type: ignore[misc]
    """A service account's PUT."""


class ServiceAccountOut(Out):
    """`userId` is whose what it does is. `hasToken` is false before the first token is made, and once it is revoked;
    `expiresAt` is when the last one ends or ended."""

    id: int
    user_id: int
    name: str
    permissions: list[P]
    production_process_ids: list[int]
    active: bool
    has_token: bool
    expires_at: Instant | None
    last_seen: Instant | None
    version: int


class ServiceTokenIn(In):
    """The last day on which a token is good."""

    expires_on: Day


class ServiceTokenOut(Out):
    """A token, shown this once; `id` and `version` are its account's."""

    id: int
    version: int
    token: str
