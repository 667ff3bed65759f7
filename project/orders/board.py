"""Read what the shop-floor board shows: the lines at work, the pace of each process, and a day to play back."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from statistics import median
from typing import Literal
from uuid import UUID

from django.db.models import Q, QuerySet

from project.core import clock
from project.orders import selectors
from project.orders.documents import LineDocument, line_document
from project.orders.models import CLOSED, GOOD, Line, Movement, ProcessRecord
from project.orders.rules import MAY_BE_ENTERED, MovementSide
from project.orders.selectors import ShopProcess, light_records_of, load_past_exits, open_records
from project.orders.summaries import ways_of_lines

LATELY = timedelta(days=30)
MOST_RECORDS = 1_000
"""The most records that a pace is computed from, of all processes together.

They are enough for a median of each process at work, and are read in milliseconds.
"""


@dataclass(frozen=True)
class Pace:
    """The recent pace of a process. `usual_seconds`: the median of how long pieces stayed in it."""

    usual_seconds: int
    pieces_a_day: float


def paces(before: datetime) -> dict[int, Pace]:
    """Return the pace of each process that pieces left in the 30 days before an instant. 1 query.

    Only the newest records count, at most MOST_RECORDS. Scrapped pieces do not count.
    """
    newest = (
        ProcessRecord.objects.filter(CLOSED, scrapped=False, output_at__lt=before, output_at__gte=before - LATELY)
        .order_by("-output_at", "-id")
        .values_list("process_id", "quantity", "input_at", "output_at")[:MOST_RECORDS]
    )
    stays: defaultdict[int, list[float]] = defaultdict(list)
    pieces: defaultdict[int, int] = defaultdict(int)
    first = before
    for process_id, quantity, entered, left in newest:
        assert left is not None  # noqa: S101 - a closed record has an exit
        stays[process_id].append((left - entered).total_seconds())
        pieces[process_id] += quantity
        first = left
    days = max((before - first) / timedelta(days=1), 1.0)
    return {
        process_id: Pace(round(median(found)), round(pieces[process_id] / days, 2))
        for process_id, found in stays.items()
    }


def lines_on_board(processes: list[ShopProcess]) -> list[LineDocument]:
    """Return the lines with pieces that wait, that are inside a process, or that left one today. At most 4 queries.

    The lines are loaded before their records. So the records may be newer than the lines, but never older. If they are
    newer, an event of the line follows.
    """
    lines = list(selectors.lines().filter(pk__in=_shown(clock.start_of(clock.today()))).order_by("pk"))
    records = light_records_of([line.pk for line in lines])
    ways = ways_of_lines(lines)
    documents = (line_document(line, records[line.pk], processes, ways) for line in lines)
    return [document for document in documents if document.inside or document.left_today or document.waiting]


def _shown(midnight: datetime) -> QuerySet[ProcessRecord, tuple[int]]:
    """Return the ids of lines that may be on the board.

    The query is a union, because each part has its own index. One combined condition would not use these indexes.
    """
    inside = open_records().order_by().values_list("line_id")
    left = ProcessRecord.objects.filter(CLOSED, output_at__gte=midnight).order_by().values_list("line_id")
    may_wait = Line.objects.filter(status__in=MAY_BE_ENTERED, quantity_inside__lt=GOOD).order_by()
    return inside.union(left, may_wait.values_list("pk"))


MovementType = Literal["in", "out", "scrap", "returned", "removed"]
"""`in`: pieces enter. `out`: they leave. `scrap`: they leave as scrap. `returned`: their exit is taken back, so they
are inside again. `removed`: their entry is taken back.
"""
_TYPES: dict[str, MovementType] = {"in": "in", "out": "out", "scrap": "scrap"}


@dataclass(frozen=True)
class Moved:
    """What one press did with pieces of one line in one process: a movement, or movements that take back records.

    If a record is released with its entry and its exit, both are in one row of type `removed`.
    """

    parts: Sequence[Movement]

    @property
    def first(self) -> Movement:
        return self.parts[0]

    @property
    def type(self) -> MovementType:
        one = self.parts[-1]
        if one.takes_back is None:
            return _TYPES[one.side]
        return "removed" if one.side == MovementSide.entry else "returned"

    @property
    def pieces(self) -> int:
        """How many pieces moved. A release of both sides takes back an entry and its exit: its pieces count once."""
        return sum(one.pieces for one in self.parts if self.type != "removed" or one.side == MovementSide.entry)

    @property
    def author_unless_taken_back(self) -> int | None:
        """The id of the person who made an entry or exit; None for other movements.

        Also None if all of its pieces were taken back.
        """
        one = self.first
        return one.press.by_id if one.takes_back is None and one.taken_back_pieces < one.pieces else None


def moved(found: Iterable[Movement]) -> list[Moved]:
    """Group movements: one row for each press, line and process, in the order of the first movement of each row.

    If a part of the pieces left as scrap, that part has a row of its own.
    """
    rows: dict[tuple[UUID, int, int | None, bool], list[Movement]] = {}
    for one in found:
        is_scrap = one.takes_back is None and one.side == MovementSide.scrap
        rows.setdefault((one.press_id, one.line_id, one.process_id, is_scrap), []).append(one)
    return [Moved(parts) for parts in rows.values()]


def _records_at(midnight: datetime) -> QuerySet[ProcessRecord]:
    """Return the records whose pieces may have been inside a process just before an instant, with their lines."""
    return (
        ProcessRecord.objects.filter(
            Q(output_at__isnull=True) | Q(output_at__gte=midnight),
            Q(released_at__isnull=True) | Q(released_at__gte=midnight),
            input_at__lt=midnight,
        )
        .select_related("input_by", "line__item", "line__order__customer")
        .order_by("process__order", "input_at", "id")
    )


def _was_inside(record: ProcessRecord, instant: datetime) -> bool:
    """Say whether the record's pieces were inside its process just before `instant`."""
    return any(stay.since < instant and (stay.until is None or stay.until >= instant) for stay in record.stays)


