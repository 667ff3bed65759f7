"""Live events of metal."""

from collections.abc import Iterable
from typing import Literal

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core.schemas import Document
from project.metal import documents, lists
from project.metal.models import Account, MetalEntry
from project.metal.schemas import MetalAccountDocument
from realtime import outbox
from realtime.registry import Actor, Event

MOST_ACCOUNTS = 100
"""The most accounts that an event carries."""


class MetalData(Document):
    """The accounts that hold more or less than before. Null if there are more than MOST_ACCOUNTS: load them.

    `id`: of the account if there is one alone, else 0.
    """

    id: int
    accounts: list[MetalAccountDocument] | None


class MetalChanged(Event):
    """Metal moved between accounts, or the day of a person was closed or opened again."""

    audience = frozenset({Permission.ViewMetal, Permission.ManageMetal})
    type: Literal["metal.changed"] = "metal.changed"
    data: MetalData


def publish_changed(accounts: Iterable[Account], *, by: Principal) -> None:
    """Publish what these accounts hold now to readers of metal. 1 query; none without accounts."""
    ids = {one.pk for one in accounts}
    if not ids:
        return
    accounts_now = None
    if len(ids) <= MOST_ACCOUNTS:
        accounts_now = [documents.account(row, balances) for row, balances in lists.holding(ids)]
    data = MetalData(id=min(ids) if len(ids) == 1 else 0, accounts=accounts_now)
    outbox.publish(MetalChanged(data=data), by=Actor.of(by))


def publish_entries(entries: Iterable[MetalEntry], *, by: Principal) -> None:
    """Publish the accounts of new entries, as `publish_changed`."""
    publish_changed((end for one in entries for end in (one.source, one.target)), by=by)
