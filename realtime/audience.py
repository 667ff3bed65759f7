"""Who receives an event: what each reader may see, and the connected sockets, indexed by reader and by user."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from realtime import registry
from realtime.application import Principal
from realtime.privacy import BY_NOBODY, Private, Scoped

if TYPE_CHECKING:
    from realtime.sockets import LiveSocket

DAY_SECONDS = 86_400.0


@dataclass(frozen=True)
class Reader:
    """Everything that decides which bytes a socket receives. Equal readers receive the same bytes.

    `permissions`: only those that some event asks for. A customer's account receives only events of `customer`, and
    none if `customer` is None. `scope`: events are reduced to the rows inside it (`privacy.Scoped`). `page`: the reader
    is a page. It receives only the customer's events that it follows, and learns from them only that something changed.
    """

    permissions: frozenset[str]
    is_customer: bool = False
    customer: int | None = None
    scope: frozenset[int] | None = None
    page: int | None = None

    @classmethod
    def of(cls, principal: Principal) -> "Reader":
        return cls(
            principal.permissions & _live_permissions(),
            principal.is_customer,
            principal.customer_id,
            principal.scope,
            principal.page,
        )

    def receives(self, audience: frozenset[str], customer: int | None) -> bool:
        """Whether the reader receives an event for `audience` and for the accounts of `customer`."""
        if self.is_customer:
            return customer is not None and customer == self.customer
        return not audience.isdisjoint(self.permissions)

    def receives_personal(self, type: str) -> bool:
        """Whether the reader receives a personal event of this type."""
        return not self.is_customer or registry.is_for_every_account(type)

    def hidden_in(self, type: str) -> tuple[Private, ...]:
        """The fields that are hidden from the reader in events of this type."""
        return _hidden(type, self.permissions, self.is_customer)

    def narrowed_in(self, type: str) -> tuple[Scoped, ...]:
        """The parts of events of this type that are reduced to the reader's scope."""
        return () if self.scope is None else registry.scoped_parts(type)


@cache
def _live_permissions() -> frozenset[str]:
    return registry.permissions()


@lru_cache(maxsize=4_096)
def _hidden(type: str, permissions: frozenset[str], is_customer: bool) -> tuple[Private, ...]:
    hidden = [
        field
        for field in registry.private_fields(type)
        if field.needs.isdisjoint(permissions) or (is_customer and field.staff)
    ]
    if is_customer and BY_NOBODY.path not in [field.path for field in hidden]:
        hidden.append(BY_NOBODY)
    return tuple(hidden)


class SubscriberIndex:
    """The connected sockets. Sockets with equal readers receive the same bytes, except for personal events."""

    def __init__(self) -> None:
        self._by_reader: dict[Reader, set[LiveSocket]] = {}
        self._by_user: dict[int, list[LiveSocket]] = {}
        self._most_by_day = {0: 0}  # by day of the monotonic clock: the most sockets at once

    def __bool__(self) -> bool:
        return bool(self._by_user)

    def __len__(self) -> int:
        return sum(map(len, self._by_user.values()))

    def __iter__(self) -> Iterator["LiveSocket"]:
        """Iterate over all sockets. Sockets may leave during the iteration."""
        for of_user in tuple(self._by_user.values()):
            yield from tuple(of_user)

    def __contains__(self, socket: "LiveSocket") -> bool:
        return socket in self._by_reader.get(socket.reader, ())

    @property
    def most_lately(self) -> int:
        """The most sockets at once today or yesterday (days of the monotonic clock).

        Yesterday counts so that the first screen of a morning is not taken for the only one.
        """
        return max(self._most_by_day.values())

    def of(self, user_id: int) -> tuple["LiveSocket", ...]:
        """This user's sockets, oldest first."""
        return tuple(self._by_user.get(user_id, ()))

    def by_reader(self) -> Iterable[tuple[Reader, set["LiveSocket"]]]:
        return self._by_reader.items()

    def add(self, socket: "LiveSocket") -> None:
        self._by_user.setdefault(socket.principal.user_id, []).append(socket)
        self._place(socket)
        today = int(time.monotonic() // DAY_SECONDS)
        lately = {day: most for day, most in self._most_by_day.items() if day >= today - 1}
        self._most_by_day = {**lately, today: max(len(self), lately.get(today, 0))}

    def remove(self, socket: "LiveSocket") -> None:
        """Remove `socket`. No-op if it is not in the index."""
        if socket not in self:
            return
        self._unplace(socket)
        of_user = self._by_user[socket.principal.user_id]
        of_user.remove(socket)
        if not of_user:
            del self._by_user[socket.principal.user_id]

    def move(self, socket: "LiveSocket", principal: Principal) -> None:
        """Give `socket` the user's current rights, `principal`."""
        self._unplace(socket)
        socket.principal = principal
        self._place(socket)

    def _place(self, socket: "LiveSocket") -> None:
        socket.reader = Reader.of(socket.principal)
        self._by_reader.setdefault(socket.reader, set()).add(socket)

    def _unplace(self, socket: "LiveSocket") -> None:
        alike = self._by_reader[socket.reader]
        alike.discard(socket)
        if not alike:
            del self._by_reader[socket.reader]
