"""What the audit keeps of orders and lines."""

from collections.abc import Iterable, Sequence
from typing import Any

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Change, Snapshot
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.rules import Side

snapshot = audit.snapshot


def whole_snapshot(row: SalesOrder) -> Snapshot:
    """An order loaded by the selectors, with its lines: what is kept of its beginning and of its end."""
    return audit.snapshot(row, lines=[snapshot(line) for line in row.loaded_lines])


def record_order(
    row: SalesOrder, action: str, *, before: Snapshot | None, after: Snapshot | None, by: Principal
) -> None:
    """Write a change of an order."""
    audit.record(
        entity="sales-order",
        entity_id=row.pk,
        label=row.customer_sales_order_id,
        action=action,
        before=before,
        after=after,
        by=by,
    )


def record_line(row: Line, action: str, *, before: Snapshot | None, by: Principal, **beside: Any) -> None:
    """Write a change of a line, with what is kept `beside` its columns."""
    record_lines([line_change(row, action, before=before, **beside)], by=by)


def record_movement(
    row: Line,
    action: str,
    *,
    before: Snapshot,
    by: Principal,
    records: Sequence[ProcessRecord],
    pieces: int,
    side: Side,
    **more: Any,
) -> None:
    """Write a movement of pieces of a line, or that one was taken back: which record, process and side, and at whose
    station where the person named himself at one."""
    beside = {
        "productionProcessName": records[0].process_name,
        "processRecordId": records[0].pk,
        "pieces": pieces,
        "side": str(side),
        **(audit.at_station(by.station.account) if by.station else {}),
        **more,
    }
    record_line(row, action, before=before, by=by, **beside)


def line_change(row: Line, action: str, *, before: Snapshot | None, **beside: Any) -> Change:
    """A change of a line as `record_lines` writes it, with what is kept beside its columns."""
    label = f"{row.order.customer_sales_order_id} · {row.position}"
    return Change(row.pk, label, action, before, {**snapshot(row), **beside})


def record_lines(changes: Iterable[Change], *, by: Principal) -> None:
    """Write changes of many lines."""
    audit.record_all("sales-order-position", changes, by=by)
