"""What an order says of its lines in figures. Pure: no database, no clock."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import floor

from project.orders.rules import FINISHED, Status


@dataclass(frozen=True)
class LineFigures:
    """What of a line counts in its order."""

    status: Status
    quantity: int
    quantity_done: int
    late: bool
    delivery_date: date | None


@dataclass(frozen=True)
class OrderFigures:
    """An order's lines in figures; quantities are pieces, those of canceled lines left out.

    `first_delivery_date` is the next one of what is open, of all that is not canceled once nothing is.
    """

    lines_count: int = 0
    open_lines_count: int = 0
    late_lines_count: int = 0
    quantity: int = 0
    quantity_done: int = 0
    first_delivery_date: date | None = None


def order_figures(lines: Sequence[LineFigures]) -> OrderFigures:
    """The figures of an order with these lines. The client has the same function; both are tested over
    `tests/contract/figures.json`."""
    counted = [line for line in lines if line.status != Status.Canceled]
    still_open = [line for line in counted if line.status not in FINISHED]
    days = [line.delivery_date for line in still_open or counted if line.delivery_date is not None]
    return OrderFigures(
        lines_count=len(lines),
        open_lines_count=len(still_open),
        late_lines_count=sum(line.late for line in still_open),
        quantity=sum(line.quantity for line in counted),
        quantity_done=sum(line.quantity_done for line in counted),
        first_delivery_date=min(days, default=None),
    )


def progress(done: int, on_the_way: Mapping[int, int], pieces: int) -> float:
    """How far an order is, between 0 and 1, to four places: a finished piece is 1, another one the share of its
    product's usual processes that it has left.

    `on_the_way`: of products with so many usual processes, how often an unfinished piece has left one of them. The
    client has the same function; both are tested over `tests/contract/progress.json`.
    """
    part = done + sum(left / usual for usual, left in sorted(on_the_way.items()))
    return floor(10_000 * part / pieces + 0.5) / 10_000 if pieces else 0.0


def waiting(may_enter: Iterable[tuple[int, int]], usual: Collection[int] | None) -> dict[int, int]:
    """Where a line's free pieces wait: process → pieces, each at the first one that it has not been in.

    `may_enter` says, in the order of the processes, which take pieces now and how many; `usual` which of them the
    product takes, None where that is not known. The client has the same function; both are tested over
    `tests/contract/waiting.json`.
    """
    found: dict[int, int] = {}
    earlier = 0
    for process, pieces in may_enter:
        # Who waits for an earlier process has not been in this one either.
        if (usual is None or process in usual) and pieces > earlier:
            found[process] = pieces - earlier
            earlier = pieces
    return found
