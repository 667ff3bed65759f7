"""What live delivery leaves behind and nobody will ask for again."""

from realtime import outbox, seats
from realtime.application import application
from realtime.models import LiveTicket


def tidy() -> None:
    """Forget old events, unused tickets and the seats of processes that died. Safe in several processes at once."""
    outbox.prune()
    LiveTicket.objects.filter(expires_at__lt=application().now()).delete()
    seats.forget_dead()
