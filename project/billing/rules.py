"""Rules of bills: what each status allows, what may be billed, and how amounts are computed. No database, no clock."""

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
    """A pre-bill reserves no pieces, a bill holds its pieces, and a canceled bill has given them back."""

    PreBill = "PreBill"
    Billed = "Billed"
    Canceled = "Canceled"


class LineNotDone(Refusal):
    """Lines that are not done cannot be billed: `errors` name them."""

    code = "line_not_done"


class QuantityExceedsRemaining(Refusal):
    """The lines named in `errors` have too few pieces left to bill. Each row says how many they have."""

    code = "quantity_exceeds_remaining"


class AlreadySealed(Refusal):
    """The electronic paper of the bill or the settlement is sealed or stamped. Drop or cancel that paper first."""

    code = "already_sealed"


class AlreadySettled(Refusal):
    """The bill has payments or credit notes. Cancel these before the bill."""

    code = "already_settled"


class NotIssued(Refusal):
    """The bill is a pre-bill, for which nothing is owed. Issue it before you note payments or credit notes."""

    code = "not_issued"


class NoLines(InvalidFields):
    code = "no_lines"


class MixedCustomers(InvalidFields):
    code = "mixed_customers"


class GuideNumberRequired(InvalidFields):
    code = "guide_number_required"


class CommercialAddressRequired(InvalidFields):
    """The customer or the company has no commercial address. `errors` name them: `customerId`, `companyId`."""

    code = "commercial_address_required"

    def as_json(self) -> dict[str, Any]:
        """Return the answer, in which each row's message says whose address is missing.

        If there is one row, its message is also the main message.
        """
        answer = super().as_json()
        for row in answer["errors"]:
            row["message"] = text(f"commercial_address_required_{row['field']}")
        if len(answer["errors"]) == 1:
            answer["message"] = answer["errors"][0]["message"]
        return answer


class PriceRequired(InvalidFields):
    """Prices and amounts are missing that cannot be taken from a product. `errors` name them."""

    code = "price_required"


@dataclass(frozen=True)
class PiecesToBill:
    """The pieces of an order's line to bill. `wanted`: the pieces for this bill. `left`: those not billed yet."""

    status: Status
    left: int
    wanted: int


def check_billable(lines: Iterable[PiecesToBill]) -> None:
    """Check that the lines are done and have enough pieces left to bill.

    Raises `LineNotDone`, `QuantityExceedsRemaining`.
    """
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
    """What a person may do with a bill."""

    edit = "edit"
    bill = "bill"
    cancel = "cancel"
    export = "export"
    numbers = "numbers"
    """Write the CFDI folio and the guide number: both may be written after the bill is issued."""
    settle = "settle"
    """Note a payment or a credit note."""


REFUSALS: dict[tuple[BillStatus, BillAction], type[Refusal] | None] = {
    (BillStatus.PreBill, BillAction.edit): None,
    (BillStatus.PreBill, BillAction.bill): None,
    (BillStatus.PreBill, BillAction.cancel): None,
    (BillStatus.PreBill, BillAction.export): None,
    (BillStatus.PreBill, BillAction.numbers): None,
    (BillStatus.PreBill, BillAction.settle): NotIssued,
    (BillStatus.Billed, BillAction.edit): AlreadyBilled,
    (BillStatus.Billed, BillAction.bill): AlreadyBilled,
    (BillStatus.Billed, BillAction.cancel): None,
    (BillStatus.Billed, BillAction.export): None,
    (BillStatus.Billed, BillAction.numbers): None,
    (BillStatus.Billed, BillAction.settle): None,
    (BillStatus.Canceled, BillAction.edit): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.bill): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.cancel): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.export): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.numbers): AlreadyCanceled,
    (BillStatus.Canceled, BillAction.settle): AlreadyCanceled,
}

REFUSALS_OF_SEALED: dict[BillAction, type[Refusal]] = {
    BillAction.cancel: AlreadySealed,
    BillAction.export: AlreadySealed,
}
"""What else a bill refuses while its electronic invoice is sealed or stamped."""


def refusal(status: BillStatus, action: BillAction, *, sealed: bool, settled: bool) -> type[Refusal] | None:
    """Return the refusal to raise if a bill in `status` does not allow `action`; None if it allows the action.

    `sealed`: its electronic invoice is sealed or stamped. `settled`: it has a payment or a credit note.
    """
    if settled and action is BillAction.cancel and not REFUSALS[status, action]:
        return AlreadySettled
    return REFUSALS[status, action] or (REFUSALS_OF_SEALED.get(action) if sealed else None)


def check(status: BillStatus, action: BillAction, *, sealed: bool, settled: bool) -> None:
    """Raise a refusal if a bill does not allow `action`: see `refusal`."""
    found = refusal(status, action, sealed=sealed, settled=settled)
    if found:
        raise found


def number_text(number: int | None, pre_bill_number: int | None) -> str:
    """Return `F-0001` for a bill, and `P-0001` for a pre-bill, also if it was canceled before it became a bill."""
    return f"P-{pre_bill_number or 0:04}" if number is None else f"F-{number:04}"


def proposed_price(price: Decimal, currency: str, *, of_bill: str) -> Decimal | None:
    """Return the product's price if the bill is in its currency, else None: amounts are never converted."""
    return price if currency == of_bill else None


@dataclass(frozen=True)
class Amount:
    """The amount of a line, and the tax on it. Both are rounded to the decimals of the bill's currency."""

    amount: Decimal
    tax: Decimal


@dataclass(frozen=True)
class Totals:
    """The amounts of a bill. `total` is exactly the sum of its lines' amounts, their taxes and the shipping."""

    subtotal: Decimal
    tax: Decimal
    total: Decimal


def line_amount(*, quantity: int, price: Decimal, tax_amount: Decimal, currency: str) -> Amount:
    """Return quantity times price, and its tax. `tax_amount` is a percentage (16 means 16 %).

    Each is rounded half up, once, to the decimals of `currency`.
    """
    amount = rounded(quantity * price, currency)
    return Amount(amount=amount, tax=rounded(amount * tax_amount / 100, currency))


def totals(lines: Iterable[Amount], shipping_price: Decimal) -> Totals:
    """Sum the lines' amounts, their taxes and the shipping. All are rounded already, so the sums need no rounding."""
    found = list(lines)
    subtotal = sum((line.amount for line in found), Decimal(0))
    tax = sum((line.tax for line in found), Decimal(0))
    return Totals(subtotal=subtotal, tax=tax, total=subtotal + tax + shipping_price)
