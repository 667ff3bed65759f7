"""Write the CFDI folio and the guide number of a bill, which may come after it is issued."""

from typing import Any

from project.access.principal import Principal
from project.billing import auditing
from project.billing.models import Bill
from project.billing.rules import BillAction, BillStatus
from project.billing.schemas import DeliveryChange
from project.billing.selectors import bill_get
from project.billing.services import bill_for_update, publish_bill, require_guide
from project.core.idempotency import unit_of_work
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is

NUMBERS = frozenset({"invoice_number", "guide_number"})
"""Fields that others assign. They may be written after the bill is issued."""


@unit_of_work
def bill_numbers(*, bill_id: int, body: DeliveryChange, by: Principal, expected: frozenset[int] | None = None) -> Bill:
    """Write the CFDI folio and the guide number of a pre-bill or a bill. `body` holds no other fields.

    Raises `NotFound`, `StaleVersion`, `AlreadyCanceled`, and `GuideNumberRequired` for a bill that would have no guide
    number.
    """
    return changed_or_as_it_is(lambda: _number(bill_id, given(body), by, expected), lambda: bill_get(bill_id))


def _number(bill_id: int, numbers: dict[str, Any], by: Principal, expected: frozenset[int] | None) -> Bill:
    """Do the work of `bill_numbers`. Raises `Unchanged` if nothing differs."""
    bill = bill_for_update(bill_id)
    bill.check_allows(BillAction.numbers)
    bill.claim(expected)
    before = auditing.snapshot(bill)
    for name, value in numbers.items():
        setattr(bill, name, value)
    if bill.status == BillStatus.Billed:
        require_guide(bill)
    if auditing.snapshot(bill) == before:
        raise Unchanged
    bill.save(update_fields=["version", *numbers])
    return publish_bill(bill, "changed", before, [], by)
