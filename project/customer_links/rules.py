"""What a customer's page says about a line and a bill, and when a link is over. Does not use the database."""

from collections.abc import Collection
from datetime import date, datetime
from enum import StrEnum

from project.core.errors import Refusal
from project.orders.rules import COMPLETED, Status
from project.orders.ways import Way


class Stage(StrEnum):
    """The stage of a line, in a customer's words."""

    waiting = "waiting"
    in_production = "inProduction"
    ready = "ready"
    shipped = "shipped"
    canceled = "canceled"


class AnswerKind(StrEnum):
    """What a customer may say about a line: approve its sample, ask for a change, comment, or order it again."""

    approved = "approved"
    change = "change"
    comment = "comment"
    again = "again"


class RequestStatus(StrEnum):
    """The status of a request: open, approved, a change asked for by the customer, or withdrawn by the staff."""

    open = "open"
    approved = "approved"
    changed = "changed"
    withdrawn = "withdrawn"


CLOSES = {AnswerKind.approved: RequestStatus.approved, AnswerKind.change: RequestStatus.changed}
"""The kinds of answers that close an open request, and its status afterwards."""


class Paper(StrEnum):
    """The papers of a bill that a page may offer."""

    invoice = "invoice"
    packing_list = "packing-list"
    commercial_invoice = "commercial-invoice"
    certificate = "certificate-of-origin"


NEED_TEXT = frozenset({AnswerKind.change, AnswerKind.comment})
"""The kinds of answers that need a text."""


class LinkOver(Refusal):
    """The link was revoked, has expired, or its order was deleted or now belongs to another customer."""

    status = 404
    code = "link_over"


class NotRequested(Refusal):
    """The customer approves a line, but the staff have no open request for its approval."""

    code = "not_requested"


class AlreadyAnswered(Refusal):
    """The customer has answered the request, so it cannot be withdrawn."""

    code = "already_answered"


def is_over(
    *, expires_at: datetime, revoked_at: datetime | None, customer_id: int, of_order: int | None, now: datetime
) -> bool:
    """Return whether a link no longer works. `of_order`: the customer of the link's order; None without an order."""
    return revoked_at is not None or expires_at <= now or of_order not in (None, customer_id)


def address_of(token: str, *, site: str) -> str:
    """Return the address of a page. Browsers do not send the token, which is behind the `#`, to the server."""
    return f"{site}/#/c/{token}"


def stage_of(status: Status, *, good: int, shipped: int) -> Stage:
    """Return the stage of a line. `good`: pieces that may be delivered. `shipped`: pieces on issued bills.

    A line that is Done without a good piece counts as canceled, since no piece will come.
    """
    if status is Status.Canceled or (status in COMPLETED and good <= 0):
        return Stage.canceled
    if 0 < good <= shipped:
        return Stage.shipped
    if status in COMPLETED:
        return Stage.ready
    return Stage.in_production if status is Status.InProcess else Stage.waiting


def late_days(*, agreed: date | None, ready: date) -> int | None:
    """Return how many days after its `agreed` day an open line will be `ready`; None if the line is not late."""
    return (ready - agreed).days if agreed is not None and ready > agreed else None


def step_of(entered: Collection[int], way: Way | None) -> tuple[int, int] | None:
    """Return the step of its product's way that a line has reached (at least 1), and the number of steps.

    `entered`: the processes that pieces of the line have entered. All steps up to the last of these are reached, even
    if pieces skipped them. Returns None if the way is not known, or none of its processes is active.
    """
    steps = way.steps if way else ()
    if way is None or not steps:
        return None
    last = max((place for place, process in enumerate(way.processes) if process in entered), default=0)
    reached = sum(process not in way.inactive for process in way.processes[: last + 1])
    return max(1, reached), len(steps)


def papers_of(*, prices: bool, tariffs: bool, packed: bool, incoterm: bool, origin: bool) -> list[Paper]:
    """Return the papers of an issued bill that a page offers. Papers with amounts are only on pages that show prices.

    `tariffs`: each product has its tariff item. `packed`: the boxes hold all pieces. `incoterm`: the bill has one.
    `origin`: goods of the bill are certified.
    """
    offered = {
        Paper.invoice: prices,
        Paper.packing_list: tariffs and packed,
        Paper.commercial_invoice: prices and tariffs and incoterm,
        Paper.certificate: tariffs and origin,
    }
    return [paper for paper, is_offered in offered.items() if is_offered]
