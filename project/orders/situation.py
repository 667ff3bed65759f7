"""Describe the situation of a line: where its pieces are or wait, since when, and what comes next. No query.

See infra/docs/rules.md#standing.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from project.core import clock
from project.core.schemas import Document, Instant
from project.orders import rules
from project.orders.models import Line
from project.orders.offers import pieces_by_process
from project.orders.rules import FINISHED, MAY_BE_ENTERED, Pieces, Status
from project.orders.selectors import Record, ShopProcess
from project.orders.ways import Way, to_do_again


class PiecesWaiting(Document):
    """Pieces of a line that wait for a process, since when, and which process and person had them last.

    If the pieces have not been in any process, `since` and `fromProductionProcessId` are null. `by` is empty unless the
    reader may read the history or the board.
    """

    production_process_id: int
    quantity: int
    since: Instant | None
    from_production_process_id: int | None
    by: str


class SituationProcess(Document):
    """Pieces that are inside a process, or wait for it, and the person who has them or had them last."""

    production_process_id: int
    quantity: int
    since: Instant | None
    by: str


MOST_NEXT = 3
"""The most next processes that a document names."""
Kind = Literal["inside", "waiting", "notStarted", "scrapped", "done", "closed"]


class Situation(Document):
    """The situation of a line.

    `kind`: `scrapped` if every piece of an open line was scrapped. `processes`: where pieces are inside, oldest first;
    if no piece is inside, where pieces wait. `nextProcesses`: the first active processes that pieces have still to go
    through, at most MOST_NEXT, in the order of the product's way, or in the plant's order if the way is not known; null
    for customers' accounts. `hereSince`: if pieces are inside, when the oldest ones entered; if not, and pieces may
    enter, when the last ones left a process; else null, and null for customers' accounts. `lateDays`: days past the
    delivery date of an open line, else 0.
    """

    kind: Kind
    processes: list[SituationProcess]
    next_processes: list[int] | None
    here_since: Instant | None
    late_days: int


def kind_of(status: Status, *, inside: int, started: bool, good: int) -> Kind:
    """Return the kind of a line's situation.

    `inside`: pieces inside a process. `started`: it has unreleased records. `good`: pieces that may still be Done.
    """
    if status is Status.Done:
        return "done"
    if status in FINISHED:
        return "closed"
    if inside:
        return "inside"
    if not good:
        return "scrapped"
    return "waiting" if started else "notStarted"


def waiting(
    line: Line, records: Sequence[Record], processes: Sequence[ShopProcess], way: Way | None
) -> list[PiecesWaiting]:
    """Return where the line's free pieces wait. Each piece waits at the first process that it has still to go through.

    `records`: newest first, at least the unreleased ones and those that were released for a reason. `processes`: in the
    plant's order. `way`: the product's way; None if it is not known.
    """
    if Status(line.status) not in MAY_BE_ENTERED:
        return []
    pieces = pieces_by_process(line, records)
    never_moved = min((here.not_been_here for here in pieces.values()), default=line.quantity_to_make)
    found: list[PiecesWaiting] = []
    wait_before = inside_before = 0
    before: int | None = None
    order = in_order(processes, way)
    to_come = _to_come(pieces, records, order, way)
    gone = _gone_on(records, order)
    for process in order:
        here = pieces[process.id]
        # Pieces that wait for an earlier process, or are inside one, have not been in this one either.
        free = min(here.may_enter, to_come.get(process.id, 0) - inside_before)
        quantity = free - wait_before
        if process.active and quantity > 0:
            last = _had_last(records, before, gone=gone[process.id])
            if last is None and quantity > never_moved:
                last = max(_exits(records), key=_left_at, default=None)
            found.append(
                PiecesWaiting(
                    production_process_id=process.id,
                    quantity=quantity,
                    since=last.output_at if last else None,
                    from_production_process_id=last.process_id if last else None,
                    by=(last.output_by_name or "") if last else "",
                )
            )
            wait_before = free
        inside_before += here.inside
        if here.completed:
            before = process.id
    return found


def in_order(processes: Sequence[ShopProcess], way: Way | None) -> list[ShopProcess]:
    """Return all processes in the order of the way. Processes outside the way keep their place in the plant's order."""
    place = {process.id: index for index, process in enumerate(processes)}
    steps = [place[process] for process in way.processes if process in place] if way else []
    others = deque(sorted(set(place.values()).difference(steps)))
    found: list[ShopProcess] = []
    for step in steps:
        while others and others[0] < step:
            found.append(processes[others.popleft()])
        found.append(processes[step])
    return [*found, *(processes[index] for index in others)]


