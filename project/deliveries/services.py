"""Writes of deliveries: create, change, bill, cancel (specification 2, section 7; contract, section 5).

Locks are taken in one order, whoever comes: the delivery, its orders by id, its company.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypedDict

from django.db.models import Max

from project.access.principal import Principal
from project.audit.services import Snapshot
from project.catalogs.models import Company, Customer
from project.core import clock
from project.core.errors import FieldError, InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.money import MOST
from project.core.versions import Unchanged, changed_or_as_it_is
from project.deliveries import auditing, rules
from project.deliveries.models import Delivery, DeliveryLine
from project.deliveries.rules import BillAction, DeliveryStatus
from project.deliveries.selectors import delivery_get
from project.orders import billing
from project.orders.billing import Place
from project.orders.models import Line
from project.orders.rules import Status
from realtime import outbox
from realtime.events import Actor, DeliveryChanged, DeliveryData, Event


class DeliveryFields(TypedDict, total=False):
    """The writable header fields; on changing, those left out keep their values."""

    customer_id: int
    company_id: int
    date: date
    invoice_number: str
    guide_number: str
    shipping_price: Decimal
    custom_regime: str
    notes: str
    currency: str


@dataclass(frozen=True)
class Wanted:
    """A line to deliver. Left out: its product's tax, and its price where the bill is in its currency."""

    sales_order_id: int
    position: int
    quantity: int
    price: Decimal | None = None
    tax_amount: Decimal | None = None

    @property
    def place(self) -> Place:
        return self.sales_order_id, self.position


@unit_of_work
def delivery_create(*, header: DeliveryFields, lines: list[Wanted], pre_bill: bool, by: Principal) -> Delivery:
    """Make a pre-bill, which reserves nothing, or a bill.

    Raises `NoLines`, `MixedCustomers`, `PriceRequired`, `InvalidFields`, and for a bill all that `_bill` raises.
    """
    found = _lines(lines)
    _refuse_unknown(header)
    delivery = Delivery(created_at=clock.now(), created_by_id=by.user_id, **_defaults(header, found))
    events = _write(delivery, lines, found, pre_bill=pre_bill, by=by)
    return _told(delivery, "created" if pre_bill else "billed", None, events, by)


@unit_of_work
def delivery_change(
    *,
    delivery_id: int,
    header: DeliveryFields,
    lines: list[Wanted] | None,
    pre_bill: bool,
    by: Principal,
    expected: frozenset[int] | None = None,
) -> Delivery:
    """Edit a pre-bill, its lines whole where given; `pre_bill` False makes it a bill.

    Raises `NotFound`, `StaleVersion`, `AlreadyBilled`, `AlreadyCanceled`, and all that `delivery_create` raises.
    """
    return changed_or_as_it_is(
        lambda: _change(delivery_id, header, lines, pre_bill, by, expected), lambda: delivery_get(delivery_id)
    )


def _change(
    delivery_id: int,
    header: DeliveryFields,
    lines: list[Wanted] | None,
    pre_bill: bool,
    by: Principal,
    expected: frozenset[int] | None,
) -> Delivery:
    """As `delivery_change`. Raises `Unchanged`."""
    delivery = _for_update(delivery_id)
    rules.check(DeliveryStatus(delivery.status), BillAction.edit if pre_bill else BillAction.bill)
    delivery.claim(expected)
    before = auditing.snapshot(delivery)
    wanted = _wanted(delivery) if lines is None else lines
    found = _lines(wanted)
    _refuse_unknown(header)
    left: list[outbox.AnyEvent] = []
    if header.get("customer_id", delivery.customer_id) != delivery.customer_id:
        left = [outbox.ForCustomer(_changed(delivery), delivery.customer_id)]  # it is theirs no longer
    if header.get("currency", delivery.currency) != delivery.currency:
        _refuse_kept_amounts(delivery, header, lines)
    if header.get("company_id", delivery.company_id) != delivery.company_id:
        delivery.pre_bill_number = None  # it was the other company's
    for name, value in header.items():
        setattr(delivery, name, value)
    events = [*left, *_write(delivery, wanted, found, pre_bill=pre_bill, by=by)]
    if auditing.snapshot(delivery_get(delivery_id)) == before:
        raise Unchanged
    return _told(delivery, "changed" if pre_bill else "billed", before, events, by)


