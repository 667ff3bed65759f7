"""Prints work sheets, bills, export papers, pay slips and slips of metal in the printing processes."""

import logging
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import F, Model

from project.access.principal import Principal
from project.audit import services as audit
from project.billing.models import Bill
from project.billing.selectors import bill_get
from project.catalogs.selectors import issuer
from project.core import clock
from project.core.errors import InvalidFields
from project.core.queries import give_connection_back
from project.identity.selectors import language_of
from project.metal import lists as metal
from project.metal.documents import day as day_document
from project.piecework.selectors import payment_get, payments_by_id
from project.printing import bills, export_papers, metal_slips, receipts, render_pool
from project.printing.export_papers import ExportPaper
from project.printing.models import PrintRun
from project.printing.pages import Page, page, portions
from project.printing.render_pool import RenderPool
from project.printing.selectors import Document, Sheet, sheets

RUNS_KEPT = timedelta(hours=1)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Printed:
    """A PDF and its file name."""

    name: str
    pdf: bytes


def print_sheets(*, documents: list[Document], language: str, run_id: UUID | None, by: Principal) -> Printed:
    """Print the sheets as one PDF in the given order, each on one or more pages.

    At most 8 queries, and one for each 20 sheets. Raises `InvalidFields`, and `PdfUnavailable` if the printing
    processes are busy or fail.
    """
    with render_pool.slot(by.user_id) as own:
        chosen = sheets(documents, by)
        owner = issuer()
        some = [*portions(chosen)]
        run = _begin(run_id, len(chosen), by)
        pages = ((sum(not sheet.continued for sheet in portion), page(portion, owner, language)) for portion in some)
        try:
            pdf = _pdf(own, len(some), pages, run=run)
        finally:
            if run:
                run.delete()
    _note_sheets(chosen, language, by)
    return Printed(file_name(chosen), pdf)


def print_bill(*, bill_id: int, language: str, by: Principal) -> Printed:
    """Print a bill or a pre-bill as PDF. 3 queries. Raises `NotFound`, and `PdfUnavailable` as `print_sheets` does."""
    with render_pool.slot(by.user_id) as own:
        bill = bill_get(bill_id, by)
        pdf = _printed(own, bills.page(bill, _logo(bill), language))
    _note("delivery", bill, {"language": language}, by)
    return Printed(bills.file_name(bill), pdf)


def print_export(*, bill_id: int, paper: ExportPaper, language: str, by: Principal) -> Printed:
    """Print a bill's packing list or commercial invoice as PDF. 3 queries.

    Raises what `export_papers.page` raises, `NotFound`, and `PdfUnavailable` as `print_sheets` does.
    """
    with render_pool.slot(by.user_id) as own:
        bill = bill_get(bill_id, by)
        pdf = _printed(own, export_papers.page(bill, paper, _logo(bill), language))
    _note("delivery", bill, {"language": language, "paper": paper.value}, by)
    return Printed(export_papers.file_name(bill, paper), pdf)


def print_receipt(*, payment_id: int, language: str | None, by: Principal) -> Printed:
    """Print a payment's pay slip as PDF. 5 queries.

    Without `language` it is in the payee's language, or in the caller's if there is no payee.

    Raises `NotFound`, and `PdfUnavailable` as `print_sheets` does.
    """
    with render_pool.slot(by.user_id) as own:
        payment = payment_get(payment_id)
        spoken = language or (payment.payee.language if payment.payee else language_of(by.user_id))
        pdf = _printed(own, receipts.page(payment, spoken))
    _note("payment", payment, {"language": spoken}, by)
    return Printed(receipts.file_name(payment, spoken), pdf)


def print_receipts(*, payment_ids: Sequence[int], language: str | None, by: Principal) -> Printed:
    """Print the pay slips of payments as one PDF, in this order, each on its own pages. At most 7 queries.

    The language of each slip, and errors, are those of `print_receipt`.
    """
    with render_pool.slot(by.user_id) as own:
        payments = payments_by_id(payment_ids)
        of_caller = language_of(by.user_id)
        slips = [(row, language or (row.payee.language if row.payee else of_caller)) for row in payments]
        pages = ((1, receipts.page(payment, spoken)) for payment, spoken in slips)
        pdf = _pdf(own, len(slips), pages, seconds=render_pool.PAPER_SECONDS)
    for payment, spoken in slips:
        _note("payment", payment, {"language": spoken}, by)
    return Printed(receipts.file_name(payments[0], slips[0][1], last=payments[-1]), pdf)


def print_metal_slip(*, day_id: int, language: str | None, by: Principal) -> Printed:
    """Print the slip of a closed day of metal as PDF. 4 queries.

    Without `language` it is in the person's language. Raises `NotFound`, and `PdfUnavailable` as `print_sheets` does.
    """
    with render_pool.slot(by.user_id) as own:
        row = metal.day_for(day_id, by)
        (received,) = metal.received([metal.window_of(row)])
        day, spoken = day_document(row, received), language or row.person.language
        pdf = _printed(own, metal_slips.page(day, issuer(), spoken))
    _note("metal-day", row, {"language": spoken}, by)
    return Printed(metal_slips.file_name(day, spoken), pdf)


