"""What the audit keeps of orders and lines."""

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Snapshot
from project.orders.models import Line, SalesOrder

kept = audit.snapshot


def order(row: SalesOrder, action: str, *, before: Snapshot | None, by: Principal, gone: bool = False) -> None:
    """Write a change of an order's header. 1 query."""
    audit.record(
        entity="sales-order",
        entity_id=row.pk,
        label=row.customer_sales_order_id,
        action=action,
        before=before,
        after=None if gone else kept(row),
        by=by,
    )


def line(row: Line, action: str, *, before: Snapshot | None, by: Principal, process: str | None = None) -> None:
    """Write a change of a line, or a movement of its pieces through `process`. 1 query."""
    moved = {"productionProcessName": process} if process else {}
    audit.record(
        entity="sales-order-position",
        entity_id=row.pk,
        label=f"{row.order.customer_sales_order_id} · {row.position}",
        action=action,
        before=before,
        after={**kept(row), **moved},
        by=by,
    )
