"""Reads records to pay, payments, and what a person earned, in a constant number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import FETCH_PEERS, Case, Count, Exists, F, Min, OuterRef, Prefetch, Q, QuerySet, Sum, When

from project.catalogs.models import PriceUnit
from project.core import clock
from project.core.errors import NotFound
from project.core.pagination import Orderings
from project.core.spanish import matching
from project.identity.models import User, UserType
from project.identity.selectors import PEOPLE
from project.orders.models import CLOSED, LEFT_TO_PAY, MG_LEFT, UNWEIGHED, ProcessRecord
from project.piecework.models import Payment, PaymentItem
from project.piecework.prices import Owed, OwedPerson, OwedProcess
from project.piecework.rules import PaymentStatus

PAYABLE_ORDERINGS = Orderings(
    columns={
        "id": "id",
        "outputDate": "output_at",
        "inputDate": "input_at",
        "quantity": "quantity",
        "customerSalesOrderId": "line__order__customer_sales_order_id",
        "customerName": "line__order__customer__name",
        "itemName": "line__item__name",
        "productionProcessName": "process__name",
    },
    default="outputDate",
)
"""By default the oldest exit comes first."""

LOST = Q(scrapped=True, price__isnull=True)
"""Records of scrap that is not paid."""
BY_PROGRAM = Q(output_by__user_type=UserType.SERVICE)
"""Records with an exit by a service account: nobody is owed for them."""

PAYMENT_ORDERINGS = Orderings(
    columns={"id": "id", "date": "date", "total": "total", "status": "status"}, default="-date"
)


def _by_gram(mg: Any) -> Case:
    """Return `mg` for records that are paid by the gram, else null.

    With null, a GROUP BY does not separate the other records by their weight.
    """
    return Case(When(price_unit=PriceUnit.gram, then=mg))


_REST = F("quantity") - F("quantity_paid")
_REST_OF_GRAMS = _by_gram(MG_LEFT - F("mg_paid"))


def payable_list(
    *,
    search: str | None = None,
    customer_id: int | None = None,
    production_process_id: int | None = None,
    user_id: int | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
    pending: bool | None = None,
) -> QuerySet[ProcessRecord]:
    """Return unreleased records with an exit by a person, without scrap that is not paid. `search` covers PO#.

    Filters: customer, process, user of the exit, days of the exit in the plant (both included), and whether pieces are
    left to pay.
    """
    found = (
        ProcessRecord.objects.filter(CLOSED)
        .exclude(BY_PROGRAM | LOST)
        .select_related("process", "output_by", "line__item", "line__order__customer", "exit__press")
    )
    if pending is not None:
        found = found.filter(LEFT_TO_PAY) if pending else found.filter(quantity_paid=F("quantity"))
    found = matching(found, search, "line__order__customer_sales_order_id")
    if customer_id:
        found = found.filter(line__order__customer_id=customer_id)
    if production_process_id:
        found = found.filter(process_id=production_process_id)
    if user_id:
        found = found.filter(output_by=user_id)
    return found.filter(_left_within(date_from, date_to))


def _left_within(first: date | None, last: date | None) -> Q:
    """Select exits of these days of the plant, both included."""
    return (Q(output_at__gte=clock.start_of(first)) if first else Q()) & (
        Q(output_at__lt=clock.end_of(last)) if last else Q()
    )


def people_owed(*, date_from: date | None = None, date_to: date | None = None) -> list[OwedPerson]:
    """Return the people with something left to pay. First comes the largest amount for the days asked for. 3 queries.

    The sums are exactly what paying each record comes to, computed as in `earnings`. Only the query for the days asked
    for reads the processes; the query over all records reads only an index.
    """
    left = ProcessRecord.objects.filter(LEFT_TO_PAY).order_by()
    price_and_rest = ("price", _REST, "price_unit", _REST_OF_GRAMS)
    whole: dict[int, Owed] = defaultdict(Owed)
    sums = left.values_list("output_by", *price_and_rest).annotate(records=Count("*"), since=Min("output_at"))
    for user_id, price, quantity, unit, mg, records, since in sums:
        whole[user_id].add(records, quantity, price, since, unit, mg)
    asked: dict[int, Owed] = defaultdict(Owed)
    processes: dict[int, dict[tuple[int, int, str], Owed]] = defaultdict(lambda: defaultdict(Owed))
    of_days = (
        left.filter(_left_within(date_from, date_to))
        .values_list("output_by", "process__order", "process", "process__name", *price_and_rest)
        .annotate(records=Count("*"), since=Min("output_at"))
    )
    for user_id, place, process_id, name, price, quantity, unit, mg, records, since in of_days:
        for owed in (asked[user_id], processes[user_id][place, process_id, name]):
            owed.add(records, quantity, price, since, unit, mg)
    people = User.objects.filter(PEOPLE).in_bulk(whole)
    found = [
        OwedPerson(
            user_id,
            people[user_id].full_name,
            asked[user_id],
            owed,
            [OwedProcess(process_id, name, of) for (_, process_id, name), of in sorted(processes[user_id].items())],
        )
        for user_id, owed in whole.items()
        if user_id in people
    ]
    return sorted(found, key=lambda one: (-one.asked.amount, -one.whole.amount, one.full_name, one.user_id))


def left_to_pay(user_ids: Iterable[int], date_from: date | None, date_to: date | None) -> QuerySet[ProcessRecord]:
    """Return the records of these people's exits on these days, both included, with pieces left to pay.

    Records that earn by the gram and have no weight yet are left out.
    """
    left = ProcessRecord.objects.filter(LEFT_TO_PAY, _left_within(date_from, date_to), output_by__in=list(user_ids))
    return left.exclude(UNWEIGHED)


def last_payments_of(record_ids: Iterable[int]) -> dict[int, Payment]:
    """Return the latest payment of each record that is not canceled, by record id. 1 query."""
    items = (
        PaymentItem.objects.filter(record__in=list(record_ids), payment__status=PaymentStatus.Paid)
        .select_related("payment")
        .order_by("payment_id")
    )
    return {item.record_id: item.payment for item in items}


_ITEMS = (
    PaymentItem.objects.select_related("record__line")
    .only(
        *(field.name for field in PaymentItem._meta.concrete_fields),
        *(f"record__{column}" for column in ("process", "output_at", "line__order", "line__position", "line__item")),
    )
    # If items have no `issued`, the products and the processes of all items are read together, by 2 queries.
    .fetch_mode(FETCH_PEERS)
    .order_by("id")
)


def payments() -> QuerySet[Payment]:
    """Return payments with their items. 2 queries for any number of payments; 4 if items have no `issued`."""
    return Payment.objects.prefetch_related(Prefetch("items", queryset=_ITEMS.all()))


def payment_get(payment_id: int) -> Payment:
    """Return a payment with its items. Raises `NotFound`."""
    found = payments().filter(pk=payment_id).first()
    if found is None:
        raise NotFound
    return found


def payments_by_id(payment_ids: Sequence[int]) -> list[Payment]:
    """Return payments with their items and payees, in this order. Raises `NotFound` if one is missing."""
    found = payments().select_related("payee").in_bulk(payment_ids)
    if len(found) < len(set(payment_ids)):
        raise NotFound
    return [found[payment_id] for payment_id in payment_ids]


def payment_list(
    *,
    search: str | None = None,
    customer_id: int | None = None,
    user_id: int | None = None,
    status: PaymentStatus | None = None,
    date_from: date | None = None,
    date_to: date | None = None,
) -> QuerySet[Payment]:
    """Return payments by payee, customer, status and date (both ends included).

    `search` covers notes, payee and PO#. It finds payees and PO#s as they were at the payment, and as they are now.
    """
    found = matching(
        payments(),
        search,
        "notes",
        "cancel_notes",
        "payee_name",
        "payee__first_name",
        "payee__last_name",
        also=_ordered,
    )
    if customer_id:
        found = found.filter(Exists(_paying(Q(record__line__order__customer=customer_id))))
    if user_id:
        found = found.filter(payee=user_id)
    if status:
        found = found.filter(status=status)
    if date_from:
        found = found.filter(date__gte=date_from)
    if date_to:
        found = found.filter(date__lte=date_to)
    return found


def _ordered(word: str) -> Q:
    now = Q(record__line__order__customer_sales_order_id__folded__contains=word)
    return Q(Exists(_paying(now | Q(customer_sales_order_id__folded__contains=word))))


def _paying(what: Q) -> QuerySet[PaymentItem]:
    return PaymentItem.objects.filter(what, payment=OuterRef("pk"))


@dataclass(frozen=True)
class Totals:
    """Sums of payments: the number and total of those that are not canceled, and the number of canceled ones."""

    payments: int
    total: Decimal
    canceled: int


def totals(found: QuerySet[Payment]) -> Totals:
    """Sum the payments. 1 query."""
    paid, canceled = Q(status=PaymentStatus.Paid), Q(status=PaymentStatus.Canceled)
    sums = found.aggregate(
        payments=Count("pk", filter=paid), total=Sum("total", filter=paid), canceled=Count("pk", filter=canceled)
    )
    return Totals(sums["payments"], sums["total"] or Decimal(0), sums["canceled"])


@dataclass(frozen=True)
class Earnings:
    """What a person earned, as amounts of money, and `unweighed` pieces: see `EarningsOut`."""

    today: Decimal
    week: Decimal
    open: Decimal
    paid: Decimal
    unweighed: int


def earnings(user_id: int) -> Earnings:
    """Return what a person earned by piece work. 3 queries, each within one index.

    The database counts the records by price, quantity and weight. The amounts are computed here, so they are exactly
    what paying each record comes to, on any database.
    """
    today = clock.today()
    own = ProcessRecord.objects.filter(CLOSED, output_by=user_id)
    left = (
        own.filter(output_at__gte=clock.start_of(today - timedelta(days=today.weekday())))
        .values_list("price", "quantity", "price_unit", _by_gram(MG_LEFT))
        .annotate(week=Count("*"), today=Count("output_at", filter=Q(output_at__gte=clock.start_of(today))))
        .order_by()
    )
    open_ = list(
        own.filter(LEFT_TO_PAY)
        .values_list("price", _REST, "price_unit", _REST_OF_GRAMS)
        .annotate(records=Count("*"))
        .order_by()
    )
    paid = PaymentItem.objects.filter(earner=user_id, payment__status=PaymentStatus.Paid).aggregate(sum=Sum("amount"))[
        "sum"
    ]
    rows = list(left)
    return Earnings(
        today=_sum((*what, count) for *what, _, count in rows).amount,
        week=_sum((*what, count) for *what, count, _ in rows).amount,
        open=_sum(open_).amount,
        paid=paid or Decimal(0),
        unweighed=_sum(open_).unweighed,
    )


def _sum(rows: Iterable[tuple[Any, ...]]) -> Owed:
    """Sum rows of price, quantity, unit, milligrams, and number of records."""
    sum_ = Owed()
    for price, quantity, unit, mg, records in rows:
        sum_.add(records, quantity, price, None, unit, mg)
    return sum_
