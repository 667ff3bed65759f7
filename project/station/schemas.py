"""Request bodies and answers of stations."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from project.catalogs.models import Weighs
from project.core.schemas import Id, In, Instant, InstantIn, Notes, Out, Pieces
from project.identity.pins import PIN
from project.orders.schemas import LineOut, LineRowOut, ScrappedPartIn, WeightsIn


class WhyOut(Out):
    """The reason why the person may move no piece of the line: the code, message and parameters of a refusal."""

    code: str
    message: str
    params: dict[str, Any]


class HandOverOffer(Out):
    """A process that pieces may be handed over to from the station's process, with at most `maxQuantity` pieces.

    `usual`: the product usually goes there next; true for at most one offer. `weighs`: whether pieces enter there with
    their weight.
    """

    production_process_id: int
    production_process_name: str
    max_quantity: int
    usual: bool
    weighs: Weighs


class StationScanOut(Out):
    """What the person at the station may do with a scanned line, by their permissions and processes.

    `direction`: pieces may enter (`in`), leave (`out`), either (`choose`) or neither (`none`). `handOver`: the
    processes to which the caller may hand over pieces, the next process first. `line.offers`: what any person with the
    rights could move.
    """

    line: LineOut
    direction: Literal["in", "out", "choose", "none"]
    max_in: int
    max_out: int
    hand_over: list[HandOverOffer]
    why: WhyOut | None


class HandOverIn(WeightsIn):
    """Pieces of a line that leave the station's process and enter `toProcessId`.

    Without `quantity`, all pieces that may be handed over. `madeAt`: as in a movement. One weighing counts for both
    processes, if they weigh. `scrap`: the part of these pieces that leaves as scrap, and does not enter `toProcessId`.
    """

    sales_order_id: Id
    position: Id
    to_process_id: Id
    quantity: Pieces | None = None
    notes: Notes = ""
    made_at: InstantIn | None = None
    scrap: ScrappedPartIn | None = None


class OperatorIn(In):
    """The person who stands at the station: a PIN or a badge, exactly one of them.

    Their token is valid only at `productionProcessId`; without it, only at the first process where they act.
    """

    pin: Annotated[str, Field(pattern=PIN)] | None = None
    badge: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    production_process_id: Id | None = None


class OperatorPerson(Out):
    """The person that an operator's token stands for."""

    id: int
    full_name: str


class OperatorOut(Out):
    """The token of a person at a station, to send as a bearer token.

    It ends `expiresIn` seconds after its last use, and with the station's session. Movements that the person made
    before its end may be reported later.
    """

    token: str
    user: OperatorPerson
    expires_in: int


class StationProcessOut(Out):
    """The process of a station."""

    production_process_id: int
    production_process_name: str
    active: bool


class RecentMovementOut(Out):
    """What a press did with pieces of a line at the process of the station.

    `type`: the pieces entered (`in`), left (`out`) or left as scrap (`scrap`); or their exit (`returned`) or their
    entry (`removed`) was taken back. `press`: null for callers who may not read the history. `lines`: how many lines
    the press moved. `byId`: the person who made an entry or exit and may undo it for `undoSeconds`; null if it was
    taken back. `recordId`: the first record of the pieces.
    """

    press: UUID | None
    lines: int
    at: Instant
    type: Literal["in", "out", "scrap", "returned", "removed"]
    by: str
    by_id: int | None
    record_id: int
    sales_order_id: int
    position: int
    customer_sales_order_id: str
    item_name: str
    item_name_english: str
    pieces: int


class RecordName(Out):
    """Who brought in the pieces of a record of a line."""

    record_id: int
    sales_order_id: int
    position: int
    by: str


class StationOut(Out):
    """A process as its station shows it.

    `queue`: the lines with pieces that wait for the process, the most urgent first. `later`: the other lines with
    pieces that may enter it; usually these pieces go through other processes first. `inside`: the lines with pieces
    inside, oldest entry first. `names`: who brought these pieces in, because the lines hide the names from some people
    at the station. `recent`: the last movements, newest first. `now`: the server's time, because a station's own clock
    may be wrong. `undoSeconds`: for how long after a movement the person who made it may undo it.
    """

    now: Instant
    undo_seconds: int
    process: StationProcessOut
    queue: list[LineRowOut]
    later: list[LineRowOut]
    inside: list[LineRowOut]
    names: list[RecordName]
    recent: list[RecentMovementOut]
