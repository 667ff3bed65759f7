"""What a line offers, computed from its records; no test here uses a database."""

from datetime import UTC, datetime
from typing import Any

import pytest

from project.orders import offers, rules
from project.orders.models import Line, ProcessRecord, SalesOrder
from project.orders.rules import Pieces, Side, Status
from project.orders.selectors import ShopProcess

AT = datetime(2026, 3, 10, 15, tzinfo=UTC)
CASTING = ShopProcess(id=1, name="Fundición", name_english="Casting", active=True, own=True)
POLISHING = ShopProcess(id=2, name="Pulido", name_english="Polishing", active=False, own=False)
PACKING = ShopProcess(id=3, name="Empaque", name_english="Packing", active=True, own=False)


def line(status: Status = Status.InProcess, *, inside: int = 0, billed: int = 0) -> Line:
    order = SalesOrder(status=Status.InProcess)
    return Line(order=order, status=status, quantity=10, quantity_inside=inside, quantity_billed=billed)


def record(number: int, process: ShopProcess, quantity: int, **fields: Any) -> ProcessRecord:
    fields = {"input_at": AT, "input_by_id": 1} | fields
    made = ProcessRecord(pk=number, process_id=process.id, quantity=quantity, **fields)
    made.process_name = process.name
    return made


def left(number: int, process: ShopProcess, quantity: int, **fields: Any) -> ProcessRecord:
    return record(number, process, quantity, output_at=AT, output_by_id=1, **fields)


def shown(of: list[offers.Offer]) -> list[tuple[int, str, int]]:
    return [(one.production_process_id, one.production_process_name, one.max_quantity) for one in of]


def test_pieces_are_counted_for_each_process() -> None:
    records = [
        record(4, CASTING, 3),
        left(3, CASTING, 2),
        left(2, CASTING, 1),
        left(1, POLISHING, 6, released_at=AT),
    ]
    seen = offers.pieces_by_process(line(inside=3), records)
    assert seen[CASTING.id] == Pieces(quantity=10, inside_anywhere=3, inside=3, completed=3)
    assert seen[POLISHING.id] == Pieces(quantity=10, inside_anywhere=3, inside=0, completed=0)
    assert seen[99] == Pieces(quantity=10, inside_anywhere=3, inside=0, completed=0)


def test_entries_are_offered_into_active_processes_and_exits_from_any() -> None:
    records = [record(2, POLISHING, 3), left(1, CASTING, 10)]
    made = offers.offers(line(inside=3), records, [CASTING, POLISHING, PACKING])
    assert shown(made.in_) == [(3, "Empaque", 7)]
    assert shown(made.out) == [(2, "Pulido", 3)]


def test_all_pieces_may_enter_a_process_without_records() -> None:
    assert shown(offers.offers(line(), [], [CASTING]).in_) == [(1, "Fundición", 10)]


@pytest.mark.parametrize("status", Status)
def test_entries_need_an_approved_line_and_edits_an_open_one(status: Status) -> None:
    if status is Status.PartiallyApproved:
        return  # only orders have this status
    made = offers.offers(line(status), [], [CASTING])
    assert bool(made.in_) == (status in ("Approved", "InProcess"))
    assert made.edit == (status not in ("Canceled", "Invoiced"))


def test_offered_statuses_follow_the_rules() -> None:
    assert offers.offers(line(), [], []).statuses == ["Done", "Canceled"]
    assert offers.offers(line(inside=2), [], []).statuses == ["Canceled"]
    assert offers.offers(line(billed=2), [], []).statuses == ["Done"]


def test_last_record_of_each_process_is_offered_for_release() -> None:
    records = [
        left(5, CASTING, 4, released_at=AT),
        record(4, POLISHING, 3),
        left(3, CASTING, 2),
        left(2, CASTING, 1),
        left(1, PACKING, 1, quantity_paid=1),
    ]
    made = offers.offers(line(inside=3), records, [])
    assert [one.model_dump(by_alias=False, exclude={"production_process_name"}) for one in made.release] == [
        {"production_process_id": 2, "record_id": 4, "side": "in", "quantity": 3},
        {"production_process_id": 1, "record_id": 3, "side": "both", "quantity": 2},
    ]
    assert [one.production_process_name for one in made.release] == ["Pulido", "Fundición"]


def test_closed_billed_or_paid_record_cannot_be_released() -> None:
    whole = left(1, CASTING, 10)
    assert offers.release_refusal(line(), whole, Side.both) is None
    closed = offers.release_refusal(line(Status.Invoiced, billed=10), whole, Side.both)
    assert (type(closed), closed and closed.params) == (rules.LineClosed, {"status": "Invoiced"})
    billed = offers.release_refusal(line(Status.Done, billed=4), left(1, CASTING, 10, quantity_paid=2), Side.both)
    assert (type(billed), billed and billed.params) == (rules.AlreadyBilled, {"quantityBilled": 4})
    paid = offers.release_refusal(line(), left(7, CASTING, 10, quantity_paid=1), Side.both)
    assert (type(paid), paid and paid.params) == (rules.AlreadyPaid, {"processRecordId": 7})
    exit_of_a_canceled = offers.release_refusal(line(Status.Canceled), whole, Side.exit)
    assert type(exit_of_a_canceled) is rules.LineClosed
