"""The live event of a person's own notices."""

from typing import Literal

from project.core.schemas import Document
from realtime.registry import Event


class BellData(Document):
    """How many notices of their own the person (`id`) has not read. The client loads them."""

    id: int
    unread: int


class BellChanged(Event):
    """A person got a notice of their own, or has read some, in any of their browsers."""

    type: Literal["notices.changed"] = "notices.changed"
    data: BellData
