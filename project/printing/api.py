"""REST of printing work sheets, labels, bills and pay slips, and of codes (infra/docs/rules.md#printing)."""

from typing import Annotated
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.http import content_disposition_header
from ninja import Path, Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.access.principal import Principal
from project.billing import cfdi as stored, documents
from project.billing.csd import csd_of
from project.billing.models import Bill
from project.billing.schemas import CfdiOut, DeliveryOut
from project.billing.selectors import bill_get, cfdi_of, settlement_get
from project.catalogs.selectors import issuer
from project.core.errors import NotFound, named_by
from project.core.idempotency import NotKept
from project.core.pictures import address, thumbnail_of
from project.core.routing import domain_router
from project.core.schemas import Id, QueryId
from project.identity.selectors import language_of
from project.printing import cfdi, schemas, selectors, services, stamping
from project.printing.answers import PDF, XML_OR_PDF, elsewhere, printed
from project.printing.codes import Place, seal
from project.printing.labels import LabelSize
from project.printing.models import PrintRun
from project.printing.selectors import Document

router = domain_router("work sheets")
scanning = domain_router("work sheets")
sheets = domain_router("work sheets")

READ = Requires(
    Permission.ListSalesOrders, Permission.ListOrders, Permission.ShopFloor, customers="codes of their lines"
)


