"""Turns the data of a station into answers of the API."""

from collections.abc import Mapping, Sequence

from project.access.permissions import Permission
from project.access.principal import Principal
from project.catalogs.models import ProductionProcess
from project.core.errors import PermissionDenied, Refusal
from project.orders import rules
from project.orders.board import Moved
from project.orders.models import Line
from project.orders.offers import Offers, pieces_by_process, weighs
from project.orders.presenters import loaded_line, reads_presses
from project.orders.rules import Pieces, Side, Status
from project.orders.schemas import LineRowOut
from project.orders.selectors import ShopProcess, processes_for
from project.orders.situation import next_after
from project.orders.summaries import ways_of_lines
from project.orders.ways import Way
from project.station import schemas
from project.station.selectors import LONGEST_QUEUE


def scan(line: Line, process: ProductionProcess, by: Principal) -> schemas.StationScanOut:
    """Return what the caller may do with a scanned line, loaded by `line_get`, at the process. At most 3 queries."""
    processes = processes_for(by.user_id)
    ways = ways_of_lines([line])
    shown = loaded_line(line, processes, ways, by)
    pieces = pieces_by_process(line, line.loaded_records)
    most: dict[str, int] = {
        one.type: one.max_quantity for one in shown.actions.movements if one.production_process_id == process.pk
    }
    enters, leaves = Side.entry in most, Side.exit in most
    return schemas.StationScanOut(
        line=shown,
        direction="choose" if enters and leaves else "in" if enters else "out" if leaves else "none",
        max_in=most.get(Side.entry, 0),
        max_out=most.get(Side.exit, 0),
        hand_over=_hand_over(line, ways.get(line.item_id), pieces, process, processes, by),
        why=None if most else _why(line, pieces[process.pk], shown.offers, process, by),
    )


def _hand_over(
    line: Line,
    way: Way | None,
    pieces: Mapping[int, Pieces],
    process: ProductionProcess,
    processes: Sequence[ShopProcess],
    by: Principal,
) -> list[schemas.HandOverOffer]:
    """Return the processes to which the caller may hand over the pieces inside, those after this process first."""
    may = by.holds(Permission.SalesOrderPositionProcessIn) and by.holds(Permission.SalesOrderPositionProcessOut)
    if not may or line.status not in rules.MAY_BE_ENTERED or not pieces[process.pk].inside:
        return []
    here = next((place for place, one in enumerate(processes) if one.id == process.pk and one.own), None)
    if here is None:
        return []
    usual = next_after(process.pk, line, line.loaded_records, processes, way)
    return [
        schemas.HandOverOffer(
            production_process_id=one.id,
            production_process_name=one.name,
            max_quantity=most,
            usual=one.id == usual,
            weighs=weighs(one, weighed=line.item.alloy_id is not None),
        )
        for one in (*processes[here + 1 :], *processes[:here])
        if one.own and one.active and (most := rules.most_to_hand_over(pieces[process.pk], pieces[one.id]))
    ]


def _why(
    line: Line, pieces: Pieces, offers: Offers, process: ProductionProcess, by: Principal
) -> schemas.WhyOut | None:
    """Return why the caller may move nothing at the process.

    If other people may move pieces there, the caller lacks a right. Else the reason is the rule that refuses an entry.
    """
    refusal = _missing_right(offers, process, by) or _refused_entry(line, pieces, process)
    if refusal is None:
        return None
    answer = refusal.as_json()
    return schemas.WhyOut(code=answer["code"], message=answer["message"], params=answer["params"])


def _missing_right(offers: Offers, process: ProductionProcess, by: Principal) -> Refusal | None:
    """Return why the caller may not make the movements that are offered at the process; None if none is offered."""
    leaves = any(one.production_process_id == process.pk for one in offers.out)
    enters = process.status and offers.may_enter(process.pk)
    needed = {
        permission
        for permission, offered in (
            (Permission.SalesOrderPositionProcessOut, leaves),
            (Permission.SalesOrderPositionProcessIn, enters),
        )
        if offered
    }
    if not needed:
        return None
    return rules.NotYourProcess() if by.holds(*needed) else PermissionDenied()


def _refused_entry(line: Line, pieces: Pieces, process: ProductionProcess) -> Refusal | None:
    """Return why nobody may bring pieces into the process; None if somebody may."""
    try:
        rules.pieces_to_enter(Status(line.status), pieces, None, process=process.name)
        rules.check_mover(Side.entry, works_there=True, active=process.status)
    except Refusal as refusal:
        return refusal
    return None


def queue_and_later(
    rows: Sequence[LineRowOut], process: ProductionProcess
) -> tuple[list[LineRowOut], list[LineRowOut]]:
    """Return the lines that wait for the process, and the other lines that may enter it.

    At most LONGEST_QUEUE of each. Leaves out a line if no piece of it can come: those that have not been here were
    scrapped.
    """
    waits = {row.id for row in rows for pieces in row.waiting if pieces.production_process_id == process.pk}
    enters = {row.id for row in rows if row.offers.may_enter(process.pk)}
    queue = [row for row in rows if row.id in waits]
    later = [row for row in rows if row.id in enters - waits]
    return queue[:LONGEST_QUEUE], later[:LONGEST_QUEUE]


def process(row: ProductionProcess) -> schemas.StationProcessOut:
    return schemas.StationProcessOut(production_process_id=row.pk, production_process_name=row.name, active=row.status)


def movement(row: Moved, by: Principal) -> schemas.RecentMovementOut:
    """Return the row of a movement in the station's list of recent ones. No query."""
    one = row.first
    line = one.line
    return schemas.RecentMovementOut(
        press=one.press_id if reads_presses(by) else None,
        lines=one.press.lines,
        at=one.at,
        type=row.type,
        by=one.by_name,
        by_id=row.author_unless_taken_back,
        record_id=one.first_record,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        item_name=line.item.name,
        item_name_english=line.item.name_english,
        pieces=row.pieces,
    )
