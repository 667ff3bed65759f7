"""Rules of statuses, movements and releases of lines (infra/docs/rules.md#orders). Uses no database and no clock."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from project.catalogs.terms import ENTRY_ERROR
from project.core.errors import InvalidFields, Refusal
from project.metal.rules import NOT_WEIGHED, Weights


@dataclass(frozen=True)
class ScrappedPart:
    """The part of an exit that leaves as scrap. `reason`: a reason's key. `photo`: a photo's stored name, or empty."""

    quantity: int
    reason: str
    notes: str = ""
    weights: Weights = NOT_WEIGHED
    photo: str = ""


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
"""Statuses of a line with all pieces done."""
FINISHED = (*COMPLETED, Status.Canceled)
"""Statuses in which a line is never late."""
LONG_INSIDE = timedelta(days=1)
"""Pieces that are inside one process for longer than this need attention."""
LIKELY_LATE = 0.6
"""A line is likely late if the chance that it is late is at least this in its present forecast.

The bell rings once that was so in two forecasts, an hour apart (`forecasts.rules`).
"""
DOUBTFUL = 0.2
"""Up to this chance to be late the risk of a line is low: the day that is kept in 4 of 5 is not after its delivery."""
LIKELY_LATE_PERCENT, DOUBTFUL_PERCENT = round(100 * LIKELY_LATE), round(100 * DOUBTFUL) + 1
"""The least chance to be late, in whole percent, at which the risk is high or medium."""


def quantity_done(status: str, quantity: int) -> int:
    """Count the done pieces of a line: all of them if it is Done or Invoiced, else 0. A line is finished as a whole."""
    return quantity if status in COMPLETED else 0


def is_late(status: Status, delivery_date: date | None, today: date) -> bool:
    """Say whether a line is late: it is not finished, and its delivery date is before `today`, a day of the plant."""
    return delivery_date is not None and delivery_date < today and status not in FINISHED


def promised(first: date | None, before: date | None, written: date | None) -> date | None:
    """Return the delivery date that was promised first.

    `first`: the stored one; None in lines of an older release. `before`: the delivery date so far. `written`: the new
    one.
    """
    return first or before or written


def done_at(before: datetime | None, status: str, now: datetime) -> datetime | None:
    """Return when a line became Done; None if `status` is neither Done nor Invoiced. `before`: the stored instant."""
    return (before or now) if status in COMPLETED else None


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
    """The caller asked for more pieces than can be moved: only `available` can."""

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


class RecordReleased(Refusal):
    code = "record_released"


class NothingToSign(Refusal):
    """The record has nothing to sign for: no loss above the allowed one and no missing metal, or it is signed."""

    code = "nothing_to_sign"


class AllScrapped(Refusal):
    """Every piece of the line was scrapped, so that none is left to move."""

    code = "all_scrapped"


class AlreadyReplaced(Refusal):
    """Scrapped pieces cannot be taken back, because new pieces are being made in their place."""

    code = "already_replaced"


class AlreadyBilled(Refusal):
    """Pieces of the line or order are on a bill, which must be canceled first; or the bill itself is already issued."""

    code = "already_billed"


class TooLate(Refusal):
    """More than `minutes` have passed since the movement. It can no longer be undone, but it can be released."""

    code = "too_late"


class WithoutAlloy(Refusal):
    """The line's product has no alloy, so its pieces cannot be weighed together with those of other lines."""

    code = "without_alloy"


class NotYours(Refusal):
    code = "not_yours"


class AlreadyUndone(Refusal):
    code = "already_undone"


class NotUndoable(Refusal):
    """The press cannot be undone, because it released or weighed pieces, or took back another press."""

    code = "not_undoable"


class HasMovements(Refusal):
    code = "has_movements"


class QuantityInUse(Refusal):
    """The new quantity of the line is too small. It must be at least `minimum`."""

    code = "quantity_in_use"


class NoItems(InvalidFields):
    code = "no_items"


class StatusNotHere(InvalidFields):
    code = "status_not_here"


ANY_ORDER = frozenset(Status)

# The statuses that a line may take, by its own status and its order's: see infra/docs/rules.md#statuses. A New line may
# be approved while its order is InProcess: without that, no second line of an order could be approved once the first
# one moved. An Approved line may be canceled while its order is InProcess. A Done line may return to InProcess whatever
# its order's status is, so that a mistake can always be corrected.
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

