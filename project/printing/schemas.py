"""Bodies and answers of printing: work sheets, labels, bills, pay slips and codes."""

from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from project.billing.models import CancelReason
from project.core.pictures import PictureAddress
from project.core.schemas import Id, In, Out, Pieces
from project.printing.export_papers import ExportPaper
from project.printing.labels import MOST_LABELS
from project.printing.selectors import MOST_SHEETS

MOST_STAMPED = 2_000_000
"""The most letters of a stamped invoice. One of a thousand lines has 600,000."""
MOST_SLIPS = 250
"""Most pay slips in one print: more than the payments that one call can make."""


class DocumentIn(In):
    """A line of an order; without `position`, all lines of the order that are not canceled."""

    sales_order_id: Id
    position: Id | None = None


class PrintIn(In):
    """The lines to print. `runId`: a UUID that the caller chooses, and by which they can read the progress.

    `language`: by default the caller's.
    """

    documents: Annotated[list[DocumentIn], Field(min_length=1, max_length=MOST_SHEETS)]
    language: Literal["es", "en"] | None = None
    run_id: UUID | None = None


class PrintLabelsIn(In):
    """The labels to print. Send one of `documents`, `batchId` and `deliveryId`.

    `width` and `height`: of a label, in millimetres. `piecesEach`: the pieces on each label of a line; the last label
    has the rest. Without `piecesEach`, a line gets one label for all its pieces. `copies`: the number of copies of each
    label. `runId`, `language`: as for work sheets.
    """

    documents: Annotated[list[DocumentIn], Field(min_length=1, max_length=MOST_SHEETS)] | None = None
    batch_id: Id | None = None
    delivery_id: Id | None = None
    width: Annotated[int, Field(strict=True, ge=40, le=160)]
    height: Annotated[int, Field(strict=True, ge=20, le=160)]
    pieces_each: Pieces | None = None
    copies: Annotated[int, Field(strict=True, ge=1, le=MOST_LABELS)] = 1
    language: Literal["es", "en"] | None = None
    run_id: UUID | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if sum(one is not None for one in (self.documents, self.batch_id, self.delivery_id)) != 1:
            raise PydanticCustomError("required", "one of documents, batchId and deliveryId")
        return self


class PrintBillIn(In):
    """A bill or a pre-bill to print in both languages. `language`: the one that comes first, by default the
    caller's."""

    delivery_id: Id
    language: Literal["es", "en"] | None = None


class PrintExportIn(PrintBillIn):
    """An export paper of a bill to print in both languages."""

    paper: ExportPaper


class PrintCertificateIn(In):
    """A certificate of origin for a period to print in both languages. `language`: the one that comes first, by default
    the caller's."""

    certificate_id: Id
    language: Literal["es", "en"] | None = None


class PrintCfdiIn(In):
    """The bill of the invoice to download. `settlementId`: download the paper of this payment or credit note.

    `format`: the XML, or the printed form of a stamped paper.
    """

    delivery_id: Id
    settlement_id: Id | None = None
    format: Literal["xml", "pdf"] = "xml"


class StampedIn(In):
    """The stamped invoice that a PAC returned: the text of its XML."""

    xml: Annotated[str, Field(min_length=1, max_length=MOST_STAMPED)]


class CanceledIn(In):
    """Why the invoice was canceled at the SAT. `replacedBy`: for 01, the folio of the invoice that replaces it."""

    reason: CancelReason
    replaced_by: UUID | None = None


class PrintReceiptIn(In):
    """The pay slip of a payment to print. `language`: by default the payee's, or the caller's if there is no payee."""

    payment_id: Id
    language: Literal["es", "en"] | None = None


class PrintReceiptsIn(In):
    """The payments to print the pay slips of. `language`: of all slips; by default as for a single slip."""

    payment_ids: Annotated[list[Id], Field(min_length=1, max_length=MOST_SLIPS)]
    language: Literal["es", "en"] | None = None


class PrintMetalSlipIn(In):
    """The slip of a closed day of metal to print. `id`: the day's id. `language`: by default that of its person."""

    id: Id
    language: Literal["es", "en"] | None = None


class PrintMetalCountIn(In):
    """The slip of a count of the vault to print. `language`: by default that of the caller."""

    id: Id
    language: Literal["es", "en"] | None = None


class PrintRunOut(Out):
    """The progress of a print, in sheets."""

    done: int
    total: int


class ScanIn(In):
    code: Annotated[str, Field(max_length=1_000)]


class ScanOut(Out):
    """The line that a code identifies."""

    sales_order_id: int
    position: int


class SheetOut(Out):
    """The code, line total and company of a line's sheet. `logo`: an address that this session may open.

    `linesCount`: the number of lines of the order that are not canceled, but at least the line's position.
    """

    code: str
    lines_count: int
    company_name: str
    logo: PictureAddress | None
