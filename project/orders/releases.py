"""Releases: movements made by mistake, or rejected for reprocessing, are taken back (specification 2, section 4).

History loses nothing: a released record still shows all of its dates, users and notes.
"""

from project.access.principal import Principal
from project.core import clock
from project.core.idempotency import unit_of_work
from project.core.schemas import utc_z
from project.orders import events as live
from project.orders import rules, trail
from project.orders.models import Line, ProcessRecord, ReleasedDay
from project.orders.movements import Moved, line_for_update, person
from project.orders.rules import Status
from project.orders.selectors import own_processes, records_newest_first
from realtime import outbox
from realtime.events import Actor, LineReleased


@unit_of_work
def release_exit(
    *, order_id: int, position: int, process_id: int, by: Principal, expected: frozenset[int] | None = None
) -> Moved:
    """Reopen the last closed, unreleased record of the process: its pieces are inside again.

    Raises `NothingToRelease`, `AlreadyPaid`, `LineClosed`, and `NotEnoughPieces` where the pieces have gone on.
    """
    line = line_for_update(order_id, position, expected)
    records = list(records_newest_first().filter(line=line))
    closed = [record for record in _unreleased(records, process_id) if record.output_at is not None]
    if not closed:
        raise rules.NothingToRelease
    record = max(closed, key=lambda record: (record.output_at, record.input_at, record.pk))
    if line.status != Status.InProcess:
        raise rules.LineClosed(status=line.status)
    _refuse_paid(record)
    free = line.quantity - line.quantity_inside
    if record.quantity > free:
        raise rules.NotEnoughPieces(available=free)
    _note_day(record)
    assert record.output_at is not None  # noqa: S101 - closed by definition
    assert record.output_by is not None  # noqa: S101 - the database keeps both or neither
    record.released_exits = [
        *record.released_exits,
        {
            "outputDate": utc_z(record.output_at),
            "outputUsername": record.output_by.full_name,
            "outputNotes": record.output_notes,
            "releasedDate": utc_z(clock.now()),
            "releasedBy": by.full_name,
        },
    ]
    record.output_at = record.output_by = record.price = None
    record.output_notes = ""
    record.save(update_fields=["released_exits", "output_at", "output_by", "output_notes", "price"])
    return _released(line, records, record, inside=record.quantity, by=by)


@unit_of_work
def release_entry(
    *, order_id: int, position: int, process_id: int, by: Principal, expected: frozenset[int] | None = None
) -> Moved:
    """Take back the last open entry into the process. Raises `ExitFirst` while only closed ones stand,
    `NothingToRelease` where there is neither."""
    line = line_for_update(order_id, position, expected)
    records = list(records_newest_first().filter(line=line))
    standing = _unreleased(records, process_id)
    if not standing:
        raise rules.NothingToRelease
    record = next((record for record in standing if record.open), None)
    if record is None:
        raise rules.ExitFirst
    _mark_released(record, by)
    return _released(line, records, record, inside=-record.quantity, by=by)


@unit_of_work
def release_record(
    *, order_id: int, position: int, process_id: int, by: Principal, expected: frozenset[int] | None = None
) -> Moved:
    """Take back the last unreleased record of the process, exit and entry at once, wherever its pieces are now.

    Raises `NothingToRelease`, `AlreadyPaid`, `LineClosed` on an invoiced line.
    """
    line = line_for_update(order_id, position, expected)
    records = list(records_newest_first().filter(line=line))
    standing = _unreleased(records, process_id)
    if not standing:
        raise rules.NothingToRelease
    if line.status == Status.Invoiced:
        raise rules.LineClosed(status=line.status)
    record = standing[0]
    _refuse_paid(record)
    inside = -record.quantity if record.open else 0
    _mark_released(record, by)
    return _released(line, records, record, inside=inside, by=by)


def _unreleased(records: list[ProcessRecord], process_id: int) -> list[ProcessRecord]:
    return [record for record in records if record.process_id == process_id and record.released_at is None]


def _refuse_paid(record: ProcessRecord) -> None:
    if record.quantity_paid:
        raise rules.AlreadyPaid(processRecordId=record.pk)


def _note_day(record: ProcessRecord) -> None:
    """What was computed of the day of its exit no longer holds."""
    if record.output_at is not None:
        ReleasedDay.objects.create(day=clock.day_of(record.output_at))


def _mark_released(record: ProcessRecord, by: Principal) -> None:
    _note_day(record)
    record.released_at = clock.now()
    record.released_by = person(by)
    record.save(update_fields=["released_at", "released_by"])


def _released(line: Line, records: list[ProcessRecord], record: ProcessRecord, *, inside: int, by: Principal) -> Moved:
    before = trail.kept(line)
    line.quantity_inside += inside
    line.save(update_fields=["quantity_inside", "version"])
    own = own_processes(by.user_id)
    trail.line(line, "released", before=before, by=by, process=record.process.name)
    outbox.record(LineReleased(data=live.line_data(line, records, [record])), by=Actor.of(by))
    return Moved(line, records, own)
