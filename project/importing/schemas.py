"""Answers of the import."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from project.catalogs.definition import CATALOGS
from project.core.pagination import ListQuery
from project.core.schemas import Instant, Out
from project.importing.encodings import Encoding
from project.importing.tables import DoubtCode


def _importable(schema: dict[str, Any]) -> None:
    schema["enum"] = [name for name, catalog in CATALOGS.items() if catalog.importable]


ImportState = Literal["reading", "ready", "applying", "applied", "failed"]
Outcome = Literal["new", "changed", "unchanged", "refused", "doubtful"]


class ImportChoices(BaseModel):
    """How a file is to be read, and the answers to its doubts. What is left out is read from the file, or left open.

    `includeHidden`: also hidden rows and columns. `includeFooter`: also rows that look like a title or a total below
    the list. `acceptFormulas`: the stored values of formulas are right. `mixedDates`: in a column with true dates and
    written ones, keep the true dates, or swap their day and month.
    """

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    encoding: Encoding | None = None
    sheet: Annotated[str, Field(max_length=200)] | None = None
    include_hidden: bool | None = None
    include_footer: bool | None = None
    accept_formulas: bool | None = None
    mixed_dates: Literal["keep", "swap"] | None = None

    def given(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


class ImportDoubt(Out):
    """What a person must say before the rows are applied that it is about.

    `encoding` (`likely`: what it was read in, `sample`: a word as it is read so) and `other_sheets` (`sheet`: the one
    that was read, `others`) are about all rows. The others name `count` and the first `rows`: `hidden_rows`, with
    `columns`; `footer` and `formula_values`, with a `sample`; `mixed_dates`, with `columns` and a `sample`.
    """

    code: DoubtCode
    params: dict[str, Any]


class ImportSheet(Out):
    name: str
    hidden: bool


class ImportFileOut(Out):
    """How a file was read. `encoding` is null for a workbook, `sheet` for a text file."""

    encoding: Encoding | None
    sheet: str | None
    sheets: list[ImportSheet]
    doubts: list[ImportDoubt]


class ImportCounts(Out):
    """How many rows would do what, as far as they have been read."""

    new: int
    changed: int
    unchanged: int
    refused: int


class ImportChoicesOut(Out):
    """What the uploader answered."""

    encoding: Encoding | None = None
    sheet: str | None = None
    include_hidden: bool | None = None
    include_footer: bool | None = None
    accept_formulas: bool | None = None
    mixed_dates: Literal["keep", "swap"] | None = None


class ImportOut(ImportFileOut):
    """An upload. `rowsTotal` is null while nobody knows it; `errorCode` says why it failed or must be read again.

    `doubtful`: how many rows wait for the answer to a doubt; they are not applied.
    """

    id: int
    catalog: Annotated[str, Field(json_schema_extra=_importable)]
    file_name: str
    state: ImportState
    rows_total: int | None
    rows_done: int
    counts: ImportCounts
    doubtful: int
    choices: ImportChoicesOut
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
    """A row of the file; `number` counts as a spreadsheet does. `marks`: the doubts about it, answered or not."""

    number: int
    outcome: Outcome
    key: str
    label: str
    marks: list[DoubtCode]
    changes: list[ImportChange]
    errors: list[ImportRowError]


class UnreadCell(Out):
    """A cell that cannot be read: `formula_not_read`, `invalid`, `invalid_type`, `too_long`."""

    code: str


class OrderFileRow(Out):
    """A row of a customer's order file; `number` counts as a spreadsheet does. Dates are texts, `YYYY-MM-DD`.

    `marks`: the doubts about it, answered or not.
    """

    number: int
    cells: list[str | int | float | bool | UnreadCell | None]
    marks: list[DoubtCode]


class OrderFile(ImportFileOut):
    """A customer's order file. While a doubt is open, the rows that it marks are not to be taken into an order."""

    rows: list[OrderFileRow]


class ImportRowQuery(ListQuery):
    """`outcome`: only rows of one kind; `search` looks in key and label."""

    outcome: Outcome | None = None
