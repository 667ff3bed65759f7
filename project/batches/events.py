"""The live event of batches."""

from typing import Literal

from project.access.permissions import Permission
from project.batches.documents import BatchCard
from project.core.schemas import Document
from project.orders.documents import HISTORY
from project.orders.fields import ORDERS
from realtime.privacy import Private, Scoped
from realtime.registry import Event

BATCHES = frozenset({Permission.ManageBatches, Permission.ShopFloor, Permission.Station})


class BatchData(Document):
    """A batch after a change: its id, and its card as boards and stations show it.

    The card is null for a display that does not show its process.
    """

    id: int
    card: BatchCard | None


class BatchChanged(Event):
    """A batch was made, changed, moved or closed. Its lines have events of their own when they move."""

    audience = BATCHES
    private = (Private("by", ORDERS | HISTORY),)
    scoped = (Scoped("data.card", "productionProcessId"),)
    webhook = ("Cambia una tanda", "A batch changes")
    type: Literal["batch.changed"] = "batch.changed"
    data: BatchData
