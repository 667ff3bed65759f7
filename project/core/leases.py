"""Leases: a column of a row says until when a lease lasts. Its holder renews it; if the holder dies, the lease ends."""

from datetime import timedelta

from django.db.models import Q

from project.core import clock


def run_out(column: str, lasts: timedelta) -> Q:
    """Return the condition that a lease is free or expired. `column`: its end. `lasts`: its maximum duration.

    A lease that ends later than `lasts` from now was taken before the clock was set back. It counts as expired.
    """
    now = clock.now()
    ends_too_late = Q(**{f"{column}__gt": now + lasts + clock.CLOCKS_DIFFER})
    return Q(**{column: None}) | Q(**{f"{column}__lte": now}) | ends_too_late
