"""Pays pieces, by one payment or several together, and cancels payments (infra/docs/rules.md#piecework).

Every write locks the rows of the orders, in the order of their ids. If two clerks pay the same last pieces at once, the
second one waits, and is then refused.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from itertools import batched

from django.db.models import Case, F, QuerySet, When

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs.models import PriceUnit
from project.catalogs.selectors import issuer
from project.core import clock
from project.core.errors import FieldError, InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.money import plant_currency
from project.core.queries import save_fields
from project.core.schemas import utc_z
from project.identity.models import User, UserType
from project.orders.models import MG_LEFT, ProcessRecord, SalesOrder
from project.piecework import auditing, prices, rules, selectors
from project.piecework.events import EarnerData, EarningsChanged, payment_changed
from project.piecework.issued import ItemTexts, PaymentTexts
from project.piecework.models import Payment, PaymentItem
from project.piecework.rules import Payable, PaymentStatus
from project.piecework.schemas import ITEMS, OwedIn, PaymentItemIn
from project.piecework.selectors import BY_PROGRAM, payments
from realtime import outbox
from realtime.registry import Actor

TOGETHER = 10_000
"""The most records that can be paid together."""


@unit_of_work
def payment_create(
    *, date: date, payee_id: int | None, notes: str, items: Sequence[PaymentItemIn], by: Principal
) -> Payment:
    """Pay pieces of records, of one person or of several. The payee must be one of the staff.

    Raises `InvalidFields` (`unknown` ids, a record named twice, an amount that is too large), `RecordReleased`,
    `StillInside`, `RecordScrapped`, `RecordUnweighed`, `ExceedsRemaining`.
    """
    payee = User.objects.filter(pk=payee_id, user_type=UserType.INTERNAL).first() if payee_id is not None else None
    if payee_id is not None and payee is None:
        raise InvalidFields.of("userId", "unknown")
    rules.check_each_once([item.process_record_id for item in items])
    of_people = ProcessRecord.objects.exclude(BY_PROGRAM)
    records = _locked(of_people, [item.process_record_id for item in items])
    _refuse_unknown(items, records)
    try:
        rules.check_payable([(_payable(records[item.process_record_id]), item.quantity) for item in items])
    except rules.ExceedsRemaining as refusal:
        if by.holds(Permission.ReportPaidOrders):
            refusal.params["paid"] = _latest_payments(refusal)
        raise
    paid = [_paid(records[item.process_record_id], item.quantity, item.price) for item in items]
    total = prices.total([one.amount for one in paid])
    for one in paid:
        one.record.quantity_paid += one.quantity
        one.record.mg_paid += one.mg or 0
    save_fields([*records.values()], ["quantity_paid", "mg_paid"])
    (payment,) = _write([_Slip(payee, total, paid)], date=date, notes=notes, by=by)
    return payment


@unit_of_work
def people_pay(
    *,
    people: Sequence[OwedIn],
    date_from: date | None,
    date_to: date | None,
    date: date,
    notes: str,
    by: Principal,
) -> list[Payment]:
    """Pay these people all that they are owed for exits on these days: a separate payment for each person.

    Records that earn by the gram and have no weight yet are not paid. A person with more records than one payment can
    pay gets several payments. Raises `InvalidFields` (`unknown` people, a person named twice, too many records), and
    `OwedChanged` if a person is not owed what `people` says.
    """
    rules.check_each_once([one.user_id for one in people], "people", "userId")
    if sum(one.records for one in people) > TOGETHER:
        raise InvalidFields.of("people", "too_many", limit=TOGETHER)
    staff = User.objects.filter(user_type=UserType.INTERNAL).in_bulk([one.user_id for one in people])
    unknown = [
        FieldError(f"people.{index}.userId", "unknown") for index, one in enumerate(people) if one.user_id not in staff
    ]
    if unknown:
        raise InvalidFields(errors=unknown)
    left = selectors.left_to_pay(staff, date_from, date_to)
    # Pay only records whose orders are locked. One record more than allowed is enough to detect a change.
    records = _locked(left, left.values_list("pk", flat=True)[: TOGETHER + 1])
    of_people: dict[int, list[_Paid]] = {user_id: [] for user_id in staff}
    for record in sorted(records.values(), key=lambda one: (one.process.order, one.process_id, one.output_at, one.pk)):
        assert record.output_by_id is not None  # noqa: S101 - only closed records are left to pay
        rest = record.quantity - record.quantity_paid
        of_people[record.output_by_id].append(_paid(record, rest, prices.price_of(record)))
    changed = [one.user_id for one in people if not _is_owed(one, of_people[one.user_id])]
    if changed:
        raise rules.OwedChanged(userIds=changed)
    all_grams = Case(When(price_unit=PriceUnit.gram, then=MG_LEFT), default="mg_paid")
    ProcessRecord.objects.filter(pk__in=records).update(quantity_paid=F("quantity"), mg_paid=all_grams)
    slips = [
        _Slip(staff[one.user_id], _sum(some), some) for one in people for some in batched(of_people[one.user_id], ITEMS)
    ]
    return _write(slips, date=date, notes=notes, by=by)


@unit_of_work
def payment_cancel(*, payment_id: int, notes: str, by: Principal, expected: frozenset[int] | None = None) -> Payment:
    """Cancel a payment. Its pieces can be paid again. The row stays, with who canceled it, when and why.

    Raises `NotFound`, `StaleVersion`, `AlreadyCanceled`.
    """
    payment = payments().select_for_update(of=("self",)).filter(pk=payment_id).first()
    if payment is None:
        raise NotFound
    payment.claim(expected)
    rules.check_cancelable(PaymentStatus(payment.status))
    before = auditing.snapshot(payment)
    items = {item.record_id: item for item in payment.items.all()}
    records = _locked(ProcessRecord.objects.all(), items)
    for record in records.values():
        record.quantity_paid -= items[record.pk].quantity
        record.mg_paid -= items[record.pk].mg or 0
    save_fields([*records.values()], ["quantity_paid", "mg_paid"])
    payment.status = PaymentStatus.Canceled
    payment.cancel_notes = notes
    payment.canceled_by_id, payment.canceled_by_name = by.user_id, by.full_name
    payment.canceled_at = clock.now()
    payment.save(update_fields=["version", "status", "cancel_notes", "canceled_by", "canceled_by_name", "canceled_at"])
    auditing.record_payment(payment, "canceled", before=before, by=by)
    _publish(payment, by)
    return payment


def erase_person(user_id: int, name: str) -> None:
    """Replace a person's name by `name` in all payments and their items. 4 queries."""
    for who in ("payee", "created_by", "canceled_by"):
        Payment.objects.filter(**{who: user_id}).update(**{f"{who}_name": name})
    PaymentItem.objects.filter(earner=user_id).update(earner_name=name)


