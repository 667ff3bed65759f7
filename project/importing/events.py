"""The live event of imports."""

from typing import Literal

from project.core.schemas import Document
from realtime.registry import Event


class ImportFinishedData(Document):
    """The import that is over, and the list that it is for.

    `state`: `applied`; `ready` if rows must be looked at again before it can be applied; or `failed`.
    """

    id: int
    catalog: str
    state: Literal["applied", "ready", "failed"]


class ImportFinished(Event):
    """An upload was applied to its list, or could not be."""

    type: Literal["import.finished"] = "import.finished"
    data: ImportFinishedData
