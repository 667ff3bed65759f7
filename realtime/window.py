"""The newest events of the outbox in memory, as finished WebSocket frames, read by position.

All sockets share the window as their queue: each socket keeps only its position in it. So a slow socket needs no extra
memory.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter

from realtime.audience import Reader
from realtime.privacy import Private, Scoped, without
from realtime.registry import PAGE_CHANGED, PERMISSIONS_CHANGED, SESSION_ENDED, is_followed, subjects_of

SIZE = 4_096
"""About how many events are kept. A client that missed more loads everything again."""
BYTES = 8 * 1_024 * 1_024
"""About how many bytes of frames are kept. A client that was away gets about this much at most."""
CHUNK_BYTES = 65_536
"""About how many bytes a socket is sent at a time."""


def text_frame(payload: bytes) -> bytes:
    """Wrap `payload` (UTF-8 text) in one whole, unmasked server frame (RFC 6455, section 5.2)."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, size)) + payload
    if size < 65_536:
        return bytes((0x81, 126)) + size.to_bytes(2) + payload
    return bytes((0x81, 127)) + size.to_bytes(8) + payload


def text_of(frame: bytes) -> str:
    """The payload of a frame that `text_frame` made, for a server that builds its own frames."""
    size = frame[1]
    return frame[2 if size < 126 else 4 if size == 126 else 10 :].decode()


@cache
def _page_frame(type: str) -> bytes:
    """The frame that pages receive: only a type. The page then loads its data again."""
    return text_frame(json.dumps({"type": type}).encode())


_Cut = tuple[tuple[Private, ...], tuple[Scoped, ...], frozenset[int]]
"""What is cut out of an event for a reader: hidden fields, reduced parts, and the scope of these parts."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event with its frame. Each reduced form of the frame is built once, and all sockets share it."""

    id: int
    type: str
    audience: frozenset[str]
    to_user: int | None
    customer: int | None
    frame: bytes
    """The frame with all its fields."""
    _partial: dict[_Cut, bytes] = field(default_factory=dict, compare=False, repr=False)
    _subjects: list[frozenset[int]] = field(default_factory=list, compare=False, repr=False)
    """The subjects of the event, once a page has asked for them."""

    @classmethod
    def of(
        cls, *, id: int, type: str, audience: str, to_user: int | None, payload: str, customer: int | None = None
    ) -> "Entry":
        """Make an entry from a row of the outbox."""
        return cls(id, type, frozenset(audience.split()), to_user, customer, text_frame(payload.encode()))

    @property
    def session(self) -> str | None:
        """The id of the token that a `session.ended` event ends. None means all tokens of the user."""
        named: str | None = json.loads(text_of(self.frame))["data"]["jti"]
        return named

    def is_for(self, reader: Reader, user_id: int) -> bool:
        """Whether the user `user_id`, who reads as `reader`, may receive the event."""
        if self.to_user is None:
            return self.is_read_by(reader)
        return self.to_user == user_id and reader.receives_personal(self.type)

    def is_read_by(self, reader: Reader) -> bool:
        """Whether `reader` may receive this event, which is not personal."""
        return reader.receives(self.audience, self.customer) and (reader.page is None or self._changes(reader.page))

    def _changes(self, page: int) -> bool:
        """Whether the event concerns a page that shows the subject `page`, or all subjects of its customer if 0."""
        if not is_followed(self.type) or page == 0:
            return is_followed(self.type)
        if not self._subjects:
            self._subjects.append(subjects_of(self.type, json.loads(text_of(self.frame))["data"]))
        return page in self._subjects[0]

    def changes_rights_of(self, user_id: int) -> bool:
        """Whether this event changes the user's rights or ends a session of theirs."""
        return self.to_user == user_id and self.type in (PERMISSIONS_CHANGED, SESSION_ENDED)

    def frame_for(self, reader: Reader) -> bytes:
        """The frame, reduced to what `reader` may read."""
        if reader.page is not None:
            return _page_frame(PAGE_CHANGED if self.to_user is None else self.type)
        hidden, narrowed = reader.hidden_in(self.type), reader.narrowed_in(self.type)
        if not hidden and not narrowed:
            return self.frame
        scope = reader.scope if narrowed and reader.scope is not None else frozenset[int]()
        cut = hidden, narrowed, scope
        found = self._partial.get(cut)
        if found is None:
            payload = without(text_of(self.frame).encode(), hidden, narrowed=narrowed, scope=scope)
            found = self._partial[cut] = text_frame(payload)
        return found


