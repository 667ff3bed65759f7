"""What may be done to a line next, whoever does it: by the rules, from where its pieces are. No query."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from project.core.errors import Refusal
from project.core.schemas import Document
from project.orders import rules
from project.orders.models import Line
from project.orders.records import Record
from project.orders.rules import Pieces, Side, Status
from project.orders.selectors import ShopProcess


class Offer(Document):
    """A process that pieces of a line may enter or leave now, at most `maxQuantity`."""

    production_process_id: int
    production_process_name: str
    max_quantity: int


class ReleaseOffer(Document):
    """The last record of a process, where it may be released: its open entry (`in`), or entry and exit (`both`)."""

    production_process_id: int
    production_process_name: str
    record_id: int
    side: Literal["in", "out", "both"]
    quantity: int


class Offers(Document):
    """What may be done to a line next, whoever does it: his permissions and processes mask it."""

    statuses: list[str]
    in_: list[Offer] = Field(alias="in")
    out: list[Offer]
    release: list[ReleaseOffer]
    edit: bool


class LineState(NamedTuple):
    """What of a line decides what is offered of it: for those who do not load the line. Quantities are pieces."""

    status: str
    order_status: str
    quantity: int
    quantity_inside: int
    quantity_billed: int


class LastRecord(NamedTuple):
    """The last standing record of a process, as far as a release asks: for those who do not load the record."""

    id: int
    process_id: int
    process_name: str
    quantity: int
    quantity_paid: int
    open: bool


def offers(line: Line, records: Sequence[Record], processes: Sequence[ShopProcess]) -> Offers:
    """What may be done to the line next, whoever does it. `records` newest first. No query."""
    state = LineState(line.status, line.order.status, line.quantity, line.quantity_inside, line.quantity_billed)
    return offers_of(state, pieces_by_process(line, records), last_of_each_process(records), processes)


def offers_of(
    line: LineState,
    pieces: Mapping[int, Pieces],
    last: Iterable[Record | LastRecord],
    processes: Sequence[ShopProcess],
) -> Offers:
    """The same from a line's counts: `pieces` of each process that has seen any, and the `last` standing record of
    each, newest first. No query."""
    status = Status(line.status)
    nowhere = Pieces(line.quantity, line.quantity_inside, 0, 0)
    entries = [
        _offer(process, free)
        for process in processes
        if status in rules.MAY_BE_ENTERED and process.active
        if (free := pieces.get(process.id, nowhere).may_enter)
    ]
    exits = [_offer(process, inside) for process in processes if (inside := pieces.get(process.id, nowhere).inside)]
    return Offers(
        statuses=list(
            rules.offered(status, Status(line.order_status), inside=line.quantity_inside, billed=line.quantity_billed)
        ),
        **{"in": entries},
        out=exits,
        release=[
            ReleaseOffer(
                production_process_id=record.process_id,
                production_process_name=record.process_name,
                record_id=record.id,
                side=side.value,
                quantity=record.quantity,
            )
            for record in last
            if release_refusal(line, record, side := side_of(record)) is None
        ],
        edit=status not in rules.CLOSED_TO_CHANGES,
    )


def pieces_by_process(line: Line, records: Iterable[Record]) -> defaultdict[int, Pieces]:
    """Where the line's pieces are, seen from each process: also from one that they never entered."""
    counted: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for record in records:
        if record.released_at is None:
            counted[record.process_id][record.output_at is not None] += record.quantity

    def seen(inside: int, completed: int) -> Pieces:
        return Pieces(line.quantity, line.quantity_inside, inside, completed)

    return defaultdict(lambda: seen(0, 0), {process: seen(*pieces) for process, pieces in counted.items()})


def _offer(process: ShopProcess, most: int) -> Offer:
    return Offer(production_process_id=process.id, production_process_name=process.name, max_quantity=most)


def last_of_each_process[R: Record](records: Iterable[R]) -> list[R]:
    """The last standing record of each process; `records` newest first, as the result."""
    last: dict[int, R] = {}
    for record in records:
        if record.released_at is None:
            last.setdefault(record.process_id, record)
    return list(last.values())


def side_of(record: Record | LastRecord) -> Side:
    """What there is to take back of an unreleased record."""
    return Side.entry if record.open else Side.both


def release_refusal(line: Line | LineState, record: Record | LastRecord, side: Side) -> Refusal | None:
    """Why this side of an unreleased record cannot be taken back; None where it can."""
    refusal = rules.release_refusal(Status(line.status), side, billed=line.quantity_billed)
    if refusal is None and record.quantity_paid:
        refusal = rules.AlreadyPaid(processRecordId=record.id)
    return refusal


def within(whole: Offers, scope: frozenset[int]) -> Offers:
    """What a display with lanes of its own reads on the board: the parts that `LineEvent.scoped` names cut down to its
    lanes, and of other processes only how many pieces they could take, without their names."""
    return whole.model_copy(
        update={
            "in_": [
                one if one.production_process_id in scope else one.model_copy(update={"production_process_name": ""})
                for one in whole.in_
            ],
            "out": [one for one in whole.out if one.production_process_id in scope],
            "release": [one for one in whole.release if one.production_process_id in scope],
        }
    )
