"""REST of the shop-floor board: a lane a process, what is inside it now (design of the screens)."""

from typing import Any

from django.db.models import Count, Sum
from django.http import HttpRequest
from ninja import Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.errors import InvalidFields
from project.core.routing import domain_router
from project.orders import attention, board, board_schemas as schemas, day, selectors
from project.orders.documents import within_scope, without_private
from project.orders.presenters import card
from realtime import outbox

router = domain_router("shop floor")


@router.get(
    "",
    response=schemas.ShopFloorOut,
    auth=Requires(Permission.ShopFloor, displays=True),
    operation_id="shop_floor_get",
)
def shop_floor(request: HttpRequest) -> Any:
    """Every active process, and each inactive one that still holds pieces, and the lines at work. At most 9 queries."""
    # In this order the answer stays right while others move pieces: what happens after the event's id was read comes
    # as an event too.
    event_id = outbox.newest_id()
    by = caller(request)
    processes = selectors.processes_for()
    lines = [
        without_private(line, by.permissions, is_customer=by.is_customer) for line in board.lines_on_board(processes)
    ]
    busy = {pieces.production_process_id for line in lines for pieces in line.inside}
    paces = board.paces(clock.now())
    lanes = [
        schemas.LaneOut(**_process(process, paces))
        for process in ProductionProcess.objects.order_by("order", "name")
        if process.status or process.pk in busy
    ]
    if by.scope is not None:
        lines = [within_scope(line, by.scope) for line in lines]
        lanes = [lane for lane in lanes if lane.production_process_id in by.scope]
    return schemas.ShopFloorOut(today=clock.today(), event_id=event_id, lanes=lanes, lines=lines)


def _process(process: ProductionProcess, paces: dict[int, board.Pace]) -> dict[str, Any]:
    """What a lane says of its process."""
    pace = paces.get(process.pk)
    return {
        "production_process_id": process.pk,
        "production_process_name": process.name,
        "order": process.order,
        "usual_seconds": pace and pace.usual_seconds,
        "pieces_a_day": pace and pace.pieces_a_day,
    }


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
            late_lines=Count("line", distinct=True, filter=attention.late("line__")),
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


@router.get("/day", response=schemas.ShopDayOut, auth=Requires(Permission.ShopFloor), operation_id="shop_floor_day")
def shop_day(request: HttpRequest, query: Query[schemas.DayQuery]) -> Any:
    """A day again, from the records alone: the board as it was, to be played. A day to come is 422. 3 queries."""
    today = clock.today()
    shown = query.date or today
    if shown > today:
        raise InvalidFields.of("date", "date_out_of_range", first=str(clock.FIRST_DAY), last=str(today))
    midnight = clock.start_of(shown)
    records = list(day.records_of_day(shown))
    cards: dict[int, list[schemas.CardOut]] = {}
    for record in records:
        if day.inside_at(record, midnight):
            cards.setdefault(record.process_id, []).append(card(record, shown))
    entered = {record.process_id for record in records}
    paces = board.paces(min(clock.end_of(shown), clock.now()))
    return schemas.ShopDayOut(
        date=shown,
        begins=midnight,
        ends=clock.end_of(shown),
        start=[
            schemas.DayLaneOut(
                **_process(process, paces),
                cards=cards.get(process.pk, []),
            )
            for process in ProductionProcess.objects.order_by("order", "name")
            if process.status or process.pk in entered
        ],
        movements=[
            schemas.DayMovementOut(
                at=one.at,
                type=one.type,
                production_process_id=one.record.process_id,
                by=one.by,
                card=card(one.record, shown),
            )
            for one in day.movements(records, shown)
        ],
    )
