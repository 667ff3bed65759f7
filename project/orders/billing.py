"""Count the pieces of lines that are billed or given back (infra/docs/rules.md#bills).

`project.billing` decides what is billed. A fully billed line becomes Invoiced. If pieces are given back, it becomes
Done.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Set

from project.access.principal import Principal
from project.core.queries import save_fields
from project.orders import auditing, events as live, metal
from project.orders.events import LineChanged, LineStatusChanged, OrderChanged
from project.orders.models import Line, SalesOrder
from project.orders.movements import refresh_orders
from project.orders.rules import Status, after_billing
from project.orders.selectors import processes_for, records_of
from project.orders.summaries import summaries_of
from realtime import outbox

Place = tuple[int, int]
"""An order's id and a line's position."""


def lines_to_bill(places: Iterable[Place]) -> dict[Place, Line]:
    """Lock the orders, in the order of their ids. Return the lines that exist, by place. 3 queries.

    Call it in the transaction that bills the pieces or gives them back.
    """
    wanted = set(places)
    chosen = SalesOrder.objects.filter(pk__in={order for order, _ in wanted})
    # Lock first and read afterwards. A query that locks an order and joins its customer finds no row if the order got
    # another customer during the wait.
    list(chosen.select_for_update().order_by("pk").values_list("pk"))
    orders = chosen.select_related("customer").in_bulk()
    rows = Line.objects.select_related("item__tax_item", "item__alloy", "forecast").filter(
        order__in=orders, position__in={place for _, place in wanted}
    )
    found: dict[Place, Line] = {}
    for line in rows.order_by("order", "position"):
        if (line.order_id, line.position) in wanted:
            line.order = orders[line.order_id]
            found[line.order_id, line.position] = line
    return found


def bill(pieces: Mapping[Line, int], *, by: Principal) -> tuple[list[outbox.AnyEvent], Counter[Line]]:
    """Add `pieces` to the billed pieces of each line. A negative number gives pieces back. The orders must be locked.

    At most 12 queries for a thousand lines, and 8 more if some of them were weighed. Returns the events, which the
    caller publishes, and the milligrams of metal that were shipped or came back, by line.
    """
    before = {line: auditing.snapshot(line) for line in pieces}
    status_before = {line: line.status for line in pieces}
    shipped = metal.ship(pieces, by=by)
    for line, count in pieces.items():
        line.claim(None)
        line.quantity_billed += count
        line.status = after_billing(Status(line.status), quantity=line.quantity_good, billed=line.quantity_billed)
    save_fields([*pieces], ["quantity_billed", "status", "version"])
    refresh_orders(*{line.order_id: line.order for line in pieces}.values())
    auditing.record_lines(
        (
            auditing.line_change(line, "billed" if count > 0 else "unbilled", before=before[line])
            for line, count in pieces.items()
        ),
        by=by,
    )
    return _events(pieces, {line for line in pieces if line.status != status_before[line]}), shipped


def _events(lines: Collection[Line], other_status: Set[Line]) -> list[outbox.AnyEvent]:
    """Return one event for each order: an event of its line, or of the order if several of its lines changed."""
    of_order: defaultdict[SalesOrder, list[Line]] = defaultdict(list)
    for line in lines:
        of_order[line.order].append(line)
    records = records_of([line.pk for line in lines])
    for line in lines:
        line.loaded_records = records[line.pk]
    summaries = summaries_of({line.order_id for line in lines}, items={line.item_id for line in lines})
    processes = processes_for()
    events: list[outbox.AnyEvent] = []
    for order, changed in of_order.items():
        if len(changed) > 1:
            events += live.order_events(OrderChanged, order, changed, processes=processes, summaries=summaries)
        else:
            kind = LineStatusChanged if changed[0] in other_status else LineChanged
            data = live.line_data(changed[0], changed[0].loaded_records, processes=processes, summaries=summaries)
            events.append(kind(data=data))
    return events