@unit_of_work
def delivery_cancel(*, delivery_id: int, by: Principal, expected: frozenset[int] | None = None) -> Delivery:
    """Cancel: what was billed can be billed again; the row stays, with who and when.

    Raises `NotFound`, `StaleVersion`, `AlreadyCanceled`.
    """
    delivery = _for_update(delivery_id)
    rules.check(DeliveryStatus(delivery.status), BillAction.cancel)
    delivery.claim(expected)
    before = auditing.snapshot(delivery)
    events: list[outbox.AnyEvent] = []
    if delivery.status == DeliveryStatus.Billed:
        wanted = {one.place: one.quantity for one in _wanted(delivery)}
        held = billing.lines_to_bill(wanted)
        events = [*billing.bill({line: -wanted[place] for place, line in held.items()}, by=by)]
    delivery.status = DeliveryStatus.Canceled
    delivery.canceled_at, delivery.canceled_by_id = clock.now(), by.user_id
    delivery.save()
    return _told(delivery, "canceled", before, events, by)


def _for_update(delivery_id: int) -> Delivery:
    # Locked first and read then: what is joined to it must be of the state after a wait.
    if not Delivery.objects.select_for_update().filter(pk=delivery_id).values_list("pk").first():
        raise NotFound
    return delivery_get(delivery_id)


def _wanted(delivery: Delivery) -> list[Wanted]:
    return [
        Wanted(row.line.order_id, row.line.position, row.quantity, row.price, row.tax_amount)
        for row in delivery.lines.all()
    ]


def _lines(wanted: list[Wanted]) -> dict[Place, Line]:
    """The lines, their orders locked. Raises `NoLines`, and `InvalidFields` for one that is unknown or named twice."""
    if not wanted:
        raise rules.NoLines(errors=[FieldError("lines", "no_lines")])
    found = billing.lines_to_bill(one.place for one in wanted)
    errors, seen = [], set()
    for index, one in enumerate(wanted):
        if one.place not in found:
            errors.append(FieldError(f"lines.{index}.position", "unknown"))
        elif one.place in seen:
            errors.append(FieldError(f"lines.{index}.position", "named_twice"))
        seen.add(one.place)
    if errors:
        raise InvalidFields(errors=errors)
    return found


def _defaults(header: DeliveryFields, found: dict[Place, Line]) -> DeliveryFields:
    """What is left out: the customer of the lines and its currency, the first active company, today."""
    customer = Customer.objects.get(pk=header.get("customer_id") or next(iter(found.values())).order.customer_id)
    company = header.get("company_id") or (
        Company.objects.filter(status=True).order_by("id").values_list("pk", flat=True).first()
    )
    if company is None:
        raise InvalidFields.of("companyId", "required")
    left_out = DeliveryFields(customer_id=customer.pk, date=clock.today(), currency=customer.currency)
    return left_out | header | DeliveryFields(company_id=company)


def _refuse_unknown(header: DeliveryFields) -> None:
    errors = []
    if "customer_id" in header and not Customer.objects.filter(pk=header["customer_id"]).exists():
        errors.append(FieldError("customerId", "unknown"))
    if "company_id" in header and not Company.objects.filter(pk=header["company_id"]).exists():
        errors.append(FieldError("companyId", "unknown"))
    if errors:
        raise InvalidFields(errors=errors)


def _refuse_kept_amounts(delivery: Delivery, header: DeliveryFields, lines: list[Wanted] | None) -> None:
    """Raise `PriceRequired` for amounts in the old currency that are not given anew: in another they are others."""
    kept = [f"lines.{index}.price" for index in range(delivery.lines.count())] if lines is None else []
    if "shipping_price" not in header and delivery.shipping_price:
        kept.append("shippingPrice")
    if kept:
        raise rules.PriceRequired(errors=[FieldError(field, "price_required") for field in kept])


def _write(
    delivery: Delivery, wanted: list[Wanted], found: dict[Place, Line], *, pre_bill: bool, by: Principal
) -> list[Event]:
    """Store the delivery under its number, with what it comes to and its lines. Returns the events of the lines.

    Raises `MixedCustomers`, `PriceRequired`, `InvalidFields`, and for a bill all that `_bill` raises.
    """
    rows = _rows(delivery, wanted, found)
    company = Company.objects.select_for_update(of=("self",), no_key=True).get(pk=delivery.company_id)
    if not pre_bill:
        _bill(delivery, rows, company, by)
    else:
        delivery.status = DeliveryStatus.PreBill
        delivery.pre_bill_number = delivery.pre_bill_number or _next(company, "pre_bill_number")
    delivery.save()
    delivery.lines.all().delete()
    DeliveryLine.objects.bulk_create(rows)
    return [] if pre_bill else [*billing.bill({row.line: row.quantity for row in rows}, by=by)]


