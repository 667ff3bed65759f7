"""Prints work sheets, labels, bills, export papers, pay slips and slips of metal in the printing processes."""

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import F, Model
from django.utils import translation

from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit import services as audit
from project.batches import selectors as batches
from project.billing import cfdi as stored
from project.billing.models import Bill
from project.billing.origin import certificate_get
from project.billing.selectors import bill_get
from project.catalogs.selectors import issuer
from project.core import clock
from project.core.errors import InvalidFields, NotFound, PermissionDenied
from project.core.queries import give_connection_back
from project.identity.selectors import language_of
from project.metal import counts, lists as metal
from project.metal.documents import count as count_document, day as day_document
from project.piecework.selectors import payment_get, payments_by_id
from project.printing import bills, cfdi, cfdi_tasks, count_slips, export_papers, metal_slips, receipts, render_pool
from project.printing.addresses import CFDI_STYLESHEET
from project.printing.codes import Place
from project.printing.export_papers import ExportPaper
from project.printing.labels import MOST_LABELS, Label, LabelSize, label_page, label_portions, labels_of
from project.printing.models import PrintRun
from project.printing.pages import Page, page, portions
from project.printing.render_pool import RenderPool
from project.printing.selectors import (
    Document,
    labels_of_batch,
    labels_of_bill,
    labels_of_lines,
    sheets,
)

RUNS_KEPT = timedelta(hours=1)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Printed:
    """A PDF and its file name."""

    name: str
    pdf: bytes


@dataclass(frozen=True)
class LabelForm:
    """How to print labels. `pieces_each`: the most pieces on one label; None: all pieces of its line.

    `copies`: the number of copies of each label.
    """

    size: LabelSize
    pieces_each: int | None
    copies: int
    language: str
    run_id: UUID | None

    @property
    def kept(self) -> dict[str, object]:
        """The values that the audit keeps."""
        return {"size": str(self.size), "language": self.language}


def print_sheets(*, documents: list[Document], language: str, run_id: UUID | None, by: Principal) -> Printed:
    """Print the sheets as one PDF in the given order, each on one or more pages.

    At most 10 queries; with `run_id` 3 more, and 1 for each portion of at most 20 sheets. Raises `InvalidFields`, and
    `PdfUnavailable` if the printing processes are busy or fail.
    """
    with render_pool.slot(by.user_id) as own:
        with translation.override(language):
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
    lines = [(sheet.place, sheet.po) for sheet in chosen]
    _note_lines(lines, lambda _, printed: {"sheets": printed, "language": language}, by)
    return Printed(file_name(lines), pdf)


def print_labels(*, documents: list[Document], form: LabelForm, by: Principal) -> Printed:
    """Print labels of lines as one PDF, in the given order.

    At most 5 queries; with a run id 3 more, and 1 for each 40 different labels. Raises `InvalidFields`: `unknown`, or
    `too_many` for over 5,000 labels. Raises `NothingToLabel`, and `PdfUnavailable` as `print_sheets` does.
    """
    with render_pool.slot(by.user_id) as own:
        with translation.override(form.language):
            labels = labels_of(labels_of_lines(documents, by), form.pieces_each)
        pdf = _label_pdf(own, labels, form, by)
    lines = list(dict.fromkeys((label.line.place, label.line.po) for label in labels))
    counts: Counter[int] = Counter()
    for label in labels:
        counts[label.line.place.sales_order_id] += label.times * form.copies
    _note_lines(lines, lambda order_id, _: {"labels": counts[order_id], **form.kept}, by)
    return Printed(f"Etiquetas_{file_name(lines)}", pdf)


def print_labels_of_batch(*, batch_id: int, form: LabelForm, by: Principal) -> Printed:
    """Print labels of the lines on a batch, with their pieces on the batch. Queries and errors as in `print_labels`.

    Also raises `NotFound`, and `PermissionDenied` unless the caller may read batches.
    """
    if not by.holds(*batches.READERS):
        raise PermissionDenied
    with render_pool.slot(by.user_id) as own:
        batch = batches.batch_get(batch_id)
        with translation.override(form.language):
            labels = labels_of(labels_of_batch(batch), form.pieces_each)
        pdf = _label_pdf(own, labels, form, by)
    _note("batch", batch, {"labels": _count(labels, form), **form.kept}, by)
    return Printed(f"Etiquetas_Tanda_{batch.number}.pdf", pdf)


def print_labels_of_bill(*, bill_id: int, form: LabelForm, by: Principal) -> Printed:
    """Print labels of the lines of a bill, with the bill's pieces and texts. Queries and errors as in `print_labels`.

    Also raises `NotFound`, and `PermissionDenied` unless the caller may read bills.
    """
    if not by.holds(Permission.ReportListBills):
        raise PermissionDenied
    with render_pool.slot(by.user_id) as own:
        bill = bill_get(bill_id, by)
        labels = labels_of(labels_of_bill(bill), form.pieces_each)
        pdf = _label_pdf(own, labels, form, by)
    _note("delivery", bill, {"labels": _count(labels, form), **form.kept}, by)
    return Printed(f"Etiquetas_{bill.number_text}.pdf", pdf)