# Statuses that a line cannot take while pieces are inside a process, or billed. A line with billed pieces cannot even
# return to InProcess, because from there it could be canceled.
KEPT_OUT_BY_INSIDE = frozenset({Status.Done})
KEPT_OUT_BY_BILLED = frozenset({Status.Canceled, Status.InProcess})


def _in_the_table(line: Status, order: Status) -> tuple[Status, ...]:
    for orders, statuses in LINE_STATUS_OFFERS[line].items():
        if order in orders:
            return statuses
    return ()


def offered(line: Status, order: Status, *, inside: int = 0, billed: int = 0) -> tuple[Status, ...]:
    """Return the statuses that a line may take next.

    `line` and `order`: the current statuses. `inside` and `billed`: how many of the line's pieces are inside processes,
    and billed.
    """
    return tuple(
        status
        for status in _in_the_table(line, order)
        if not ((inside and status in KEPT_OUT_BY_INSIDE) or (billed and status in KEPT_OUT_BY_BILLED))
    )


def status_to_take(line: Status, order: Status, asked: str, *, inside: int, billed: int) -> Status:
    """Return the status `asked` if the line may take it. Raises `AlreadyBilled`, `IllegalStatus`, `StillInside`."""
    if billed and asked == Status.Canceled:
        raise AlreadyBilled(quantityBilled=billed)
    if asked not in _in_the_table(line, order):
        raise IllegalStatus(status=line, asked=asked)
    if billed and asked in KEPT_OUT_BY_BILLED:
        raise AlreadyBilled(quantityBilled=billed)
    if inside and asked in KEPT_OUT_BY_INSIDE:
        raise StillInside(quantityInside=inside)
    return Status(asked)


UNSEEN_BY_CUSTOMERS = frozenset({Status.New, Status.Canceled})
"""Statuses of an order without an approved line: customers do not see it. They see no New line of other orders."""


def order_status(lines: Iterable[Status]) -> Status:
    """Derive the status of an order from the statuses of its lines (infra/docs/rules.md#statuses)."""
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
    """Counts of a line's pieces, seen from one process.

    `quantity`: to be made, including the pieces that replace scrapped ones. `inside_anywhere`: inside any process.
    `inside`: inside this process. `completed`: have left this process. `scrapped`: scrapped in any process.
    `scrapped_before`: the scrapped pieces that never completed this process, because they were scrapped in it or on the
    way to it.
    """

    quantity: int
    inside_anywhere: int
    inside: int
    completed: int
    scrapped: int = 0
    scrapped_before: int = 0

    @property
    def may_enter(self) -> int:
        """Pieces that are not inside any process and have not completed this one."""
        return max(0, min(self.quantity - self.scrapped - self.inside_anywhere, self.not_been_here))

    @property
    def not_been_here(self) -> int:
        """Pieces that are not inside this process and have not completed it. They may be inside another process.

        Pieces that were scrapped in this process or on the way to it do not count.
        """
        return max(0, self.quantity - self.scrapped_before - self.completed - self.inside)


class Side(StrEnum):
    """The part of a record that is moved or taken back: its entry, its exit, or both."""

    entry = "in"
    exit = "out"
    both = "both"


class CallKind(StrEnum):
    """What a worker calls for at a line: material is missing, they have a question, or the line must stop.

    A call moves no pieces and refuses nothing.
    """

    missing = "missing"
    question = "question"
    stop = "stop"


class MovementSide(StrEnum):
    """What pieces do in a movement: they enter, leave, leave as scrap, are weighed later, or are made again."""

    entry = "in"
    exit = "out"
    scrap = "scrap"
    weigh = "weigh"
    remake = "replace"


class PressKind(StrEnum):
    """What a person did with one press."""

    move = "move"
    hand_over = "handOver"
    scrap = "scrap"
    remake = "replace"
    release = "release"
    undo = "undo"
    weigh = "weigh"


UNDOABLE = frozenset({PressKind.move, PressKind.hand_over, PressKind.scrap, PressKind.remake})


def check_mover(side: Side, *, works_there: bool, active: bool) -> None:
    """Check that the caller works in the process and, for an entry, that it is active.

    Pieces may leave an inactive process. Raises `NotYourProcess`. A line's offers already leave out entries into
    inactive processes, and `presenters.mask` leaves out processes that the user does not work in.
    """
    if not works_there or (side is Side.entry and not active):
        raise NotYourProcess


