"""Bodies and answers of service accounts and webhooks."""

from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from project.access.permissions import OF_SERVICES, Permission
from project.core.pagination import ListQuery
from project.core.schemas import Day, Flag, Id, In, Instant, InstantIn, Name, Out, changes
from project.sending.loop import Failure


def _for_services(action: Permission) -> Permission:
    if action not in OF_SERVICES:
        raise PydanticCustomError("not_a_choice", "a permission that a service account may have")
    return action


class ServiceAccountQuery(ListQuery):
    """The parameters of the list of service accounts. `active=false`: only revoked accounts."""

    active: bool | None = None


class ServiceAccountIn(In):
    """A service account: the name of another program, its permissions, and the processes through which it may move
    pieces."""

    name: Name
    permissions: list[Annotated[Permission, AfterValidator(_for_services)]] = []
    production_process_ids: Annotated[list[Id], Field(max_length=200)] = []


class ServiceAccountChange(changes(ServiceAccountIn)):  # type: ignore[misc]
    """A change of a service account; omitted fields keep their values."""


class ServiceAccountOut(Out):
    """A service account. `userId`: the user recorded as the author of its changes.

    `hasToken`: false before the first token is made and after it is revoked. `expiresAt`: the expiry of the last token.
    """

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
    """A token to make. `expiresOn`: the last day on which it is valid."""

    expires_on: Day


class ServiceTokenOut(Out):
    """A token, which is never shown again. `id` and `version` are its account's."""

    id: int
    version: int
    token: str


class WebhookQuery(ListQuery):
    """The parameters of the list of webhooks. `active`: only active or only inactive ones."""

    active: bool | None = None


class WebhookIn(In):
    """A webhook: events of `types` are sent to `url`, as far as the service account `accountId` may read them.

    `url`: an https address outside private networks.
    """

    name: Name
    url: Annotated[str, Field(max_length=2_000)]
    types: Annotated[list[Annotated[str, Field(max_length=40)]], Field(min_length=1, max_length=60)]
    account_id: Id
    active: Flag = True


class WebhookChange(changes(WebhookIn)):  # type: ignore[misc]
    """A change of a webhook; omitted fields keep their values. `active` true resumes a stopped webhook."""


class WebhookOut(Out):
    """A webhook. Nothing is sent while it has no secret (`hasSecret`), is inactive, or its account is revoked
    (`accountActive` is false).

    `failingSince`: the time since which nothing has arrived. `nextAt`: the next attempt. `stoppedAt`: when it was made
    inactive because nothing arrived. `lastDeliveredAt`: null if no delivery arrived that is still stored. `givenUp`:
    the number of events that are never sent, because they waited longer than events are kept; the last ones were given
    up at `givenUpAt`.
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
    """A secret, which is never shown again. `id` and `version` are its webhook's."""

    id: int
    version: int
    secret: str


class DeliveryQuery(ListQuery):
    """The parameters of a webhook's deliveries. `delivered=false`: only those that have not arrived."""

    delivered: bool | None = None


class WebhookDeliveryOut(Out):
    """A message and its last attempt. The payload is not shown: its account may read it, but the caller perhaps not.

    `status`: the answer's status, null without an answer. `answer`: the answer's first bytes, or the error's text.
    `failure`: the reason why no answer came.
    """

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
    """The deliveries to send again. Send either `deliveryId`, or `since` for all since an instant."""

    delivery_id: Id | None = None
    since: InstantIn | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.delivery_id is None) == (self.since is None):
            raise PydanticCustomError("required", "deliveryId or since")
        return self
