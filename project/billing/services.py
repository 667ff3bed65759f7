"""Create, change, issue and cancel bills (infra/docs/rules.md#bills).

Every write locks in this order, to avoid deadlocks: the bill, its orders by id, its company.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Max

from project.access.principal import Principal
from project.audit.services import Snapshot
from project.billing import auditing, rules
from project.billing.copying import copy_texts
from project.billing.events import delivery_changed, delivery_left
from project.billing.models import Bill, BillLine
from project.billing.rules import BillAction, BillStatus
from project.billing.schemas import DeliveryChange, DeliveryIn, DeliveryLineIn, HeaderIn
from project.billing.selectors import bill_get, has_commercial_address
from project.catalogs.models import Company, Customer
from project.core import clock
from project.core.errors import FieldError, InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.money import minor_units, most, price_decimals, too_many_decimals
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is
from project.orders import billing
from project.orders.billing import Place
from project.orders.models import Line
from project.orders.rules import Status
from project.orders.selectors import known_orders, unknown_part
from realtime import outbox
from realtime.registry import Actor

Header = dict[str, Any]
"""The fields of a bill's header that were sent."""


@dataclass(frozen=True)
class Wanted:
    """A line to bill.

    `tax_amount` None: the product's tax. `price` None: the product's price, if bill and product have the same currency.
    """

    sales_order_id: int
    position: int
    quantity: int
    price: Decimal | None = None
    tax_amount: Decimal | None = None

    @property
    def place(self) -> Place:
        return self.sales_order_id, self.position


@unit_of_work
def bill_create(*, body: DeliveryIn, by: Principal) -> Bill:
    """Create a pre-bill, which reserves no pieces, or a bill.

    Raises `NoLines`, `MixedCustomers`, `PriceRequired`, `InvalidFields`, and for a bill all that `_bill` raises.
    """
    header, lines = _header(body), _lines_of(body.lines)
    found = _lines(lines)
    _refuse_unknown(header)
    bill = Bill(created_at=clock.now(), created_by_id=by.user_id, **_defaults(header, found))
    events = _write(bill, lines, found, pre_bill=body.pre_bill, by=by)
    return publish_bill(bill, "created" if body.pre_bill else "billed", None, events, by)


@unit_of_work
def bill_change(*, bill_id: int, body: DeliveryChange, by: Principal, expected: frozenset[int] | None = None) -> Bill:
    """Edit a pre-bill. `lines` replaces all its lines. `preBill` false makes it a bill.

    Raises `NotFound`, `StaleVersion`, `AlreadyBilled`, `AlreadyCanceled`, and all that `bill_create` raises.
    """
    return changed_or_as_it_is(lambda: _change(bill_id, body, by, expected), lambda: bill_get(bill_id))


def _change(bill_id: int, body: DeliveryChange, by: Principal, expected: frozenset[int] | None) -> Bill:
    """Do the work of `bill_change`. Raises `Unchanged` if nothing differs."""
    header, pre_bill = _header(body), body.pre_bill
    lines = _lines_of(body.lines) if "lines" in body.model_fields_set else None
    bill = bill_for_update(bill_id)
    bill.check_allows(BillAction.edit if pre_bill else BillAction.bill)
    bill.claim(expected)
    before = auditing.snapshot(bill)
    wanted = _wanted(bill) if lines is None else lines
    found = _lines(wanted)
    _refuse_unknown(header)
    leaving_events: list[outbox.AnyEvent] = []
    if header.get("customer_id", bill.customer_id) != bill.customer_id:
        # The former customer must drop the bill.
        leaving_events = [outbox.ForCustomer(delivery_left(bill), bill.customer_id)]
    if header.get("currency", bill.currency) != bill.currency:
        _refuse_kept_amounts(bill, header, lines)
    if header.get("company_id", bill.company_id) != bill.company_id:
        bill.pre_bill_number = None  # the number belongs to the former company
    for name, value in header.items():
        setattr(bill, name, value)
    events = [*leaving_events, *_write(bill, wanted, found, pre_bill=pre_bill, by=by)]
    if auditing.snapshot(bill_get(bill_id)) == before:
        raise Unchanged
    return publish_bill(bill, "changed" if pre_bill else "billed", before, events, by)