def _count(labels: Iterable[Label], form: LabelForm) -> int:
    """Return the number of pages that these labels take."""
    return sum(label.times for label in labels) * form.copies


def _label_pdf(own: RenderPool, labels: list[Label], form: LabelForm, by: Principal) -> bytes:
    """Print labels, each in its copies. Raises `InvalidFields` with `too_many`."""
    total = _count(labels, form)
    if total > MOST_LABELS:
        raise InvalidFields.of("copies", "too_many", limit=MOST_LABELS)
    run = _begin(form.run_id, total, by)
    some = [*label_portions(labels)]
    pages = ((_count(portion, form), label_page(portion, form.size, form.language)) for portion in some)
    try:
        return _pdf(own, len(some), pages, run=run, copies=[_count([label], form) for label in labels])
    finally:
        if run:
            run.delete()


def print_bill(*, bill_id: int, language: str, by: Principal) -> Printed:
    """Print a bill or a pre-bill as PDF. 3 queries; at most 4 for a pre-bill.

    Raises `NotFound`, and `PdfUnavailable` as `print_sheets` does.
    """
    with render_pool.slot(by.user_id) as own:
        bill = bill_get(bill_id, by)
        pdf = _printed(own, bills.page(bill, _logo(bill), language))
    _note("delivery", bill, {"language": language}, by)
    return Printed(bills.file_name(bill), pdf)


def print_export(*, bill_id: int, paper: ExportPaper, language: str, by: Principal) -> Printed:
    """Print a bill's packing list, commercial invoice or certificate of origin. 3 queries; at most 4 for a pre-bill.

    Raises what `export_papers.page` raises, `NotFound`, and `PdfUnavailable` as `print_sheets` does.
    """
    with render_pool.slot(by.user_id) as own:
        bill = bill_get(bill_id, by)
        pdf = _printed(own, export_papers.page(bill, paper, _logo(bill), language))
    _note("delivery", bill, {"language": language, "paper": paper.value}, by)
    return Printed(export_papers.file_name(bill, paper), pdf)


def print_cfdi(*, bill_id: int, settlement_id: int | None, by: Principal) -> Printed:
    """Print the stamped invoice of a bill, or the stamped paper of a payment or credit note, as PDF.

    Raises `NotFound`, `NotStamped`, and `PdfUnavailable` as `print_sheets` does.
    """
    bill = bill_get(bill_id, by)
    row = stored.stamped_of(bill_id, settlement_id)
    markup = cfdi.worked(cfdi_tasks.markup_of, row.xml.encode(), by=by)
    with render_pool.slot(by.user_id) as own:
        pdf = _printed(own, Page(markup, frozenset(), CFDI_STYLESHEET))
    _note("delivery", bill, {"cfdi" if settlement_id is None else "settlementCfdi": "printed"}, by)
    return Printed(cfdi.file_name(bill, settlement_id, "pdf"), pdf)


def print_certificate(*, certificate_id: int, language: str, by: Principal) -> Printed:
    """Print a certificate of origin for a period as PDF. 2 queries. Raises `NotFound`, and `PdfUnavailable` as
    `print_sheets` does."""
    with render_pool.slot(by.user_id) as own:
        row = certificate_get(certificate_id)
        pdf = _printed(own, export_papers.certificate_page(row, language))
    _note("certificates", row, {"language": language}, by)
    return Printed(export_papers.certificate_name(row), pdf)


def print_receipt(*, payment_id: int, language: str | None, by: Principal) -> Printed:
    """Print a payment's pay slip as PDF. At most 4 queries, and 2 more if items have no `issued`.

    Without `language`, the slip is in the payee's language, or in the caller's if there is no payee.

    Raises `NotFound`, and `PdfUnavailable` as `print_sheets` does.
    """
    with render_pool.slot(by.user_id) as own:
        payment = payment_get(payment_id)
        spoken = language or (payment.payee.language if payment.payee else language_of(by.user_id))
        pdf = _printed(own, receipts.page(payment, spoken))
    _note("payment", payment, {"language": spoken}, by)
    return Printed(receipts.file_name(payment, spoken), pdf)


def print_receipts(*, payment_ids: Sequence[int], language: str | None, by: Principal) -> Printed:
    """Print the pay slips of payments as one PDF, in this order, each on its own pages.

    4 queries, and 2 more if items have no `issued`. The language of each slip and the errors are as in
    `print_receipt`.
    """
    with render_pool.slot(by.user_id) as own:
        payments = payments_by_id(payment_ids)
        of_caller = language_of(by.user_id)
        slips = [(row, language or (row.payee.language if row.payee else of_caller)) for row in payments]
        pages = ((1, receipts.page(payment, spoken)) for payment, spoken in slips)
        pdf = _pdf(own, len(slips), pages, seconds=render_pool.PAPER_SECONDS)
    audit.record_all(
        "payment",
        (audit.Change(one.pk, str(one), "printed", None, {"language": spoken}) for one, spoken in slips),
        by=by,
    )
    return Printed(receipts.file_name(payments[0], slips[0][1], last=payments[-1]), pdf)


