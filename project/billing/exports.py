"""Change the export part of a bill: its terms and its boxes (infra/docs/rules.md#bills)."""

from dataclasses import replace
from typing import Any

from project.access.principal import Principal
from project.billing import auditing, packing
from project.billing.models import Bill, billed_pieces, metal_of
from project.billing.packing import Box, Content, Export
from project.billing.rules import BillAction
from project.billing.schemas import ExportIn
from project.billing.selectors import bill_get
from project.billing.services import bill_for_update, publish_bill
from project.core.idempotency import unit_of_work
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is


@unit_of_work
def bill_export(*, bill_id: int, body: ExportIn, by: Principal, expected: frozenset[int] | None = None) -> Bill:
    """Change the export part of a bill or pre-bill. Boxes are replaced as a whole.

    Raises `NotFound`, `StaleVersion`, `AlreadyCanceled`, `AlreadySealed`, and all that `packing.check` raises.
    """
    return changed_or_as_it_is(lambda: _export(bill_id, body, by, expected), lambda: bill_get(bill_id))


def _export(bill_id: int, body: ExportIn, by: Principal, expected: frozenset[int] | None) -> Bill:
    """Do the work of `bill_export`. Raises `Unchanged` if nothing differs."""
    bill = bill_for_update(bill_id)
    bill.check_allows(BillAction.export)
    bill.claim(expected)
    known = Export.read(bill.export)
    export = replace(known, **_written(body))
    if "boxes" in body.model_fields_set:
        packing.check(export.weighed(metal_of(bill)), billed_pieces(bill))
    before = auditing.snapshot(bill)
    if export == known:
        raise Unchanged
    bill.export = export.stored()
    bill.save(update_fields=["version", "export"])
    return publish_bill(bill, "changed", before, [], by)


def _written(body: ExportIn) -> dict[str, Any]:
    """Return the fields of an `Export` that were sent."""
    fields = given(body)
    if "boxes" in fields:
        fields["boxes"] = tuple(
            Box(contents=tuple(Content(**line.model_dump()) for line in box.lines), **box.model_dump(exclude={"lines"}))
            for box in body.boxes
        )
    return fields
