"""Change the status of one line, or approve every line of an order that may be approved."""

from project.access.principal import Principal
from project.core import clock
from project.core.idempotency import unit_of_work
from project.core.queries import save_fields
from project.events import BoardChanged
from project.orders import auditing, events as live, metal, rules
from project.orders.events import LineStatusChanged, OrderChanged, OrderDeleted
from project.orders.models import Line, SalesOrder
from project.orders.movements import line_for_update, refresh_orders
from project.orders.rules import UNSEEN_BY_CUSTOMERS, Status
from project.orders.selectors import line_get, order_get
from project.orders.services import order_for_update
from realtime import outbox
from realtime.registry import Actor


@unit_of_work
def line_change_status(
    *, order_id: int, position: int, status: str, by: Principal, expected: frozenset[int] | None = None
) -> Line:
    """Change a line's status to one that `rules.LINE_STATUS_OFFERS` allows.

    Raises `NotFound`, `StaleVersion`, `IllegalStatus`, `StillInside`, `AlreadyBilled`.
    """
    line = line_for_update(order_id, position, expected)
    before, status_before = auditing.snapshot(line), line.order.status
    status_taken = rules.status_to_take(
        Status(line.status),
        Status(line.order.status),
        status,
        inside=line.quantity_inside,
        billed=line.quantity_billed,
    )
    if status_taken in (Status.Done, Status.Canceled):
        metal.settle(line, by=by, canceled=status_taken is Status.Canceled)
    else:
        metal.take_back([metal.TakenBack(line)], by=by)
    line.status = status_taken
    line.done_at = rules.done_at(line.done_at, status_taken, clock.now())
    line.save(update_fields=["status", "done_at", "metal_mg", "version"])
    refresh_orders(line.order)
    auditing.record_line(line, "status", before=before, by=by)
    changed = line_get(order_id, position)
    events: list[outbox.AnyEvent] = [LineStatusChanged(data=live.line_data(changed, changed.loaded_records))]
    if changed.order.status in UNSEEN_BY_CUSTOMERS and status_before not in UNSEEN_BY_CUSTOMERS:
        gone = OrderDeleted(data=live.deleted_order_data(changed.order))
        events.append(outbox.ForCustomer(gone, changed.order.customer_id))
    outbox.publish_all(events, by=Actor.of(by))
    return changed


@unit_of_work
def order_approve(*, order_id: int, by: Principal, expected: frozenset[int] | None = None) -> SalesOrder:
    """Approve every line of the order that may be approved now.

    The number of queries does not depend on the number of lines. Raises `NotFound`, `StaleVersion`, `NothingToApprove`.
    """
    order = order_for_update(order_id)
    order.claim(expected)
    lines = [line for line in Line.objects.filter(order=order).order_by("position") if _may_be_approved(line, order)]
    if not lines:
        raise rules.NothingToApprove
    before = [auditing.snapshot(line) for line in lines]
    for line in lines:
        line.order = order
        line.claim(None)
        line.status = Status.Approved
    order.save(update_fields=["version"])
    save_fields(lines, ["status", "version"])
    refresh_orders(order)
    changes = zip(lines, before, strict=True)
    auditing.record_lines((auditing.line_change(line, "status", before=old) for line, old in changes), by=by)
    changed = order_get(order_id)
    positions = {line.position for line in lines}
    shown = [line for line in changed.loaded_lines if line.position in positions]
    outbox.publish(BoardChanged(), by=None)
    outbox.publish_all(live.order_events(OrderChanged, changed, shown), by=Actor.of(by))
    return changed


def _may_be_approved(line: Line, order: SalesOrder) -> bool:
    statuses = rules.offered(
        Status(line.status), Status(order.status), inside=line.quantity_inside, billed=line.quantity_billed
    )
    return Status.Approved in statuses