def _logo(bill: Bill) -> str:
    """Return the stored picture for a bill: the one that it was issued with; for a pre-bill its company's, else the
    issuer's. At most 1 query."""
    return bill.logo if bill.issued else bill.company.image or issuer().logo


def _printed(own: RenderPool, prepared: Page) -> bytes:
    work = _start(own, prepared, render_pool.PAPER_SECONDS)
    give_connection_back()
    return render_pool.printed(work)


def _note(entity: str, row: Model, after: dict[str, object], by: Principal) -> None:
    """Record in the audit that a record was printed."""
    audit.record(entity=entity, entity_id=row.pk, label=str(row), action="printed", before=None, after=after, by=by)


def _note_sheets(chosen: list[Sheet], language: str, by: Principal) -> None:
    """Record the printed sheets in the audit, one row for each order."""
    positions: dict[tuple[int, str], list[int]] = {}
    for sheet in chosen:
        positions.setdefault((sheet.place.sales_order_id, sheet.po), []).append(sheet.place.position)
    audit.record_all(
        "sales-order",
        (
            audit.Change(
                order_id, po, "printed", None, {"positions": printed, "sheets": len(printed), "language": language}
            )
            for (order_id, po), printed in positions.items()
        ),
        by=by,
    )


def forget_runs() -> None:
    """Delete the rows of old prints, which remain if a process died during the print."""
    PrintRun.objects.filter(started_at__lt=clock.now() - RUNS_KEPT).delete()


def file_name(chosen: list[Sheet]) -> str:
    """Name the file by PO# and line; a file of several sheets by the first and the last."""
    first, last = chosen[0], chosen[-1]
    if len(chosen) == 1:
        return f"PO#_{_safe(first.po)}-Linea_{first.place.position}.pdf"
    if first.po == last.po:
        return f"PO#_{_safe(first.po)}-Lineas_{first.place.position}-{last.place.position}.pdf"
    return f"PO#_{_safe(first.po)}-{_safe(last.po)}.pdf"


def _safe(po: str) -> str:
    """Replace the characters that a file name or a header cannot hold."""
    return "".join("-" if one in '/\\:*?"<>|' or not one.isprintable() else one for one in po)


def _pdf(
    own: RenderPool,
    count: int,
    pages: Iterable[tuple[int, Page]],
    *,
    run: PrintRun | None = None,
    seconds: float = render_pool.PAGE_SECONDS,
) -> bytes:
    """Print `count` pages of markup, each with its number of sheets, as one PDF. Several parts are kept in files until
    they are joined: thousands of sheets do not fit in memory."""
    parts = _parts(own, pages, run, seconds)
    if count == 1:
        return next(parts)
    with TemporaryDirectory() as folder:
        files = [Path(folder, str(number)) for number in range(count)]
        for file, part in zip(files, parts, strict=True):
            file.write_bytes(part)
        whole = Path(folder, "whole")
        render_pool.printed(own.start_binding([str(file) for file in files], str(whole)))
        return whole.read_bytes()


def _parts(own: RenderPool, pages: Iterable[tuple[int, Page]], run: PrintRun | None, seconds: float) -> Iterator[bytes]:
    """Yield the PDFs of the pages in order. At most one more than the number of printing processes is under way."""
    under_way: deque[tuple[int, Future[bytes]]] = deque()
    give_connection_back()  # only waiting is left, and other threads may need the connection
    try:
        for whole_sheets, prepared in pages:
            if len(under_way) > settings.PDF_WORKERS:
                yield _finished(*under_way.popleft(), run)
            under_way.append((whole_sheets, _start(own, prepared, seconds)))
        while under_way:
            yield _finished(*under_way.popleft(), run)
    finally:
        for _, work in under_way:
            work.cancel()


def _start(own: RenderPool, prepared: Page, seconds: float = render_pool.PAGE_SECONDS) -> "Future[bytes]":
    pictures = {name: _stored(name) for name in prepared.pictures}
    return own.start_page(prepared.markup, pictures, prepared.stylesheet, seconds)


def _finished(sheets_printed: int, work: "Future[bytes]", run: PrintRun | None) -> bytes:
    pdf = render_pool.printed(work)
    if run:
        PrintRun.objects.filter(pk=run.pk).update(done=F("done") + sheets_printed)
        give_connection_back()
    return pdf


def _begin(run_id: UUID | None, total: int, by: Principal) -> PrintRun | None:
    if run_id is None:
        return None
    if PrintRun.objects.filter(pk=run_id).exists():
        raise InvalidFields.of("runId", "already_exists")
    return PrintRun.objects.create(id=run_id, user_id=by.user_id, total=total, started_at=clock.now())


def _stored(name: str) -> bytes:
    """Read a picture from the storage. If that fails, return no bytes, so that the sheet is printed without it."""
    try:
        with default_storage.open(name) as file:
            return bytes(file.read())
    except OSError:
        logger.warning("a sheet is printed without its picture: %s", name, exc_info=True)
        return b""