@unit_of_work
def bill_cancel(*, bill_id: int, by: Principal, expected: frozenset[int] | None = None) -> Bill:
    """Cancel a bill or pre-bill. Its pieces can be billed again. The row stays, with who canceled it and when.

    Raises `NotFound`, `StaleVersion`, `AlreadyCanceled`, `AlreadySettled`, `AlreadySealed`.
    """
    bill = bill_for_update(bill_id)
    bill.check_allows(BillAction.cancel)
    bill.claim(expected)
    before = auditing.snapshot(bill)
    events: list[outbox.AnyEvent] = []
    if bill.status == BillStatus.Billed:
        wanted = {one.place: one.quantity for one in _wanted(bill)}
        held = billing.lines_to_bill(wanted)
        of_lines, _ = billing.bill({line: -wanted[place] for place, line in held.items()}, by=by)
        events = [*of_lines]
    bill.status = BillStatus.Canceled
    bill.canceled_at, bill.canceled_by_id = clock.now(), by.user_id
    bill.canceled_by_name = by.full_name if bill.issued else ""
    bill.save()
    return publish_bill(bill, "canceled", before, events, by)


def bill_for_update(bill_id: int) -> Bill:
    """Lock the bill and return it. Raises `NotFound`."""
    # Lock first and read afterwards: the joined rows must be read after the wait for the lock.
    if not Bill.objects.select_for_update().filter(pk=bill_id).values_list("pk").first():
        raise NotFound
    return bill_get(bill_id)


def _header(body: DeliveryIn | DeliveryChange) -> Header:
    return {name: value for name, value in given(body).items() if name in HeaderIn.model_fields}


def _lines_of(lines: list[DeliveryLineIn]) -> list[Wanted]:
    return [Wanted(**line.model_dump()) for line in lines]


def _wanted(bill: Bill) -> list[Wanted]:
    return [
        Wanted(row.line.order_id, row.line.position, row.quantity, row.price, row.tax_amount)
        for row in bill.lines.all()
    ]


def _lines(wanted: list[Wanted]) -> dict[Place, Line]:
    """Lock the orders, and return the lines.

    Raises `NoLines`, and `InvalidFields` for a line that is unknown or named twice.
    """
    if not wanted:
        raise rules.NoLines(errors=[FieldError("lines", "no_lines")])
    found = billing.lines_to_bill(one.place for one in wanted)
    unknown = {one.place for one in wanted} - found.keys()
    known = known_orders(order for order, _ in unknown) if unknown else set()
    errors, seen = [], set()
    for index, one in enumerate(wanted):
        if one.place in unknown:
            errors.append(FieldError(f"lines.{index}.{unknown_part(one.place[0], known)}", "unknown"))
        elif one.place in seen:
            errors.append(FieldError(f"lines.{index}.position", "named_twice"))
        seen.add(one.place)
    if errors:
        raise InvalidFields(errors=errors)
    return found


def _defaults(header: Header, found: dict[Place, Line]) -> Header:
    """Fill in what the header leaves out: the first line's customer, its currency, the first active company, today."""
    customer = Customer.objects.get(pk=header.get("customer_id") or next(iter(found.values())).order.customer_id)
    company = header.get("company_id") or (
        Company.objects.filter(status=True).order_by("id").values_list("pk", flat=True).first()
    )
    if company is None:
        raise InvalidFields.of("companyId", "required")
    left_out = {"customer_id": customer.pk, "date": clock.today(), "currency": customer.currency}
    return left_out | header | {"company_id": company}


def _refuse_unknown(header: Header) -> None:
    errors = []
    if "customer_id" in header and not Customer.objects.filter(pk=header["customer_id"]).exists():
        errors.append(FieldError("customerId", "unknown"))
    if "company_id" in header and not Company.objects.filter(pk=header["company_id"]).exists():
        errors.append(FieldError("companyId", "unknown"))
    if errors:
        raise InvalidFields(errors=errors)


def _refuse_kept_amounts(bill: Bill, header: Header, lines: list[Wanted] | None) -> None:
    """Raise `PriceRequired` for amounts that were not sent again with the new currency: amounts are never converted."""
    not_sent = [f"lines.{index}.price" for index in range(bill.lines.count())] if lines is None else []
    if "shipping_price" not in header and bill.shipping_price:
        not_sent.append("shippingPrice")
    if not_sent:
        raise rules.PriceRequired(errors=[FieldError(field, "price_required") for field in not_sent])


def _write(
    bill: Bill, wanted: list[Wanted], found: dict[Place, Line], *, pre_bill: bool, by: Principal
) -> list[outbox.AnyEvent]:
    """Store the bill with its number, its amounts and its lines. Returns the events of the lines.

    Raises `MixedCustomers`, `PriceRequired`, `InvalidFields`, and for a bill all that `_bill` raises.
    """
    rows = _rows(bill, wanted, found)
    company = Company.objects.select_for_update(of=("self",), no_key=True).get(pk=bill.company_id)
    if not pre_bill:
        _bill(bill, rows, company, by)
    else:
        bill.status = BillStatus.PreBill
        bill.pre_bill_number = bill.pre_bill_number or _next(company, "pre_bill_number")
    bill.save()
    bill.lines.all().delete()
    events: list[outbox.AnyEvent] = []
    if not pre_bill:
        of_lines, shipped = billing.bill({row.line: row.quantity for row in rows}, by=by)
        events = [*of_lines]
        for row in rows:
            row.metal_mg = shipped[row.line] or None
    BillLine.objects.bulk_create(rows)
    return events


