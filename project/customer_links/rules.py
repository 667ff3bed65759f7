"""What a customer's page says of a line and a bill, and when a link is over. Does not use the database."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from project.core.errors import Refusal
from project.orders.rules import COMPLETED, Status


class Stage(StrEnum):
    """Where a line is, in a customer's words."""

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


class Paper(StrEnum):
    """The papers of a bill that a page may offer."""

    invoice = "invoice"
    packing_list = "packing-list"
    commercial_invoice = "commercial-invoice"


NEED_TEXT = frozenset({AnswerKind.change, AnswerKind.comment})
"""Answers that say nothing without a text."""


class LinkOver(Refusal):
    """The link was revoked, has expired, or its order now belongs to another customer."""

    status = 404
    code = "link_over"


class TooManyCalls(Refusal):
    """A page was loaded, or answers were sent, too often through one link."""

    status = 429
    code = "too_many_calls"


def is_over(
    *, expires_at: datetime, revoked_at: datetime | None, customer_id: int, of_order: int | None, now: datetime
) -> bool:
    """Return whether a link opens nothing any more. `of_order`: the customer of the order that it shows, if one."""
    return revoked_at is not None or expires_at <= now or of_order not in (None, customer_id)


def stage_of(status: Status, *, good: int, shipped: int) -> Stage:
    """Return the stage of a line. `good`: its pieces that may be delivered. `shipped`: its pieces on issued bills."""
    if status is Status.Canceled:
        return Stage.canceled
    if 0 < good <= shipped:
        return Stage.shipped
    if status in COMPLETED:
        return Stage.ready
    return Stage.in_production if status is Status.InProcess else Stage.waiting


def step_of(entered: Collection[int], usual: Collection[int]) -> tuple[int, int] | None:
    """Return which of its product's usual processes a line has come to, from 1, and how many these are.

    `entered`: the processes that pieces of the line have entered. None if no process is usual.
    """
    if not usual:
        return None
    return min(max(1, len(set(entered) & set(usual))), len(usual)), len(usual)


def papers_of(*, prices: bool, tariffs: bool, packed: bool, incoterm: bool) -> list[Paper]:
    """Return the papers of an issued bill that a page offers. Those with amounts only to readers of prices.

    `tariffs`: each product has its tariff item. `packed`: the boxes hold all pieces. `incoterm`: the bill has one.
    """
    offered = {
        Paper.invoice: prices,
        Paper.packing_list: tariffs and packed,
        Paper.commercial_invoice: prices and tariffs and incoterm,
    }
    return [paper for paper, is_offered in offered.items() if is_offered]
