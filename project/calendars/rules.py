"""What a calendar shows. No database, no clock."""

from datetime import date, timedelta
from urllib.parse import urlsplit

KEPT = timedelta(days=30)
"""How long the delivery days of finished lines stay in a calendar."""
MOST_LINES = 2_000
"""The most lines that a calendar shows: those with the latest delivery days."""
MOST_NAMED = 20
"""The most lines that an event names."""


def address_of(secret: str, *, site: str) -> str:
    """Return the address that a calendar reads."""
    return f"{site}/api/calendar/{secret}.ics"


def uid_of(order_id: int, day: date, *, site: str) -> str:
    """Return the id of an event. The id is the same at each reading, and no other installation uses it."""
    return f"order-{order_id}-{day:%Y%m%d}@{urlsplit(site).hostname}"
