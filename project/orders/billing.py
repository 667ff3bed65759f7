"""Pieces of lines that are billed, and given back (specification 2, section 4; contract, section 4).

Deliveries decide what is billed. Here the lines keep count: fully billed is Invoiced, given back is Done again.
"""

from collections.abc import Iterable, Mapping

from project.access.principal import Principal
from project.orders import auditing, events as live
from project.orders.events import LineChanged, LineStatusChanged
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.movements import refresh_orders
from project.orders.rules import Status, after_billing
from project.orders.selectors import processes_for, records_newest_first

Place = tuple[int, int]
"""An order's id and a position."""


def lines_to_bill(places: Iterable[Place]) -> dict[Place, Line]:
    """Lock the orders, in the order of their ids, and read the lines: those that exist. 3 queries.

    Call it in the transaction that bills or gives back.
    """
    wanted = set(places)
    chosen = SalesOrder.objects.filter(pk__in={order for order, _ in wanted})
    # Locked first and read then: PostgreSQL joins the newest state of what it waited for to the customer of before, and
    # finds nothing.
    list(chosen.select_for_update().order_by("pk").values_list("pk"))
    orders = chosen.select_related("customer").in_bulk()
    rows = Line.objects.select_related("item").filter(order__in=orders, position__in={place for _, place in wanted})
    found: dict[Place, Line] = {}
    for line in rows.order_by("order", "position"):
        if (line.order_id, line.position) in wanted:
            line.order = orders[line.order_id]
            found[line.order_id, line.position] = line
    return found


def bill(pieces: Mapping[Line, int], *, by: Principal) -> list[LineStatusChanged | LineChanged]:
    """Count `pieces` of each line as billed, negative where they are given back; the orders are locked by the caller.

    At most 6 queries for a thousand lines. Returns the events, which the caller records last in its transaction.
    """
    before = {line: auditing.snapshot(line) for line in pieces}
    was = {line: line.status for line in pieces}
    for line, count in pieces.items():
        line.claim(None)
        line.quantity_billed += count
        line.status = after_billing(Status(line.status), quantity=line.quantity, billed=line.quantity_billed)
    Line.objects.bulk_update(pieces, ["quantity_billed", "status", "version"])
    refresh_orders(*{line.order_id: line.order for line in pieces}.values())
    auditing.record_lines(
        (
            auditing.line_change(line, "billed" if count > 0 else "unbilled", before=before[line])
            for line, count in pieces.items()
        ),
        by=by,
    )
    records: dict[int, list[ProcessRecord]] = {line.pk: [] for line in pieces}
    for record in records_newest_first().filter(line__in=records):
        records[record.line_id].append(record)
    processes = processes_for()
    return [
        (LineChanged if line.status == was[line] else LineStatusChanged)(
            data=live.line_data(line, records[line.pk], processes=processes)
        )
        for line in pieces
    ]