def pieces_to_enter(status: Status, pieces: Pieces, asked: int | None, *, process: str) -> int:
    """Return how many pieces enter the process. `asked` None: all that may enter.

    Raises `LineNotApproved`, `AllScrapped`, `AlreadyCompleted`, `NotEnoughPieces`.
    """
    if status not in MAY_BE_ENTERED:
        raise LineNotApproved(status=status)
    if pieces.scrapped >= pieces.quantity:
        raise AllScrapped
    if pieces.completed + pieces.scrapped_before >= pieces.quantity:
        raise AlreadyCompleted(productionProcessName=process)
    if pieces.may_enter < (asked or 1):
        raise NotEnoughPieces(available=pieces.may_enter)
    return asked or pieces.may_enter


def pieces_to_leave(pieces: Pieces, asked: int | None, *, process: str) -> int:
    """Return how many pieces leave the process.

    `asked` None: all that are inside. Raises `NotInside`, `NotEnoughPieces`.
    """
    if not pieces.inside:
        raise NotInside(productionProcessName=process)
    if pieces.inside < (asked or 1):
        raise NotEnoughPieces(available=pieces.inside)
    return asked or pieces.inside


def is_rework(release_reason: str | None) -> bool:
    """Say whether pieces were released to be made again. Without a reason, a release corrects a mistake."""
    return release_reason not in (None, ENTRY_ERROR)


def check_scrap(*, inside: int, billed: int) -> None:
    """Raise `AlreadyBilled` if pieces of the line are billed and no piece is inside a process any more."""
    if billed and not inside:
        raise AlreadyBilled(quantityBilled=billed)


def most_to_hand_over(here: Pieces, there: Pieces) -> int:
    """Return how many pieces may leave `here` and enter `there` in one step, judged only by where the pieces are."""
    return min(here.inside, there.not_been_here)


def after_billing(status: Status, *, quantity: int, billed: int) -> Status:
    """Return the line's status when `billed` of its `quantity` good pieces are billed.

    Done becomes Invoiced once all pieces are billed. Invoiced becomes Done once some pieces are not billed.
    """
    if status is Status.Done and billed and billed == quantity:
        return Status.Invoiced
    if status is Status.Invoiced and billed < quantity:
        return Status.Done
    return status


def release_refusal(status: Status, side: Side, *, billed: int) -> Refusal | None:
    """Return why the line's status or bills forbid taking back this side of a record; None if they allow it."""
    if status is Status.Invoiced or (status is Status.Canceled and side is Side.exit):
        return LineClosed(status=status)
    return AlreadyBilled(quantityBilled=billed) if billed else None


def after_release(status: Status) -> Status:
    """Return the line's status after a movement was taken back: Done becomes InProcess, other statuses stay."""
    return Status.InProcess if status is Status.Done else status


def after_undo(status: Status, *, moved: bool) -> Status:
    """Return the line's status after a movement was undone.

    `moved`: the line has a record that was not undone. Without one, an InProcess line becomes Approved again.
    """
    released = after_release(status)
    return Status.Approved if released is Status.InProcess and not moved else released


MAY_BE_ENTERED = frozenset({Status.Approved, Status.InProcess})
CLOSED_TO_CHANGES = frozenset({Status.Canceled, Status.Invoiced})


def check_editable(status: Status) -> None:
    """Raise `LineClosed` for a line that can no longer be changed."""
    if status in CLOSED_TO_CHANGES:
        raise LineClosed(status=status)


def pieces_to_replace(status: Status, asked: int, *, scrapped: int, replaced: int, billed: int) -> int:
    """Return `asked` if so many scrapped pieces may be made again.

    Raises `AlreadyBilled`, `LineClosed`, `NotEnoughPieces`.
    """
    if billed:
        raise AlreadyBilled(quantityBilled=billed)
    check_editable(status)
    if asked > scrapped - replaced:
        raise NotEnoughPieces(available=scrapped - replaced)
    return asked


def check_quantity(
    quantity: int, *, inside: int, in_one_process: int, billed: int, scrapped: int = 0, replaced: int = 0
) -> None:
    """Raise `QuantityInUse` if the new `quantity` of a line is too small.

    `quantity` and the `replaced` pieces together must be at least each of these numbers: the pieces inside processes
    plus the scrapped ones, the pieces that have entered the same process, the billed pieces plus the scrapped ones.
    """
    minimum = max(inside + scrapped, in_one_process, billed + scrapped) - replaced
    if quantity < minimum:
        raise QuantityInUse(minimum=minimum)
