"""Fields of an event that only some of its receivers may read, and frames without these fields."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Private:
    """A field of a frame that only holders of one of `needs` receive. Other readers receive `instead`.

    `staff`: customers' accounts never receive it, whatever permissions they hold. `path`: the keys from the frame down,
    joined by points. At a list, the path continues in every entry.
    """

    path: str
    needs: frozenset[str]
    instead: str | tuple[()] | None = None
    staff: bool = False


BY_NOBODY = Private("by", frozenset())
"""The author of the change: hidden from customers' accounts, since it names a member of staff."""


@dataclass(frozen=True)
class Scoped:
    """A list or an object in a frame that a reader with a scope receives only in part.

    `key`: the field that must be in the scope; empty for a list of ids. Other rows of a list are left out. An object
    outside the scope becomes null. `path`: the keys from the frame down, joined by points.
    """

    path: str
    key: str = ""


def without(
    payload: bytes, fields: Iterable[Private], *, narrowed: Iterable[Scoped] = (), scope: frozenset[int] = frozenset()
) -> bytes:
    """Return `payload`, a frame's JSON, with `fields` emptied and the parts in `narrowed` reduced to `scope`.

    A field that the frame does not have is not added.
    """
    frame = json.loads(payload)
    for part in narrowed:
        _narrow(frame, part, scope)
    for field in fields:
        _empty(frame, field.path.split("."), field.instead)
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode()


def _narrow(frame: Any, part: Scoped, scope: frozenset[int]) -> None:
    *way, last = part.path.split(".")
    for name in way:
        frame = frame.get(name) or {}
    found = frame.get(last)
    if isinstance(found, list):
        frame[last] = [row for row in found if (row[part.key] if part.key else row) in scope]
    elif found is not None and found[part.key] not in scope:
        frame[last] = None


def _empty(part: Any, path: list[str], instead: object) -> None:
    if isinstance(part, list):
        for each in part:
            _empty(each, path, instead)
    elif isinstance(part, dict) and path[0] in part:
        if len(path) == 1:
            part[path[0]] = instead
        else:
            _empty(part[path[0]], path[1:], instead)
