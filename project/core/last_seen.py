"""When who shows a token of his own was last seen: written at most once a minute."""

from datetime import datetime, timedelta

from django.db.models import Model, Q, QuerySet

from project.core import clock

SEEN_EVERY = timedelta(minutes=1)
"""How old `last_seen` may become before it is written again."""


def unseen[Row: Model](rows: QuerySet[Row], now: datetime) -> QuerySet[Row]:
    """Those of `rows` that have not been noted as seen for a minute."""
    lately = Q(last_seen__gt=now - SEEN_EVERY, last_seen__lte=now + clock.CLOCKS_DIFFER)
    return rows.filter(Q(last_seen__isnull=True) | ~lately)


def note_seen[Row: Model](rows: QuerySet[Row], last_seen: datetime | None) -> None:
    """Note these rows, last seen at `last_seen`, as seen. No query where that is less than a minute ago."""
    now = clock.now()
    # Later than now was written before a clock was set back.
    if last_seen is None or not now - SEEN_EVERY < last_seen <= now + clock.CLOCKS_DIFFER:
        unseen(rows, now).update(last_seen=now)
