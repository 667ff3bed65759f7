"""Note when the holder of a token was last seen, at most once a minute."""

from datetime import datetime, timedelta

from django.db.models import Model, Q, QuerySet

from project.core import clock

SEEN_EVERY = timedelta(minutes=1)
"""Minimum age of `last_seen` before it is written again."""


def unseen[Row: Model](rows: QuerySet[Row], now: datetime) -> QuerySet[Row]:
    """Filter `rows` to those not noted as seen within the last minute."""
    lately = Q(last_seen__gt=now - SEEN_EVERY, last_seen__lte=now + clock.CLOCKS_DIFFER)
    return rows.filter(Q(last_seen__isnull=True) | ~lately)


def note_seen[Row: Model](rows: QuerySet[Row], last_seen: datetime | None) -> None:
    """Set `last_seen` of `rows` to now. No query if `last_seen`, their current value, is less than a minute old."""
    now = clock.now()
    # A value in the future was written before a clock was set back.
    if last_seen is None or not now - SEEN_EVERY < last_seen <= now + clock.CLOCKS_DIFFER:
        unseen(rows, now).update(last_seen=now)
