"""The rules of lines and movements, case by case, with the params of each refusal."""

from datetime import date
from typing import Any

import pytest

from project.core.errors import Refusal
from project.orders import rules
from project.orders.rules import Pieces, Side, Status

OPEN = {Status.New, Status.PartiallyApproved, Status.Approved, Status.InProcess}


def refused(by: type[Refusal], rule: Any, *given: Any, **named: Any) -> dict[str, Any]:
    """Return the params of the refusal that `rule` raises."""
    with pytest.raises(by) as raised:
        rule(*given, **named)
    return dict(raised.value.params)


@pytest.mark.parametrize("status", Status)
def test_all_pieces_of_a_done_line_count_as_done(status: Status) -> None:
    assert rules.quantity_done(status, 7) == (7 if status in ("Done", "Invoiced") else 0)


@pytest.mark.parametrize("status", Status)
def test_open_line_is_late_from_the_day_after_its_delivery_date(status: Status) -> None:
    today = date(2026, 3, 10)
    assert rules.is_late(status, date(2026, 3, 9), today) == (status in OPEN)
    assert not rules.is_late(status, today, today)
    assert not rules.is_late(status, None, today)


def test_refused_status_carries_the_reason() -> None:
    take = rules.status_to_take
    assert refused(rules.IllegalStatus, take, Status.Canceled, Status.New, "Approved", inside=0, billed=0) == {
        "status": "Canceled",
        "asked": "Approved",
    }
    assert refused(rules.AlreadyBilled, take, Status.Invoiced, Status.Invoiced, "Canceled", inside=0, billed=4) == {
        "quantityBilled": 4
    }
    assert refused(rules.AlreadyBilled, take, Status.Done, Status.Done, "InProcess", inside=0, billed=3) == {
        "quantityBilled": 3
    }
    assert refused(rules.StillInside, take, Status.InProcess, Status.InProcess, "Done", inside=2, billed=0) == {
        "quantityInside": 2
    }


@pytest.mark.parametrize(
    ("quantity", "anywhere", "inside", "completed", "may_enter", "not_been_here"),
    [
        (10, 0, 0, 0, 10, 10),
        (10, 4, 4, 0, 6, 6),
        (10, 4, 0, 0, 6, 10),
        (10, 0, 0, 3, 7, 7),
        (10, 6, 2, 3, 4, 5),
        (10, 8, 1, 3, 2, 6),
        (10, 10, 0, 0, 0, 10),
        (10, 0, 0, 10, 0, 0),
        (5, 8, 4, 4, 0, 0),
    ],
)
def test_pieces_may_enter_if_inside_nowhere_and_not_completed_here(
    quantity: int, anywhere: int, inside: int, completed: int, may_enter: int, not_been_here: int
) -> None:
    pieces = Pieces(quantity, anywhere, inside, completed)
    assert (pieces.may_enter, pieces.not_been_here) == (may_enter, not_been_here)


def test_asked_pieces_or_all_free_ones_enter() -> None:
    pieces = Pieces(quantity=10, inside_anywhere=4, inside=4, completed=0)
    for status in (Status.Approved, Status.InProcess):
        assert rules.pieces_to_enter(status, pieces, None, process="Fundición") == 6
        assert rules.pieces_to_enter(status, pieces, 1, process="Fundición") == 1
        assert rules.pieces_to_enter(status, pieces, 6, process="Fundición") == 6
        assert rules.pieces_to_enter(status, Pieces(10, 9, 0, 0), None, process="Fundición") == 1


@pytest.mark.parametrize(
    ("status", "pieces", "asked", "by", "params"),
    [
        *((status, Pieces(10, 0, 0, 0), 1, rules.LineNotApproved, {"status": status})
          for status in Status if status not in ("Approved", "InProcess")),
        (Status.InProcess, Pieces(10, 0, 0, 10), 1, rules.AlreadyCompleted, {"productionProcessName": "Pulido"}),
        (Status.InProcess, Pieces(10, 0, 0, 11), None, rules.AlreadyCompleted, {"productionProcessName": "Pulido"}),
        (Status.InProcess, Pieces(10, 10, 0, 0), None, rules.NotEnoughPieces, {"available": 0}),
        (Status.Approved, Pieces(10, 4, 0, 0), 7, rules.NotEnoughPieces, {"available": 6}),
    ],
)  # fmt: skip
def test_pieces_that_may_not_enter_are_refused_with_params(
    status: Status, pieces: Pieces, asked: int | None, by: type[Refusal], params: dict[str, Any]
) -> None:
    assert refused(by, rules.pieces_to_enter, status, pieces, asked, process="Pulido") == params


