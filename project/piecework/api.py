"""REST of piece work and its payments, below the paths of lines of orders (infra/docs/rules.md#piecework)."""

from typing import Annotated

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Path, Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.audit.exporting import export
from project.core import clock
from project.core.answers import Created
from project.core.idempotency import Repeat
from project.core.money import plant_currency
from project.core.pagination import announce, paginate
from project.core.routing import domain_router
from project.core.schemas import Id
from project.core.versions import if_match
from project.piecework import documents, schemas, selectors, services
from project.piecework.models import Payment

router = domain_router("payments")

PathId = Annotated[Id, Path()]


@router.get("", auth=Requires(Permission.ReportPayOrders), operation_id="payable_list")
def payable_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.PayableQuery]
) -> list[schemas.PayableOut] | HttpResponseBase:
    """List closed, unreleased records by keyset, oldest exit first. `format` returns the whole list as a file."""
    rows = selectors.payable_list(
        search=query.search,
        customer_id=query.customer_id,
        production_process_id=query.production_process_id,
        user_id=query.user_id,
        date_from=query.date_from,
        date_to=query.date_to,
        pending=query.pending,
    )
    if query.format:
        return export(request, rows, query, selectors.PAYABLE_ORDERINGS, documents.PAYABLE_COLUMNS, "pay-orders")
    page = paginate(rows, query, selectors.PAYABLE_ORDERINGS)
    return [documents.payable(row) for row in announce(page, request, response)]


@router.get("/people", auth=Requires(Permission.ReportPayOrders), operation_id="payable_people")
def payable_people(request: HttpRequest, query: Query[schemas.OwedQuery]) -> list[schemas.OwedOut]:
    """List the people who are owed something. First comes the largest amount for the days that the call names."""
    return [documents.owed(row) for row in selectors.people_owed(date_from=query.date_from, date_to=query.date_to)]


@router.get(
    "/earnings",
    auth=SignedIn("the earnings of their own work only"),
    operation_id="earnings_own",
)
def earnings(request: HttpRequest) -> schemas.EarningsOut:
    """Return what the caller earned by piece work."""
    own = selectors.earnings(caller(request).user_id)
    return schemas.EarningsOut(
        today=own.today,
        week=own.week,
        open=own.open,
        paid=own.paid,
        unweighed=own.unweighed,
        currency=plant_currency(),
    )


@router.get(
    "/payments",
    auth=Requires(Permission.ReportPaidOrders),
    operation_id="payment_list",
)
def payment_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.PaymentQuery]
) -> list[schemas.PaymentOut] | HttpResponseBase:
    """List payments by keyset, latest first. `format` returns the whole list as a file."""
    rows = _matching(query)
    if query.format:
        return export(request, rows, query, selectors.PAYMENT_ORDERINGS, documents.PAYMENT_COLUMNS, "paid-orders")
    page = paginate(rows, query, selectors.PAYMENT_ORDERINGS)
    return [documents.payment(row, caller(request)) for row in announce(page, request, response)]


@router.get(
    "/payments/totals",
    auth=Requires(Permission.ReportPaidOrders),
    operation_id="payment_totals",
)
def payment_totals(request: HttpRequest, query: Query[schemas.PaymentFilters]) -> schemas.PaymentTotalsOut:
    """Sum the payments that match. The filters are those of the list."""
    sums = selectors.totals(_matching(query))
    return schemas.PaymentTotalsOut(
        payments=sums.payments, total=sums.total, currency=plant_currency(), canceled=sums.canceled
    )


@router.post("/payments", auth=Requires(Permission.CreatePay), operation_id="payment_create")
def payment_create(request: HttpRequest, body: schemas.PaymentIn) -> Created[schemas.PaymentOut]:
    """Pay pieces of closed records: all pieces of a record or a part of them."""
    payment = services.payment_create(
        date=body.date or clock.today(),
        payee_id=body.user_id,
        notes=body.notes,
        items=body.items,
        by=caller(request),
    )
    return Created(documents.payment(payment, caller(request)))


def payments_paid(request: HttpRequest, payment_ids: list[int]) -> list[schemas.PaidOut]:
    """Answer a repeated request of `people_pay`: return the payments that the first request made."""
    return [documents.paid(row) for row in selectors.payments_by_id(payment_ids)]


@router.post(
    "/payments/people",
    auth=Requires(Permission.CreatePay),
    operation_id="payment_for_people_create",
    repeat=Repeat(payments_paid, made="payment_ids"),
)
def people_pay(request: HttpRequest, body: schemas.PayPeopleIn) -> Created[list[schemas.PaidOut]]:
    """Pay people all that they are owed for exits on some days: a separate payment for each person, and all or none.

    409 `owed_changed` if people are not owed what the body says: `userIds` has their ids.
    """
    made = services.people_pay(
        people=body.people,
        date_from=body.date_from,
        date_to=body.date_to,
        date=body.date or clock.today(),
        notes=body.notes,
        by=caller(request),
    )
    return Created([documents.paid(row) for row in made])


PAYMENT = "/payments/{int:payment_id}"


@router.get(PAYMENT, auth=Requires(Permission.ReportPaidOrders), operation_id="payment_get")
def payment_get(request: HttpRequest, payment_id: PathId) -> schemas.PaymentOut:
    payment = selectors.payment_get(payment_id)
    return documents.payment(payment, caller(request))


@router.put(PAYMENT + "/cancel", auth=Requires(Permission.CancelPay), operation_id="payment_cancel")
def payment_cancel(request: HttpRequest, payment_id: PathId, body: schemas.CancelIn) -> schemas.PaymentOut:
    """Cancel a payment, with a reason. Its pieces can be paid again."""
    payment = services.payment_cancel(
        payment_id=payment_id, notes=body.notes, by=caller(request), expected=if_match(request)
    )
    return documents.payment(payment, caller(request))


def _matching(query: schemas.PaymentFilters) -> QuerySet[Payment]:
    return selectors.payment_list(
        search=query.search,
        customer_id=query.customer_id,
        user_id=query.user_id,
        status=query.status,
        date_from=query.date_from,
        date_to=query.date_to,
    )
