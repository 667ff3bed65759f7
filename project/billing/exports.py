"""Writes of what a bill's export papers say beside it: terms and boxes (infra/docs/rules.md#bills)."""

from dataclasses import replace
from typing import TypedDict

from project.access.principal import Principal
from project.billing import auditing, packing, rules
from project.billing.models import Bill, billed_pieces
from project.billing.packing import Box, Export
from project.billing.rules import BillAction, BillStatus
from project.billing.selectors import bill_get
from project.billing.services import bill_for_update, publish_bill
from project.core.idempotency import unit_of_work
from project.core.versions import Unchanged, changed_or_as_it_is


class ExportFields(TypedDict, total=False):
    """What is written of a bill's export part; what is left out keeps its value."""

    incoterm: str
    place: str
    boxes: tuple[Box, ...]


@unit_of_work
def bill_export(*, bill_id: int, fields: ExportFields, by: Principal, expected: frozenset[int] | None = None) -> Bill:
    """Change what the bill's export papers say beside it; boxes are given whole.

    Raises `NotFound`, `StaleVersion`, `AlreadyCanceled`, and all that `packing.check` raises.
    """
    return changed_or_as_it_is(lambda: _export(bill_id, fields, by, expected), lambda: bill_get(bill_id))


def _export(bill_id: int, fields: ExportFields, by: Principal, expected: frozenset[int] | None) -> Bill:
    """As `bill_export`. Raises `Unchanged`."""
    bill = bill_for_update(bill_id)
    rules.check(BillStatus(bill.status), BillAction.export)
    bill.claim(expected)
    known = Export.read(bill.export)
    export = replace(known, **fields)
    if "boxes" in fields:
        packing.check(export, billed_pieces(bill))
    before = auditing.snapshot(bill)
    if export == known:
        raise Unchanged
    bill.export = export.stored()
    bill.save(update_fields=["version", "export"])
    return publish_bill(bill, "changed", before, [], by)