@dataclass(frozen=True)
class _Paid:
    """Pieces of a record to pay. `price`: of a piece, or of a gram if `mg`, the weight of the pieces, is set."""

    record: ProcessRecord
    quantity: int
    price: Decimal
    mg: int | None
    amount: Decimal


def _paid(record: ProcessRecord, quantity: int, price: Decimal) -> _Paid:
    mg = prices.mg_to_pay(record, quantity)
    return _Paid(record, quantity, price, mg, prices.amount(quantity, price, mg))


@dataclass(frozen=True)
class _Slip:
    """A payment to write."""

    payee: User | None
    total: Decimal
    paid: Sequence[_Paid]


def _write(slips: Sequence[_Slip], *, date: date, notes: str, by: Principal) -> list[Payment]:
    """Store payments with their audit and events. The caller has locked and checked their records.

    5 queries, and one for each further 1,000 items.
    """
    company, now = issuer(), clock.now()
    made = Payment.objects.bulk_create(
        Payment(
            date=date,
            payee=slip.payee,
            payee_name=slip.payee.full_name if slip.payee else "",
            notes=notes,
            total=slip.total,
            created_by_id=by.user_id,
            created_by_name=by.full_name,
            created_at=now,
            issued=asdict(PaymentTexts(payer=company.name, currency=plant_currency())),
            logo=company.logo,
        )
        for slip in slips
    )
    PaymentItem.objects.bulk_create(
        (_item(payment, one) for payment, slip in zip(made, slips, strict=True) for one in slip.paid),
        batch_size=ITEMS,
    )
    payments = selectors.payments_by_id([payment.pk for payment in made])
    for payment in payments:
        auditing.record_payment(payment, "created", before=None, by=by)
        _publish(payment, by)
    return payments


