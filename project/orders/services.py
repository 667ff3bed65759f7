"""Writes of orders and lines: create, change, delete, change of status (specification 2, section 4)."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any, TypedDict

from django.db import transaction
from django.db.models import ProtectedError

from project.access.principal import Principal
from project.catalogs.models import Customer, Item
from project.core import clock, pictures
from project.core.constraints import unique
from project.core.errors import FieldError, InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.orders import events as live
from project.orders import rules, trail
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.movements import line_for_update, refresh_orders
from project.orders.rules import Status
from project.orders.selectors import line_get, most_in_one_process, order_get, records_newest_first
from realtime import outbox
from realtime.events import Actor, LineChanged, LineStatusChanged, OrderChanged, OrderCreated, OrderDeleted

PO_ONCE = {"sales_order_po_once_per_customer": "customerSalesOrderId"}


class LineFields(TypedDict, total=False):
    """The writable fields of a line; on changing, those left out keep their values."""

    position: int
    item_id: int
    quantity: int
    shipment_date: date | None
    delivery_date: date | None
    shipping_date: date | None
    notes: str


class OrderFields(TypedDict, total=False):
    """The writable header fields of an order."""

    customer_id: int
    customer_sales_order_id: str
    sales_order_date: date
    notes: str


@unit_of_work
def order_create(*, header: OrderFields, items: list[LineFields], by: Principal) -> SalesOrder:
    """Create an order with its lines, positions from 1. Raises `NoItems`, `AlreadyExists`, `InvalidFields`."""
    if not items:
        raise rules.NoItems(errors=[FieldError("items", "no_items")])
    _refuse_unknown(header, items)
    order = SalesOrder(creation_date=clock.now(), **header)
    with unique(PO_ONCE):
        order.save(force_insert=True)
    _add_lines(order, items, first_position=1)
    created = order_get(order.pk)
    trail.order(created, "created", before=None, after=trail.whole(created), by=by)
    outbox.record(OrderCreated(data=live.order_data(created, list(created.lines.all()))), by=Actor.of(by))
    return created


@unit_of_work
def order_change(
    *,
    order_id: int,
    header: OrderFields,
    items: list[LineFields],
    by: Principal,
    expected: frozenset[int] | None = None,
) -> SalesOrder:
    """Change header fields; items with a position change that line, those without one are added, others stay.

    Raises `NotFound`, `StaleVersion`, `AlreadyExists`, `InvalidFields`, `LineClosed`, `QuantityInUse`.
    """
    order = _order_for_update(order_id)
    order.claim(expected)
    before = trail.kept(order)
    _refuse_unknown(header, items)
    moves = header.get("customer_id", order.customer_id) != order.customer_id
    left = order_get(order_id) if moves else None
    for name, value in header.items():
        setattr(order, name, value)
    with unique(PO_ONCE):
        order.save()
    altered = {item["position"] for item in items if "position" in item}
    by_position = {line.position: line for line in Line.objects.filter(order=order, position__in=altered)}
    for index, item in enumerate(items):
        if "position" in item:
            line = by_position.get(item["position"])
            if line is None:
                raise InvalidFields.of(f"items.{index}.position", "unknown")
            line.order = order
            line.claim(None)
            _alter_line(line, item, by)
    last = Line.objects.filter(order=order).order_by("-position").values_list("position", flat=True).first() or 0
    added = _add_lines(order, [item for item in items if "position" not in item], first_position=last + 1)
    for line in added:
        trail.line(line, "created", before=None, by=by)
    if added:
        refresh_orders(order)
    changed = order_get(order.pk)
    if header:
        trail.order(changed, "changed", before=before, after=trail.kept(changed), by=by)
    told = altered | {line.position for line in added}
    shown = [line for line in changed.lines.all() if line.position in told]
    event = OrderChanged(data=live.order_data(changed, shown))
    outbox.record_all([*(_to_another_customer(left, changed) if left else []), event], by=Actor.of(by))
    return changed


@unit_of_work
def order_delete(*, order_id: int, by: Principal) -> SalesOrder:
    """Delete an order that nothing has happened to. Returns it as it was. Raises `NotFound`, `HasMovements`."""
    _order_for_update(order_id)
    order = order_get(order_id)
    lines = list(order.lines.all())
    if any(line.quantity_billed for line in lines) or ProcessRecord.objects.filter(line__order=order_id).exists():
        raise rules.HasMovements
    event = OrderDeleted(data=live.order_data(order, []))
    for line in lines:
        if line.image:
            transaction.on_commit(partial(pictures.discard, line.image), robust=True)
    try:
        SalesOrder.objects.filter(pk=order_id).delete()
    except ProtectedError as error:  # a pre-bill, or a bill that was canceled, names a line of it
        raise rules.HasMovements from error
    trail.order(order, "deleted", before=trail.whole(order), after=None, by=by)
    outbox.record(event, by=Actor.of(by))
    return order


@unit_of_work
def line_add(*, order_id: int, fields: LineFields, by: Principal) -> Line:
    """Add a line at the next position. Raises `NotFound`, `InvalidFields`."""
    changed = order_change(order_id=order_id, header={}, items=[fields], by=by)
    return max(changed.lines.all(), key=lambda line: line.position)


@unit_of_work
def line_change(
    *,
    order_id: int,
    position: int,
    fields: LineFields,
    status: str | None,
    by: Principal,
    expected: frozenset[int] | None = None,
) -> Line:
    """Change a line's fields; never its status. `status`, where sent, must be the line's own.

    Raises `NotFound`, `StaleVersion`, `StatusNotHere`, `InvalidFields`, `LineClosed`, `QuantityInUse`.
    """
    line = line_for_update(order_id, position, expected)
    if status is not None and status != line.status:
        raise rules.StatusNotHere(errors=[FieldError("status", "status_not_here")])
    _refuse_unknown({}, [fields], path="")
    _alter_line(line, fields, by)
    changed = line_get(order_id, position)
    outbox.record(LineChanged(data=live.line_data(changed, list(changed.records.all()))), by=Actor.of(by))
    return changed


@unit_of_work
def line_change_status(
    *, order_id: int, position: int, status: str, by: Principal, expected: frozenset[int] | None = None
) -> Line:
    """Take a line to another status, by the table.

    Raises `NotFound`, `StaleVersion`, `IllegalStatus`, `StillInside`, `AlreadyBilled`.
    """
    line = line_for_update(order_id, position, expected)
    before = trail.kept(line)
    line.status = rules.status_to_take(
        Status(line.status),
        Status(line.order.status),
        status,
        inside=line.quantity_inside,
        billed=line.quantity_billed,
    )
    line.save(update_fields=["status", "version"])
    refresh_orders(line.order)
    trail.line(line, "status", before=before, by=by)
    changed = line_get(order_id, position)
    outbox.record(LineStatusChanged(data=live.line_data(changed, list(changed.records.all()))), by=Actor.of(by))
    return changed


def _to_another_customer(left: SalesOrder, changed: SalesOrder) -> list[outbox.ForCustomer]:
    """What an order's two customers are told: to the one it is gone, the other sees it for the first time."""
    gone = OrderDeleted(data=live.order_data(left, []))
    new = OrderCreated(data=live.order_data(changed, list(changed.lines.all())))
    return [outbox.ForCustomer(gone, left.customer_id), outbox.ForCustomer(new, changed.customer_id)]