class Chunk:
    """Some events in order, for all sockets that read as `reader`."""

    def __init__(self, entries: list[Entry], reader: Reader) -> None:
        self.entries = entries
        self._reader = reader

    @cached_property
    def data(self) -> bytes:
        """All frames, joined for one write."""
        return b"".join([entry.frame_for(self._reader) for entry in self.entries])

    @property
    def texts(self) -> Iterator[str]:
        """The payloads, for a server that builds its own frames."""
        return (text_of(entry.frame_for(self._reader)) for entry in self.entries)


def parts(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Split `entries` into parts of about CHUNK_BYTES, so that a slow socket holds no more than about that much."""
    part: list[Entry] = []
    size = 0
    for entry in entries:
        part.append(entry)
        size += len(entry.frame)
        if size >= CHUNK_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def broadcast(part: list[Entry], reader: Reader) -> Chunk:
    """Return the events of `part` that all sockets with this `reader` receive, without personal events."""
    received = [entry for entry in part if entry.to_user is None and entry.is_read_by(reader)]
    return Chunk(received, reader)


class Window:
    """The events after `floor` up to `newest`, in order: about SIZE events and about BYTES at most."""

    def __init__(self) -> None:
        self.restart(0, [])

    def restart(self, newest: int, entries: list[Entry]) -> None:
        """Replace all events by `entries`, which end at the id `newest`."""
        self._entries = entries
        self._bytes = sum(len(entry.frame) for entry in entries)
        self.newest = max(newest, entries[-1].id) if entries else newest
        self.floor = entries[0].id - 1 if entries else newest

    def append(self, entries: Sequence[Entry]) -> None:
        """Add newer events. Drop the oldest ones once there are too many events or bytes."""
        self._entries.extend(entries)
        self._bytes += sum(len(entry.frame) for entry in entries)
        if self._entries:
            self.newest = self._entries[-1].id
        # Allow a quarter more before a cut: each cut copies the list.
        if len(self._entries) > SIZE + SIZE // 4 or self._bytes > BYTES + BYTES // 4:
            self._cut()

    def _cut(self) -> None:
        first = max(0, len(self._entries) - SIZE)
        held = sum(len(entry.frame) for entry in self._entries[first:])
        while held > BYTES and first < len(self._entries) - 1:
            held -= len(self._entries[first].frame)
            first += 1
        self._entries, self._bytes = self._entries[first:], held
        self.floor = self._entries[0].id - 1

    @property
    def last(self) -> Entry | None:
        """The newest event. None if the window does not hold it."""
        return self._entries[-1] if self._entries and self._entries[-1].id == self.newest else None

    @property
    def middle(self) -> int:
        """The id of the event in the middle. A socket before it is nearer to the oldest event than to the newest."""
        return self._entries[len(self._entries) // 2].id if self._entries else self.newest

    def holds_all_after(self, position: int) -> bool:
        """Whether a socket at `position` can continue from this window."""
        return self.floor <= position <= self.newest

    def may_have_changed(self, user_id: int, *, since: int) -> bool:
        """Whether this user's rights may have changed after `since`. Also true if the window begins after `since`."""
        return not self.holds_all_after(since) or any(one.changes_rights_of(user_id) for one in self.after(since))

    def after(self, position: int) -> list[Entry]:
        return self._entries[bisect_right(self._entries, position, key=attrgetter("id")) :]

    def compose(self, position: int, reader: Reader, user_id: int) -> tuple[Chunk, int]:
        """The next events after `position` that this user may receive, and the position after them.

        About CHUNK_BYTES at most. Stops after a change of the user's rights, since later events depend on the new
        rights. Leaves `session.ended` out, because it ended an earlier session than the one that reads here.
        """
        chosen: list[Entry] = []
        size = 0
        for entry in self.after(position):
            position = entry.id
            if not entry.is_for(reader, user_id) or entry.type == SESSION_ENDED:
                continue
            chosen.append(entry)
            size += len(entry.frame)
            if size >= CHUNK_BYTES or entry.type == PERMISSIONS_CHANGED:
                break
        else:
            position = max(position, self.newest)
        return Chunk(chosen, reader), position
