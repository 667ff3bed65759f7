"""Rules of payments: what may be paid. No database and no clock (infra/docs/rules.md#piecework)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from project.core.errors import AlreadyCanceled, FieldError, InvalidFields, Refusal
from project.orders.rules import RecordReleased, StillInside


class PaymentStatus(StrEnum):
    """The statuses of a payment; Canceled is final."""

    Paid = "Paid"
    Canceled = "Canceled"


class ExceedsRemaining(Refusal):
    """The call pays more pieces of a record than are left to pay.

    `processRecordId`: the first such record. `remainingQuantity`: its pieces left to pay. `records`: all such records.
    `paid`: who paid their pieces and when, only for readers of payments.
    """

    code = "exceeds_remaining"


class RecordScrapped(Refusal):
    """The pieces were scrapped for a reason that is not paid."""

    code = "record_scrapped"


class RecordUnweighed(Refusal):
    """The record `processRecordId` earns by the gram and has no weight yet, so its pay is not known."""

    code = "record_unweighed"


class OwedChanged(Refusal):
    """The people in `userIds` are owed other amounts than the call says. Nobody is paid: load the amounts again."""

    code = "owed_changed"


@dataclass(frozen=True)
class Payable:
    """The facts about a process record that decide whether it can be paid. Quantities are pieces.

    `lost`: scrap that is not paid.
    """

    record_id: int
    closed: bool
    released: bool
    lost: bool
    quantity: int
    paid: int
    unweighed: bool = False

    @property
    def remaining(self) -> int:
        return self.quantity - self.paid


def check_payable(records: Sequence[tuple[Payable, int]]) -> None:
    """Check that the given number of pieces of each record can be paid.

    Raises `RecordReleased`, `StillInside`, `RecordScrapped`, `RecordUnweighed`, `ExceedsRemaining`.
    """
    for record, _ in records:
        if record.released:
            raise RecordReleased(processRecordId=record.record_id)
        if not record.closed:
            raise StillInside(processRecordId=record.record_id)
        if record.lost:
            raise RecordScrapped(processRecordId=record.record_id)
        if record.unweighed:
            raise RecordUnweighed(processRecordId=record.record_id)
    exceeding = [
        (f"items.{index}.quantity", {"processRecordId": record.record_id, "remainingQuantity": record.remaining})
        for index, (record, asked) in enumerate(records)
        if asked > record.remaining
    ]
    if exceeding:
        errors = [FieldError(field, ExceedsRemaining.code, params) for field, params in exceeding]
        raise ExceedsRemaining(errors=errors, records=[params for _, params in exceeding], **exceeding[0][1])


def check_each_once(ids: Sequence[int], rows: str = "items", field: str = "processRecordId") -> None:
    """Check that the body's `rows` name at least one record, and each record once. Raises `InvalidFields`."""
    if not ids:
        raise InvalidFields.of(rows, "required")
    seen: set[int] = set()
    errors = []
    for index, named in enumerate(ids):
        if named in seen:
            errors.append(FieldError(f"{rows}.{index}.{field}", "named_twice"))
        seen.add(named)
    if errors:
        raise InvalidFields(errors=errors)


def check_cancelable(status: PaymentStatus) -> None:
    """Raise `AlreadyCanceled` if the payment is canceled."""
    if status is PaymentStatus.Canceled:
        raise AlreadyCanceled
