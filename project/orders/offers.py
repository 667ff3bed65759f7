"""What may be done to a line next, whoever does it: by the rules, from where its pieces are. No query."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from project.core.errors import Refusal
from project.core.schemas import Document
from project.orders import rules
from project.orders.models import Line, ProcessRecord
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


def offers(line: Line, records: Sequence[ProcessRecord], processes: Sequence[ShopProcess]) -> Offers:
    """What may be done to the line next, whoever does it. `records` newest first. No query."""
    status = Status(line.status)
    pieces = pieces_by_process(line, records)
    entries = [
        _offer(process, free)
        for process in processes
        if status in rules.MAY_BE_ENTERED and process.active
        if (free := pieces[process.id].may_enter)
    ]
    exits = [_offer(process, inside) for process in processes if (inside := pieces[process.id].inside)]
    return Offers(
        statuses=list(
            rules.offered(status, Status(line.order.status), inside=line.quantity_inside, billed=line.quantity_billed)
        ),
        **{"in": entries},
        out=exits,
        release=[
            ReleaseOffer(
                production_process_id=record.process_id,
                production_process_name=record.process_name,
                record_id=record.pk,
                side=side_of(record).value,
                quantity=record.quantity,
            )
            for record in releasable(line, records)
        ],
        edit=status not in rules.CLOSED_TO_CHANGES,
    )


def pieces_by_process(line: Line, records: Iterable[ProcessRecord]) -> defaultdict[int, Pieces]:
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


def releasable(line: Line, records: Iterable[ProcessRecord]) -> list[ProcessRecord]:
    """The record of each process that a release would take back now; `records` newest first, as the result."""
    last: dict[int, ProcessRecord] = {}
    for record in records:
        if record.released_at is None:
            last.setdefault(record.process_id, record)
    return [record for record in last.values() if release_refusal(line, record, side_of(record)) is None]


def side_of(record: ProcessRecord) -> Side:
    """What there is to take back of an unreleased record."""
    return Side.entry if record.open else Side.both


def release_refusal(line: Line, record: ProcessRecord, side: Side) -> Refusal | None:
    """Why this side of an unreleased record cannot be taken back; None where it can."""
    refusal = rules.release_refusal(Status(line.status), side, billed=line.quantity_billed)
    if refusal is None and record.quantity_paid:
        refusal = rules.AlreadyPaid(processRecordId=record.pk)
    return refusal
