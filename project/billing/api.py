"""REST of bills and pre-bills (infra/docs/rules.md#bills)."""

from typing import Annotated

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Path, Query

from project.access.guard import Requires, caller
from project.access.permissions import Permission
from project.audit.exporting import export
from project.billing import csd, documents, exports, origin, schemas, selectors, services, settlements
from project.billing.models import Bill
from project.billing.numbers import NUMBERS, bill_numbers
from project.billing.schemas import CertificateOut, CsdOut, DeliveryOut, OriginOut, SettlementsOut
from project.core.answers import Created
from project.core.idempotency import Repeat
from project.core.pagination import announce, paginate
from project.core.routing import domain_router
from project.core.schemas import Id
from project.core.versions import if_match

router = domain_router("deliveries")

READ = Requires(Permission.ReportListBills, customers="their bills")
STAFF = Requires(Permission.ReportListBills, Permission.UpdateDelivery)
PathId = Annotated[Id, Path()]


@router.post("", auth=Requires(Permission.CreateDelivery), operation_id="delivery_create")
def delivery_create(request: HttpRequest, body: schemas.DeliveryIn) -> Created[DeliveryOut]:
    """Create a bill of lines. With `preBill`, create a pre-bill, which reserves no pieces."""
    bill = services.bill_create(body=body, by=caller(request))
    return Created(documents.bill(bill, caller(request)))


@router.get("/search", auth=READ, operation_id="delivery_search")
def delivery_search(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.DeliveryQuery]
) -> list[DeliveryOut] | HttpResponseBase:
    """List bills by keyset. Filters: status, customerId, companyId, from, to. `format`: the whole list as a file."""
    rows = _matching(request, query)
    if query.format:
        return export(request, rows.prefetch_related(None), query, selectors.BILL_ORDERINGS, documents.COLUMNS, "bills")
    page = paginate(rows, query, selectors.BILL_ORDERINGS)
    return [documents.bill(row, caller(request)) for row in announce(page, request, response)]


@router.get("/totals", auth=READ, operation_id="delivery_totals")
def delivery_totals(request: HttpRequest, query: Query[schemas.DeliveryFilters]) -> list[schemas.DeliveryTotalsOut]:
    """Sum the bills that match: one row for each currency. The filters are those of the list."""
    return [documents.totals(row) for row in selectors.bill_totals(_matching(request, query))]


@router.get(
    "/billable",
    auth=Requires(Permission.CreateDelivery, Permission.UpdateDelivery),
    operation_id="delivery_billable",
)
def billable(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.BillableQuery]
) -> list[schemas.BillableOut]:
    """List Done lines with pieces left to bill, by delivery date."""
    rows = selectors.billable(customer_id=query.customer_id, search=query.search)
    page = paginate(rows, query, selectors.BILLABLE_ORDERINGS)
    return [documents.billable(row) for row in announce(page, request, response)]


@router.get(
    "/currencies",
    auth=Requires(Permission.CreateDelivery, Permission.UpdateDelivery),
    operation_id="delivery_currencies",
)
def currencies(request: HttpRequest, query: Query[schemas.CurrenciesQuery]) -> schemas.CurrenciesOut:
    """Return the customer's currency, and that of the customer's last bill. If they differ, let the user choose."""
    own, last = selectors.currencies(query.customer_id)
    return schemas.CurrenciesOut(customer=own, last=last)


@router.get(
    "/addresses",
    auth=Requires(Permission.CreateDelivery, Permission.UpdateDelivery),
    operation_id="delivery_addresses",
)
def addresses(request: HttpRequest, query: Query[schemas.AddressesQuery]) -> schemas.AddressesOut:
    """Say whether the customer and the company have the commercial addresses that a bill needs."""
    customer, company = selectors.commercial_addresses(query.customer_id, query.company_id)
    return schemas.AddressesOut(customer=customer, company=company)


