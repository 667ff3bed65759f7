"""The rules of lines and movements: tables and arithmetic, no database and no clock (specification 2, section 4)."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from project.core.errors import InvalidFields, Refusal


class Status(StrEnum):
    """Statuses of lines and of orders, as the specification names them."""

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


FINISHED = (Status.Done, Status.Invoiced, Status.Canceled)
"""Nothing of a line in one of these can be late."""


class IllegalStatus(Refusal):
    code = "illegal_status"


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


class HasMovements(Refusal):
    code = "has_movements"


class QuantityInUse(Refusal):
    """The quantity must be at least `minimum`."""

    code = "quantity_in_use"


class NoItems(InvalidFields):
    code = "no_items"


class StatusNotHere(InvalidFields):
    code = "status_not_here"


# What a line may become, by its own status and its order's: the specification's table, row by row. The first
# row is widened by the contract, since otherwise the second line of an order could never be approved.
LINE_STATUS_OFFERS: dict[Status, dict[frozenset[Status], tuple[Status, ...]]] = {
    Status.New: {
        frozenset({Status.New, Status.PartiallyApproved, Status.InProcess}): (
            Status.Approved,
            Status.Canceled,
        ),
    },
    Status.Approved: {
        frozenset({Status.New, Status.PartiallyApproved}): (Status.Canceled, Status.Done),
        frozenset({Status.Approved}): (Status.Canceled,),
    },
    Status.InProcess: {
        frozenset({Status.New, Status.PartiallyApproved, Status.InProcess}): (Status.Done, Status.Canceled),
    },
    Status.Done: {frozenset({Status.Done}): (Status.InProcess,)},
    Status.Canceled: {},
    Status.Invoiced: {},
}


def offered(line: Status, order: Status) -> tuple[Status, ...]:
    """The statuses offered for a line in `line` of an order in `order`."""
    for orders, statuses in LINE_STATUS_OFFERS[line].items():
        if order in orders:
            return statuses
    return ()


def status_to_take(line: Status, order: Status, asked: str, *, quantity_inside: int) -> Status:
    """The status that the line takes. Raises `IllegalStatus`, `StillInside`."""
    if asked not in offered(line, order):
        raise IllegalStatus(status=line, asked=asked)
    taken = Status(asked)
    if taken is Status.Done and quantity_inside:
        raise StillInside(quantityInside=quantity_inside)
    return taken


def order_status(lines: Iterable[Status]) -> Status:
    """The status of an order, derived from its lines' (contract, section 4)."""
    open_lines = {status for status in lines if status is not Status.Canceled}
    if not open_lines:
        return Status.Canceled
    if open_lines == {Status.Invoiced}:
        return Status.Invoiced
    if open_lines <= {Status.Done, Status.Invoiced}:
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
        return max(0, min(self.quantity - self.inside_anywhere, self.quantity - self.completed - self.inside))


def pieces_to_enter(status: Status, pieces: Pieces, asked: int | None, *, process: str) -> int:
    """How many pieces enter; `asked` None means all that may.

    Raises `LineNotApproved`, `AlreadyCompleted`, `NotEnoughPieces`.
    """
    if status not in (Status.Approved, Status.InProcess):
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


def after_billing(status: Status, *, quantity: int, billed: int) -> Status:
    """The status of a line of which `billed` pieces are billed now: fully billed is Invoiced, less is Done again."""
    if status is Status.Done and billed == quantity:
        return Status.Invoiced
    if status is Status.Invoiced and billed < quantity:
        return Status.Done
    return status


def check_editable(status: Status) -> None:
    """Raises `LineClosed` for a line that can no longer be changed."""
    if status in (Status.Canceled, Status.Invoiced):
        raise LineClosed(status=status)


def check_quantity(quantity: int, *, inside: int, in_one_process: int, billed: int) -> None:
    """Raises `QuantityInUse` for a quantity below what is inside, in or through one process, or billed."""
    minimum = max(inside, in_one_process, billed)
    if quantity < minimum:
        raise QuantityInUse(minimum=minimum)
