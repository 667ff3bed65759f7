"""REST of the shop-floor board: a lane for each process, and what is inside it now (infra/docs/rules.md#board)."""

from datetime import date
from typing import Any
from uuid import UUID

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
from project.orders import attention, board, presenters, rules, selectors
from project.orders.documents import LineDocument, within_scope, without_private
from project.orders.rules import Status
from realtime import outbox


class CardOut(Out):
    """Pieces of a line in a process, on a day that is played back.

    `since`, `by` and `recordId` are of the oldest entry that is still inside.
    """

    record_id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    customer_name: str
    item_id: int
    item_name: str
    item_name_english: str
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

    A line is in `lines` if pieces of it wait, are inside a process, or left one today. `eventId`: the newest live event
    that the board surely includes.
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
    """What a press did with pieces of a line in a process, on a day that is played back.

    `type`: `in`: pieces entered the process. `out`: they left it. `scrap`: they were scrapped there. `returned`: their
    exit was taken back, so they are inside again. `removed`: their entry was taken back. `press`: null for readers who
    may not read the history. `lines`: how many lines the press moved. `recordId`: the first record of the moved pieces.
    `card`: the moved pieces. `inside` and `leftToday`: after this movement, how many of the line's pieces are inside
    the process, and how many have left it since the day began.
    """

    press: UUID | None
    lines: int
    at: Instant
    type: board.MovementType
    production_process_id: int
    by: str
    pieces: int
    record_id: int
    card: CardOut
    inside: int
    left_today: int


class ShopDayOut(Out):
    """A day of the shop floor. `start`: the board when the day began.

    `movements`: all movements of the day in order; of today, those until now.
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
    """Return the board as it was when a day began, and the day's movements. A future day is 422. At most 5 queries."""
    today = clock.today()
    shown = query.date or today
    if shown > today:
        raise InvalidFields.of("date", "date_out_of_range", first=str(clock.FIRST_DAY), last=str(today))
    midnight, ends = clock.start_of(shown), clock.end_of(shown)
    places = board.places_at(midnight)
    start = [(place.process_id, card(place, shown)) for place in places.values()]
    reads = presenters.reads_presses(caller(request))
    movements = [
        DayMovementOut(
            press=row.first.press_id if reads else None,
            lines=row.first.press.lines,
            at=row.first.at,
            type=row.type,
            production_process_id=place.process_id,
            by=row.first.by_name,
            pieces=row.pieces,
            record_id=row.first.first_record,
            card=card(place, shown, pieces=row.pieces),
            inside=place.pieces,
            left_today=place.left_today,
        )
        for row, place in board.played(places, midnight, ends)
    ]
    moved = {process_id for process_id, _ in start} | {one.production_process_id for one in movements}
    paces = board.paces(min(ends, clock.now()))
    return ShopDayOut(
        date=shown,
        begins=midnight,
        ends=ends,
        start=[
            DayLaneOut(
                **_process(process, paces),
                cards=[one for process_id, one in start if process_id == process.pk],
            )
            for process in ProductionProcess.objects.order_by("order", "name")
            if process.status or process.pk in moved
        ],
        movements=movements,
    )


def card(place: board.Place, on: date, *, pieces: int | None = None) -> CardOut:
    """Return the card of pieces in a process on the day `on`. `pieces`: defaults to all that are inside.

    The line counts as unfinished on that day, because it had pieces inside.
    """
    line, oldest = place.line, place.oldest
    return CardOut(
        record_id=oldest.record_id,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        customer_name=line.order.customer.name,
        item_id=line.item_id,
        item_name=line.item.name,
        item_name_english=line.item.name_english,
        image=thumbnail_address(line.pictured),
        pieces=place.pieces if pieces is None else pieces,
        quantity=line.quantity,
        since=oldest.at,
        by=oldest.by,
        delivery_date=line.delivery_date,
        late=rules.is_late(Status.InProcess, line.delivery_date, on),
    )
