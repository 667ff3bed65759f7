"""Parameters and answers of the import."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from project.core.pagination import ListQuery
from project.core.schemas import MOST_ID, In, Instant, Out
from project.importing.encodings import Encoding
from project.importing.registry import IMPORTS
from project.importing.tables import DoubtCode


def _importable(schema: dict[str, Any]) -> None:
    schema["enum"] = [*IMPORTS]


ImportState = Literal["reading", "ready", "applying", "applied", "failed"]
Outcome = Literal["new", "changed", "unchanged", "refused", "doubtful"]


class ImportChoices(BaseModel):
    """How to read a file, and the answers to its doubts.

    An omitted encoding or sheet is detected; an omitted answer leaves its doubt open.

    `includeHidden`: include hidden rows and columns. `includeFooter`: include rows that look like a title or a total
    below the list. `acceptFormulas`: accept the stored values of formulas. `acceptAltered`: accept keys, codes and
    telephones that look as if a spreadsheet had altered them. `mixedDates`: in a column with both date cells and dates
    written as text, keep the date cells or swap their day and month. `columns`, only for a catalog's file: the
    catalog's column for each column of the file, separated by commas; blank for a column that is not read
    (`key,,sellPrice`).
    """

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    encoding: Encoding | None = None
    sheet: Annotated[str, Field(max_length=200)] | None = None
    include_hidden: bool | None = None
    include_footer: bool | None = None
    accept_formulas: bool | None = None
    accept_altered: bool | None = None
    mixed_dates: Literal["keep", "swap"] | None = None
    columns: Annotated[str, Field(max_length=4_000)] | None = None

    def given(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


class ImportDoubt(Out):
    """A question that the user must answer before the rows that it concerns are applied.

    `encoding`, `other_sheets` and `columns` concern all rows. The parameters of `encoding`: `likely`, the encoding
    used, and `sample`, a word read with it. Those of `other_sheets`: `sheet`, the sheet that was read, and `others`,
    other sheets that may be meant. Those of `columns`: `missing`, the column without which no row is validated;
    `duplicate`, headings that mean the same column; `proposed`, headings that only probably mean a column; and
    `unknown`, headings that mean no column.

    The other doubts concern single rows. Their parameters: `count` and the first `rows`; for `hidden_rows` also
    `columns`, for `footer` and `altered_values` a `sample`, for `mixed_dates` `columns` and a `sample`.
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


class ImportHead(Out):
    """A column of the file: its heading, the catalog's column that it means or null, and a value below it."""

    head: str
    column: str | None
    sample: str


class ImportField(Out):
    """A column that the import reads, with its name in the caller's language. `required`: it identifies a record."""

    name: str
    label: str
    required: bool


class ImportCounts(Out):
    """The number of rows of each outcome, among the rows read so far."""

    new: int
    changed: int
    unchanged: int
    refused: int


class ImportChoicesOut(Out):
    """The uploader's choices and answers."""

    encoding: Encoding | None = None
    sheet: str | None = None
    include_hidden: bool | None = None
    include_footer: bool | None = None
    accept_formulas: bool | None = None
    accept_altered: bool | None = None
    mixed_dates: Literal["keep", "swap"] | None = None
    columns: str | None = None


class ImportOut(ImportFileOut):
    """An upload. `rowsTotal` is null while it is unknown. `errorCode` says why it failed or must be previewed again.

    `doubtful`: the number of rows that wait for the answer to a doubt. They are not applied.
    """

    id: int
    catalog: Annotated[str, Field(json_schema_extra=_importable)]
    file_name: str
    state: ImportState
    rows_total: int | None
    rows_done: int
    counts: ImportCounts
    doubtful: int
    heads: list[ImportHead]
    fields: list[ImportField]
    choices: ImportChoicesOut
    error_code: str | None
    error_message: str | None
    created_at: Instant


class ImportChange(Out):
    """A column that would change, with its values as a file writes them. `before` is null for a new record."""

    field: str
    before: Any
    after: Any


class ImportRowError(Out):
    """A reason why a row is refused. `field` is the column."""

    field: str
    code: str
    message: str


class ImportRowOut(Out):
    """A row of the file. `number`: its number in the spreadsheet. `marks`: its doubts, answered or not.

    `cells`: the texts of the columns that have errors or were mended, for the user to mend. `mended`: the columns that
    were mended.
    """

    number: int
    outcome: Outcome
    key: str
    label: str
    marks: list[DoubtCode]
    changes: list[ImportChange]
    errors: list[ImportRowError]
    cells: dict[str, str]
    mended: list[str]


class ImportMend(In):
    """The cells that a user types into a row of a preview, by column. They are read like the cells of a text file."""

    number: Annotated[int, Field(strict=True, ge=1, le=MOST_ID)]
    cells: Annotated[dict[str, Annotated[str, Field(max_length=20_000)]], Field(min_length=1, max_length=100)]


class UnreadCell(Out):
    """A cell that cannot be read. `code`: `formula_not_read`, `invalid`, `invalid_type` or `too_long`."""

    code: str


class OrderFileRow(Out):
    """A row of a customer's order file. Dates are texts, `YYYY-MM-DD`.

    `number`: its number in the spreadsheet. `marks`: its doubts, answered or not.
    """

    number: int
    cells: list[str | int | float | bool | UnreadCell | None]
    marks: list[DoubtCode]


class OrderFile(ImportFileOut):
    """A customer's order file. While a doubt is open, do not add the rows that are marked with it to an order."""

    rows: list[OrderFileRow]


class ImportRowQuery(ListQuery):
    """The parameters of the rows' list.

    `outcome`: only rows with this outcome; `refused` also lists all rows that were mended. `search`: words of the key
    and the label.
    """

    outcome: Outcome | None = None
