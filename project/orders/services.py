"""Create, change and delete orders and their lines (infra/docs/rules.md#orders)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError, Sum

from project.access.principal import Principal
from project.catalogs.models import Customer, Item
from project.core import clock, pictures
from project.core.constraints import unique
from project.core.errors import ChangeInUse, FieldError, InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.queries import save_fields
from project.core.schemas import given
from project.core.versions import Unchanged, changed_or_as_it_is
from project.events import BoardChanged
from project.orders import auditing, events as live, rules
from project.orders.events import LineChanged, LineStatusChanged, OrderChanged, OrderCreated, OrderDeleted
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.movements import line_for_update, refresh_orders
from project.orders.rules import Status
from project.orders.schemas import LineChange, LineIn, OrderChange, OrderIn, OrderLineChange
from project.orders.selectors import MOST_NAMED, line_get, lines_with_metal, most_in_one_process, order_get
from realtime import outbox
from realtime.registry import Actor

PO_ONCE = {"sales_order_po_once_per_customer": "customerSalesOrderId"}


Fields = dict[str, Any]
"""Fields of an order or of a line that a body sets, by their Python names."""


@unit_of_work
def order_create(*, body: OrderIn, by: Principal) -> SalesOrder:
    """Create an order with its lines, numbered from 1. Raises `NoItems`, `AlreadyExists`, `InvalidFields`."""
    header = body.model_dump(exclude={"items"})
    header["sales_order_date"] = body.sales_order_date or clock.today()
    items = [item.model_dump() for item in body.items]
    if not items:
        raise rules.NoItems(errors=[FieldError("items", "no_items")])
    check_references(header, [(f"items.{index}.", item, None) for index, item in enumerate(items)])
    order = SalesOrder(creation_date=clock.now(), **header)
    with unique(PO_ONCE):
        order.save(force_insert=True)
    _add_lines(order, items, first_position=1)
    created = order_get(order.pk)
    auditing.record_order(created, "created", before=None, after=auditing.whole_snapshot(created), by=by)
    outbox.publish_all(live.order_events(OrderCreated, created, created.loaded_lines), by=Actor.of(by))
    return created


@unit_of_work
def order_change(
    *, order_id: int, body: OrderChange, by: Principal, expected: frozenset[int] | None = None
) -> SalesOrder:
    """Change an order's header and lines.

    An item with a position changes that line. An item without a position adds a line. Other lines stay. The number of
    queries does not depend on the number of lines. Raises `NotFound`, `StaleVersion`, `AlreadyExists`, `InvalidFields`,
    `LineClosed`, `QuantityInUse`, `ChangeInUse` if a line with metal gets a product of another alloy, and
    `AlreadyBilled` if an order with billed pieces gets another customer, or a line with billed pieces another product.
    """
    header = {name: value for name, value in given(body).items() if name != "items"}
    items = [given(item) for item in body.items]
    _require_new_lines_whole(items)
    return changed_or_as_it_is(
        lambda: _change_order(order_id, header, items, by, expected), lambda: order_get(order_id)
    )


def _change_order(
    order_id: int, header: Fields, items: list[Fields], by: Principal, expected: frozenset[int] | None
) -> SalesOrder:
    """Do the work of `order_change`. Raises `Unchanged` if nothing differs."""
    order = order_for_update(order_id)
    order.claim(expected)
    before = auditing.snapshot(order)
    altered = _named_lines(order, items)
    named = [(f"items.{index}.", item, altered.get(item.get("position"))) for index, item in enumerate(items)]
    check_references(header, named, order=order)
    has_other_customer = header.get("customer_id", order.customer_id) != order.customer_id
    if has_other_customer:
        _refuse_billed(order)
    former_order = order_get(order_id) if has_other_customer else None
    lines_before = {line.position: auditing.snapshot(line) for line in altered.values()}
    for name, value in header.items():
        setattr(order, name, value)
    with unique(PO_ONCE):
        order.save()
    _refuse_other_alloys(named)
    _alter_lines([(line, item) for _, item, line in named if line], by)
    last = Line.objects.filter(order=order).order_by("-position").values_list("position", flat=True).first() or 0
    added = _add_lines(order, [item for item in items if "position" not in item], first_position=last + 1)
    auditing.record_lines((auditing.line_change(line, "created", before=None) for line in added), by=by)
    if items:
        refresh_orders(order)
    changed = order_get(order.pk)
    if (
        not added
        and auditing.snapshot(changed) == before
        and all(auditing.snapshot(one) == lines_before[one.position] for one in altered.values())
    ):
        raise Unchanged
    if header:
        auditing.record_order(changed, "changed", before=before, after=auditing.snapshot(changed), by=by)
    shown_positions = altered.keys() | {line.position for line in added}
    lines = changed.loaded_lines
    shown = [line for line in lines if line.position in shown_positions]
    events = live.order_events(OrderChanged, changed, shown)
    if former_order and (gone := live.order_gone(former_order)):
        events[:0] = [gone, *live.created_for_customer(changed, lines)]
    outbox.publish(BoardChanged(), by=None)
    outbox.publish_all(events, by=Actor.of(by))
    return changed


type EndOfOrder = Callable[[int, Principal], None]
"""Ends what another domain keeps of an order (its id) that is about to be deleted."""

_ends: list[EndOfOrder] = []


def configure(*ends: EndOfOrder) -> None:
    """Set the functions that `order_delete` calls before an order is deleted. Call it once, at the start."""
    _ends[:] = ends


@unit_of_work
def order_delete(*, order_id: int, by: Principal) -> SalesOrder:
    """Delete an order without movements and bills. Returns it as it last was. Raises `NotFound`, `HasMovements`."""
    order_for_update(order_id)
    order = order_get(order_id)
    lines = order.loaded_lines
    if any(line.quantity_billed for line in lines) or ProcessRecord.objects.filter(line__order=order_id).exists():
        raise rules.HasMovements
    event = OrderDeleted(data=live.deleted_order_data(order), of_staff=order.status in rules.UNSEEN_BY_CUSTOMERS)
    for line in lines:
        if line.image:
            transaction.on_commit(partial(pictures.discard, line.image), robust=True)
    for end in _ends:
        end(order_id, by)
    try:
        SalesOrder.objects.filter(pk=order_id).delete()
    except ProtectedError as error:  # a pre-bill or a canceled bill refers to one of its lines
        raise rules.HasMovements from error
    auditing.record_order(order, "deleted", before=auditing.whole_snapshot(order), after=None, by=by)
    outbox.publish(BoardChanged(), by=None)
    outbox.publish(event, by=Actor.of(by))
    return order


@unit_of_work
def line_add(*, order_id: int, body: LineIn, by: Principal) -> Line:
    """Add a line at the next position. Raises `NotFound`, `InvalidFields`."""
    added = OrderLineChange.model_validate(body.model_dump(by_alias=True))
    changed = order_change(order_id=order_id, body=OrderChange(items=[added]), by=by)
    return changed.loaded_lines[-1]


@unit_of_work
def line_change(
    *, order_id: int, position: int, body: LineChange, by: Principal, expected: frozenset[int] | None = None
) -> Line:
    """Change a line's fields, but not its status: a `status` in the body must be the current one.

    Raises `NotFound`, `StaleVersion`, `StatusNotHere`, `InvalidFields`, `LineClosed`, `QuantityInUse`, `AlreadyBilled`,
    `ChangeInUse`.
    """
    fields = {name: value for name, value in given(body).items() if name in LineIn.model_fields}
    return changed_or_as_it_is(
        lambda: _change_line(order_id, position, fields, body.status, by, expected),
        lambda: line_get(order_id, position),
    )


def _change_line(
    order_id: int,
    position: int,
    fields: Fields,
    status: str | None,
    by: Principal,
    expected: frozenset[int] | None,
) -> Line:
    """Do the work of `line_change`. Raises `Unchanged` if nothing differs."""
    line = line_for_update(order_id, position, expected)
    status_before, before = line.status, auditing.snapshot(line)
    if status is not None and status != line.status:
        raise rules.StatusNotHere(errors=[FieldError("status", "status_not_here")])
    check_references({}, [("", fields, line)])
    _refuse_other_alloys([("", fields, line)])
    _alter_lines([(line, fields)], by, claimed=True)
    refresh_orders(line.order)
    changed = line_get(order_id, position)
    if auditing.snapshot(changed) == before:
        raise Unchanged
    event = LineChanged if changed.status == status_before else LineStatusChanged
    outbox.publish(event(data=live.line_data(changed, changed.loaded_records)), by=Actor.of(by))
    return changed


def _require_new_lines_whole(items: list[Fields]) -> None:
    """Raise `InvalidFields` for a new line (an item without a position) that lacks its product or quantity."""
    missing = [
        FieldError(f"items.{index}.{public}", "required")
        for index, item in enumerate(items)
        if "position" not in item
        for name, public in (("item_id", "itemId"), ("quantity", "quantity"))
        if name not in item
    ]
    if missing:
        raise InvalidFields(errors=missing)


def order_for_update(order_id: int) -> SalesOrder:
    order = SalesOrder.objects.select_for_update(of=("self",)).filter(pk=order_id).first()
    if order is None:
        raise NotFound
    return order


def _add_lines(order: SalesOrder, items: list[Fields], *, first_position: int) -> list[Line]:
    now = clock.now()
    lines = [
        Line(order=order, position=position, creation_date=now, promised_date=item.get("delivery_date"), **item)
        for position, item in enumerate(items, start=first_position)
    ]
    return Line.objects.bulk_create(lines)


def _named_lines(order: SalesOrder, items: list[Fields]) -> dict[int | None, Line]:
    """Return the lines that `items` name, by position.

    Raises `InvalidFields` for a position that is unknown or named twice.
    """
    wanted = [item["position"] for item in items if "position" in item]
    rows = Line.objects.filter(order=order, position__in=wanted) if wanted else ()
    found: dict[int | None, Line] = {line.position: line for line in rows}
    errors, seen = [], set()
    for index, item in enumerate(items):
        position = item.get("position")
        if position is not None and position not in found:
            errors.append(FieldError(f"items.{index}.position", "unknown"))
        elif position in seen:
            errors.append(FieldError(f"items.{index}.position", "named_twice"))
        elif position is not None:
            seen.add(position)
    if errors:
        raise InvalidFields(errors=errors)
    for line in found.values():
        line.order = order
    return found


def _alter_lines(altered: list[tuple[Line, Fields]], by: Principal, *, claimed: bool = False) -> None:
    """Write the given fields of lines. The caller has locked their order.

    Count one change of each line, unless the caller has done so (`claimed`). 3 queries for up to a thousand lines.
    """
    if not altered:
        return
    most = most_in_one_process([line.pk for line, fields in altered if "quantity" in fields])
    before = [auditing.snapshot(line) for line, _ in altered]
    for line, fields in altered:
        _check_change(line, fields, in_one_process=most.get(line.pk, 0))
        if not claimed:
            line.claim(None)
        line.promised_date = rules.promised(line.promised_date, line.delivery_date, fields.get("delivery_date"))
        for name, value in fields.items():
            setattr(line, name, value)
        line.status = rules.after_billing(Status(line.status), quantity=line.quantity_good, billed=line.quantity_billed)
    touched = {name for _, fields in altered for name in fields} - {"position"} | {"status", "version", "promised_date"}
    save_fields([line for line, _ in altered], sorted(touched))
    changes = zip(altered, before, strict=True)
    auditing.record_lines((auditing.line_change(line, "changed", before=old) for (line, _), old in changes), by=by)


def _check_change(line: Line, fields: Fields, *, in_one_process: int) -> None:
    """Raise `LineClosed`, `QuantityInUse`, or `AlreadyBilled` if a line with billed pieces gets another product."""
    rules.check_editable(Status(line.status))
    if line.quantity_billed and fields.get("item_id", line.item_id) != line.item_id:
        raise rules.AlreadyBilled(quantityBilled=line.quantity_billed)
    if "quantity" in fields:
        rules.check_quantity(
            fields["quantity"],
            inside=line.quantity_inside,
            in_one_process=in_one_process,
            billed=line.quantity_billed,
            scrapped=line.quantity_scrapped,
            replaced=line.quantity_replaced,
        )


def _refuse_other_alloys(named: Sequence["Named"]) -> None:
    """Raise `ChangeInUse` if a line with metal gets a product of another alloy. 2 queries, none without other products.

    The caller has locked the order, so that no piece of its lines is weighed in the meantime.
    """
    changed = [
        (path, line, fields["item_id"])
        for path, fields, line in named
        if line and line.metal_mg is not None and fields.get("item_id", line.item_id) != line.item_id
    ]
    if not changed:
        return
    items = {item_id for _, line, other_id in changed for item_id in (line.item_id, other_id)}
    alloys = dict(Item.objects.filter(pk__in=items).values_list("pk", "alloy"))
    other = [(path, line) for path, line, item_id in changed if alloys[item_id] != alloys[line.item_id]]
    metal = set(lines_with_metal().filter(pk__in=[line.pk for _, line in other]).values_list("pk", flat=True))
    if refused := [(path, line) for path, line in other if line.pk in metal]:
        names = [f"{line.order.customer_sales_order_id} · {line.position}" for _, line in refused[:MOST_NAMED]]
        raise ChangeInUse(FieldError(f"{refused[0][0]}itemId", "alloy_in_use", {"lines": names}))


def _refuse_billed(order: SalesOrder) -> None:
    """Raise `AlreadyBilled` if pieces of the order are billed: another customer must not be billed for the rest."""
    billed = Line.objects.filter(order=order).aggregate(pieces=Sum("quantity_billed"))["pieces"]
    if billed:
        raise rules.AlreadyBilled(quantityBilled=billed)


Named = tuple[str, Mapping[str, Any], Line | None]
"""A line of a body: the path of its fields, the fields, and the stored line (None for a new one)."""


def check_references(header: Mapping[str, Any], items: Sequence[Named], *, order: SalesOrder | None = None) -> None:
    """Raise `InvalidFields` for each newly chosen id that does not exist (`unknown`) or is not in use (`inactive`).

    An id that the record already has is not checked. At most 2 queries.
    """
    chosen: dict[str, int] = {}
    if "customer_id" in header and not (order and order.customer_id == header["customer_id"]):
        chosen["customerId"] = header["customer_id"]
    errors = _refused(chosen, Customer)
    chosen = {
        f"{path}itemId": fields["item_id"]
        for path, fields, line in items
        if "item_id" in fields and not (line and line.item_id == fields["item_id"])
    }
    errors += _refused(chosen, Item)
    if errors:
        raise InvalidFields(errors=errors)


def _refused(chosen: Mapping[str, int], model: type[Customer | Item]) -> list[FieldError]:
    if not chosen:
        return []
    active = dict(model._default_manager.filter(pk__in=set(chosen.values())).values_list("pk", "status"))
    return [
        FieldError(path, "inactive" if one in active else "unknown")
        for path, one in chosen.items()
        if not active.get(one)
    ]