def _is_owed(seen: OwedIn, paid: Sequence[_Paid]) -> bool:
    return (seen.records, seen.pieces, seen.amount) == (len(paid), sum(one.quantity for one in paid), _sum(paid))


def _sum(paid: Sequence[_Paid]) -> Decimal:
    return sum((one.amount for one in paid), Decimal(0))


def _locked(rows: QuerySet[ProcessRecord], record_ids: Iterable[int]) -> dict[int, ProcessRecord]:
    """Lock the orders of these records, then read the records again, only those in `rows`. 3 queries."""
    wanted = rows.filter(pk__in=list(record_ids))
    orders = set(wanted.values_list("line__order_id", flat=True))
    list(SalesOrder.objects.select_for_update().filter(pk__in=orders).order_by("pk").values_list("pk"))
    named = wanted.select_related("output_by", "process", "line__item", "line__order")
    return {record.pk: record for record in named}


def _refuse_unknown(items: Sequence[PaymentItemIn], records: dict[int, ProcessRecord]) -> None:
    errors = [
        FieldError(f"items.{index}.processRecordId", "unknown")
        for index, item in enumerate(items)
        if item.process_record_id not in records
    ]
    if errors:
        raise InvalidFields(errors=errors)


def _latest_payments(refusal: rules.ExceedsRemaining) -> list[dict[str, object]]:
    """Return the latest payments of the refused records: id, who paid, when, and for how many records. 1 query."""
    found = selectors.last_payments_of(error.params["processRecordId"] for error in refusal.errors)
    counts = Counter(payment.pk for payment in found.values())
    return [
        {
            "paymentId": payment.pk,
            "paidBy": payment.created_by_name,
            "paidAt": utc_z(payment.created_at),
            "records": counts[payment.pk],
        }
        for payment in {one.pk: one for one in found.values()}.values()
    ]


def _payable(record: ProcessRecord) -> Payable:
    return Payable(
        record_id=record.pk,
        closed=record.output_at is not None,
        released=record.released_at is not None,
        lost=record.scrapped and record.price is None,
        quantity=record.quantity,
        paid=record.quantity_paid,
        unweighed=prices.is_unweighed(record),
    )


def _item(payment: Payment, paid: _Paid) -> PaymentItem:
    record = paid.record
    assert record.output_by is not None  # noqa: S101 - closed, as the rules have seen
    return PaymentItem(
        payment=payment,
        record=record,
        earner=record.output_by,
        earner_name=record.output_by.full_name,
        customer_sales_order_id=record.line.order.customer_sales_order_id,
        issued=asdict(ItemTexts.of(record)),
        quantity=paid.quantity,
        price=paid.price,
        mg=paid.mg,
        amount=paid.amount,
    )


def _publish(payment: Payment, by: Principal) -> None:
    """Publish a payment to its readers. Publish to each earner that their earnings changed."""
    earners = sorted({item.earner_id for item in payment.items.all()})
    earned = [outbox.Personal(EarningsChanged(data=EarnerData(id=earner)), earner) for earner in earners]
    outbox.publish_all([payment_changed(payment), *earned], by=Actor.of(by))
