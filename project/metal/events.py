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
"""Maximum number of accounts in an event."""


class MetalData(Document):
    """The accounts with a changed balance.

    `accounts`: null if there are more than MOST_ACCOUNTS; then load them. `id`: the account's id if there is only one,
    else 0.
    """

    id: int
    accounts: list[MetalAccountDocument] | None


class MetalChanged(Event):
    """Metal moved between accounts, or the day of a person was closed or opened again."""

    audience = frozenset({Permission.ViewMetal, Permission.ManageMetal})
    webhook = ("Cambia el metal de una cuenta", "The metal of an account changes")
    type: Literal["metal.changed"] = "metal.changed"
    data: MetalData


def publish_changed(accounts: Iterable[Account], *, by: Principal) -> None:
    """Publish the present balances of these accounts to readers of metal. 1 query; none without accounts."""
    ids = {one.pk for one in accounts}
    if not ids:
        return
    accounts_now = None
    if len(ids) <= MOST_ACCOUNTS:
        accounts_now = [documents.account(row, balances) for row, balances in lists.holding(ids)]
    data = MetalData(id=min(ids) if len(ids) == 1 else 0, accounts=accounts_now)
    outbox.publish(MetalChanged(data=data), by=Actor.of(by))


def publish_entries(entries: Iterable[MetalEntry], *, by: Principal) -> None:
    """Publish the present balances of the accounts of new entries. Sends the queries of `publish_changed`."""
    publish_changed((end for one in entries for end in (one.source, one.target)), by=by)
