"""Request bodies and answers of batches."""

from typing import Annotated

from pydantic import BaseModel, Field

from project.batches.models import LONGEST_NAME
from project.core.pagination import ListQuery
from project.core.pictures import PictureAddress
from project.core.schemas import Day, Grams, Id, In, Notes, OneLine, Out, Pieces, QueryId, ShortText, changes
from project.orders.schemas import WeightsIn

MOST_LINES = 200
"""The most lines of a batch. No tree and no bath takes as many."""


class BatchDetails(In):
    """The details of a batch that are known before its pieces are moved in.

    `name`: what people call it besides its number; it may be empty. `waxGrams`: the weight of the wax tree.
    `buttonGrams`: the metal that stays in the button.
    """

    name: Annotated[OneLine, Field(max_length=LONGEST_NAME)] = ""
    alloy_id: Id | None = None
    wax_grams: Grams | None = None
    button_grams: Grams | None = None
    notes: Notes = ""


class BatchIn(BatchDetails):
    """A new batch at a process."""

    production_process_id: Id


class BatchChange(changes(BatchDetails)):  # type: ignore[misc]
    """The body of a batch's PUT. A field that is left out keeps its value; null removes it."""


class BatchLineIn(In):
    """Pieces of a line to put on a batch. Without `quantity`: all that may be put on it."""

    sales_order_id: Id
    position: Id
    quantity: Pieces | None = None


class BatchMoveIn(WeightsIn):
    """A movement of all lines of a batch. Weights are of the whole batch; `scrapGrams`: sprues and button.

    `leaveOut`: the ids, on the batch, of lines that do not move and are taken off the batch.
    """

    notes: Notes = ""
    leave_out: Annotated[list[Id], Field(max_length=MOST_LINES)] = []


class PiecesElsewhereOut(Out):
    """Pieces that are `inside` a process, or that wait for it."""

    production_process_id: int
    quantity: int
    inside: bool


class OfferedLineOut(Out):
    """A line that may be put on a batch, with at most `quantity` pieces.

    `ready`: how many of these pieces wait for the batch's process now. `elsewhere`: where the others are.
    """

    line_id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_name: str
    item_key: str
    item_name: str
    item_name_english: str
    thumbnail: PictureAddress | None
    quantity: int
    ready: int
    elsewhere: list[PiecesElsewhereOut]
    delivery_date: Day | None
    late: bool


class BatchQuery(ListQuery):
    """Filters of the list. `open`: true for batches that are not closed, false for closed ones."""

    open: bool | None = None
    production_process_id: QueryId | None = None


class OfferedQuery(BaseModel):
    """A search for lines. `search`: words in the PO#, the customer's name, or the product's key or name."""

    search: ShortText | None = None
