"""The rules of lines and movements: tables and arithmetic, no database and no clock (infra/docs/rules.md#orders)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from project.core.errors import InvalidFields, Refusal


class Status(StrEnum):
    """Statuses of lines and of orders, by their public names."""

    New = "New"
    PartiallyApproved = "PartiallyApproved"
    Approved = "Approved"
    InProcess = "InProcess"
    Done = "Done"
    Canceled = "Canceled"
    Invoiced = "Invoiced"


LINE_STATUSES = (
    Status.New,
    Status.Approved,
    Status.InProcess,
    Status.Done,
    Status.Canceled,
    Status.Invoiced,
)


COMPLETED = (Status.Done, Status.Invoiced)
"""All pieces of a line in one of these are done."""
FINISHED = (*COMPLETED, Status.Canceled)
"""Nothing of a line in one of these can be late."""
LONG_INSIDE = timedelta(days=1)
"""Pieces that are inside one process for longer are to be seen to."""


def quantity_done(status: str, quantity: int) -> int:
    """Pieces that are done: all of a line or none, as it is finished as a whole."""
    return quantity if status in COMPLETED else 0


def is_late(status: Status, delivery_date: date | None, today: date) -> bool:
    """Open past its delivery date, in the plant's days."""
    return delivery_date is not None and delivery_date < today and status not in FINISHED


class IllegalStatus(Refusal):
    code = "illegal_status"


class NothingToApprove(Refusal):
    """No line of the order may be approved now."""

    code = "nothing_to_approve"


class StillInside(Refusal):
    code = "still_inside"


class LineClosed(Refusal):
    code = "line_closed"


class LineNotApproved(Refusal):
    code = "line_not_approved"


class NotYourProcess(Refusal):
    status = 403
    code = "not_your_process"


class NotEnoughPieces(Refusal):
    """`available` pieces could be moved."""

    code = "not_enough_pieces"


class AlreadyCompleted(Refusal):
    code = "already_completed"


class NotInside(Refusal):
    code = "not_inside"


class ExitFirst(Refusal):
    code = "exit_first"


class NothingToRelease(Refusal):
    code = "nothing_to_release"


class AlreadyPaid(Refusal):
    code = "already_paid"


class AlreadyBilled(Refusal):
    """Pieces of the line, or of the order, stand on a bill: cancel that first."""

    code = "already_billed"


class TooLate(Refusal):
    """`minutes` after a movement it is no longer undone: it is released."""

    code = "too_late"


class NotYours(Refusal):
    code = "not_yours"


class AlreadyUndone(Refusal):
    code = "already_undone"


class HasMovements(Refusal):
    code = "has_movements"


class QuantityInUse(Refusal):
    """The quantity must be at least `minimum`."""

    code = "quantity_in_use"


class NoItems(InvalidFields):
    code = "no_items"


class StatusNotHere(InvalidFields):
    code = "status_not_here"


ANY_ORDER = frozenset(Status)

# What a line may become, by its own status and its order's: see infra/docs/rules.md#statuses.
# A New line may be approved beside one that moves, since otherwise the second line of an order never could;
# an Approved line may be canceled beside one that moves, and a Done line goes back to work whatever its order is in,
# since a mistake is never final.
LINE_STATUS_OFFERS: dict[Status, dict[frozenset[Status], tuple[Status, ...]]] = {
    Status.New: {
        frozenset({Status.New, Status.PartiallyApproved, Status.InProcess}): (
            Status.Approved,
            Status.Canceled,
        ),
    },
    Status.Approved: {
        frozenset({Status.New, Status.PartiallyApproved}): (Status.Canceled, Status.Done),
        frozenset({Status.Approved, Status.InProcess}): (Status.Canceled,),
    },
    Status.InProcess: {
        frozenset({Status.New, Status.PartiallyApproved, Status.InProcess}): (Status.Done, Status.Canceled),
    },
    Status.Done: {ANY_ORDER: (Status.InProcess,)},
    Status.Canceled: {},
    Status.Invoiced: {},
}

# What pieces stand in the way of: those inside keep a line from being Done. Those billed keep it from being Canceled,
# and from every status out of which it could be.
KEPT_OUT_BY_INSIDE = frozenset({Status.Done})
KEPT_OUT_BY_BILLED = frozenset({Status.Canceled, Status.InProcess})


def _in_the_table(line: Status, order: Status) -> tuple[Status, ...]:
    for orders, statuses in LINE_STATUS_OFFERS[line].items():
        if order in orders:
            return statuses
    return ()


def offered(line: Status, order: Status, *, inside: int = 0, billed: int = 0) -> tuple[Status, ...]:
    """The statuses offered for a line in `line` of an order in `order`, with so many pieces inside and billed."""
    return tuple(
        status
        for status in _in_the_table(line, order)
        if not ((inside and status in KEPT_OUT_BY_INSIDE) or (billed and status in KEPT_OUT_BY_BILLED))
    )


