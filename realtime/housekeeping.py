"""What live delivery leaves behind and nobody will ask for again."""

from project.core import clock
from realtime import outbox
from realtime.models import LiveTicket


def tidy() -> None:
    """Forget old events and unused tickets. Safe in several processes at once."""
    outbox.prune()
    LiveTicket.objects.filter(expires_at__lt=clock.now()).delete()
