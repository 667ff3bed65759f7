"""Answers of the shop-floor board, of now and of a day again (contract, section 8)."""

from datetime import date
from typing import Literal

from pydantic import BaseModel

from project.core.pictures import PictureAddress
from project.core.schemas import Day, Instant, Out
from project.orders.documents import LineDocument


class CardOut(Out):
    """Pieces of a line that were inside a process since one entry, on a day that is played again."""

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
    """A process of the shop floor. Lately, half of its stays were over within `usualSeconds`, and `piecesADay` left it;
    null where nothing left it."""

    production_process_id: int
    production_process_name: str
    order: int
    usual_seconds: int | None
    pieces_a_day: float | None


class ShopFloorOut(Out):
    """The board: a lane for each process that is active or holds pieces, in order, and the `lines` of which something
    waits, is inside or left today. `eventId`: the newest live event that it surely holds."""

    today: date
    event_id: int
    lanes: list[LaneOut]
    lines: list[LineDocument]


class OwnProcessOut(Out):
    """A process of the caller's and what is inside it now: pieces, and the lines they belong to."""

    production_process_id: int
    production_process_name: str
    pieces_inside: int
    lines_inside: int
    late_lines_inside: int


class DayQuery(BaseModel):
    """A day of the plant; today where it is left out."""

    date: Day | None = None


class DayLaneOut(LaneOut):
    """A process, and what was inside it when the day began, oldest first; its pace as of the day."""

    cards: list[CardOut]


class DayMovementOut(Out):
    """Pieces that entered a process (`in`), left it (`out`), came back into it since their exit was released
    (`returned`), or are in it no more since their entry was (`removed`). `card` is theirs while they are inside."""

    at: Instant
    type: Literal["in", "out", "returned", "removed"]
    production_process_id: int
    by: str
    card: CardOut


class ShopDayOut(Out):
    """A day of the shop floor: the board when it began, and what happened until it ended or until now, in order."""

    date: date
    begins: Instant
    ends: Instant
    start: list[DayLaneOut]
    movements: list[DayMovementOut]
