"""What live delivery leaves behind and nobody will ask for again."""

from realtime import outbox, seats


def tidy(*, up_to: int) -> None:
    """Forget the events up to an id, seats that were left and those of processes that died. Safe in several processes
    at once."""
    outbox.prune(up_to=up_to)
    seats.forget_dead()
