"""Announces alerts: each minute what time has made due, and at once what an event has.

It runs in every worker and works in the one that has the lease. Events are read where they are stored, so that none is
missed, however it was made.
"""

import logging
from collections.abc import Collection
from typing import Any

from django.db import IntegrityError

from project.notifications import services
from project.notifications.selectors import MOST_AT_ONCE
from project.worker.leader_lease import LeaderLease
from realtime.feed import changes_after

TASK = "alerts"
"""The task of the lease."""
CHANGED = ("line.changed", "order.changed")
"""Events after which a standing notification may say something else."""
ABOUT_ORDERS = ("line.moved", "line.released", "line.status-changed", *CHANGED, "order.created", "order.deleted")

logger = logging.getLogger(__name__)


class Alerts:
    """The alerts of one worker. It knows the last event that it has seen; without one it checks everything."""

    def __init__(self, lease: LeaderLease) -> None:
        self._lease = lease
        self._position: int | None = None

    def acquire(self) -> None:
        """Take the lease where it is free. Who has just taken it checks everything."""
        had = self._lease.held
        if self._lease.acquire() and not had:
            self._position = None

    def announce_due(self) -> None:
        """Announce what time alone has made due. Does nothing in a worker without the lease."""
        if self._lease.held:
            while _announced(None) == MOST_AT_ONCE:
                logger.info("more than %s causes at once, going on", MOST_AT_ONCE)
            self._lease.note_done()

    def announce_changed(self) -> None:
        """Announce what the events since the last time made due. Does nothing in a worker without the lease."""
        if not self._lease.held:
            return
        newest, changes = changes_after(self._position, ABOUT_ORDERS)
        if changes is None:
            self.announce_due()
        elif orders := {_order_of(data) for _, data in changes}:
            _announced(orders, changed={_order_of(data) for type, data in changes if type in CHANGED})
        self._position = newest


def _order_of(data: dict[str, Any]) -> int:
    return int(data.get("salesOrderId", data.get("id")))


def _announced(orders: set[int] | None, *, changed: Collection[int] = ()) -> int:
    try:
        return services.announce(orders, changed=changed)
    except IntegrityError:
        logger.info("another worker announced the same at the same moment, trying again")
        return services.announce(orders, changed=changed)
