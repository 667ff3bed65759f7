"""Read bills, and lines that can be billed, in a constant number of queries."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    DecimalField,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce, Collate

from project.access.principal import Principal, visible_to
from project.billing.models import LIVE, Bill, BillLine, Cfdi, SealedPaper, Settlement, SettlementCfdi
from project.billing.rules import BillStatus
from project.catalogs.models import Company, Customer
from project.catalogs.selectors import PRODUCT_OF_ROW
from project.core.errors import NotFound
from project.core.pagination import Orderings
from project.core.spanish import COLLATION, matching
from project.metal.selectors import finished_of
from project.orders.models import GOOD, Line
from project.orders.rules import Status

BILL_ORDERINGS = Orderings(
    columns={"id": "id", "date": "date", "total": "total", "customerName": "named_customer", "status": "status"},
    default="-id",
)
BILLABLE_ORDERINGS = Orderings(
    columns={"id": "id", "deliveryDate": "due", "customerSalesOrderId": "order__customer_sales_order_id"},
    default="deliveryDate",
)


_NUMBER = re.compile(r"(?:([fp])-?)?0*(\d{1,9})", re.IGNORECASE | re.ASCII)


def bill_lines() -> QuerySet[BillLine]:
    """Return lines of bills with their order and product, in the order of each bill. 1 query."""
    of_pre_bill = Q(bill__status=BillStatus.PreBill)
    finished = Case(When(of_pre_bill, then=finished_of("line__order_id", "line__position")))
    rows = BillLine.objects.select_related("line__order", "line__item__tax_item", "line__item__alloy").annotate(
        finished_mg=finished
    )
    return rows.order_by("bill_id", "place")


def bills() -> QuerySet[Bill]:
    """Return bills with customer, company, people, lines, `sealed` and `settled`. 2 queries for any number of bills."""
    rows = Bill.objects.select_related("customer", "company", "created_by", "billed_by", "canceled_by").annotate(
        is_sealed=Exists(Cfdi.objects.filter(bill=OuterRef("pk"), state__in=LIVE)),
        is_settled=Exists(Settlement.objects.filter(bill=OuterRef("pk"), canceled_at__isnull=True)),
    )
    return rows.prefetch_related(Prefetch("lines", queryset=bill_lines()))


def _named_customer() -> Collate:
    """Return the customer's name as the bill shows it."""
    shown = Coalesce(KT("issued__customer_name"), F("customer__name"), output_field=CharField())
    return Collate(shown, COLLATION)


def bills_for(by: Principal) -> QuerySet[Bill]:
    """Return the bills that `by` may read. 2 queries for any number of bills."""
    return visible_to(bills(), by, customer="customer")


def bill_get(bill_id: int, by: Principal | None = None) -> Bill:
    """Return the bill, if `by` may read it. `by` None: a write by staff, who may read all. Raises `NotFound`."""
    found = (bills_for(by) if by else bills()).filter(pk=bill_id).first()
    if found is None:
        raise NotFound
    return found


def bill_search(
    by: Principal,
    *,
    search: str | None = None,
    status: BillStatus | None = None,
    customer_id: int | None = None,
    company_id: int | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
) -> QuerySet[Bill]:
    """Return bills by status, customer, company and date (both ends included).

    `search` covers numbers, customer, notes and PO#. Customer and PO# are found both as the bill shows them and as they
    are now.
    """
    rows = bills_for(by).annotate(named_customer=_named_customer())
    texts = ("invoice_number", "guide_number", "notes", "customer__name", "named_customer")
    found = matching(rows, search, *texts, also=_number_or_order)
    if status:
        found = found.filter(status=status)
    if customer_id:
        found = found.filter(customer_id=customer_id)
    if company_id:
        found = found.filter(company_id=company_id)
    if date_from:
        found = found.filter(date__gte=date_from)
    if date_to:
        found = found.filter(date__lte=date_to)
    return found


def _number_or_order(word: str) -> Q:
    of_order = BillLine.objects.filter(
        Q(line__order__customer_sales_order_id__folded__contains=word)
        | Q(customer_sales_order_id__folded__contains=word)
    )
    return Q(pk__in=of_order.values("bill")) | _numbered(word)


def _numbered(word: str) -> Q:
    """Select bills by number: `F-0004` a bill, `p-4` a pre-bill, `4` either. Selects none if `word` is no number.

    With the `P`, a bill is also found by its former number as a pre-bill: a paper with that number may still be around.
    """
    asked = _NUMBER.fullmatch(word)
    if asked is None:
        return Q(pk__in=[])
    kind, number = (asked[1] or "").upper(), int(asked[2])
    bills, pre_bills = Q(number=number), Q(pre_bill_number=number)
    return {"F": bills, "P": pre_bills}.get(kind, bills | pre_bills & Q(number=None))