def _next(company: Company, number: str) -> int:
    """The number after the company's last; the company is locked until it is stored."""
    last: int | None = Delivery.objects.filter(company=company).aggregate(last=Max(number))["last"]
    return (last or 0) + 1


def _rows(delivery: Delivery, wanted: list[Wanted], found: dict[Place, Line]) -> list[DeliveryLine]:
    """The delivery's lines, and on it what they come to; nothing is stored. Raises as `_write` says."""
    strangers = [
        FieldError(f"lines.{index}.position", "mixed_customers")
        for index, one in enumerate(wanted)
        if found[one.place].order.customer_id != delivery.customer_id
    ]
    if strangers:
        raise rules.MixedCustomers(errors=strangers)
    rows, amounts, unpriced, errors = [], [], [], []
    for index, one in enumerate(wanted):
        line = found[one.place]
        proposed = rules.proposed_price(line.item.sell_price, line.item.currency, of_bill=delivery.currency)
        price = proposed if one.price is None else one.price
        if price is None:
            unpriced.append(FieldError(f"lines.{index}.price", "price_required"))
            continue
        tax_amount = line.item.tax_amount if one.tax_amount is None else one.tax_amount
        amount = rules.line_amount(quantity=one.quantity, price=price, tax_amount=tax_amount)
        if amount.amount + amount.tax > MOST:
            errors.append(FieldError(f"lines.{index}.price", "too_large", {"limit": MOST}))
        amounts.append(amount)
        rows.append(
            DeliveryLine(
                delivery=delivery,
                place=index + 1,
                line=line,
                quantity=one.quantity,
                price=price,
                tax_amount=tax_amount,
                amount=amount.amount,
                tax=amount.tax,
            )
        )
    if unpriced:
        raise rules.PriceRequired(errors=unpriced)
    whole = rules.totals(amounts, delivery.shipping_price or Decimal(0))
    if not errors and whole.total > MOST:
        errors.append(FieldError("lines", "too_large", {"limit": MOST}))
    if errors:
        raise InvalidFields(errors=errors)
    delivery.subtotal, delivery.tax, delivery.total = whole.subtotal, whole.tax, whole.total
    return rows


def _bill(delivery: Delivery, rows: list[DeliveryLine], company: Company, by: Principal) -> None:
    """Make a bill of a delivery whose orders and company are locked, with the company's next number.

    Raises `CommercialAddressRequired`, `GuideNumberRequired`, `LineNotDone`, `QuantityExceedsRemaining`.
    """
    customer = Customer.objects.get(pk=delivery.customer_id)
    missing = [
        FieldError(field, "commercial_address_required")
        for field, there in (
            ("companyId", _has_address(company.commercial_address)),
            ("customerId", any(_has_address(one) for one in customer.addresses if one.get("kind") == "Commercial")),
        )
        if not there
    ]
    if missing:
        raise rules.CommercialAddressRequired(errors=missing)
    if not delivery.guide_number:
        raise rules.GuideNumberRequired(errors=[FieldError("guideNumber", "guide_number_required")])
    not_done, exceeding = [], []
    for index, row in enumerate(rows):
        line = row.line
        left = line.quantity - line.quantity_billed
        if line.status not in (Status.Done, Status.Invoiced):
            not_done.append(FieldError(f"lines.{index}.position", "line_not_done"))
        elif row.quantity > left:
            exceeding.append(FieldError(f"lines.{index}.quantity", "quantity_exceeds_remaining", {"remaining": left}))
    if not_done:
        raise rules.LineNotDone(errors=not_done)
    if exceeding:
        raise rules.QuantityExceedsRemaining(errors=exceeding, remaining=exceeding[0].params["remaining"])
    delivery.number, delivery.status = _next(company, "number"), DeliveryStatus.Billed
    delivery.billed_at, delivery.billed_by_id = clock.now(), by.user_id


def _has_address(address: dict[str, str] | None) -> bool:
    return bool(address and address.get("street", "").strip())


def _changed(delivery: Delivery) -> DeliveryChanged:
    return DeliveryChanged(data=DeliveryData(id=delivery.pk, status=delivery.status, customer_id=delivery.customer_id))


def _told(
    delivery: Delivery, action: str, before: Snapshot | None, events: Sequence[outbox.AnyEvent], by: Principal
) -> Delivery:
    """Audit the change and tell of it, last in its transaction. Returns the delivery as it is now."""
    changed = delivery_get(delivery.pk)
    auditing.record_delivery(changed, action, before=before, by=by)
    outbox.publish_all([*events, _changed(changed)], by=Actor.of(by))
    return changed
