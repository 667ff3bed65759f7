"""What a line offers, computed from its records; no test here uses a database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

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


def entries(made: offers.Offers) -> list[tuple[int, list[int] | None]]:
    return [(one.max_quantity, one.production_process_ids) for one in made.in_]


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
    assert entries(made) == [(0, [1]), (7, None)], "none may enter casting again, and polishing is inactive"
    assert [made.may_enter(one.id) for one in (CASTING, PACKING)] == [0, 7]
    assert [(one.production_process_id, one.max_quantity) for one in made.out] == [(2, 3)]


def test_entries_have_one_row_for_each_quantity_and_one_for_all_other_processes() -> None:
    others = [replace(PACKING, id=number, name=str(number)) for number in range(10, 60)]
    records = [left(1, CASTING, 4), left(2, PACKING, 4), left(3, others[0], 10)]
    made = offers.offers(line(), records, [CASTING, POLISHING, PACKING, *others])
    assert entries(made) == [(6, [1, 3]), (0, [10]), (10, None)]
    no_more = offers.offers(line(), records, [CASTING, POLISHING, PACKING, others[0]])
    assert entries(no_more) == [(6, [1, 3])], "no active process is left that no row names"


def test_all_pieces_may_enter_a_process_without_records() -> None:
    assert entries(offers.offers(line(), [], [CASTING])) == [(10, None)]


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
    assert [one.model_dump(by_alias=False) for one in made.release] == [
        {"production_process_id": 2, "record_id": 4, "side": "in", "quantity": 3},
        {"production_process_id": 1, "record_id": 3, "side": "both", "quantity": 2},
    ]


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


IN, OUT, OVER = UUID(int=1), UUID(int=2), UUID(int=3)
"""Presses: an entry, an exit, and a hand-over from casting to polishing."""


def pressed(
    of: ProcessRecord, *, entry: UUID | None = None, exit_: UUID | None = None, lines: int = 1
) -> ProcessRecord:
    """The record with its presses."""
    of.entry_press, of.exit_press = entry, exit_
    of.entry_lines, of.exit_lines = entry and lines, exit_ and lines
    return of


def what(of: offers.Pressed[Any]) -> tuple[Any, ...]:
    ids = [[one.pk for one in records] for records in (of.left, of.entered)]
    return (str(of.side), of.pieces, *ids, of.gone, of.scrapped, of.handed_over, of.lines, of.by_id)


def test_what_a_press_did_is_read_from_the_records_that_nobody_took_back() -> None:
    records = [
        pressed(record(6, POLISHING, 2, input_by_id=5), entry=OVER),
        pressed(left(5, POLISHING, 1), entry=OVER, exit_=UUID(int=9)),
        pressed(left(4, CASTING, 3), entry=IN, exit_=OVER, lines=7),
        pressed(left(3, CASTING, 2, scrapped=True), entry=IN, exit_=OUT),
        pressed(left(2, CASTING, 4), entry=IN, exit_=OUT),
        pressed(record(1, CASTING, 8, released_at=AT), entry=UUID(int=8)),
        record(7, CASTING, 1),
    ]
    found = offers.pressed_of(records)
    assert {press: what(of) for press, of in found.items()} == {
        OVER: ("out", 3, [4], [6], 1, False, True, 1, 5),
        IN: ("in", 0, [], [], 9, False, False, 7, 1),
        OUT: ("out", 6, [3, 2], [], 0, True, False, 1, 1),
        UUID(int=9): ("out", 1, [5], [], 0, False, False, 1, 1),
    }
    assert found[OUT].until == AT + timedelta(minutes=5)


def refused(of: Line, *records: ProcessRecord, press: UUID = OUT, minutes: float = 5) -> tuple[Any, ...] | None:
    """The code and the parameters of the refusal to undo a press."""
    refusal = offers.undo_refusal(of, offers.pressed_of(records)[press], now=AT + timedelta(minutes=minutes))
    return refusal and (refusal.code, refusal.params)


def test_undo_of_a_press_is_refused_if_a_part_cannot_go_back() -> None:
    out = pressed(left(1, CASTING, 4), entry=IN, exit_=OUT)
    assert refused(line(), out) is None
    assert refused(line(), out, minutes=5.1) == ("too_late", {"minutes": 5})
    assert refused(line(), out, press=IN) == ("not_enough_pieces", {"available": 0})
    assert refused(line(inside=6), out) is None
    assert refused(line(inside=7), out) == ("not_enough_pieces", {"available": 3})
    assert refused(line(Status.Done, billed=1), out) == ("already_billed", {"quantityBilled": 1})
    paid = pressed(left(2, CASTING, 4, quantity_paid=1), exit_=OUT)
    assert refused(line(), out, paid) == ("already_paid", {"processRecordId": 2})
    nothing = offers.Pressed[Any](OUT, 1, AT, 1)
    assert type(offers.undo_refusal(line(), nothing, now=AT)) is rules.AlreadyUndone


def test_hand_over_goes_back_only_if_all_its_pieces_are_still_there() -> None:
    out = pressed(left(1, CASTING, 4), exit_=OVER)
    there = pressed(record(2, POLISHING, 3), entry=OVER)
    gone_on = pressed(left(3, POLISHING, 1), entry=OVER)
    assert refused(line(inside=9), out, pressed(record(2, POLISHING, 4), entry=OVER), press=OVER) is None
    assert refused(line(inside=3), out, there, gone_on, press=OVER) == ("not_enough_pieces", {"available": 3})


def test_scrap_goes_back_unless_the_pieces_are_being_made_again() -> None:
    scrap = pressed(left(1, CASTING, 4, scrapped=True), exit_=OUT)
    of = Line(order=SalesOrder(), status=Status.InProcess, quantity=10, quantity_scrapped=4, quantity_inside=6)
    assert refused(of, scrap) is None
    of.quantity_replaced = 1
    assert refused(of, scrap) == ("already_replaced", {"quantityReplaced": 1})


def test_pieces_scrapped_before_a_process_never_complete_it() -> None:
    of = Line(order=SalesOrder(), status=Status.InProcess, quantity=10, quantity_scrapped=3, quantity_inside=0)
    records = [
        left(3, POLISHING, 2, scrapped=True, input_at=AT),
        left(2, CASTING, 1, scrapped=True, input_at=AT - timedelta(hours=2)),
        left(1, CASTING, 5, input_at=AT - timedelta(hours=2)),
    ]
    records[2].output_at = AT - timedelta(hours=1)
    seen = offers.pieces_by_process(of, records)
    before = {process.name: seen[process.id].scrapped_before for process in (CASTING, POLISHING)}
    assert before == {"Fundición": 1, "Pulido": 3}
    assert (seen[99].scrapped_before, seen[CASTING.id].completed) == (3, 5)