@router.get("/certificates", auth=STAFF, operation_id="certificate_list")
def certificate_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.CertificateQuery]
) -> list[CertificateOut]:
    """List the certificates of origin for a period, newest first."""
    rows = origin.certificates()
    if query.customer_id:
        rows = rows.filter(customer=query.customer_id)
    page = paginate(rows, query, origin.CERTIFICATE_ORDERINGS)
    return [documents.certificate(row) for row in announce(page, request, response)]


@router.get("/certificates/{int:certificate_id}", auth=STAFF, operation_id="certificate_get")
def certificate_get(request: HttpRequest, certificate_id: PathId) -> CertificateOut:
    return documents.certificate(origin.certificate_get(certificate_id))


@router.post(
    "/certificates",
    auth=Requires(Permission.UpdateDelivery),
    operation_id="certificate_create",
    repeat=Repeat(certificate_get, made="certificate_id"),
)
def certificate_create(request: HttpRequest, body: schemas.CertificateIn) -> Created[CertificateOut]:
    """Certify the origin of the products that a customer has ordered, for a period of up to twelve months.

    422 `origin_required` if the company's data are incomplete or no product of the customer originates.
    """
    return Created(documents.certificate(origin.certificate_create(body=body, by=caller(request))))


@router.get(
    "/csd/{int:company_id}",
    auth=Requires(Permission.ListCompanies, Permission.UpdateCompany),
    operation_id="csd_get",
)
def csd_get(request: HttpRequest, company_id: PathId) -> CsdOut:
    """Return the certificate with which a company seals its invoices. The key is never returned."""
    return documents.csd(company_id, csd.csd_of(company_id))


@router.put(
    "/csd/{int:company_id}",
    auth=Requires(Permission.UpdateCompany),
    operation_id="csd_put",
    repeat=Repeat(csd_get),
)
def csd_put(request: HttpRequest, company_id: PathId, body: schemas.CsdIn) -> CsdOut:
    """Store the certificate and key with which a company seals its invoices. The password is not stored.

    422 with `csd_unreadable`, `csd_wrong_password`, `csd_other_key`, `csd_is_fiel`, `csd_expired` or `csd_other_rfc`.
    """
    return documents.csd(company_id, csd.csd_put(company_id=company_id, body=body, by=caller(request)))


@router.delete(
    "/csd/{int:company_id}",
    auth=Requires(Permission.UpdateCompany),
    operation_id="csd_delete",
    repeat=Repeat(csd_get),
)
def csd_delete(request: HttpRequest, company_id: PathId) -> CsdOut:
    """Delete the certificate and key of a company."""
    csd.csd_delete(company_id=company_id, by=caller(request))
    return documents.csd(company_id, None)


@router.get("/{int:delivery_id}", auth=READ, operation_id="delivery_get")
def delivery_get(request: HttpRequest, delivery_id: PathId) -> DeliveryOut:
    bill = selectors.bill_get(delivery_id, caller(request))
    return documents.bill(bill, caller(request))


@router.put("/{int:delivery_id}", auth=Requires(Permission.UpdateDelivery), operation_id="delivery_update")
def delivery_change(request: HttpRequest, delivery_id: PathId, body: schemas.DeliveryChange) -> DeliveryOut:
    """Edit a pre-bill, or turn it into a bill. Of a bill only `invoiceNumber` and `guideNumber` can be changed."""
    if body.model_fields_set and body.model_fields_set <= NUMBERS:
        bill = bill_numbers(bill_id=delivery_id, body=body, by=caller(request), expected=if_match(request))
        return documents.bill(bill, caller(request))
    bill = services.bill_change(bill_id=delivery_id, body=body, by=caller(request), expected=if_match(request))
    return documents.bill(bill, caller(request))


