"""What the audit keeps of deliveries."""

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.deliveries.models import Delivery


def kept(row: Delivery) -> Snapshot:
    """The delivery and what it bills. 1 query."""
    lines = [
        {
            "salesOrderId": order,
            "position": position,
            "quantity": quantity,
            "price": float(price),
            "taxAmount": float(tax_amount),
        }
        for order, position, quantity, price, tax_amount in row.lines.order_by("place").values_list(
            "line__order", "line__position", "quantity", "price", "tax_amount"
        )
    ]
    return audit.snapshot(row, lines=lines)


def delivery(row: Delivery, action: str, *, before: Snapshot | None, by: Principal) -> None:
    """Write a change of a delivery. 2 queries."""
    audit.record(
        entity="delivery",
        entity_id=row.pk,
        label=f"{row.company.name} {row.number or ''}".strip(),
        action=action,
        before=before,
        after=kept(row),
        by=by,
    )
