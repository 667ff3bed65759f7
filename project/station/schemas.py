"""Bodies and answers of stations (contract, section 8)."""

from typing import Annotated, Any, Literal

from pydantic import Field

from project.core.schemas import Id, In, Instant, InstantIn, Notes, Out, Pieces
from project.identity.pins import PIN
from project.orders.schemas import LineOut, LineRowOut


class WhyOut(Out):
    """Why the person at the station may move no piece of the line: a refusal's code, its words and its parameters."""

    code: str
    message: str
    params: dict[str, Any]


class HandOverOffer(Out):
    """A process that pieces which leave the station's may enter at once, at most `maxQuantity`."""

    production_process_id: int
    production_process_name: str
    max_quantity: int


class StationScanOut(Out):
    """What the person at the station may do with a scanned line, by his rights and processes: pieces may enter (`in`),
    leave (`out`), either (`choose`) or neither (`none`). `line.offers` says what somebody else could move.

    `handOver`: where the caller may bring those that leave, the next process first.
    """

    line: LineOut
    direction: Literal["in", "out", "choose", "none"]
    max_in: int
    max_out: int
    hand_over: list[HandOverOffer]
    why: WhyOut | None


class HandOverIn(In):
    """Pieces of a line that go out of the station's process and into `toProcessId`; `quantity` left out: all that
    may. `madeAt` as in a movement."""

    sales_order_id: Id
    position: Id
    to_process_id: Id
    quantity: Pieces | None = None
    notes: Notes = ""
    made_at: InstantIn | None = None


class OperatorIn(In):
    """Who stands at the station: a PIN or a badge, one of them. His token is good at
    `productionProcessId` alone; without it, at the process where he acts first."""

    pin: Annotated[str, Field(pattern=PIN)] | None = None
    badge: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    production_process_id: Id | None = None


class OperatorPerson(Out):
    """Who an operator is."""

    id: int
    full_name: str


class OperatorOut(Out):
    """`token` is sent as the bearer's. It ends `expiresIn` seconds after its last use, and with the station's session.
    What the person did in that time may be reported later."""

    token: str
    user: OperatorPerson
    expires_in: int


class StationProcessOut(Out):
    """The process of a station."""

    production_process_id: int
    production_process_name: str
    active: bool


class RecentMovementOut(Out):
    """Pieces that entered the process (`in`), left it (`out`), or were taken back (`returned`, `removed`).

    `byId` is who made an entry or exit that still stands: he may undo it for `undoSeconds`.
    """

    at: Instant
    type: Literal["in", "out", "returned", "removed"]
    by: str
    by_id: int | None
    record_id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_name: str
    pieces: int


class RecordName(Out):
    """Who brought in the pieces of a record."""

    record_id: int
    by: str


class StationOut(Out):
    """A process as its station shows it. `queue`: the lines that may enter next, late first. `inside`: the lines with
    pieces inside, the oldest entry first, and `names` who brought them in: lines alone do not say it to everybody who
    stands here. `recent`: the last movements, the newest first. `now` is the server's time: a
    station's own clock may be wrong.

    `undoSeconds`: for how long after a movement whoever made it may undo it.
    """

    now: Instant
    undo_seconds: int
    process: StationProcessOut
    queue: list[LineRowOut]
    inside: list[LineRowOut]
    names: list[RecordName]
    recent: list[RecentMovementOut]
