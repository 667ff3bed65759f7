"""Bodies and answers of service accounts and webhooks."""

from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from project.access.permissions import OF_SERVICES, Permission
from project.core.pagination import ListQuery
from project.core.schemas import Day, Flag, Id, In, Instant, InstantIn, Name, Out, changes
from project.integrations.sending import Failure


def _for_services(action: Permission) -> Permission:
    if action not in OF_SERVICES:
        raise PydanticCustomError("not_a_choice", "a permission that a service account may have")
    return action


class ServiceAccountQuery(ListQuery):
    """`active=false`: those that were revoked."""

    active: bool | None = None


class ServiceAccountIn(In):
    """What another program is called and may do; the processes through which it may move pieces."""

    name: Name
    permissions: list[Annotated[Permission, AfterValidator(_for_services)]] = []
    production_process_ids: Annotated[list[Id], Field(max_length=200)] = []


class ServiceAccountChange(changes(ServiceAccountIn)):  # type: ignore[misc]
    """A service account's PUT."""


class ServiceAccountOut(Out):
    """`userId` is whose what it does is. `hasToken` is false before the first token is made, and once it is revoked;
    `expiresAt` is when the last one ends or ended."""

    id: int
    user_id: int
    name: str
    permissions: list[Permission]
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


class WebhookQuery(ListQuery):
    """Filters of the list of webhooks."""

    active: bool | None = None


class WebhookIn(In):
    """Where events of these types are sent, as far as the service account `accountId` may read them. `url` is an
    address by https that leads into no private network."""

    name: Name
    url: Annotated[str, Field(max_length=2_000)]
    types: Annotated[list[Annotated[str, Field(max_length=40)]], Field(min_length=1, max_length=60)]
    account_id: Id
    active: Flag = True


class WebhookChange(changes(WebhookIn)):  # type: ignore[misc]
    """A webhook's PUT; `active` true lets one go on that was stopped."""


class WebhookOut(Out):
    """`hasSecret` is false before the first one is made: until then nothing is sent. Since `failingSince` nothing has
    arrived, and `nextAt` is when it is tried again; `stoppedAt` is when it was made inactive for that. Nothing is sent
    where its account was revoked (`accountActive`). `lastDeliveredAt` is as old as deliveries are kept, else null.

    `givenUp` events are never sent, because they waited for longer than they are kept; the last ones until `givenUpAt`.
    """

    id: int
    name: str
    url: str
    types: list[str]
    account_id: int
    account_name: str
    account_active: bool
    active: bool
    has_secret: bool
    waiting: int
    last_delivered_at: Instant | None
    given_up: int
    given_up_at: Instant | None
    failing_since: Instant | None
    next_at: Instant | None
    stopped_at: Instant | None
    version: int


class WebhookSecretOut(Out):
    """A secret, shown this once; `id` and `version` are its webhook's."""

    id: int
    version: int
    secret: str


class DeliveryQuery(ListQuery):
    """`delivered=false`: what has not arrived."""

    delivered: bool | None = None


class WebhookDeliveryOut(Out):
    """A message and its last attempt: `status` is the answer's, null where none came; `answer` its first bytes, or what
    went wrong, and `failure` why none came. What it carried is not shown: its reader is the account, not whoever
    manages it."""

    id: int
    message_id: str
    type: str
    replayed: bool
    created_at: Instant
    attempts: int
    tried_at: Instant | None
    delivered_at: Instant | None
    status: int | None
    answer: str
    failure: Annotated[Failure | None, BeforeValidator(lambda code: code or None)]


class WebhookReplayIn(In):
    """One delivery, or all since an instant: exactly one of both."""

    delivery_id: Id | None = None
    since: InstantIn | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.delivery_id is None) == (self.since is None):
            raise PydanticCustomError("required", "deliveryId or since")
        return self
