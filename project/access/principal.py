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


@dataclass(frozen=True)
class DisplayStanding:
    """What a wall screen is called, and the production processes whose lanes it shows: all where none is named."""

    name: str
    lanes: frozenset[int]


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
class ServiceStanding:
    """What a service account is called, what it may do now, and until when its token is good."""

    user_id: int
    name: str
    permissions: frozenset[str]
    token_version: int
    expires_at: datetime


class Services(Protocol):
    """What this package asks of the service accounts, given as `StandingOf` is. None where the token was revoked."""

    def standing_of_token(self, token: str) -> ServiceStanding | None: ...

    def standing_of(self, user_id: int) -> ServiceStanding | None: ...


class Displays(Protocol):
    """What this package asks of the displays, given as `StandingOf` is. None where a display was revoked."""

    def standing_of_token(self, token: str) -> tuple[int, DisplayStanding] | None: ...

    def standing_of(self, display_id: int) -> DisplayStanding | None: ...


def subject_of_display(display_id: int) -> int:
    """The user id of a display in sessions, sockets and events: negative, since no user's is."""
    return -display_id


@dataclass(frozen=True)
class Station:
    """The station at which somebody named himself: whose session it is, and the time that is his there.

    `process_id` is the process that it stands at, None until he acts somewhere. `used_at` is his last use that was
    received in time, `reported_at` the latest that was reported afterwards, `report_received_at` when the first such
    report came.
    """

    account: "Principal"
    operator_id: int
    process_id: int | None
    since: datetime
    used_at: datetime
    reported_at: datetime | None = None
    report_received_at: datetime | None = None


@dataclass(frozen=True)
class Principal:
    """A signed-in person: what the token says, checked against the database now.

    An account of type Customer (`is_customer`) reads what belongs to `customer_id` and nothing else, whatever its roles
    say; one that has no customer yet reads nothing. It holds `permissions.OF_CUSTOMERS`.

    A paired wall screen (`is_display`) reads the board and nothing else: the lanes of these production processes where
    `scope` names some. Its `user_id` is `subject_of_display`, and it holds `permissions.OF_DISPLAYS`.

    A service account (`is_service`) is another program. It holds what it was given, as far as `permissions.OF_SERVICES`
    goes.

    An operator is a person with his own rights who acts in another one's session, which is `station`.
    """

    user_id: int
    full_name: str
    permissions: frozenset[str]
    jti: str
    expires_at: datetime
    token_version: int
    is_customer: bool = False
    customer_id: int | None = None
    is_display: bool = False
    scope: frozenset[int] | None = None
    is_service: bool = False
    station: Station | None = None

    @property
    def screen(self) -> "Principal":
        """Whose session receives the answer: the station's where an operator asks, else his own."""
        return self.station.account if self.station else self

    def holds(self, *actions: str) -> bool:
        """Whether at least one of `actions` is held."""
        return not self.permissions.isdisjoint(actions)


def visible_to[Row: Model](rows: QuerySet[Row], by: Principal, *, customer: str) -> QuerySet[Row]:
    """Those of `rows` that `by` may read: all for staff, for a customer's account its own by the column `customer`."""
    if not by.is_customer:
        return rows
    return rows.none() if by.customer_id is None else rows.filter(**{customer: by.customer_id})


def may_read_of(customer_id: int, by: Principal) -> bool:
    """Whether `by` may read what belongs to this customer: `visible_to` for one record that is loaded."""
    return not by.is_customer or by.customer_id == customer_id