@router.get("/{int:delivery_id}/origin", auth=STAFF, operation_id="delivery_origin")
def delivery_origin(request: HttpRequest, delivery_id: PathId) -> OriginOut:
    """Return what a bill certifies about the origin of its goods, the missing data, and the duty for the customer."""
    bill = selectors.bill_get(delivery_id, caller(request))
    found = origin.origin_of(bill)
    covering = origin.valid_on(bill.customer_id, bill.date).filter(company=bill.company_id).first()
    return OriginOut(
        abroad=found.abroad,
        treaty=found.treaty,
        gaps=[documents.gap(one) for one in found.gaps],
        certified=found.certified,
        lines=found.lines,
        duty_percent=found.duty_percent,
        duty=found.duty,
        certificate=documents.certificate(covering) if covering else None,
    )


@router.put(
    "/{int:delivery_id}/export",
    auth=Requires(Permission.UpdateDelivery),
    operation_id="delivery_export_update",
)
def delivery_export(request: HttpRequest, delivery_id: PathId, body: schemas.ExportIn) -> DeliveryOut:
    """Change the export part of a bill or pre-bill: its terms and its boxes. Boxes are replaced as a whole.

    409 `already_sealed` while the bill's electronic invoice is sealed or stamped.
    """
    bill = exports.bill_export(bill_id=delivery_id, body=body, by=caller(request), expected=if_match(request))
    return documents.bill(bill, caller(request))


@router.get("/{int:delivery_id}/settlements", auth=STAFF, operation_id="settlement_list")
def settlement_list(request: HttpRequest, delivery_id: PathId) -> SettlementsOut:
    """Say what is owed for a bill, and list its payments and credit notes that were not canceled, oldest first."""
    bill = selectors.bill_get(delivery_id, caller(request))
    return documents.settlements(bill, selectors.settlements_of(delivery_id))


@router.post(
    "/{int:delivery_id}/settlements",
    auth=Requires(Permission.UpdateDelivery),
    operation_id="settlement_create",
    repeat=Repeat(settlement_list),
)
def settlement_create(request: HttpRequest, delivery_id: PathId, body: schemas.SettlementIn) -> Created[SettlementsOut]:
    """Note a payment of a bill that is paid later, or a credit note for it.

    409 `not_issued` for a pre-bill, `already_canceled`, and `paid_at_once` for a payment of a bill that was paid at
    once. 422 `above_balance`, with the balance, and `in_the_future`, `other_currency`.
    """
    settlements.settle(bill_id=delivery_id, body=body, by=caller(request))
    return Created(settlement_list(request, delivery_id))


@router.delete(
    "/{int:delivery_id}/settlements/{int:settlement_id}",
    auth=Requires(Permission.UpdateDelivery),
    operation_id="settlement_cancel",
    repeat=Repeat(settlement_list),
)
def settlement_cancel(request: HttpRequest, delivery_id: PathId, settlement_id: PathId) -> SettlementsOut:
    """Take back the last payment or credit note of a bill. Its row stays.

    409 `not_the_last` for an earlier one, `already_sealed` while its paper is sealed or stamped, `already_canceled`.
    """
    settlements.settlement_cancel(bill_id=delivery_id, settlement_id=settlement_id, by=caller(request))
    return settlement_list(request, delivery_id)


@router.delete(
    "/{int:delivery_id}",
    auth=Requires(Permission.CancelDelivery),
    operation_id="delivery_cancel",
    versioned=True,
    record_stays=True,
)
def delivery_cancel(request: HttpRequest, delivery_id: PathId) -> DeliveryOut:
    """Cancel a bill or pre-bill. Its pieces can be billed again, and its row stays.

    409 `already_canceled`, `already_settled` if it has payments or credit notes, and `already_sealed` while its
    electronic invoice is sealed or stamped.
    """
    bill = services.bill_cancel(bill_id=delivery_id, by=caller(request), expected=if_match(request))
    return documents.bill(bill, caller(request))


def _matching(request: HttpRequest, query: schemas.DeliveryFilters) -> QuerySet[Bill]:
    return selectors.bill_search(
        caller(request),
        search=query.search,
        status=query.status,
        customer_id=query.customer_id,
        company_id=query.company_id,
        date_from=query.date_from,
        date_to=query.date_to,
    )