@router.post(
    "/create-pdf",
    auth=Requires(Permission.PrintWorkSheet, customers="sheets of their lines, without notes"),
    operation_id="work_sheet_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_pdf(request: HttpRequest, body: schemas.PrintIn) -> HttpResponse:
    """Print the work sheets of lines as one PDF, in the given order. 503 `pdf_unavailable` if it cannot be made now."""
    return printed(
        request,
        lambda: services.print_sheets(
            documents=[Document(one.sales_order_id, one.position) for one in body.documents],
            language=body.language or language_of(caller(request).user_id),
            run_id=body.run_id,
            by=caller(request),
        ),
    )


@router.post(
    "/create-labels",
    auth=Requires(Permission.PrintWorkSheet),
    operation_id="labels_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_labels(request: HttpRequest, body: schemas.PrintLabelsIn) -> HttpResponse:
    """Print at most 5,000 labels of lines, of a batch or of a bill as one PDF. Each label is one page.

    Labels of a batch or a bill also need the permission to read it. 503 `pdf_unavailable` if they cannot be made now.
    """
    by = caller(request)
    form = services.LabelForm(
        size=LabelSize(body.width, body.height),
        pieces_each=body.pieces_each,
        copies=body.copies,
        language=body.language or language_of(by.user_id),
        run_id=body.run_id,
    )
    if body.batch_id is not None:
        batch_id = body.batch_id
        with named_by("batchId"):
            return printed(request, lambda: services.print_labels_of_batch(batch_id=batch_id, form=form, by=by))
    if body.delivery_id is not None:
        bill_id = body.delivery_id
        with named_by("deliveryId"):
            return printed(request, lambda: services.print_labels_of_bill(bill_id=bill_id, form=form, by=by))
    documents = [Document(one.sales_order_id, one.position) for one in body.documents or ()]
    return printed(request, lambda: services.print_labels(documents=documents, form=form, by=by))


@router.post(
    "/create-delivery",
    auth=Requires(Permission.ReportListBills, customers="their bills"),
    operation_id="delivery_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_delivery(request: HttpRequest, body: schemas.PrintBillIn) -> HttpResponse:
    """Print a bill or a pre-bill as PDF. 503 `pdf_unavailable` if it cannot be made now."""
    with named_by("deliveryId"):
        return printed(
            request,
            lambda: services.print_bill(
                bill_id=body.delivery_id,
                language=body.language or language_of(caller(request).user_id),
                by=caller(request),
            ),
        )


@router.post(
    "/create-export",
    auth=Requires(Permission.ReportListBills, customers="their bills"),
    operation_id="delivery_export_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_export(request: HttpRequest, body: schemas.PrintExportIn) -> HttpResponse:
    """Print a bill's packing list, commercial invoice or certificate of origin as PDF. 503 `pdf_unavailable` if it
    cannot be made now.

    422 if the bill lacks data: `tariff_item_required`, `incoterm_required`, `not_all_packed`, `boxes_exceed_bill`,
    `origin_required`.
    """
    with named_by("deliveryId"):
        return printed(
            request,
            lambda: services.print_export(
                bill_id=body.delivery_id,
                paper=body.paper,
                language=body.language or language_of(caller(request).user_id),
                by=caller(request),
            ),
        )


@router.post(
    "/create-certificate",
    auth=Requires(Permission.ReportListBills),
    operation_id="certificate_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_certificate(request: HttpRequest, body: schemas.PrintCertificateIn) -> HttpResponse:
    """Print a certificate of origin for a period as PDF. 503 `pdf_unavailable` if it cannot be made now."""
    with named_by("certificateId"):
        return printed(
            request,
            lambda: services.print_certificate(
                certificate_id=body.certificate_id,
                language=body.language or language_of(caller(request).user_id),
                by=caller(request),
            ),
        )


STAFF = Requires(Permission.ReportListBills, Permission.UpdateDelivery)
EDITS = Requires(Permission.UpdateDelivery)
DeliveryId = Annotated[Id, Path()]
Of = Annotated[QueryId | None, Query(alias="settlementId")]
"""The payment or credit note whose paper is meant; without it, the invoice is."""


@router.get("/cfdi/{int:delivery_id}", auth=STAFF, operation_id="cfdi_get")
def cfdi_get(request: HttpRequest, delivery_id: DeliveryId, settlement_id: Of = None) -> CfdiOut | HttpResponseBase:
    """Return the state of a bill's electronic invoice, and the data that it lacks.

    With `settlementId`: the state of the paper of this payment or credit note. Only an invoice that is not sealed is
    checked for missing data; 503 `pdf_unavailable` if it cannot be checked now.
    """
    bill = bill_get(delivery_id, caller(request))
    checked = settlement_id is None and not bill.sealed
    if checked and (answer := elsewhere(request)) is not None:
        return answer
    return _cfdi(bill, settlement_id, caller(request))


def _cfdi(bill: Bill, settlement_id: int | None, by: Principal) -> CfdiOut:
    if settlement_id is not None:
        settlement_get(bill.pk, settlement_id)
    row = cfdi_of(bill.pk, settlement_id)
    gaps = [] if row or settlement_id is not None else cfdi.gaps_of(bill, by)
    has_csd = csd_of(bill.company_id) is not None
    return documents.cfdi(bill.pk, gaps, row, has_csd, settlement_id=settlement_id)


@router.post(
    "/create-cfdi",
    auth=STAFF,
    operation_id="cfdi_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: XML_OR_PDF}},
)
def create_cfdi(request: HttpRequest, body: schemas.PrintCfdiIn) -> HttpResponse:
    """Download the electronic invoice of a bill, or with `settlementId` the paper of a payment or credit note.

    The file is the stamped or sealed paper. If there is none, it is a new paper without a seal, to seal it elsewhere.
    `format` pdf: the printed form of a stamped paper, 409 `not_stamped` for others.
    422 `customs_incomplete` if the invoice lacks data. 409 `not_stamped` for a payment or credit note while the invoice
    has no stamp, `paid_at_once` for a payment of a bill that was paid at once. 503 `pdf_unavailable` if the paper
    cannot be written now.
    """
    if (answer := elsewhere(request)) is not None:
        return answer
    with named_by("deliveryId"):
        bill = bill_get(body.delivery_id, caller(request))
    if body.format == "pdf":
        return printed(
            request,
            lambda: services.print_cfdi(bill_id=bill.pk, settlement_id=body.settlement_id, by=caller(request)),
        )
    bill, xml = cfdi.xml_of(bill_id=bill.pk, settlement_id=body.settlement_id, by=caller(request))
    response = HttpResponse(xml, content_type="application/xml")
    response["Content-Disposition"] = content_disposition_header(True, cfdi.file_name(bill, body.settlement_id, "xml"))
    return response


@router.post(
    "/cfdi/{int:delivery_id}/seal",
    auth=EDITS,
    operation_id="cfdi_seal",
    repeat=NotKept("a paper is sealed once: a repeat answers the same"),
)
def cfdi_seal(request: HttpRequest, delivery_id: DeliveryId, settlement_id: Of = None) -> CfdiOut | HttpResponseBase:
    """Write and seal the electronic invoice of a bill with the company's CSD. This closes the bill's export part.

    With `settlementId`: write and seal the complement of this payment, or this credit note. 422 `customs_incomplete`
    and `against_schema`, 409 `csd_required`, `csd_of_other_rfc`, `not_stamped` and `paid_at_once`. 503
    `pdf_unavailable` if the paper cannot be written now.
    """
    if (answer := elsewhere(request)) is not None:
        return answer
    cfdi.seal(bill_id=delivery_id, settlement_id=settlement_id, by=caller(request))
    return _cfdi(bill_get(delivery_id, caller(request)), settlement_id, caller(request))


@router.delete(
    "/cfdi/{int:delivery_id}/seal",
    auth=EDITS,
    operation_id="cfdi_drop",
    repeat=NotKept("it is 409 once the seal is taken back"),
)
def cfdi_drop(request: HttpRequest, delivery_id: DeliveryId, settlement_id: Of = None) -> DeliveryOut:
    """Take back the seal of a paper that was never stamped, to correct the bill.

    409 `not_sealed` if no sealed paper waits for its stamp, and `stamp_pending` while a PAC that was sent the paper has
    not answered.
    """
    bill = stored.drop(bill_id=delivery_id, settlement_id=settlement_id, by=caller(request))
    return documents.bill(bill, caller(request))


@router.post(
    "/cfdi/{int:delivery_id}/stamped",
    auth=EDITS,
    operation_id="cfdi_stamp",
    repeat=NotKept("it is 409 once the paper is stamped"),
)
def cfdi_stamp(
    request: HttpRequest, delivery_id: DeliveryId, body: schemas.StampedIn, settlement_id: Of = None
) -> CfdiOut | HttpResponseBase:
    """Store the stamped paper that a PAC returned for the sealed one.

    422 `other_invoice` if the stamped paper differs from the sealed one in more than the stamp. 409 `not_sealed`.
    """
    if (answer := elsewhere(request)) is not None:
        return answer
    cfdi.stamp(bill_id=delivery_id, settlement_id=settlement_id, stamped=body.xml, by=caller(request))
    return _cfdi(bill_get(delivery_id, caller(request)), settlement_id, caller(request))


@router.post(
    "/cfdi/{int:delivery_id}/canceled",
    auth=EDITS,
    operation_id="cfdi_cancel",
    repeat=NotKept("it is 409 once the cancellation is noted"),
)
def cfdi_cancel(
    request: HttpRequest, delivery_id: DeliveryId, body: schemas.CanceledIn, settlement_id: Of = None
) -> DeliveryOut:
    """Note that a stamped paper was canceled at the SAT. Then the bill can be canceled, or the paper sealed again.

    409 `not_stamped` if there is no stamped paper. 409 `not_cancelable` for an invoice while its complements of payment
    or credit notes are sealed or stamped.
    """
    bill = stored.cancel(
        bill_id=delivery_id,
        settlement_id=settlement_id,
        reason=body.reason,
        replaced_by=body.replaced_by,
        by=caller(request),
    )
    return documents.bill(bill, caller(request))


@router.post(
    "/cfdi/{int:delivery_id}/stamp",
    auth=EDITS,
    operation_id="cfdi_pac_stamp",
    repeat=NotKept("it is 409 once the paper is stamped"),
)
def cfdi_pac_stamp(
    request: HttpRequest, delivery_id: DeliveryId, settlement_id: Of = None
) -> CfdiOut | HttpResponseBase:
    """Let the PAC stamp a sealed paper. If an earlier try had no answer, first ask the PAC for the stamp.

    409 `pac_required`, `not_sealed`, and `stamp_expired` if an earlier try had no answer, the paper is older than 72
    hours, and the PAC has no stamp. 422 `pac_refused`. 503 `pac_unavailable` if the PAC does not answer.
    """
    if (answer := elsewhere(request)) is not None:
        return answer
    stamping.stamp(bill_id=delivery_id, settlement_id=settlement_id, by=caller(request))
    return _cfdi(bill_get(delivery_id, caller(request)), settlement_id, caller(request))


@router.post(
    "/cfdi/{int:delivery_id}/cancel",
    auth=EDITS,
    operation_id="cfdi_pac_cancel",
    repeat=NotKept("the SAT takes a second request for the first"),
)
def cfdi_pac_cancel(
    request: HttpRequest, delivery_id: DeliveryId, body: schemas.CanceledIn, settlement_id: Of = None
) -> DeliveryOut | HttpResponseBase:
    """Ask the SAT through the PAC to cancel a stamped paper. The paper is canceled once the SAT confirms it.

    409 `pac_required`, `not_stamped`, `not_cancelable`, `csd_required`, `csd_of_other_rfc`; 422 `pac_refused`; 503
    `pac_unavailable`.
    """
    if (answer := elsewhere(request)) is not None:
        return answer
    stamping.cancel(
        bill_id=delivery_id,
        settlement_id=settlement_id,
        reason=body.reason,
        replaced_by=body.replaced_by,
        by=caller(request),
    )
    return documents.bill(bill_get(delivery_id, caller(request)), caller(request))


@router.post(
    "/cfdi/{int:delivery_id}/status",
    auth=EDITS,
    operation_id="cfdi_pac_status",
    repeat=NotKept("asks how it stands"),
)
def cfdi_pac_status(
    request: HttpRequest, delivery_id: DeliveryId, settlement_id: Of = None
) -> DeliveryOut | HttpResponseBase:
    """Ask the SAT about a requested cancellation, and store the result: canceled, refused by the buyer, or still open.

    409 `pac_required`, and `not_stamped` if no cancellation was requested; 503 `pac_unavailable`.
    """
    if (answer := elsewhere(request)) is not None:
        return answer
    stamping.follow(bill_id=delivery_id, settlement_id=settlement_id, by=caller(request))
    return documents.bill(bill_get(delivery_id, caller(request)), caller(request))


@router.post(
    "/create-receipt",
    auth=Requires(Permission.ReportPaidOrders),
    operation_id="payment_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_receipt(request: HttpRequest, body: schemas.PrintReceiptIn) -> HttpResponse:
    """Print the pay slip of a payment as PDF. 503 `pdf_unavailable` if it cannot be made now."""
    with named_by("paymentId"):
        return printed(
            request,
            lambda: services.print_receipt(payment_id=body.payment_id, language=body.language, by=caller(request)),
        )


@router.post(
    "/create-receipts",
    auth=Requires(Permission.ReportPaidOrders),
    operation_id="payments_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_receipts(request: HttpRequest, body: schemas.PrintReceiptsIn) -> HttpResponse:
    """Print the pay slips of payments as one PDF, in this order. 503 `pdf_unavailable` if it cannot be made now."""
    with named_by("paymentIds"):
        return printed(
            request,
            lambda: services.print_receipts(payment_ids=body.payment_ids, language=body.language, by=caller(request)),
        )


@router.post(
    "/create-metal-slip",
    auth=Requires(Permission.ViewMetal, Permission.ManageMetal, Permission.CloseMetalDay, operators=True),
    operation_id="metal_slip_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_metal_slip(request: HttpRequest, body: schemas.PrintMetalSlipIn) -> HttpResponse:
    """Print the slip of a closed day of metal as PDF. 503 `pdf_unavailable` if it cannot be made now."""
    with named_by("id"):
        return printed(
            request,
            lambda: services.print_metal_slip(day_id=body.id, language=body.language, by=caller(request)),
        )


@router.post(
    "/create-metal-count",
    auth=Requires(Permission.ViewMetal, Permission.ManageMetal),
    operation_id="metal_count_print",
    repeat=NotKept("reads"),
    openapi_extra={"responses": {200: PDF}},
)
def create_metal_count(request: HttpRequest, body: schemas.PrintMetalCountIn) -> HttpResponse:
    """Print the slip of a count of the vault as PDF. 503 `pdf_unavailable` if it cannot be made now."""
    with named_by("id"):
        return printed(
            request,
            lambda: services.print_count_slip(count_id=body.id, language=body.language, by=caller(request)),
        )


@router.get(
    "/runs/{uuid:run_id}",
    auth=Requires(Permission.PrintWorkSheet, customers="a print of their own"),
    operation_id="work_sheet_progress",
)
def progress(request: HttpRequest, run_id: Annotated[UUID, Path()]) -> schemas.PrintRunOut:
    """Read the progress of one of the caller's prints. 404 before the print begins and after it has ended."""
    run = PrintRun.objects.filter(pk=run_id, user=caller(request).user_id).first()
    if run is None:
        raise NotFound
    return schemas.PrintRunOut(done=run.done, total=run.total)


@scanning.post(
    "",
    auth=READ,
    operation_id="scan",
    repeat=NotKept("reads"),
)
def scan(request: HttpRequest, body: schemas.ScanIn) -> schemas.ScanOut:
    """Find the line that a sheet's code identifies. 422 `unknown_code` for any other code."""
    place = selectors.scanned(body.code, caller(request))
    return schemas.ScanOut(sales_order_id=place.sales_order_id, position=place.position)


@sheets.get("/{int:order_id}/position/{int:position}", auth=READ, operation_id="work_sheet_get")
def sheet(request: HttpRequest, order_id: Annotated[Id, Path()], position: Annotated[Id, Path()]) -> schemas.SheetOut:
    """Read the code, line total and company of a line's sheet, for the line's screen."""
    place = Place(order_id, position)
    if not selectors.exists(place, caller(request)):
        raise NotFound
    owner = issuer()
    logo = address(thumbnail_of(owner.logo)) if owner.logo else None
    return schemas.SheetOut(
        code=seal(place), lines_count=selectors.total_of(place, caller(request)), company_name=owner.name, logo=logo
    )