@dataclass(frozen=True)
class Entered:
    """Pieces that a person brought into a process at an instant. `record_id`: the first of their records."""

    at: datetime
    by_id: int
    by: str
    record_id: int
    pieces: int


@dataclass
class Place:
    """The pieces of one line in one process while a day is played back.

    `oldest`: the oldest entry with pieces inside; if no piece is inside, the last entry that had pieces inside.
    """

    line: Line
    process_id: int
    oldest: Entered
    entered: list[Entered] = field(default_factory=list)
    left_today: int = 0

    @property
    def pieces(self) -> int:
        return sum(one.pieces for one in self.entered)

    def follow(self, one: Movement, midnight: datetime) -> None:
        """Change the pieces as this movement of the day changed them."""
        back = one.takes_back
        if one.side == MovementSide.entry:
            if back is None:
                self.bring(Entered(one.at, one.press.by_id, one.by_name, one.first_record, one.pieces))
            else:
                self._take(one.pieces, lambda entered: entered.at != back.at)
        elif back is None:
            self._take(one.pieces, lambda entered: entered.by_id != one.press.by_id)
            self.left_today += one.pieces if one.side == MovementSide.exit else 0
        else:
            record = one.record
            assert record is not None  # noqa: S101 - what takes an exit back names the record
            self.bring(Entered(record.input_at, record.input_by_id, record.input_by.full_name, record.pk, one.pieces))
            if back.at >= midnight and back.side == MovementSide.exit:
                self.left_today -= one.pieces

    def bring(self, one: Entered) -> None:
        self.entered = sorted([*self.entered, one], key=lambda one: (one.at, one.record_id))
        self.oldest = self.entered[0]

    def _take(self, pieces: int, is_later: Callable[[Entered], bool]) -> None:
        """Take out pieces, the oldest first. Those that are later leave after all others."""
        left, still = pieces, []
        for one in sorted(self.entered, key=lambda one: (is_later(one), one.at, one.record_id)):
            gone = min(left, one.pieces)
            left -= gone
            if gone < one.pieces:
                still.append(replace(one, pieces=one.pieces - gone))
        self.entered = sorted(still, key=lambda one: (one.at, one.record_id))
        self.oldest = self.entered[0] if self.entered else self.oldest


Places = dict[tuple[int, int], Place]
"""The places of lines in processes, by the ids of both."""


def places_at(midnight: datetime) -> Places:
    """Return the pieces inside just before an instant, ordered by process and then by entry. At most 2 queries."""
    found: Places = {}
    records = list(_records_at(midnight))
    load_past_exits(records)
    for record in records:
        if _was_inside(record, midnight):
            by_id, by = record.input_by_id, record.input_by.full_name
            one = Entered(record.input_at, by_id, by, record.pk, record.quantity)
            place = Place(record.line, record.process_id, one)
            found.setdefault((record.line_id, record.process_id), place).bring(one)
    return found


def played(places: Places, midnight: datetime, ends: datetime) -> Iterator[tuple[Moved, Place]]:
    """Yield the movements from midnight on, each with the place as the movement left it. Changes `places`. 1 query."""
    for row in moved(selectors.movements(since=midnight, until=ends).select_related("record__input_by")):
        line, process_id = row.first.line, row.first.process_id
        assert process_id is not None  # noqa: S101 - `selectors.movements` leaves out what moves nothing
        nothing = Entered(row.first.at, row.first.press.by_id, row.first.by_name, row.first.first_record, 0)
        place = places.setdefault((line.pk, process_id), Place(line, process_id, nothing))
        for part in row.parts:
            place.follow(part, midnight)
        yield row, place
