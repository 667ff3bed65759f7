"""The alert engine: tells of what time makes due at each minute, and at once of what an event trips.

It runs in every worker and works in the one that leads. An event is looked at where it is stored, so that none is
missed, however it was made.
"""

import logging

from django.db import IntegrityError

from project.notifications import services
from project.notifications.selectors import MOST_AT_ONCE
from project.worker.leader_lease import Leader
from realtime.feed import changes_after

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
    """The engine of one worker. `position` is the last event it has seen; None asks for a look at everything."""

    def __init__(self, leader: Leader) -> None:
        self._leader = leader
        self._position: int | None = None

    def stand(self) -> None:
        """Lead where nobody does. Who begins to lead looks at everything."""
        led = self._leader.leads
        if self._leader.stand() and not led:
            self._position = None

    def look_at_all(self) -> None:
        """What time alone has made due. Does nothing in a worker that does not lead."""
        if self._leader.leads:
            while _announced(None) == MOST_AT_ONCE:
                logger.info("more than %s causes at once, going on", MOST_AT_ONCE)

    def look_at_news(self) -> None:
        """What events since the last look have tripped. Does nothing in a worker that does not lead."""
        if not self._leader.leads:
            return
        newest, news = changes_after(self._position, ABOUT_ORDERS)
        if news is None:
            self.look_at_all()
        elif orders := {data.get("salesOrderId", data.get("id")) for data in news}:
            _announced(orders)
        self._position = newest


def _announced(orders: set[int] | None) -> int:
    try:
        return services.announce(orders)
    except IntegrityError:
        logger.info("somebody told of the same at the same moment, looking again")
        return services.announce(orders)
