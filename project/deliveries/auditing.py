"""What the audit keeps of deliveries."""

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.deliveries.models import Delivery


def snapshot(row: Delivery) -> Snapshot:
    """A delivery loaded by the selectors, with what it bills."""
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
    return audit.snapshot(row, lines=lines)


def record_delivery(row: Delivery, action: str, *, before: Snapshot | None, by: Principal) -> None:
    """Write a change of a delivery."""
    audit.record(
        entity="delivery",
        entity_id=row.pk,
        label=f"{row.company.name} {row.number_text}",
        action=action,
        before=before,
        after=snapshot(row),
        by=by,
    )
