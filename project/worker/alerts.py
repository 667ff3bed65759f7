"""Announces alerts: each minute those that became due with time, and at once those that an event caused.

Every worker runs this code, but only the worker that holds the lease announces. That worker reads events from the
outbox, so it misses none.
"""

import logging
from collections.abc import Collection
from typing import Any

from django.db import IntegrityError

from project.notices import announcing
from project.notices.causes import MOST_AT_ONCE
from project.worker.leader_lease import LeaderLease
from realtime.outbox import changes_after

TASK = "alerts"
"""The task of the lease."""
CHANGED = ("line.changed", "order.changed")
"""Events after which an existing notification may have another text."""
ABOUT_ORDERS = ("line.moved", "line.released", "line.status-changed", *CHANGED, "order.created", "order.deleted")
FORECAST = "line.forecast"
"""After this event, a line may have become likely to be late, or be no longer likely to be late."""

logger = logging.getLogger(__name__)


class Alerts:
    """The alerts of one worker. It stores the last event that it has read. Until it has one, it checks all orders."""

    def __init__(self, lease: LeaderLease) -> None:
        self._lease = lease
        self._position: int | None = None

    def acquire(self) -> None:
        """Renew the lease, or take it if it is free. A worker that has just taken it then checks all orders."""
        had = self._lease.held
        if self._lease.acquire() and not had:
            self._position = None

    def announce_due(self) -> None:
        """Announce all alerts that are due. No-op in a worker without the lease."""
        if self._lease.held:
            while _announced(None) == MOST_AT_ONCE:
                logger.info("more than %s causes at once, going on", MOST_AT_ONCE)
            self._lease.note_done()

    def announce_changed(self) -> None:
        """Announce alerts of the orders in the events since the last call. No-op in a worker without the lease."""
        if not self._lease.held:
            return
        newest, changes = changes_after(self._position, (*ABOUT_ORDERS, FORECAST))
        if changes is None:
            self.announce_due()
        elif orders := {order_of(data) for _, data in changes}:
            _announced(orders, changed={order_of(data) for type, data in changes if type in CHANGED})
        self._position = newest


def order_of(data: dict[str, Any]) -> int:
    """Return the id of the order from the data of its event, or of an event of one of its lines."""
    return int(data["salesOrderId"] if "salesOrderId" in data else data["id"])


def _announced(orders: set[int] | None, *, changed: Collection[int] = ()) -> int:
    try:
        return announcing.announce(orders, changed=changed)
    except IntegrityError:
        logger.info("another worker announced the same at the same moment, trying again")
        return announcing.announce(orders, changed=changed)
