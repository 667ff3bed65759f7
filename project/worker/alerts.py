"""Announces alerts: each minute what time has made due, and at once what an event has.

It runs in every worker and works in the one that has the lease. Events are read where they are stored, so that none is
missed, however it was made.
"""

import logging

from django.db import IntegrityError

from project.notifications import services
from project.notifications.selectors import MOST_AT_ONCE
from project.worker.leader_lease import LeaderLease
from realtime.outbox import changes_after

TASK = "alerts"
"""The task of the lease."""
ABOUT_ORDERS = (
    "line.moved",
    "line.released",
    "line.status-changed",
    "line.changed",
    "order.created",
    "order.changed",
    "order.deleted",
)

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
        elif orders := {data.get("salesOrderId", data.get("id")) for data in changes}:
            _announced(orders)
        self._position = newest


def _announced(orders: set[int] | None) -> int:
    try:
        return services.announce(orders)
    except IntegrityError:
        logger.info("another worker announced the same at the same moment, trying again")
        return services.announce(orders)
