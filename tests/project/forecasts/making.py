"""Lines with their records, written straight into the database, so that a history of months costs nothing."""

import itertools
import json
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from project.catalogs.models import Item, ProductionProcess
from project.orders.models import Line, Movement, PastExit, Press, ProcessRecord, SalesOrder
from project.orders.rules import MovementSide, PressKind
from realtime.models import OutboxEvent
from tests.builders import Shop

NOON = datetime(2026, 3, 2, 18, tzinfo=UTC)
"""Noon of a Monday in Mexico City."""
TODAY = date(2026, 3, 2)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
_numbers = itertools.count(1)

Stay = tuple[ProductionProcess, float, float | None]
"""A process, and the days of the entry and of the exit, counted from the line's begin."""


def written_line(
    shop: Shop,
    *stays: Stay,
    began: datetime,
    done: float | None = None,
    due: date | None = None,
    offered: date | None = None,
    item: Item | None = None,
    status: str = "",
) -> Line:
    """A line of 10 pieces, with a record for each stay. `done`: after how many days it was Done."""
    inside = any(left is None for *_, left in stays)
    state = status or ("Done" if done is not None else "InProcess" if stays else "Approved")
    order = SalesOrder.objects.create(
        customer=shop.customer,
        customer_sales_order_id=f"F-{next(_numbers)}",
        sales_order_date=began.date(),
        creation_date=began,
        status=state,
    )
    line = Line.objects.create(
        order=order,
        position=1,
        item=item or shop.item,
        quantity=10,
        quantity_inside=10 if inside else 0,
        status=state,
        creation_date=began,
        delivery_date=due,
        offered_date=offered,
        done_at=None if done is None else began + done * DAY,
    )
    for process, entered, left in stays:
        ProcessRecord.objects.create(
            line=line,
            process=process,
            quantity=10,
            input_at=began + entered * DAY,
            input_by=shop.ana.user,
            output_at=None if left is None else began + left * DAY,
            output_by=None if left is None else shop.ana.user,
        )
    return line


def _exit(shop: Shop, of: ProcessRecord, kind: PressKind, at: datetime, **fields: Any) -> Movement:
    press = Press.objects.create(kind=kind, by=shop.ana.user, at=at, received_at=fields.pop("received", None))
    moved = {"line": of.line, "process": of.process, "side": MovementSide.exit, "pieces": of.quantity}
    return Movement.objects.create(press=press, at=at, **moved, **fields)


def report_later(shop: Shop, line: Line, *, received: datetime) -> None:
    """Let the exit of the line's only record have been reported later."""
    record = line.records.get()
    assert record.output_at is not None
    line.records.update(exit=_exit(shop, record, PressKind.move, record.output_at, received=received))


def reopen(shop: Shop, line: Line, *, left: datetime, taken_back: datetime) -> None:
    """Let the pieces of the line's only record leave, and take that exit back."""
    record = line.records.get()
    exit_ = _exit(shop, record, PressKind.move, left)
    back = _exit(shop, record, PressKind.release, taken_back, takes_back=exit_, record=record)
    PastExit.objects.create(record=record, movement=exit_, taken_back=back)
    line.records.update(reopened_at=taken_back)


def finished(shop: Shop, count: int = 8, *, days: float = 5.0, item: Item | None = None) -> list[Line]:
    """Lines that were in casting for so many days, then Done. The last one began 60 days ago."""
    return [
        written_line(shop, (shop.casting, 0, days), began=NOON - (60 + place) * DAY, done=days, item=item)
        for place in range(count)
    ]


def in_casting(shop: Shop, *, days: float = 2.0, due: date | None = None, **fields: Any) -> Line:
    """An open line that has been in casting for so many days."""
    return written_line(shop, (shop.casting, 0, None), began=NOON - days * DAY, due=due, **fields)


def published(kind: str = "line.forecast") -> list[dict[str, Any]]:
    """The data of the events of a type so far."""
    rows = OutboxEvent.objects.filter(type=kind).order_by("id").values_list("payload", flat=True)
    return [json.loads(row)["data"] for row in rows]


def path_of(line: Line) -> str:
    return f"/api/sales-order/{line.order_id}/position/{line.position}"


def ids_of(rows: Iterable[dict[str, Any]]) -> list[int]:
    return [int(row["id"]) for row in rows]
