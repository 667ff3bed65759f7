"""What the audit keeps of orders and lines."""

from collections.abc import Iterable

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Change, Snapshot
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
    lines([line_change(row, action, before=before, **moved)], by=by)


def line_change(row: Line, action: str, *, before: Snapshot | None, **beside: str) -> Change:
    """A change of a line as `lines` writes it, with what is kept beside its columns."""
    label = f"{row.order.customer_sales_order_id} · {row.position}"
    return Change(row.pk, label, action, before, {**kept(row), **beside})


def lines(changes: Iterable[Change], *, by: Principal) -> None:
    """Write changes of many lines. 1 query for 1,000 of them."""
    audit.record_all("sales-order-position", changes, by=by)
