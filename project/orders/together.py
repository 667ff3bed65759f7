"""Move pieces of several lines together: all of them or none, with a fixed number of queries.

See infra/docs/rules.md#batches. A movement of one line is in `movements`.
"""

from collections.abc import Collection, Sequence

from project.access.principal import Principal
from project.core.errors import Refusal
from project.orders import metal, rules
from project.orders.models import SalesOrder
from project.orders.movements import Made, Move, Moved, enter_all, leave_all, pieces_of, process_to_move
from project.orders.rules import Side, Status
from project.orders.selectors import ShopProcess, lines, processes_for, records_of

Place = tuple[int, int]
"""An order's id and a line's position."""
Refused = list[tuple[int, Refusal]]
"""For each line that cannot be moved: its place in the list of lines to move, and its refusal."""


def lines_to_move(places: Collection[Place], by: Principal) -> dict[Place, Moved]:
    """Lock these lines and their orders, the lowest id first, and load the records and processes. 4 queries, or 5.

    Lines that do not exist are left out. Lines of one order share one `SalesOrder` object.
    """
    order_ids = {order_id for order_id, _ in places}
    # Lock first and read afterwards. A query that locks an order and joins its customer finds no row if the order got
    # another customer during the wait.
    list(SalesOrder.objects.filter(pk__in=order_ids).select_for_update().order_by("pk").values_list("pk"))
    rows = lines().filter(order__in=order_ids, position__in={position for _, position in places}).order_by("pk")
    found = [line for line in rows.select_for_update(of=("self",)) if (line.order_id, line.position) in places]
    orders: dict[int, SalesOrder] = {}
    for line in found:
        line.order = orders.setdefault(line.order_id, line.order)
    records, processes = records_of([line.pk for line in found]), processes_for(by.user_id)
    return {(line.order_id, line.position): Moved(line, records[line.pk], processes) for line in found}


def move_together(moving: Sequence[Move], process_id: int, side: Side, made: Made) -> Refused:
    """Move pieces of one or more locked lines into a process or out of it, by one press.

    `made` has the weights of all lines together. Returns the place in `moving` and the refusal of each line that cannot
    be moved. If there are any, nothing was moved. Raises `NotYourProcess`, `InvalidFields`, `GramsRequired`,
    `GramsHeavier`.
    """
    process = process_to_move(moving[0].moved, process_id, side)
    weighed = [one for one in moving if one.line.item.alloy_id is not None]
    # A line whose product has no alloy is refused alone. It does not make the weights of the others wrong.
    checked = weighed or moving
    metal.check(checked[0].moved.line, process, made.weights, side=side, needed=True)
    refused: Refused = []
    for place, one in enumerate(moving):
        try:
            _check(one, process, side)
        except Refusal as refusal:
            refused.append((place, refusal))
    if not refused:
        for one in moving:
            one.line.claim(None)
        made.press.lines = len(moving)
        move = enter_all if side is Side.entry else leave_all
        move(moving, process, made)
    return refused


def _check(one: Move, process: ShopProcess, side: Side) -> None:
    """Raise the refusal of one line's movement, if a rule refuses it."""
    line, pieces = one.line, pieces_of(one.moved, process.id)
    if side is Side.entry:
        rules.pieces_to_enter(Status(line.status), pieces, one.quantity, process=process.name)
    else:
        rules.pieces_to_leave(pieces, one.quantity, process=process.name)
    if one.weights.weighed and line.item.alloy_id is None:
        raise rules.WithoutAlloy(itemName=line.item.name)
