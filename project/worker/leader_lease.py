"""Elects one leader among the workers, by a lease that expires. A killed leader is replaced within 20 seconds."""

import secrets
from datetime import datetime, timedelta

from django.db.models import Q

from project.core import clock
from project.core.leases import run_out
from project.worker.models import Lease

LASTS = timedelta(seconds=15)
RENEWED = timedelta(seconds=5)


def last_done(task: str) -> datetime | None:
    """Return when a worker last completed `task`; None if no worker has completed it yet."""
    return Lease.objects.filter(task=task).values_list("done_at", flat=True).first()


class LeaderLease:
    """This worker's view of the lease of `task`. The worker that holds the lease does the task."""

    def __init__(self, task: str) -> None:
        self.task = task
        self.name = secrets.token_hex(16)
        self.held = False
        """Whether this worker held the lease after the last `acquire`."""

    def acquire(self) -> bool:
        """Renew the lease, or take it if it has expired. Returns whether this worker holds it.

        1 query; 3 if another worker holds the lease, or if its row does not exist yet.
        """
        now = clock.now()
        free = Lease.objects.filter(Q(holder=self.name) | run_out("until", LASTS), task=self.task)
        self.held = bool(free.update(holder=self.name, until=now + LASTS))
        if not self.held:
            row = Lease(task=self.task, holder=self.name, until=now + LASTS)
            Lease.objects.bulk_create([row], ignore_conflicts=True)  # creates the row at the first start
            self.held = Lease.objects.filter(task=self.task, holder=self.name).exists()
        return self.held

    def note_done(self) -> None:
        """Store that the task was completed now. A no-op if another worker has taken the lease."""
        Lease.objects.filter(task=self.task, holder=self.name).update(done_at=clock.now())

    def give_up(self) -> None:
        """Release the lease, so that another worker can take it at once."""
        self.held = False
        Lease.objects.filter(task=self.task, holder=self.name).update(until=clock.now())