def _order_for_update(order_id: int) -> SalesOrder:
    order = SalesOrder.objects.select_for_update(of=("self",)).filter(pk=order_id).first()
    if order is None:
        raise NotFound
    return order


def _add_lines(order: SalesOrder, items: list[LineFields], *, first_position: int) -> list[Line]:
    now = clock.now()
    lines = [
        Line(order=order, position=position, creation_date=now, **item)
        for position, item in enumerate(items, start=first_position)
    ]
    return Line.objects.bulk_create(lines)


def _alter_line(line: Line, fields: LineFields, by: Principal) -> None:
    """Write the given fields of a line that the caller has locked and claimed."""
    rules.check_editable(Status(line.status))
    if "quantity" in fields:
        rules.check_quantity(
            fields["quantity"],
            inside=line.quantity_inside,
            in_one_process=most_in_one_process(records_newest_first().filter(line=line)),
            billed=line.quantity_billed,
        )
    before = trail.kept(line)
    for name, value in fields.items():
        setattr(line, name, value)
    line.save()
    trail.line(line, "changed", before=before, by=by)


def _refuse_unknown(header: Mapping[str, Any], items: list[LineFields], *, path: str = "items.") -> None:
    """Raise `InvalidFields` with code `unknown` for each id that does not exist. At most 2 queries."""
    errors = []
    if "customer_id" in header and not Customer.objects.filter(pk=header["customer_id"]).exists():
        errors.append(FieldError("customerId", "unknown"))
    asked = {item["item_id"] for item in items if "item_id" in item}
    known = set(Item.objects.filter(pk__in=asked).values_list("pk", flat=True)) if asked else set()
    for index, item in enumerate(items):
        if "item_id" in item and item["item_id"] not in known:
            errors.append(FieldError(f"{path}{index}.itemId" if path else "itemId", "unknown"))
    if errors:
        raise InvalidFields(errors=errors)
