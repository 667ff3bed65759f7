"""Who is connected: sockets by the rights they share, and by user."""

from collections.abc import Iterable, Iterator

from project.access.principal import Principal
from realtime.events import LIVE_PERMISSIONS
from realtime.sockets import LiveSocket


class Rooms:
    """A room for each distinct set of rights: what one in it may receive, all in it may."""

    def __init__(self) -> None:
        self._by_rights: dict[frozenset[str], set[LiveSocket]] = {}
        self._by_user: dict[int, list[LiveSocket]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_user)

    def __iter__(self) -> Iterator[LiveSocket]:
        """Everyone; sockets may leave meanwhile."""
        for of_user in tuple(self._by_user.values()):
            yield from tuple(of_user)

    def __contains__(self, socket: LiveSocket) -> bool:
        return socket in self._by_rights.get(socket.rights, ())

    def of(self, user_id: int) -> tuple[LiveSocket, ...]:
        """This user's sockets, the oldest first."""
        return tuple(self._by_user.get(user_id, ()))

    def by_rights(self) -> Iterable[tuple[frozenset[str], set[LiveSocket]]]:
        return self._by_rights.items()

    def add(self, socket: LiveSocket) -> None:
        self._by_user.setdefault(socket.principal.user_id, []).append(socket)
        self._place(socket)

    def remove(self, socket: LiveSocket) -> None:
        """Take `socket` out; harmless for one that is not in."""
        if socket not in self:
            return
        self._unplace(socket)
        of_user = self._by_user[socket.principal.user_id]
        of_user.remove(socket)
        if not of_user:
            del self._by_user[socket.principal.user_id]

    def move(self, socket: LiveSocket, principal: Principal) -> None:
        """Give `socket` the rights that the same user has by now."""
        self._unplace(socket)
        socket.principal = principal
        self._place(socket)

    def _place(self, socket: LiveSocket) -> None:
        socket.rights = socket.principal.permissions & LIVE_PERMISSIONS
        self._by_rights.setdefault(socket.rights, set()).add(socket)

    def _unplace(self, socket: LiveSocket) -> None:
        room = self._by_rights[socket.rights]
        room.discard(socket)
        if not room:
            del self._by_rights[socket.rights]
