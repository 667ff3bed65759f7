"""The caller, with current permissions, and the rows that they may read."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.db.models import Model, QuerySet


@dataclass(frozen=True)
class Rights:
    """The current state of an account: its kind, token version and the permissions of its roles."""

    full_name: str
    token_version: int
    permissions: frozenset[str]
    is_customer: bool
    customer_id: int | None


@dataclass(frozen=True)
class DisplayRights:
    """A wall screen's name and the production processes whose lanes it shows; an empty set means all."""

    name: str
    lanes: frozenset[int]


@dataclass(frozen=True)
class LinkRights:
    """A customer link: name, customer, expiry, and the order that the link shows (None: all orders of the customer)."""

    name: str
    customer_id: int
    order_id: int | None
    expires_at: datetime


class Account(Protocol):
    """The fields of a user that a token needs; `identity.User` has them."""

    pk: int
    token_version: int


class RightsOf(Protocol):
    """Looks up an account's rights; `token.configure` sets it when the process starts.

    Returns None if the account is locked, inactive or unknown, or if the token `jti` was signed out.
    """

    def __call__(self, user_id: int, *, jti: str) -> Rights | None: ...


@dataclass(frozen=True)
class ServiceRights:
    """A service account's name, its current permissions and the expiry of its token."""

    user_id: int
    name: str
    permissions: frozenset[str]
    token_version: int
    expires_at: datetime


class Services(Protocol):
    """Looks up service accounts; set by `token.configure`. Its methods return None if the token was revoked."""

    def rights_of_token(self, token: str) -> ServiceRights | None: ...

    def rights_of(self, user_id: int) -> ServiceRights | None: ...


class Displays(Protocol):
    """Looks up displays; set by `token.configure`. Its methods return None if the display was revoked."""

    def rights_of_token(self, token: str) -> tuple[int, DisplayRights] | None: ...

    def rights_of(self, display_id: int) -> DisplayRights | None: ...


class Links(Protocol):
    """Looks up customer links; set by `token.configure`. Its method returns None if the link no longer works."""

    def rights_of(self, link_id: int) -> LinkRights | None: ...


FIRST_LINK = 2**40
"""Added to the ids of customer links, so that their subjects never equal those of displays."""
EVERY_ORDER = 0
"""The `page` of a customer link that shows all orders of its customer."""


def subject_of_display(display_id: int) -> int:
    """Return the user id of a display in sessions, sockets and events: negative, so it never equals a user's id."""
    return -display_id


def subject_of_link(link_id: int) -> int:
    """Return the user id of a customer link in sessions, sockets and events: negative, and below those of displays."""
    return -(FIRST_LINK + link_id)


def link_of_subject(user_id: int) -> int:
    """Return the id of the customer link whose `subject_of_link` is `user_id`."""
    return -user_id - FIRST_LINK


@dataclass(frozen=True)
class Station:
    """The station at which an operator identified themselves, the account of its session, and the operator's times.

    `process_id`: the station's process, None until the operator acts at one. `used_at`: the last use received while the
    operator was present. `reported_at`: the latest movement that was reported later. `report_received_at`: when the
    first such report arrived.
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
    """A signed-in caller: the claims of the token, checked against the database in this request.

    An account of type Customer (`is_customer`) reads only what belongs to `customer_id`, whatever its roles say;
    without a customer it reads nothing. It holds `permissions.OF_CUSTOMERS`.

    A paired wall screen (`is_display`) reads only the board: the lanes of the production processes in `scope`, or all
    if `scope` is None. Its `user_id` is `subject_of_display`, and it holds `permissions.OF_DISPLAYS`.

    A service account (`is_service`) is another program. It holds the permissions it was given that are also in
    `permissions.OF_SERVICES`.

    A page by link (`page` is not None) reads as its customer, but only the order `page`, or all orders if `page` is
    `EVERY_ORDER`. It holds no permission, and its `user_id` is `subject_of_link`.

    An operator is a person who acts with their own permissions within another account's session, the `station`.
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
    page: int | None = None

    @property
    def screen(self) -> "Principal":
        """The principal of the session that receives the answer: the station's for an operator, else the caller."""
        return self.station.account if self.station else self

    def holds(self, *actions: str) -> bool:
        """Return whether the caller holds at least one of `actions`."""
        return not self.permissions.isdisjoint(actions)


def visible_to[Row: Model](rows: QuerySet[Row], by: Principal, *, customer: str) -> QuerySet[Row]:
    """Filter `rows` to those that `by` may read.

    Staff read all. A customer's account reads the rows whose column `customer` is its own customer.
    """
    if not by.is_customer:
        return rows
    return rows.none() if by.customer_id is None else rows.filter(**{customer: by.customer_id})


def may_read_of(customer_id: int, by: Principal) -> bool:
    """Return whether `by` may read a loaded record of this customer; `visible_to` is the same rule for a queryset."""
    return not by.is_customer or by.customer_id == customer_id
