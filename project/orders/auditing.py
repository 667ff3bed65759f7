"""Write changes of orders and lines into the audit."""

from collections.abc import Iterable, Sequence
from typing import Any

from project.access.principal import Principal
from project.audit import services as audit
from project.audit.services import Change, Snapshot
from project.orders.models import Line, Press, ProcessRecord, SalesOrder
from project.orders.rules import Side

snapshot = audit.snapshot


def whole_snapshot(row: SalesOrder) -> Snapshot:
    """Return what the audit keeps of an order with its lines, when the order is created or deleted.

    The selectors must have loaded the lines.
    """
    return audit.snapshot(row, lines=[snapshot(line) for line in row.loaded_lines])


def record_order(
    row: SalesOrder, action: str, *, before: Snapshot | None, after: Snapshot | None, by: Principal
) -> None:
    """Record a change of an order."""
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
    """Record a change of a line. `beside`: what the audit keeps in addition to the line's columns."""
    record_lines([line_change(row, action, before=before, **beside)], by=by)


def record_movement(
    row: Line,
    action: str,
    *,
    before: Snapshot,
    by: Principal,
    press: Press | None,
    records: Sequence[ProcessRecord],
    pieces: int,
    side: Side,
    **more: Any,
) -> None:
    """Record that pieces of a line were moved or taken back: by which press, which record, process and side.

    If an operator did it, the account of the station is recorded too. `press`: None for a change that no press made.
    """
    beside = {
        **({"press": str(press.pk)} if press else {}),
        "productionProcessName": records[0].process_name,
        "processRecordId": records[0].pk,
        "pieces": pieces,
        "side": str(side),
        **(audit.at_station(by.station.account) if by.station else {}),
        **more,
    }
    record_line(row, action, before=before, by=by, **beside)


def line_change(row: Line, action: str, *, before: Snapshot | None, **beside: Any) -> Change:
    """Return a change of a line for `record_lines`. `beside`: kept in addition to the line's columns."""
    label = f"{row.order.customer_sales_order_id} · {row.position}"
    return Change(row.pk, label, action, before, {**snapshot(row), **beside})


def record_lines(changes: Iterable[Change], *, by: Principal) -> None:
    """Record changes of many lines."""
    audit.record_all("sales-order-position", changes, by=by)
