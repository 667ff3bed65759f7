"""What live delivery leaves behind and nobody will ask for again."""

from datetime import timedelta

from realtime import outbox, seats
from realtime.application import application
from realtime.models import LiveTicket


def tidy(*, keep: timedelta) -> None:
    """Forget events older than `keep`, unused tickets and the seats of processes that died. Safe in several processes
    at once."""
    outbox.prune(older_than=keep)
    LiveTicket.objects.filter(expires_at__lt=application().now()).delete()
    seats.forget_dead()
