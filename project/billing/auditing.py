"""Write changes of bills into the audit."""

from typing import Any

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.billing.models import Bill


def snapshot(row: Bill, **beside: Any) -> Snapshot:
    """Return what the audit keeps of a bill loaded by the selectors: its columns and its lines, plus `beside`."""
    lines = [
        {
            "salesOrderId": one.line.order_id,
            "position": one.line.position,
            "quantity": one.quantity,
            "price": float(one.price),
            "taxAmount": float(one.tax_amount),
        }
        for one in row.lines.all()
    ]
    return audit.snapshot(row, lines=lines, **beside)


def record_delivery(row: Bill, action: str, *, before: Snapshot | None, by: Principal, **beside: Any) -> None:
    """Record a change of a bill."""
    audit.record(
        entity="delivery",
        entity_id=row.pk,
        label=f"{row.texts.company_name} {row.number_text}",
        action=action,
        before=before,
        after=snapshot(row, **beside),
        by=by,
    )
