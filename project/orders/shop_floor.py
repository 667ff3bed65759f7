"""REST of the shop-floor board: a lane a process, what is inside it now (design of the screens)."""

from collections import Counter
from typing import Any

from django.db.models import Count, Q, Sum
from django.http import HttpRequest

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import P
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.pictures import thumbnail_address
from project.core.routing import domain_router
from project.orders import schemas, selectors
from project.orders.documents import PiecesLeft, is_late
from project.orders.models import ProcessRecord
from realtime import outbox

router = domain_router("shop floor")


@router.get("", response=schemas.ShopFloorOut, auth=Requires(P.ShopFloor), operation_id="shop_floor_get")
def shop_floor(request: HttpRequest) -> Any:
    """Every active process, and each inactive one that still holds pieces, with its cards. 4 queries."""
    today = clock.today()
    # In this order the answer stays right while others move pieces: what happens after the event's id was read comes
    # as an event too, and a line's version is never newer than its cards, which that event then takes the place of.
    event_id = outbox.newest_id()
    lines = selectors.lines_on_board()
    left: Counter[int] = Counter()
    for line in lines:
        left.update(line.left)
    cards: dict[int, list[schemas.CardOut]] = {}
    for record in selectors.shop_floor_records():
        cards.setdefault(record.process_id, []).append(_card(record))
    lanes = [
        schemas.LaneOut(
            production_process_id=process.pk,
            production_process_name=process.name,
            order=process.order,
            left_today=left[process.pk],
            cards=cards.get(process.pk, []),
        )
        for process in ProductionProcess.objects.order_by("order", "name")
        if process.status or process.pk in cards
    ]
    shown = [
        schemas.BoardLineOut(
            sales_order_id=line.order_id,
            position=line.position,
            version=line.version,
            left_today=[
                PiecesLeft(production_process_id=process, quantity=pieces) for process, pieces in line.left.items()
            ],
        )
        for line in lines
    ]
    return schemas.ShopFloorOut(today=today, event_id=event_id, lanes=lanes, lines=shown)


@router.get("/own", response=list[schemas.OwnProcessOut], auth=SignedIn(), operation_id="shop_floor_own")
def own_processes(request: HttpRequest) -> Any:
    """The caller's own active processes, in order, and what is inside them now. 2 queries."""
    processes = selectors.processes_for(caller(request).user_id)
    own = [process for process in processes if process.own and process.active]
    counted = (
        selectors.open_records()
        .filter(process__in=[process.id for process in own])
        .values_list("process")
        .annotate(
            pieces=Sum("quantity"),
            lines=Count("line", distinct=True),
            late_lines=Count("line", distinct=True, filter=Q(line__urgency__lt=clock.today())),
        )
    )
    inside = {process_id: counts for process_id, *counts in counted}
    answer = []
    for process in own:
        pieces, lines, late_lines = inside.get(process.id, (0, 0, 0))
        answer.append(
            schemas.OwnProcessOut(
                production_process_id=process.id,
                production_process_name=process.name,
                pieces_inside=pieces,
                lines_inside=lines,
                late_lines_inside=late_lines,
            )
        )
    return answer


def _card(record: ProcessRecord) -> schemas.CardOut:
    line = record.line
    return schemas.CardOut(
        record_id=record.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        customer_name=line.order.customer.name,
        item_id=line.item_id,
        item_name=line.item.name,
        image=thumbnail_address(line.pictured),
        pieces=record.quantity,
        quantity=line.quantity,
        since=record.input_at,
        by=record.input_by.full_name,
        delivery_date=line.delivery_date,
        late=is_late(line),
    )
