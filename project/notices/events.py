"""The live event of a person's own notices."""

from typing import Literal

from project.core.schemas import Document
from realtime.registry import Event


class BellData(Document):
    """The number of unread notices of the person `id`. The client loads the notices."""

    id: int
    unread: int


class BellChanged(Event):
    """A person got a notice of their own, or has read such notices in one of their browsers."""

    type: Literal["notices.changed"] = "notices.changed"
    data: BellData
