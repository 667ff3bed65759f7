"""Answers of the import."""

from typing import Any, Literal

from project.core.pagination import ListQuery
from project.core.schemas import Instant, Out

ImportCatalog = Literal[
    "export-tax-items", "items", "customers", "companies", "materials", "components", "production-processes"
]
ImportState = Literal["reading", "ready", "applying", "applied", "failed"]
Outcome = Literal["new", "changed", "unchanged", "refused"]


class ImportCounts(Out):
    """How many rows would do what, as far as they have been read."""

    new: int
    changed: int
    unchanged: int
    refused: int


class ImportOut(Out):
    """An upload. `rowsTotal` is null while nobody knows it; `errorCode` says why it failed or must be read again."""

    id: int
    catalog: ImportCatalog
    file_name: str
    state: ImportState
    rows_total: int | None
    rows_done: int
    counts: ImportCounts
    error_code: str | None
    error_message: str | None
    created_at: Instant


class ImportChange(Out):
    """A column that would change: before (null for a new record) and after, as the file writes it."""

    field: str
    before: Any
    after: Any


class ImportRowError(Out):
    """Why a row is refused, by column."""

    field: str
    code: str
    message: str


class ImportRowOut(Out):
    """A row of the file; `number` counts as a spreadsheet does, the heads being row 1."""

    number: int
    outcome: Outcome
    key: str
    label: str
    changes: list[ImportChange]
    errors: list[ImportRowError]


class UnreadCell(Out):
    """A cell that cannot be read: `formula_not_read`, `invalid`, `invalid_type`, `too_long`."""

    code: str


class OrderFileRow(Out):
    """A row of a customer's order file; `number` counts as a spreadsheet does. Dates are texts, `YYYY-MM-DD`."""

    number: int
    cells: list[str | int | float | bool | UnreadCell | None]


class ImportRowQuery(ListQuery):
    """`outcome`: only rows of one kind; `search` looks in key and label."""

    outcome: Outcome | None = None
