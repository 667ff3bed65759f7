"""REST of the shop-floor board: a lane a process, what is inside it now (infra/docs/rules.md#board)."""

from collections import Counter
from typing import Any

from django.db.models import Count, Sum
from django.http import HttpRequest
from ninja import Query

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.errors import InvalidFields
from project.core.pictures import thumbnail_address
from project.core.routing import domain_router
from project.orders import attention, board, board_schemas as schemas, day, selectors
from project.orders.documents import PiecesLeft
from project.orders.masked import card
from project.orders.offers import within
from realtime import outbox

router = domain_router("shop floor")


@router.get(
    "",
    response=schemas.ShopFloorOut,
    auth=Requires(Permission.ShopFloor, displays=True),
    operation_id="shop_floor_get",
)
def shop_floor(request: HttpRequest) -> Any:
    """Every active process, and each inactive one that still holds pieces, with its cards. At most 10 queries."""
    today = clock.today()
    # In this order the answer stays right while others move pieces: what happens after the event's id was read comes
    # as an event too, and a line's version is never newer than its cards, which that event then takes the place of.
    event_id = outbox.newest_id()
    processes = selectors.processes_for()
    items = board.items_on_board(frozenset(process.id for process in processes if process.active))
    lines = board.lines_on_board(processes, items)
    left: Counter[int] = Counter()
    for line in lines:
        left.update(line.left)
    cards: dict[int, list[schemas.CardOut]] = {}
    for record in selectors.shop_floor_records():
        cards.setdefault(record.process_id, []).append(card(record))
    paces = board.paces(clock.now())
    lanes = [
        schemas.LaneOut(
            **_process(process, paces),
            left_today=left[process.pk],
            cards=cards.get(process.pk, []),
        )
        for process in ProductionProcess.objects.order_by("order", "name")
        if process.status or process.pk in cards
    ]
    whole = schemas.ShopFloorOut(
        today=today,
        event_id=event_id,
        lanes=lanes,
        lines=[_line(line) for line in lines],
        items=[
            schemas.BoardItemOut(
                item_id=one.item.pk,
                image=thumbnail_address(one.item),
                production_process_ids=None if one.usual is None else sorted(one.usual),
            )
            for one in items.values()
        ],
    )
    scope = caller(request).scope
    return whole if scope is None else _narrowed(whole, scope)


def _narrowed(whole: schemas.ShopFloorOut, scope: frozenset[int]) -> schemas.ShopFloorOut:
    """The board as far as a display with lanes of its own shows it."""
    lines = [
        line.model_copy(
            update={
                "left_today": [left for left in line.left_today if left.production_process_id in scope],
                "waiting": [wait for wait in line.waiting if wait.production_process_id in scope],
                "offers": within(line.offers, scope),
            }
        )
        for line in whole.lines
    ]
    lanes = [lane for lane in whole.lanes if lane.production_process_id in scope]
    return whole.model_copy(update={"lanes": lanes, "lines": lines})


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


def _line(line: board.LineOnBoard) -> schemas.BoardLineOut:
    return schemas.BoardLineOut(
        sales_order_id=line.order_id,
        position=line.position,
        version=line.version,
        late=line.late,
        image=line.image,
        left_today=[
            PiecesLeft(production_process_id=process, quantity=pieces) for process, pieces in sorted(line.left.items())
        ],
        waiting=[
            schemas.PiecesWaiting(production_process_id=process, quantity=pieces)
            for process, pieces in line.waiting.items()
        ],
        offers=line.offers,
    )


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
