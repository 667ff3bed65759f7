"""What a request must not hold while it waits for something else than the database."""

from django.db import connection


def give_connection_back() -> None:
    """Let others have this thread's connection; the next query takes one again. Nothing inside a transaction."""
    if not connection.in_atomic_block:
        connection.close()