def test_asked_pieces_or_all_inside_leave() -> None:
    pieces = Pieces(quantity=10, inside_anywhere=6, inside=4, completed=2)
    assert rules.pieces_to_leave(pieces, None, process="Pulido") == 4
    assert rules.pieces_to_leave(pieces, 1, process="Pulido") == 1
    assert rules.pieces_to_leave(pieces, 4, process="Pulido") == 4
    assert rules.pieces_to_leave(Pieces(10, 6, 1, 2), None, process="Pulido") == 1
    assert refused(rules.NotEnoughPieces, rules.pieces_to_leave, pieces, 5, process="Pulido") == {"available": 4}
    nowhere = Pieces(quantity=10, inside_anywhere=6, inside=0, completed=2)
    for asked in (None, 1):
        assert refused(rules.NotInside, rules.pieces_to_leave, nowhere, asked, process="Pulido") == {
            "productionProcessName": "Pulido"
        }


@pytest.mark.parametrize(("inside", "there", "most"), [(4, 10, 4), (4, 3, 3), (0, 10, 0), (4, 0, 0)])
def test_hand_over_is_limited_to_pieces_inside_here_that_were_not_there(inside: int, there: int, most: int) -> None:
    here = Pieces(quantity=10, inside_anywhere=inside, inside=inside, completed=0)
    assert rules.most_to_hand_over(here, Pieces(10, inside, 0, 10 - there)) == most


@pytest.mark.parametrize(
    ("status", "billed", "after"),
    [
        (Status.Done, 10, Status.Invoiced),
        (Status.Done, 9, Status.Done),
        (Status.Invoiced, 9, Status.Done),
        (Status.Invoiced, 0, Status.Done),
        (Status.Invoiced, 10, Status.Invoiced),
        *((status, billed, status) for status in sorted(OPEN | {Status.Canceled}) for billed in (0, 9, 10)),
    ],
)
def test_fully_billed_done_line_is_invoiced(status: Status, billed: int, after: Status) -> None:
    assert rules.after_billing(status, quantity=10, billed=billed) is after


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("status", Status)
def test_record_of_a_closed_or_billed_line_cannot_be_released(status: Status, side: Side) -> None:
    closed = status is Status.Invoiced or (status is Status.Canceled and side is Side.exit)
    for billed in (0, 3):
        refusal = rules.release_refusal(status, side, billed=billed)
        if closed:
            assert (type(refusal), refusal and refusal.params) == (rules.LineClosed, {"status": status})
        elif billed:
            assert (type(refusal), refusal and refusal.params) == (rules.AlreadyBilled, {"quantityBilled": 3})
        else:
            assert refusal is None


@pytest.mark.parametrize("status", Status)
def test_done_line_is_in_process_after_a_release_or_undo(status: Status) -> None:
    released = Status.InProcess if status is Status.Done else status
    assert rules.after_release(status) is released
    assert rules.after_undo(status, moved=True) is released
    begun = Status.Approved if released is Status.InProcess else released
    assert rules.after_undo(status, moved=False) is begun


@pytest.mark.parametrize("status", Status)
def test_canceled_or_invoiced_line_cannot_be_edited(status: Status) -> None:
    if status in ("Canceled", "Invoiced"):
        assert refused(rules.LineClosed, rules.check_editable, status) == {"status": status}
    else:
        rules.check_editable(status)


@pytest.mark.parametrize("counts", [(5, 3, 2), (3, 5, 2), (2, 3, 5)])
def test_quantity_covers_pieces_inside_completed_or_billed(counts: tuple[int, int, int]) -> None:
    inside, through, billed = counts
    in_use = {"inside": inside, "in_one_process": through, "billed": billed}
    rules.check_quantity(5, **in_use)
    assert refused(rules.QuantityInUse, rules.check_quantity, 4, **in_use) == {"minimum": 5}