def status_to_take(line: Status, order: Status, asked: str, *, inside: int, billed: int) -> Status:
    """The status that the line takes: one that is offered. Raises `AlreadyBilled`, `IllegalStatus`, `StillInside`."""
    if billed and asked == Status.Canceled:
        raise AlreadyBilled(quantityBilled=billed)
    if asked not in _in_the_table(line, order):
        raise IllegalStatus(status=line, asked=asked)
    if billed and asked in KEPT_OUT_BY_BILLED:
        raise AlreadyBilled(quantityBilled=billed)
    if inside and asked in KEPT_OUT_BY_INSIDE:
        raise StillInside(quantityInside=inside)
    return Status(asked)


def order_status(lines: Iterable[Status]) -> Status:
    """The status of an order, derived from its lines' (infra/docs/rules.md#statuses)."""
    open_lines = {status for status in lines if status is not Status.Canceled}
    if not open_lines:
        return Status.Canceled
    if open_lines == {Status.Invoiced}:
        return Status.Invoiced
    if open_lines <= {*COMPLETED}:
        return Status.Done
    if Status.InProcess in open_lines:
        return Status.InProcess
    if open_lines == {Status.New}:
        return Status.New
    return Status.PartiallyApproved if Status.New in open_lines else Status.Approved


@dataclass(frozen=True)
class Pieces:
    """Where a line's pieces are, seen from one process: counts of pieces."""

    quantity: int
    inside_anywhere: int
    inside: int
    completed: int

    @property
    def may_enter(self) -> int:
        """Pieces that are not inside any process and have not completed this one."""
        return max(0, min(self.quantity - self.inside_anywhere, self.not_been_here))

    @property
    def not_been_here(self) -> int:
        """Pieces that are not inside this process and have not completed it, wherever they are."""
        return max(0, self.quantity - self.completed - self.inside)


class Side(StrEnum):
    """A side of a record that is moved or taken back: its entry, its exit, or both at once."""

    entry = "in"
    exit = "out"
    both = "both"


def check_mover(side: Side, *, works_there: bool, active: bool) -> None:
    """Who works in a process brings pieces into it while it is active, and takes them out at any time.

    Raises `NotYourProcess`. The offers of a line leave out entries into inactive processes; the mask leaves out the
    processes in which one does not work.
    """
    if not works_there or (side is Side.entry and not active):
        raise NotYourProcess


def pieces_to_enter(status: Status, pieces: Pieces, asked: int | None, *, process: str) -> int:
    """How many pieces enter; `asked` None means all that may.

    Raises `LineNotApproved`, `AlreadyCompleted`, `NotEnoughPieces`.
    """
    if status not in MAY_BE_ENTERED:
        raise LineNotApproved(status=status)
    if pieces.completed >= pieces.quantity:
        raise AlreadyCompleted(productionProcessName=process)
    if pieces.may_enter < (asked or 1):
        raise NotEnoughPieces(available=pieces.may_enter)
    return asked or pieces.may_enter


def pieces_to_leave(pieces: Pieces, asked: int | None, *, process: str) -> int:
    """How many pieces leave; `asked` None means all inside. Raises `NotInside`, `NotEnoughPieces`."""
    if not pieces.inside:
        raise NotInside(productionProcessName=process)
    if pieces.inside < (asked or 1):
        raise NotEnoughPieces(available=pieces.inside)
    return asked or pieces.inside


def most_to_hand_over(here: Pieces, there: Pieces) -> int:
    """How many of the pieces inside `here` may leave it and enter `there` at once, as far as their places go."""
    return min(here.inside, there.not_been_here)


def after_billing(status: Status, *, quantity: int, billed: int) -> Status:
    """The status of a line of which `billed` pieces are billed now: fully billed is Invoiced, less is Done again."""
    if status is Status.Done and billed == quantity:
        return Status.Invoiced
    if status is Status.Invoiced and billed < quantity:
        return Status.Done
    return status


def release_refusal(status: Status, side: Side, *, billed: int) -> Refusal | None:
    """Why nothing of a line can be taken back on this side; None where it can."""
    if status is Status.Invoiced or (status is Status.Canceled and side is Side.exit):
        return LineClosed(status=status)
    return AlreadyBilled(quantityBilled=billed) if billed else None


def after_release(status: Status) -> Status:
    """The status of a line of which a movement was taken back: a Done one is in process again."""
    return Status.InProcess if status is Status.Done else status


def after_undo(status: Status, *, moved: bool) -> Status:
    """The same where a movement was undone. Unless anything else was ever `moved`, the line has not begun."""
    released = after_release(status)
    return Status.Approved if released is Status.InProcess and not moved else released


MAY_BE_ENTERED = frozenset({Status.Approved, Status.InProcess})
CLOSED_TO_CHANGES = frozenset({Status.Canceled, Status.Invoiced})


def check_editable(status: Status) -> None:
    """Raises `LineClosed` for a line that can no longer be changed."""
    if status in CLOSED_TO_CHANGES:
        raise LineClosed(status=status)


def check_quantity(quantity: int, *, inside: int, in_one_process: int, billed: int) -> None:
    """Raises `QuantityInUse` for a quantity below what is inside, in or through one process, or billed."""
    minimum = max(inside, in_one_process, billed)
    if quantity < minimum:
        raise QuantityInUse(minimum=minimum)
