"""What live delivery leaves behind and nobody will ask for again."""

from project.core import clock
from realtime import outbox, seats
from realtime.models import LiveTicket


def tidy() -> None:
    """Forget old events, unused tickets and the seats of processes that died. Safe in several processes at once."""
    outbox.prune()
    LiveTicket.objects.filter(expires_at__lt=clock.now()).delete()
    seats.forget_dead()