def print_metal_slip(*, day_id: int, language: str | None, by: Principal) -> Printed:
    """Print the slip of a closed day of metal as PDF. 3 queries.

    Without `language`, the slip is in the person's language. Raises `NotFound`, and `PdfUnavailable` as `print_sheets`
    does.
    """
    with render_pool.slot(by.user_id) as own:
        row = metal.day_for(day_id, by)
        day, spoken = day_document(row), language or row.person.language
        pdf = _printed(own, metal_slips.page(day, issuer(), spoken))
    _note("metal-day", row, {"language": spoken}, by)
    return Printed(metal_slips.file_name(day, spoken), pdf)


def print_count_slip(*, count_id: int, language: str | None, by: Principal) -> Printed:
    """Print the slip of a count of the vault as PDF. 3 queries.

    Without `language`, the slip is in the caller's language. Raises `NotFound`, and `PdfUnavailable` as `print_sheets`
    does.
    """
    with render_pool.slot(by.user_id) as own:
        row = counts.counts().filter(pk=count_id).first()
        if row is None:
            raise NotFound
        count, spoken = count_document(row), language or language_of(by.user_id)
        pdf = _printed(own, count_slips.page(count, issuer(), spoken))
    _note("metal-count", row, {"language": spoken}, by)
    return Printed(count_slips.file_name(count, spoken), pdf)


def _logo(bill: Bill) -> str:
    """Return the name of the stored logo for a bill. An issued bill has its own copy. A pre-bill has the logo of its
    company, else of the issuer. At most 1 query."""
    return bill.logo if bill.issued else bill.company.image or issuer().logo


def _printed(own: RenderPool, prepared: Page) -> bytes:
    work = _start(own, prepared, render_pool.PAPER_SECONDS)
    give_connection_back()
    return render_pool.printed(work)


def _note(entity: str, row: Model, after: dict[str, object], by: Principal) -> None:
    """Record in the audit that a record was printed."""
    audit.record(entity=entity, entity_id=row.pk, label=str(row), action="printed", before=None, after=after, by=by)


def _note_lines(
    lines: Iterable[tuple[Place, str]], kept: Callable[[int, int], dict[str, object]], by: Principal
) -> None:
    """Record in the audit that papers of `lines` (each with its PO#) were printed, one row for each order.

    `kept`: returns the audit's values for an order, from the order's id and the number of its printed lines.
    """
    positions: dict[tuple[int, str], list[int]] = {}
    for place, po in lines:
        positions.setdefault((place.sales_order_id, po), []).append(place.position)
    audit.record_all(
        "sales-order",
        (
            audit.Change(order_id, po, "printed", None, {"positions": printed, **kept(order_id, len(printed))})
            for (order_id, po), printed in positions.items()
        ),
        by=by,
    )


def forget_runs() -> None:
    """Delete the rows of old prints. Such a row remains if a process died during the print."""
    PrintRun.objects.filter(started_at__lt=clock.now() - RUNS_KEPT).delete()


def file_name(lines: Sequence[tuple[Place, str]]) -> str:
    """Return the file's name, with the PO# and the line; for several lines, with the first and the last."""
    (first, first_po), (last, last_po) = lines[0], lines[-1]
    if len(lines) == 1:
        return f"PO#_{_safe(first_po)}-Linea_{first.position}.pdf"
    if first_po == last_po:
        return f"PO#_{_safe(first_po)}-Lineas_{first.position}-{last.position}.pdf"
    return f"PO#_{_safe(first_po)}-{_safe(last_po)}.pdf"


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
    copies: list[int] | None = None,
) -> bytes:
    """Print `count` pages of markup as one PDF. `pages`: each page with the number of sheets to add to the progress.

    `copies`: the number of copies of each printed page; None: one. Several parts are kept in files until they are
    joined, because thousands of sheets do not fit in memory.
    """
    parts = _parts(own, pages, run, seconds)
    if count == 1 and sum(copies or ()) == len(copies or ()):
        return next(parts)
    with TemporaryDirectory() as folder:
        files = [Path(folder, str(number)) for number in range(count)]
        for file, part in zip(files, parts, strict=True):
            file.write_bytes(part)
        whole = Path(folder, "whole")
        render_pool.printed(own.start_binding([str(file) for file in files], str(whole), copies))
        return whole.read_bytes()


def _parts(own: RenderPool, pages: Iterable[tuple[int, Page]], run: PrintRun | None, seconds: float) -> Iterator[bytes]:
    """Yield the PDFs of the pages in order. At most PDF_WORKERS + 1 pages are printed at the same time."""
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
