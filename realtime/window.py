"""The newest events of the outbox in memory, as ready-made WebSocket frames, read by cursor.

The window is every socket's queue: a socket is a position in it, so a slow reader costs no memory of its own.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

SIZE = 4_096
"""Events kept; a client that missed more loads afresh."""
CHUNK_BYTES = 65_536
"""About how much a socket is handed at a time."""

PERMISSIONS_CHANGED = "permissions.changed"
SESSION_ENDED = "session.ended"


def text_frame(payload: bytes) -> bytes:
    """`payload` (UTF-8 text) as one whole, unmasked server frame (RFC 6455, section 5.2)."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 65_536:
        return bytes((0x81, 126)) + size.to_bytes(2) + payload
    return bytes((0x81, 127)) + size.to_bytes(8) + payload


@dataclass(frozen=True, slots=True)
class Entry:
    """One event: its frame is built once and shared by all sockets."""

    id: int
    type: str
    audience: frozenset[str]
    to_user: int | None
    frame: bytes

    @classmethod
    def of(cls, *, id: int, type: str, audience: str, to_user: int | None, payload: str) -> "Entry":
        """From a row of the outbox."""
        return cls(id, type, frozenset(audience.split()), to_user, text_frame(payload.encode()))

    @property
    def text(self) -> str:
        """The payload, for a server that builds its own frames."""
        size = self.frame[1]
        return self.frame[2 if size < 126 else 4 if size == 126 else 10 :].decode()

    @property
    def session(self) -> str | None:
        """Of `session.ended`: the token that is over, None for all of the user's."""
        named: str | None = json.loads(self.text)["data"]["jti"]
        return named

    def is_for(self, permissions: frozenset[str], user_id: int) -> bool:
        """Whether someone with `permissions`, who is `user_id`, may receive it."""
        if self.to_user is None:
            return not self.audience.isdisjoint(permissions)
        return self.to_user == user_id


class Chunk:
    """Some events in order, for any number of sockets."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries

    @cached_property
    def data(self) -> bytes:
        """All frames as one write."""
        return b"".join([entry.frame for entry in self.entries])


class Window:
    """Events after `floor` up to `newest`, in order."""

    def __init__(self) -> None:
        self.restart(0, [])

    def restart(self, newest: int, entries: list[Entry]) -> None:
        """Hold exactly `entries`, the last ones up to `newest`."""
        self._entries = entries
        self.newest = entries[-1].id if entries else newest
        self.floor = entries[0].id - 1 if entries else newest

    def append(self, entries: Iterable[Entry]) -> None:
        """Add newer events; the oldest go once there are too many."""
        self._entries.extend(entries)
        if self._entries:
            self.newest = self._entries[-1].id
        if len(self._entries) > SIZE + SIZE // 4:  # not at each event: cutting a list costs its length
            self._entries = self._entries[-SIZE:]
            self.floor = self._entries[0].id - 1

    def holds_all_after(self, position: int) -> bool:
        """Whether someone at `position` can go on from here."""
        return self.floor <= position <= self.newest

    def after(self, position: int) -> list[Entry]:
        return self._entries[bisect_right(self._entries, position, key=attrgetter("id")) :]

    def compose(self, position: int, permissions: frozenset[str], user_id: int) -> tuple[Chunk, int]:
        """The next events after `position` that this person may receive, and the position they lead to.

        About CHUNK_BYTES at most. Ends at a change of his rights, since what follows must be judged by the
        new ones. The end of a session is not news to a later one: it is left out.
        """
        chosen: list[Entry] = []
        size = 0
        for entry in self.after(position):
            position = entry.id
            if not entry.is_for(permissions, user_id) or entry.type == SESSION_ENDED:
                continue
            chosen.append(entry)
            size += len(entry.frame)
            if size >= CHUNK_BYTES or entry.type == PERMISSIONS_CHANGED:
                break
        return Chunk(chosen), position
