"""Read the histories that forecasts are made from, and the kept forecasts of a line."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import date, datetime
from itertools import chain
from typing import Any

from django.db.models import F, Q, QuerySet

from project.core import clock
from project.forecasts.correction import NOTHING, Correction
from project.forecasts.histories import LineHistory, Move, known_at
from project.forecasts.method import NEWEST, Past
from project.forecasts.models import FittedCorrection, KeptForecast
from project.orders.models import Line, ProcessRecord
from project.orders.rules import COMPLETED, FINISHED, Status
from project.orders.selectors import load_past_exits

MOST_KEPT = 400
"""The most forecasts of one line that are shown: more than a year of days."""
MOST_UNFINISHED = 5_000
"""The most unfinished lines that are forecast, the newest ones: more than a workshop has under way."""
AT_ONCE = 500
"""Lines whose records are read by one statement: SQLite takes a limited number of parameters."""
_OF_LINE = ("pk", "item_id", "creation_date", "done_at", "quantity")
_RECEIVED: dict[str, Any] = {
    "input_received_at": F("entry__press__received_at"),
    "output_received_at": F("exit__press__received_at"),
}


def histories(at: datetime | None = None, *, unfinished: int = MOST_UNFINISHED) -> list[LineHistory]:
    """Return the newest finished lines (at most `NEWEST`) and unfinished lines (at most `unfinished`) with movements.

    `at`: return only what was known at this instant; by default all that is known. Canceled lines are left out. 2
    queries, and 2 per 500 lines.
    """
    found = {
        pk: (item, began, done, pieces)
        for pk, item, began, done, pieces in chain(
            _finished(at).values_list(*_OF_LINE)[:NEWEST], _unfinished(at).values_list(*_OF_LINE)[:unfinished]
        )
    }
    moves = moves_of(found)
    lines = [
        LineHistory(
            id=pk,
            item=item,
            began=began.timestamp(),
            moves=tuple(moves.get(pk, ())),
            done=None if done is None else done.timestamp(),
            pieces=pieces,
        )
        for pk, (item, began, done, pieces) in found.items()
    ]
    return lines if at is None else known_at(lines, at.timestamp())


def _finished(at: datetime | None) -> QuerySet[Line]:
    lines = Line.objects.filter(status__in=COMPLETED, done_at__isnull=False).order_by("-done_at", "-pk")
    return lines if at is None else lines.filter(done_at__lte=at)


def _unfinished(at: datetime | None) -> QuerySet[Line]:
    lines = Line.objects.exclude(status=Status.Canceled).order_by("-pk")
    if at is None:
        return lines.exclude(status__in=FINISHED)
    return lines.filter(Q(done_at__gt=at) | ~Q(status__in=FINISHED), creation_date__lte=at)


def moves_of(lines: Collection[int]) -> dict[int, list[Move]]:
    """Return the movements of each of these lines, in order. 2 queries per 500 lines."""
    ids = sorted(lines)
    moves: defaultdict[int, list[Move]] = defaultdict(list)
    for start in range(0, len(ids), AT_ONCE):
        records = (
            ProcessRecord.objects.filter(line__in=ids[start : start + AT_ONCE])
            .order_by()
            .only("line", "process", "input_at", "output_at", "released_at", "reopened_at")
            .annotate(**_RECEIVED)
        )
        load_past_exits(records)
        for record in records:
            moves[record.line_id].extend(_moves(record))
    for of_line in moves.values():
        # At one instant pieces leave a process before they enter another one.
        of_line.sort(key=lambda move: (move.at, move.kind in ("in", "returned"), move.record))
    return moves


def _moves(record: ProcessRecord) -> Iterator[Move]:
    process, pk = record.process_id, record.pk
    yield Move(record.input_at.timestamp(), "in", process, pk, _seconds(record.input_received_at))
    for past in record.past:
        known = _seconds(past.movement.press.received_at)
        yield Move(past.movement.at.timestamp(), "out", process, pk, known)
        yield Move(past.taken_back.at.timestamp(), "returned", process, pk)
    if record.output_at is not None:
        yield Move(record.output_at.timestamp(), "out", process, pk, _seconds(record.output_received_at))
    if record.released_at is not None:
        yield Move(record.released_at.timestamp(), "removed", process, pk)


def _seconds(instant: datetime | None) -> float | None:
    return None if instant is None else instant.timestamp()


def past_at(at: datetime, lines: Iterable[LineHistory] | None = None) -> Past:
    """Return the past for forecasts made at an instant. `lines`: the histories, by default of the newest lines."""
    return Past(histories(unfinished=NEWEST) if lines is None else lines, at.timestamp())


def line_history(line: Line) -> LineHistory:
    """Return the history of one line. 2 queries."""
    moves = moves_of([line.pk]).get(line.pk, ())
    done = None if line.done_at is None else line.done_at.timestamp()
    return LineHistory(line.pk, line.item_id, line.creation_date.timestamp(), tuple(moves), done, line.quantity)


def kept_of(line: Line) -> list[KeptForecast]:
    """Return the kept forecasts of a line, oldest first: at most the newest `MOST_KEPT`. 1 query."""
    return list(reversed(KeptForecast.objects.filter(line=line.pk).order_by("-day")[:MOST_KEPT]))


def correction_at(day: date) -> Correction:
    """Return the correction that was fitted last, up to a day of the plant. 1 query."""
    found = FittedCorrection.objects.filter(day__lte=day).order_by("-day").first()
    if found is None:
        return NOTHING
    return Correction(tuple(found.coefficients), tuple(found.means), tuple(found.spreads), found.level)


def is_fitted(day: date) -> bool:
    """Say whether the correction of a day of the plant is fitted. 1 query."""
    return FittedCorrection.objects.filter(day=day).exists()


def new_line(item_id: int) -> LineHistory:
    """Return the history of a line that is being written now."""
    return LineHistory(0, item_id, clock.now().timestamp())
