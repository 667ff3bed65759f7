"""Work that one transaction at a time may do."""

from enum import IntEnum

from django.db import connection


class Turn(IntEnum):
    """The advisory locks of the product: any numbers, each of them once."""

    COUNTING_ATTEMPTS = 7_310_001
    PLACING_PROCESSES = 7_310_002


def take_turn(turn: Turn) -> None:
    """Wait until no other transaction holds this turn; hold it until the present one ends. SQLite has one writer and
    needs nothing. 1 query."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [turn.value])
