"""REST of the shop-floor board: a lane for each process, and what is inside it now (infra/docs/rules.md#board)."""

from datetime import date
from typing import Any

from django.db.models import Count, Sum
from django.http import HttpRequest
from ninja import Query
from pydantic import BaseModel

from project.access.guard import Requires, SignedIn, caller
from project.access.permissions import Permission
from project.catalogs.models import ProductionProcess
from project.core import clock
from project.core.errors import InvalidFields
from project.core.pictures import PictureAddress, thumbnail_address
from project.core.routing import domain_router
from project.core.schemas import Day, Instant, Out
from project.orders import attention, board, selectors
from project.orders.documents import LineDocument, is_late, within_scope, without_private
from project.orders.models import ProcessRecord
from realtime import outbox


class CardOut(Out):
    """Pieces of a line that one entry brought into a process, on a day that is played back."""

    record_id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_name: str
    item_id: int
    item_name: str
    image: PictureAddress | None
    pieces: int
    quantity: int
    since: Instant
    by: str
    delivery_date: date | None
    late: bool


class LaneOut(Out):
    """A process of the shop floor, with its recent pace.

    Half of the recent stays ended within `usualSeconds`. `piecesADay` pieces left the process on an average day. Both
    are null if no piece has left it recently.
    """

    production_process_id: int
    production_process_name: str
    order: int
    usual_seconds: int | None
    pieces_a_day: float | None


class ShopFloorOut(Out):
    """The board: a lane for each process that is active or holds pieces, in order, and the lines at work.

    `lines`: those with pieces that wait, are inside a process or left one today. `eventId`: the newest live event that
    the board surely includes.
    """

    today: date
    event_id: int
    lanes: list[LaneOut]
    lines: list[LineDocument]


class OwnProcessOut(Out):
    """A process that the caller works in: the pieces inside it now, and the lines that they belong to."""

    production_process_id: int
    production_process_name: str
    pieces_inside: int
    lines_inside: int
    late_lines_inside: int


class DayQuery(BaseModel):
    """A day of the plant; defaults to today."""

    date: Day | None = None


class DayLaneOut(LaneOut):
    """A process with its pace at the end of the day. `cards`: what was inside when the day began, oldest first."""

    cards: list[CardOut]


class DayMovementOut(Out):
    """A movement of pieces on a day that is played back.

    `type`: `in`: pieces entered the process. `out`: they left it. `scrap`: they were scrapped there. `returned`: their
    exit was released, so they are inside again. `removed`: their entry was released. `card`: their card while they are
    inside.
    """

    at: Instant
    type: board.MovementType
    production_process_id: int
    by: str
    card: CardOut


class ShopDayOut(Out):
    """A day of the shop floor. `start`: the board when the day began.

    `movements`: those until the day ended or until now, in order.
    """

    date: date
    begins: Instant
    ends: Instant
    start: list[DayLaneOut]
    movements: list[DayMovementOut]


router = domain_router("shop floor")


@router.get(
    "",
    auth=Requires(Permission.ShopFloor, displays=True),
    operation_id="shop_floor_get",
)
def shop_floor(request: HttpRequest) -> ShopFloorOut:
    """Return the lanes of active processes, and of inactive ones that hold pieces, and the lines at work.

    At most 9 queries.
    """
    # Read the event id first. Then every change that others make during the next queries also comes as an event.
    event_id = outbox.newest_id()
    by = caller(request)
    processes = selectors.processes_for()
    lines = [
        without_private(line, by.permissions, is_customer=by.is_customer) for line in board.lines_on_board(processes)
    ]
    busy = {pieces.production_process_id for line in lines for pieces in line.inside}
    paces = board.paces(clock.now())
    lanes = [
        LaneOut(**_process(process, paces))
        for process in ProductionProcess.objects.order_by("order", "name")
        if process.status or process.pk in busy
    ]
    if by.scope is not None:
        lines = [within_scope(line, by.scope) for line in lines]
        lanes = [lane for lane in lanes if lane.production_process_id in by.scope]
    return ShopFloorOut(today=clock.today(), event_id=event_id, lanes=lanes, lines=lines)


def _process(process: ProductionProcess, paces: dict[int, board.Pace]) -> dict[str, Any]:
    """Return the fields of a lane that describe its process."""
    pace = paces.get(process.pk)
    return {
        "production_process_id": process.pk,
        "production_process_name": process.name,
        "order": process.order,
        "usual_seconds": pace and pace.usual_seconds,
        "pieces_a_day": pace and pace.pieces_a_day,
    }


@router.get("/own", auth=SignedIn("their own processes only"), operation_id="shop_floor_own")
def own_processes(request: HttpRequest) -> list[OwnProcessOut]:
    """Return the active processes that the caller works in, in order, and what is inside them now. 2 queries."""
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
            OwnProcessOut(
                production_process_id=process.id,
                production_process_name=process.name,
                pieces_inside=pieces,
                lines_inside=lines,
                late_lines_inside=late_lines,
            )
        )
    return answer


@router.get("/day", auth=Requires(Permission.ShopFloor), operation_id="shop_floor_day")
def shop_day(request: HttpRequest, query: Query[DayQuery]) -> ShopDayOut:
    """Play back a day from the records: the board as it was, and its movements. A future day is 422. 3 queries."""
    today = clock.today()
    shown = query.date or today
    if shown > today:
        raise InvalidFields.of("date", "date_out_of_range", first=str(clock.FIRST_DAY), last=str(today))
    midnight = clock.start_of(shown)
    records = list(board.records_of_day(shown))
    cards: dict[int, list[CardOut]] = {}
    for record in records:
        if board.inside_at(record, midnight):
            cards.setdefault(record.process_id, []).append(card(record, shown))
    entered = {record.process_id for record in records}
    paces = board.paces(min(clock.end_of(shown), clock.now()))
    return ShopDayOut(
        date=shown,
        begins=midnight,
        ends=clock.end_of(shown),
        start=[
            DayLaneOut(
                **_process(process, paces),
                cards=cards.get(process.pk, []),
            )
            for process in ProductionProcess.objects.order_by("order", "name")
            if process.status or process.pk in entered
        ],
        movements=[
            DayMovementOut(
                at=one.at,
                type=one.type,
                production_process_id=one.record.process_id,
                by=one.by,
                card=card(one.record, shown),
            )
            for one in board.movements(records, shown)
        ],
    )


def card(record: ProcessRecord, on: date | None = None) -> CardOut:
    """Return the card of a record. `on`: the day on which the line is late or not; defaults to today."""
    line = record.line
    return CardOut(
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
        late=is_late(line, on),
    )
