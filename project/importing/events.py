"""The live event of imports."""

from typing import Literal

from project.core.schemas import Document
from realtime.registry import Event


class ImportFinishedData(Document):
    """An import that has ended, and its catalog.

    `state`: `applied`; `ready` if the user must check rows again before the import can be applied; or `failed`.
    """

    id: int
    catalog: str
    state: Literal["applied", "ready", "failed"]


class ImportFinished(Event):
    """An import was applied, could not be applied, or failed."""

    type: Literal["import.finished"] = "import.finished"
    data: ImportFinishedData
