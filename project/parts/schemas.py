"""Bodies of the parts of the product."""

from project.core.schemas import Flag, In, Instant, Out
from project.parts.contents import PartKey


class PartIn(In):
    on: Flag


class PartOut(Out):
    """A part. The menu hides a part that is off; nothing else depends on it. `since`: null if nobody has touched it."""

    key: PartKey
    on: bool
    since: Instant | None
