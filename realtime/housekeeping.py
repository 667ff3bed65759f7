"""What live delivery leaves behind and nobody will ask for again."""

from datetime import timedelta

from realtime import outbox, seats


def tidy(*, keep: timedelta) -> None:
    """Forget events older than `keep`, seats that were left and those of processes that died. Safe in several processes
    at once."""
    outbox.prune(older_than=keep)
    seats.forget_dead()
