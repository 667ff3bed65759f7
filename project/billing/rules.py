"""The rules of bills: what each state allows, what may be billed, and what it comes to. No database, no clock."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from project.core.errors import AlreadyCanceled, FieldError, InvalidFields, Refusal
from project.core.money import rounded
from project.core.texts import text
from project.orders.rules import COMPLETED, AlreadyBilled, Status


class BillStatus(StrEnum):
    """A pre-bill reserves nothing; a bill holds its pieces; a canceled one has given them back."""

    PreBill = "PreBill"
    Billed = "Billed"
    Canceled = "Canceled"


class LineNotDone(Refusal):
    """The lines named in `errors` are not Done."""

    code = "line_not_done"


class QuantityExceedsRemaining(Refusal):
    """The lines named in `errors` have fewer pieces left to bill; each row says how many."""

    code = "quantity_exceeds_remaining"


class NoLines(InvalidFields):
    code = "no_lines"


class MixedCustomers(InvalidFields):
    code = "mixed_customers"


class GuideNumberRequired(InvalidFields):
    code = "guide_number_required"


class CommercialAddressRequired(InvalidFields):
    """`errors` name whose address is missing: `companyId`, `customerId`."""

    code = "commercial_address_required"

    def as_json(self) -> dict[str, Any]:
        """Every message names the customer or the company alone where only one of them lacks its address."""
        said = super().as_json()
        for row in said["errors"]:
            row["message"] = text(f"commercial_address_required_{row['field']}")
        if len(said["errors"]) == 1:
            said["message"] = said["errors"][0]["message"]
        return said


class PriceRequired(InvalidFields):
    """`errors` name the amounts that nobody gave and that no product's price can stand for."""

    code = "price_required"


@dataclass(frozen=True)
class PiecesToBill:
    """What a bill wants of an order's line: `left` pieces of it are not billed."""

    status: Status
    left: int
    wanted: int


def check_billable(lines: Iterable[PiecesToBill]) -> None:
    """Only pieces of lines that are done are billed, each once. Raises `LineNotDone`, `QuantityExceedsRemaining`."""
    not_done, exceeding = [], []
    for index, line in enumerate(lines):
        if line.status not in COMPLETED:
            not_done.append(FieldError(f"lines.{index}.position", "line_not_done"))
        elif line.wanted > line.left:
            remaining = {"remaining": line.left}
            exceeding.append(FieldError(f"lines.{index}.quantity", "quantity_exceeds_remaining", remaining))
    if not_done:
        raise LineNotDone(errors=not_done)
    if exceeding:
        raise QuantityExceedsRemaining(errors=exceeding, remaining=exceeding[0].params["remaining"])


class BillAction(StrEnum):
    """What people do with a bill."""

    edit = "edit"
    bill = "bill"
    cancel = "cancel"
    export = "export"
    numbers = "numbers"
    """Write its CFDI folio and its guide: both may come after it is issued."""


REFUSALS: dict[tuple[BillStatus, BillAction], type[Refusal] | None] = {
    (BillStatus.PreBill, BillAction.edit): None,
    (BillStatus.PreBill, BillAction.bill): None,
    (BillStatus.PreBill, BillAction.cancel): None,
    (BillStatus.PreBill, BillAction.export): None,
    (BillStatus.PreBill, BillAction.numbers): None,
    (BillStatus.Billed, BillAction.edit): AlreadyBilled,
    (BillStatus.Billed, BillAction.bill): AlreadyBilled,
    (BillStatus.Billed, BillAction.cancel): None,
    (BillStatus.Billed, BillAction.export): None,
    (BillStatus.Billed, BillAction.numbers): None,
    (BillStatus.Canceled, BillAction.edit): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.bill): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.cancel): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.export): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.numbers): AlreadyCanceled,
}


def check(status: BillStatus, action: BillAction) -> None:
    """Raises `AlreadyBilled`, `AlreadyCanceled` where a bill in `status` does not allow `action`."""
    refusal = REFUSALS[status, action]
    if refusal:
        raise refusal


def number_text(number: int | None, pre_bill_number: int | None) -> str:
    """`F-0001` of a bill; `P-0001` of a pre-bill, and of one that was canceled before it became a bill."""
    return f"P-{pre_bill_number or 0:04}" if number is None else f"F-{number:04}"


def proposed_price(price: Decimal, currency: str, *, of_bill: str) -> Decimal | None:
    """A product's price where the bill is in its currency: an amount of one says nothing in another."""
    return price if currency == of_bill else None


@dataclass(frozen=True)
class Amount:
    """What a line comes to: `tax` is of `amount`, both in whole minor units of the bill's currency."""

    amount: Decimal
    tax: Decimal


@dataclass(frozen=True)
class Totals:
    """What a bill comes to. The sum of its lines' amounts and taxes and the shipping is exactly the total."""

    subtotal: Decimal
    tax: Decimal
    total: Decimal


def line_amount(*, quantity: int, price: Decimal, tax_amount: Decimal, currency: str) -> Amount:
    """Quantity times price; `tax_amount` is a percentage (16 means 16 %). Each is rounded half up once, to the
    decimals of `currency`."""
    amount = rounded(quantity * price, currency)
    return Amount(amount=amount, tax=rounded(amount * tax_amount / 100, currency))


def totals(lines: Iterable[Amount], shipping_price: Decimal) -> Totals:
    """Sums of what is rounded already: nothing is rounded a second time."""
    found = list(lines)
    subtotal = sum((line.amount for line in found), Decimal(0))
    tax = sum((line.tax for line in found), Decimal(0))
    return Totals(subtotal=subtotal, tax=tax, total=subtotal + tax + shipping_price)
