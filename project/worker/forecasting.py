"""Makes forecasts: at most once a minute for the orders that changed, and once an hour for all unfinished lines.

Fits their correction once a day, in the first of these hours.

Only the worker that holds the lease makes forecasts. It reads events from the outbox, as alerts do, so no movement
waits for a forecast and no movement is missed.
"""

import time
from collections.abc import Callable

from project.forecasts import services
from project.worker.alerts import ABOUT_ORDERS, order_of
from project.worker.leader_lease import LeaderLease
from realtime.outbox import changes_after

LEAST_BETWEEN = 60.0
"""Minimum seconds between two passes that made forecasts."""
ALL_AFTER = 3_600.0
"""Seconds between two passes over all unfinished lines."""


class Forecasts:
    """The forecasts of one worker. It stores the last event that it has read. Until it has one, it makes all."""

    def __init__(self, lease: LeaderLease, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._lease = lease
        self._monotonic = monotonic
        self._position: int | None = None
        self._made_at: float | None = None
        self._all_made_at: float | None = None

    def make_due(self) -> int:
        """Make the forecasts that are due. Returns how many were made: 0 in a worker without the lease.

        A pass that fails is repeated as a whole. Times are those of the monotonic clock, so a clock that is set back or
        forward changes nothing.
        """
        if not self._lease.held:
            self._position = self._all_made_at = None
            return 0
        now = self._monotonic()
        if self._made_at is not None and now - self._made_at < LEAST_BETWEEN:
            return 0
        newest, changes = changes_after(self._position, ABOUT_ORDERS)
        is_hourly = self._all_made_at is None or now - self._all_made_at >= ALL_AFTER
        if changes is None or is_hourly:
            services.correction_fit()
            made = services.forecasts_make()
            self._all_made_at = now
        else:
            orders = {order_of(data) for _, data in changes}
            made = services.forecasts_make(orders) if orders else 0
        self._position = newest
        if made:
            self._made_at = now
        return made
