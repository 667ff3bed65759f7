"""The rules of payments: arithmetic and refusals, no database and no clock (contract, section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from project.core.errors import AlreadyCanceled, FieldError, InvalidFields, Refusal
from project.core.money import MOST, cents
from project.orders.rules import StillInside


class PaymentStatus(StrEnum):
    """The states of a payment; Canceled is final."""

    Paid = "Paid"
    Canceled = "Canceled"


class ExceedsRemaining(Refusal):
    """`remainingQuantity` pieces of the record `processRecordId` are left to pay."""

    code = "exceeds_remaining"


class RecordReleased(Refusal):
    code = "record_released"


@dataclass(frozen=True)
class Payable:
    """A process record as far as it matters to its payment: counts of pieces."""

    record_id: int
    closed: bool
    released: bool
    quantity: int
    paid: int

    @property
    def remaining(self) -> int:
        return self.quantity - self.paid


def amount(quantity: int, price: Decimal) -> Decimal:
    """What `quantity` pieces earn, in cents, half a cent up."""
    return cents(quantity * price)


def total(amounts: Sequence[Decimal]) -> Decimal:
    """What a payment of these amounts comes to. Raises `InvalidFields` for each that nobody can mean, or for all."""
    absurd = [
        FieldError(f"items.{n}.price", "too_large", {"limit": MOST}) for n, one in enumerate(amounts) if one > MOST
    ]
    whole = sum(amounts, Decimal("0.00"))
    if whole > MOST and not absurd:
        absurd = [FieldError("items", "too_large", {"limit": MOST})]
    if absurd:
        raise InvalidFields(errors=absurd)
    return whole


def check_payable(record: Payable, asked: int) -> None:
    """Raises `RecordReleased`, `StillInside`, `ExceedsRemaining`."""
    if record.released:
        raise RecordReleased(processRecordId=record.record_id)
    if not record.closed:
        raise StillInside(processRecordId=record.record_id)
    if asked > record.remaining:
        raise ExceedsRemaining(processRecordId=record.record_id, remainingQuantity=record.remaining)


def check_each_once(record_ids: Sequence[int]) -> None:
    """A payment pays something, and each record once: raises `InvalidFields` for each time it is named again."""
    if not record_ids:
        raise InvalidFields.of("items", "required")
    seen: set[int] = set()
    errors = []
    for index, record_id in enumerate(record_ids):
        if record_id in seen:
            errors.append(FieldError(f"items.{index}.processRecordId", "named_twice"))
        seen.add(record_id)
    if errors:
        raise InvalidFields(errors=errors)


def check_cancelable(status: PaymentStatus) -> None:
    """Raises `AlreadyCanceled`."""
    if status is PaymentStatus.Canceled:
        raise AlreadyCanceled
