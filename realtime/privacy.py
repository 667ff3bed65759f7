"""Fields of an event that not everybody who hears of it may read, and frames without them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Private:
    """A field of a frame that is told only to holders of one of `needs`; the others find `instead` in its place.

    One for `staff` is told to no account of a customer's, whatever that holds. `path` names the keys from the frame
    on, by points, and goes through every entry of a list on its way.
    """

    path: str
    needs: frozenset[str]
    instead: str | tuple[()] | None = None
    staff: bool = False


BY_NOBODY = Private("by", frozenset())
"""Who did it, where that is a name of staff and the reader is not."""


def without(payload: bytes, fields: Iterable[Private]) -> bytes:
    """`payload`, a frame's JSON, with `fields` emptied; one that is not there stays away."""
    frame = json.loads(payload)
    for field in fields:
        _empty(frame, field.path.split("."), field.instead)
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode()


def _empty(part: Any, path: list[str], instead: object) -> None:
    if isinstance(part, list):
        for each in part:
            _empty(each, path, instead)
    elif isinstance(part, dict) and path[0] in part:
        if len(path) == 1:
            part[path[0]] = instead
        else:
            _empty(part[path[0]], path[1:], instead)
