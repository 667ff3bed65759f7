"""Turns what a station reads into what it shows."""

from project.access.permissions import P
from project.access.principal import Principal
from project.catalogs.models import ProductionProcess
from project.core.errors import Refusal
from project.orders import rules
from project.orders.day import DayMovement
from project.orders.masked import one_line
from project.orders.models import Line
from project.orders.offers import pieces_by_process
from project.orders.rules import Side, Status
from project.orders.selectors import processes_for
from project.station import schemas


def scan(line: Line, process: ProductionProcess, by: Principal) -> schemas.StationScanOut:
    """What the scan of a line at the process means. 2 queries; the line is loaded whole."""
    shown = one_line(line, by)
    most = {
        side: next((one.max_quantity for one in offers if one.production_process_id == process.pk), 0)
        for side, offers in ((Side.entry, shown.offers.in_), (Side.exit, shown.offers.out))
    }
    enters, leaves = bool(most[Side.entry]), bool(most[Side.exit])
    return schemas.StationScanOut(
        line=shown,
        direction="choose" if enters and leaves else "in" if enters else "out" if leaves else "none",
        max_in=most[Side.entry],
        max_out=most[Side.exit],
        hand_over=_hand_over(line, process, by),
        why=None if enters or leaves else _why(line, process),
    )


def _hand_over(line: Line, process: ProductionProcess, by: Principal) -> list[schemas.HandOverOffer]:
    """Where the caller may bring what is inside the process: those after it first. 1 query where he may at all."""
    pieces = pieces_by_process(line, line.records.all())
    may = by.holds(P.SalesOrderPositionProcessIn) and by.holds(P.SalesOrderPositionProcessOut)
    if not may or line.status not in rules.MAY_BE_ENTERED or not pieces[process.pk].inside:
        return []
    processes = processes_for(by.user_id)
    here = next((place for place, one in enumerate(processes) if one.id == process.pk and one.own), None)
    if here is None:
        return []
    return [
        schemas.HandOverOffer(production_process_id=one.id, production_process_name=one.name, max_quantity=most)
        for one in processes[here + 1 :] + processes[:here]
        if one.own and one.active and (most := rules.most_to_hand_over(pieces[process.pk], pieces[one.id]))
    ]


def _why(line: Line, process: ProductionProcess) -> schemas.WhyOut | None:
    """What would refuse an entry: nothing is inside to leave."""
    pieces = pieces_by_process(line, line.records.all())[process.pk]
    try:
        rules.pieces_to_enter(Status(line.status), pieces, None, process=process.name)
        rules.check_mover(Side.entry, works_there=True, active=process.status)
    except Refusal as refusal:
        told = refusal.as_json()
        return schemas.WhyOut(code=told["code"], message=told["message"], params=told["params"])
    return None


def process(row: ProductionProcess) -> schemas.StationProcessOut:
    return schemas.StationProcessOut(production_process_id=row.pk, production_process_name=row.name, active=row.status)


def movement(one: DayMovement) -> schemas.RecentMovementOut:
    """A movement whose record is loaded with its line. No query."""
    line = one.record.line
    return schemas.RecentMovementOut(
        at=one.at,
        type=one.type,
        by=one.by,
        by_id=_stands_by(one),
        record_id=one.record.pk,
        sales_order_id=line.order_id,
        position=line.position,
        customer_sales_order_id=line.order.customer_sales_order_id,
        item_name=line.item.name,
        pieces=one.record.quantity,
    )


def _stands_by(one: DayMovement) -> int | None:
    """Who made an entry or exit that nobody has taken back."""
    record = one.record
    if record.released_at is not None:
        return None
    if one.type == "out":
        return record.output_by_id if one.at == record.output_at else None
    return record.input_by_id if one.type == "in" else None