def cfdi_of(bill_id: int, settlement_id: int | None = None) -> SealedPaper | None:
    """Return the sealed or stamped paper of a bill; None if there is none. 1 query.

    Without `settlement_id` it is the electronic invoice, else the paper of this payment or credit note.
    """
    if settlement_id is None:
        return Cfdi.objects.filter(bill=bill_id, state__in=LIVE).first()
    found = SettlementCfdi.objects.filter(settlement=settlement_id, settlement__bill=bill_id, state__in=LIVE)
    return found.first()


def settlement_get(bill_id: int, settlement_id: int) -> Settlement:
    """Return a payment or credit note of a bill. Raises `NotFound`. 1 query."""
    found = Settlement.objects.filter(pk=settlement_id, bill=bill_id).first()
    if found is None:
        raise NotFound
    return found


def settlements_of(bill_id: int) -> list[Settlement]:
    """Return the payments and credit notes of a bill that are not canceled, oldest first. 2 queries.

    Each has its paper that is sealed or stamped as `cfdi`; None if there is none.
    """
    rows = list(Settlement.objects.filter(bill=bill_id, canceled_at__isnull=True).order_by("id"))
    papers = SettlementCfdi.objects.filter(settlement__bill=bill_id, state__in=LIVE).defer("xml")
    sealed = {one.settlement_id: one for one in papers}
    for row in rows:
        row.cfdi = sealed.get(row.pk)
    return rows


def currencies(customer_id: int) -> tuple[str, str | None]:
    """Return the customer's currency, and the currency of the customer's last bill or pre-bill that is not canceled.

    2 queries. Raises `NotFound`.
    """
    own = Customer.objects.filter(pk=customer_id).values_list("currency", flat=True).first()
    if own is None:
        raise NotFound
    uncanceled = Bill.objects.filter(customer=customer_id).exclude(status=BillStatus.Canceled)
    return own, uncanceled.order_by("-id").values_list("currency", flat=True).first()


def has_commercial_address(of: Customer | Company) -> bool:
    """Say whether a customer or a company has a commercial address with a street, which a bill needs."""
    match of:
        case Customer():
            addresses = [one for one in of.addresses if one.get("kind") == "Commercial"]
        case Company():
            addresses = [of.commercial_address or {}]
    return any(one.get("street", "").strip() for one in addresses)


def commercial_addresses(customer_id: int | None, company_id: int | None) -> tuple[bool | None, bool | None]:
    """Say whether the customer and the company have a commercial address; None for an id that is not given.

    At most 2 queries. Raises `NotFound`.
    """
    asked: tuple[tuple[type[Customer | Company], int | None], ...] = ((Customer, customer_id), (Company, company_id))
    found: list[bool | None] = []
    for model, pk in asked:
        row = model._default_manager.filter(pk=pk).first() if pk else None
        if pk and row is None:
            raise NotFound
        found.append(has_commercial_address(row) if row else None)
    customer, company = found
    return customer, company


def bill_totals(found: QuerySet[Bill]) -> Iterable[Mapping[str, Any]]:
    """Return the sums of the bills, one row per currency, sorted by currency: see `DeliveryTotalsOut`. 1 query."""
    billed, pre_billed = Q(status=BillStatus.Billed), Q(status=BillStatus.PreBill)
    none = Value(Decimal(0), output_field=DecimalField())
    return (
        found.order_by("currency")
        .values("currency")
        .annotate(
            bills=Count("pk", filter=billed),
            of_bills=Sum("subtotal", filter=billed, default=none),
            taxes=Sum("tax", filter=billed, default=none),
            shipping=Sum("shipping_price", filter=billed, default=none),
            whole=Sum("total", filter=billed, default=none),
            pre_bills=Count("pk", filter=pre_billed),
            pre_billed=Sum("total", filter=pre_billed, default=none),
            canceled=Count("pk", filter=Q(status=BillStatus.Canceled)),
        )
    )


def billable(*, customer_id: int | None = None, search: str | None = None) -> QuerySet[Line]:
    """Return Done lines with pieces left to bill. 1 query."""
    found = Line.objects.select_related("order__customer", "item").filter(status=Status.Done, quantity_billed__lt=GOOD)
    if customer_id:
        found = found.filter(order__customer_id=customer_id)
    return matching(found, search, "order__customer_sales_order_id", *PRODUCT_OF_ROW)
