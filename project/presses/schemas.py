"""Request bodies and answers of undone presses."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, model_validator

from project.batches.documents import BatchOut
from project.core.idempotency import LONGEST_KEY
from project.core.schemas import In, InstantIn, Out, one_line
from project.orders.schemas import LineOut

MOST_LINES = 200
"""The most lines that an answer carries."""


class UndoIn(In):
    """The press to undo: its id, or the `Idempotency-Key` that the caller sent with it; exactly one of them.

    `madeAt`: when the caller pressed, if it is reported later.
    """

    press: UUID | None = None
    key: Annotated[str, Field(min_length=1, max_length=LONGEST_KEY), AfterValidator(one_line)] | None = None
    made_at: InstantIn | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> "UndoIn":
        if (self.press is None) == (self.key is None):
            raise ValueError("press or key, and not both")
        return self


class UndoneOut(Out):
    """What an undo did: `press` is the undo itself, `undoes` the press that it took back.

    Both are null for callers who may not read the history. `lines`: the lines as they are now; null if there are more
    than 200. `batch`: the batch that moved; null for a press of single lines.
    """

    press: UUID | None
    undoes: UUID | None
    lines: list[LineOut] | None
    batch: BatchOut | None
