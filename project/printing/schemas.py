"""Bodies and answers of work sheets, bills on paper and codes."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from project.core.pictures import PictureAddress
from project.core.schemas import Id, In, Out
from project.printing.export_papers import ExportPaper
from project.printing.selectors import MOST_SHEETS


class DocumentIn(In):
    """A line, or without a position every line of the order that is not canceled."""

    sales_order_id: Id
    position: Id | None = None


class PrintIn(In):
    """What to print. `runId`, any UUID of the caller's, lets him ask how far it has come; without `language`
    it is the caller's own."""

    documents: Annotated[list[DocumentIn], Field(min_length=1, max_length=MOST_SHEETS)]
    language: Literal["es", "en"] | None = None
    run_id: UUID | None = None


class PrintBillIn(In):
    """A bill or a pre-bill, in both languages; `language` is the one that stands first: without it the caller's own."""

    delivery_id: Id
    language: Literal["es", "en"] | None = None


class PrintExportIn(PrintBillIn):
    """An export paper of a bill, in both languages as the bill."""

    paper: ExportPaper


class PrintReceiptIn(In):
    """The pay slip of a payment; without `language` in the payee's, or the caller's where it is nobody's."""

    payment_id: Id
    language: Literal["es", "en"] | None = None


class PrintRunOut(Out):
    """Sheets of a print under way."""

    done: int
    total: int


class ScanIn(In):
    code: Annotated[str, Field(max_length=1_000)]


class ScanOut(Out):
    """The line that a code stands for."""

    sales_order_id: int
    position: int


class SheetOut(Out):
    """What a sheet shows beside its line: its code, the total of its number (the order's lines that are not canceled,
    but never less than the line's position), and the company. `logo` opens in this session."""

    code: str
    lines_count: int
    company_name: str
    logo: PictureAddress | None
