"""The connected sockets, indexed by reader and by user."""

import time
from collections.abc import Iterable, Iterator

from realtime.application import Principal
from realtime.audience import Reader
from realtime.sockets import LiveSocket

DAY_SECONDS = 86_400.0


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

    def __iter__(self) -> Iterator[LiveSocket]:
        """Iterate over all sockets. Sockets may leave during the iteration."""
        for of_user in tuple(self._by_user.values()):
            yield from tuple(of_user)

    def __contains__(self, socket: LiveSocket) -> bool:
        return socket in self._by_reader.get(socket.reader, ())

    @property
    def most_lately(self) -> int:
        """The most sockets at once today or yesterday (days of the monotonic clock).

        Yesterday counts so that the first screen of a morning is not taken for the only one.
        """
        return max(self._most_by_day.values())

    def of(self, user_id: int) -> tuple[LiveSocket, ...]:
        """This user's sockets, oldest first."""
        return tuple(self._by_user.get(user_id, ()))

    def by_reader(self) -> Iterable[tuple[Reader, set[LiveSocket]]]:
        return self._by_reader.items()

    def add(self, socket: LiveSocket) -> None:
        self._by_user.setdefault(socket.principal.user_id, []).append(socket)
        self._place(socket)
        today = int(time.monotonic() // DAY_SECONDS)
        lately = {day: most for day, most in self._most_by_day.items() if day >= today - 1}
        self._most_by_day = {**lately, today: max(len(self), lately.get(today, 0))}

    def remove(self, socket: LiveSocket) -> None:
        """Remove `socket`. No-op if it is not in the index."""
        if socket not in self:
            return
        self._unplace(socket)
        of_user = self._by_user[socket.principal.user_id]
        of_user.remove(socket)
        if not of_user:
            del self._by_user[socket.principal.user_id]

    def move(self, socket: LiveSocket, principal: Principal) -> None:
        """Give `socket` the user's current rights, `principal`."""
        self._unplace(socket)
        socket.principal = principal
        self._place(socket)

    def _place(self, socket: LiveSocket) -> None:
        socket.reader = Reader.of(socket.principal)
        self._by_reader.setdefault(socket.reader, set()).add(socket)

    def _unplace(self, socket: LiveSocket) -> None:
        alike = self._by_reader[socket.reader]
        alike.discard(socket)
        if not alike:
            del self._by_reader[socket.reader]