def _to_come(
    pieces: Mapping[int, Pieces], records: Sequence[Record], order: Sequence[ShopProcess], way: Way | None
) -> dict[int, int]:
    """Return for each process of the way how many pieces have still to go through it.

    Pieces that have been in a later process of the way have skipped the earlier ones, unless they were released from
    them for rework. If the way is not known, it is all processes. Pieces scrapped on the way to a process do not count.
    """
    again = to_do_again(records)
    found: dict[int, int] = {}
    fewest: int | None = None
    for process in reversed(order):
        if way is None or process.id in way.processes:
            here = pieces[process.id]
            fewest = here.not_been_here if fewest is None else min(fewest, here.not_been_here)
            found[process.id] = min(here.not_been_here, fewest + max(0, again[process.id] - here.inside))
    return found


def _gone_on(records: Sequence[Record], order: Sequence[ShopProcess]) -> dict[int, int]:
    """Return for each process the highest number of pieces that entered it, or that entered one later process.

    Pieces that were scrapped there count too.
    """
    entered: Counter[int] = Counter()
    for record in records:
        if record.released_at is None:
            entered[record.process_id] += record.quantity
    found: dict[int, int] = {}
    most = 0
    for process in reversed(order):
        most = max(most, entered[process.id])
        found[process.id] = most
    return found


def _exits(records: Sequence[Record]) -> list[Record]:
    return [
        record
        for record in records
        if record.released_at is None and record.output_at is not None and not record.scrapped
    ]


def _left_at(record: Record) -> tuple[datetime, int]:
    return record.output_at or record.input_at, record.id


def _had_last(records: Sequence[Record], before: int | None, *, gone: int) -> Record | None:
    """Return the record by whose exit the oldest waiting pieces left the process `before`; None if it is not known.

    Pieces that left first go on first. `gone`: how many pieces that left `before` have gone on.
    """
    for record in sorted((one for one in _exits(records) if one.process_id == before), key=_left_at):
        gone -= record.quantity
        if gone < 0:
            return record
    return None


def situation(
    line: Line,
    records: Sequence[Record],
    processes: Sequence[ShopProcess],
    way: Way | None,
    waits: Sequence[PiecesWaiting],
) -> Situation:
    """Return the situation of a line. The parameters are those of `waiting`; `waits` is the result of `waiting`."""
    status = Status(line.status)
    open_records = [record for record in reversed(records) if record.open]
    started = any(record.released_at is None for record in records)
    kind = kind_of(status, inside=line.quantity_inside, started=started, good=line.quantity_good)
    if kind == "inside":
        where = _inside(open_records)
    elif kind == "waiting":
        where = [
            SituationProcess(
                production_process_id=pieces.production_process_id,
                quantity=pieces.quantity,
                since=pieces.since,
                by=pieces.by,
            )
            for pieces in waits
        ]
    else:
        where = []
    late_days = 0
    if line.delivery_date and rules.is_late(status, line.delivery_date, today := clock.today()):
        late_days = (today - line.delivery_date).days
    return Situation(
        kind=kind,
        processes=where,
        next_processes=[] if status in FINISHED else _ids(still_to_come(line, records, processes, way)[:MOST_NEXT]),
        here_since=_here_since(status, records),
        late_days=late_days,
    )


def _here_since(status: Status, records: Sequence[Record]) -> datetime | None:
    """Return the key by which the list of lines is sorted (`attention.here_since`)."""
    if entered := [record.input_at for record in records if record.open]:
        return min(entered)
    if status not in MAY_BE_ENTERED:
        return None
    return max((record.output_at for record in _exits(records) if record.output_at), default=None)


def _inside(records: Sequence[Record]) -> list[SituationProcess]:
    """Return the pieces inside each process and who has them. `records`: open, oldest first."""
    pieces: defaultdict[int, int] = defaultdict(int)
    since: dict[int, datetime] = {}
    people: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for record in records:
        pieces[record.process_id] += record.quantity
        since.setdefault(record.process_id, record.input_at)
        people[record.process_id][record.input_by_name] = None
    return [
        SituationProcess(
            production_process_id=process, quantity=inside, since=since[process], by=", ".join(people[process])
        )
        for process, inside in pieces.items()
    ]


def still_to_come(
    line: Line, records: Sequence[Record], processes: Sequence[ShopProcess], way: Way | None
) -> list[ShopProcess]:
    """Return the active processes that pieces of an unfinished line have still to go through, in order.

    The parameters are those of `waiting`.
    """
    order = in_order(processes, way)
    to_come = _to_come(pieces_by_process(line, records), records, order, way)
    return [process for process in order if process.active and to_come.get(process.id)]


def next_after(
    process_id: int, line: Line, records: Sequence[Record], processes: Sequence[ShopProcess], way: Way | None
) -> int | None:
    """Return the first process after this one that pieces have still to go through; None if there is none.

    The parameters are those of `waiting`.
    """
    places = {process.id: place for place, process in enumerate(in_order(processes, way))}
    to_come = still_to_come(line, records, processes, way)
    return next((one.id for one in to_come if places[one.id] > places[process_id]), None)


def _ids(processes: Sequence[ShopProcess]) -> list[int]:
    return [one.id for one in processes]
