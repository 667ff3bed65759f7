"""A lease in a column of a row: its holder renews it, and it runs out by itself if the holder dies."""

from datetime import timedelta

from django.db.models import Q

from project.core import clock


def run_out(column: str, lasts: timedelta) -> Q:
    """Rows whose lease is free or has run out. `lasts`: how long one lasts at most.

    A lease that ends later than any can was taken before the clock was set back: it counts as run out.
    """
    now = clock.now()
    ends_too_late = Q(**{f"{column}__gt": now + lasts + clock.CLOCKS_DIFFER})
    return Q(**{column: None}) | Q(**{f"{column}__lte": now}) | ends_too_late
