"""One leader among many workers, by a row that runs out: a killed leader is followed within 20 seconds."""

import secrets
from datetime import timedelta

from django.db.models import Q

from project.core import clock
from project.core.clock import CLOCKS_DIFFER
from project.worker.models import Lease

LASTS = timedelta(seconds=15)
RENEWED = timedelta(seconds=5)


class Leader:
    """This worker as a candidate for `task`."""

    def __init__(self, task: str) -> None:
        self.task = task
        self.name = secrets.token_hex(16)
        self.leads = False
        """As of the last `stand`."""

    def stand(self) -> bool:
        """Renew the lease, or take one that has run out. Returns whether this worker leads. 1 query, 2 at first."""
        now = clock.now()
        # A lease that lasts longer than any can was taken before the clock was set back.
        run_out = Q(until__lte=now) | Q(until__gt=now + LASTS + CLOCKS_DIFFER)
        free = Lease.objects.filter(Q(holder=self.name) | run_out, task=self.task)
        self.leads = bool(free.update(holder=self.name, until=now + LASTS))
        if not self.leads:
            row = Lease(task=self.task, holder=self.name, until=now + LASTS)
            Lease.objects.bulk_create([row], ignore_conflicts=True)  # the first time there is none to take
            self.leads = Lease.objects.filter(task=self.task, holder=self.name).exists()
        return self.leads

    def step_down(self) -> None:
        """Let another worker lead at once."""
        self.leads = False
        Lease.objects.filter(task=self.task, holder=self.name).update(until=clock.now())