def _next(company: Company, number: str) -> int:
    """Return the number after the company's last one. The company is locked until the number is stored."""
    last: int | None = Bill.objects.filter(company=company).aggregate(last=Max(number))["last"]
    return (last or 0) + 1


def _rows(bill: Bill, wanted: list[Wanted], found: dict[Place, Line]) -> list[BillLine]:
    """Build the bill's lines, and set the bill's amounts. Stores nothing.

    Raises `MixedCustomers`, `PriceRequired`, `InvalidFields`.
    """
    mixed = [
        FieldError(f"lines.{index}.position", "mixed_customers")
        for index, one in enumerate(wanted)
        if found[one.place].order.customer_id != bill.customer_id
    ]
    if mixed:
        raise rules.MixedCustomers(errors=mixed)
    shipping_price = bill.shipping_price or Decimal(0)
    limit = most(bill.currency)
    rows, amounts, unpriced = [], [], []
    errors = [*too_many_decimals("shippingPrice", shipping_price, minor_units(bill.currency))]
    for index, one in enumerate(wanted):
        line = found[one.place]
        proposed = rules.proposed_price(line.item.sell_price, line.item.currency, of_bill=bill.currency)
        price = proposed if one.price is None else one.price
        if price is None:
            unpriced.append(FieldError(f"lines.{index}.price", "price_required"))
            continue
        errors += too_many_decimals(f"lines.{index}.price", price, price_decimals(bill.currency))
        tax_amount = line.item.tax_amount if one.tax_amount is None else one.tax_amount
        amount = rules.line_amount(quantity=one.quantity, price=price, tax_amount=tax_amount, currency=bill.currency)
        if amount.amount + amount.tax > limit:
            errors.append(FieldError(f"lines.{index}.price", "too_large", {"limit": limit}))
        amounts.append(amount)
        rows.append(
            BillLine(
                bill=bill,
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
    whole = rules.totals(amounts, shipping_price)
    if not errors and whole.total > limit:
        errors.append(FieldError("lines", "too_large", {"limit": limit}))
    if errors:
        raise InvalidFields(errors=errors)
    bill.subtotal, bill.tax, bill.total = whole.subtotal, whole.tax, whole.total
    return rows


def _bill(bill: Bill, rows: list[BillLine], company: Company, by: Principal) -> None:
    """Issue a new bill or a pre-bill, with the company's next number. The caller has locked the orders and the company.

    Raises `CommercialAddressRequired`, `GuideNumberRequired`, `LineNotDone`, `QuantityExceedsRemaining`.
    """
    customer = Customer.objects.get(pk=bill.customer_id)
    missing = [
        FieldError(field, "commercial_address_required")
        for field, there in (
            ("companyId", has_commercial_address(company)),
            ("customerId", has_commercial_address(customer)),
        )
        if not there
    ]
    if missing:
        raise rules.CommercialAddressRequired(errors=missing)
    require_guide(bill)
    rules.check_billable(
        rules.PiecesToBill(
            status=Status(row.line.status),
            left=row.line.quantity_good - row.line.quantity_billed,
            wanted=row.quantity,
        )
        for row in rows
    )
    bill.number, bill.status = _next(company, "number"), BillStatus.Billed
    bill.billed_at, bill.billed_by_id = clock.now(), by.user_id
    copy_texts(bill, rows, customer, company, by)


def require_guide(bill: Bill) -> None:
    """Raise `GuideNumberRequired` if the bill has no guide number."""
    if not bill.guide_number:
        raise rules.GuideNumberRequired(errors=[FieldError("guideNumber", "guide_number_required")])


def publish_bill(
    bill: Bill, action: str, before: Snapshot | None, events: Sequence[outbox.AnyEvent], by: Principal, **beside: Any
) -> Bill:
    """Audit and publish a change of a bill. Call it at the end of the transaction. Returns the bill as it is now.

    `beside`: what the audit stores besides the bill's columns and lines.
    """
    changed = bill_get(bill.pk)
    auditing.record_delivery(changed, action, before=before, by=by, **beside)
    outbox.publish_all([*events, delivery_changed(changed)], by=Actor.of(by))
    return changed
