"""Fields of an event that not everybody who receives it may read, and frames without them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Private:
    """A field of a frame that only holders of one of `needs` receive; the others find `instead` in its place.

    One for `staff` reaches no customer's account, whatever that holds. `path` names the keys from the frame on, by
    points, and goes through every entry of a list on its way.
    """

    path: str
    needs: frozenset[str]
    instead: str | tuple[()] | None = None
    staff: bool = False


BY_NOBODY = Private("by", frozenset())
"""Who did it: hidden from customers' accounts, since it names one of the staff."""


@dataclass(frozen=True)
class Scoped:
    """A list in a frame, or one object, that a reader with a scope receives only in part: rows whose `key` lies outside
    his scope are left out, or stay with the text `empties` empty where one is named; an object outside it is null.
    `path` is as `Private` has it."""

    path: str
    key: str
    empties: str = ""


def without(
    payload: bytes, fields: Iterable[Private], *, narrowed: Iterable[Scoped] = (), scope: frozenset[int] = frozenset()
) -> bytes:
    """`payload`, a frame's JSON, with `fields` emptied and the parts in `narrowed` cut down to `scope`. A field that
    the frame does not have is not added."""
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
    if isinstance(found, list) and part.empties:
        frame[last] = [row if row[part.key] in scope else row | {part.empties: ""} for row in found]
    elif isinstance(found, list):
        frame[last] = [row for row in found if row[part.key] in scope]
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
