"""One leader among many workers, by a row that runs out: a killed leader is followed within 20 seconds."""

import secrets
from datetime import datetime, timedelta

from django.db.models import Q

from project.core import clock
from project.core.leases import run_out
from project.worker.models import Lease

LASTS = timedelta(seconds=15)
RENEWED = timedelta(seconds=5)


def last_done(task: str) -> datetime | None:
    """When any worker last did `task` to its end."""
    return Lease.objects.filter(task=task).values_list("done_at", flat=True).first()


class LeaderLease:
    """The lease of `task`, as far as this worker has it: who has it does the task."""

    def __init__(self, task: str) -> None:
        self.task = task
        self.name = secrets.token_hex(16)
        self.held = False
        """Whether this worker had it at the last `acquire`."""

    def acquire(self) -> bool:
        """Renew the lease, or take one that has run out. Returns whether this worker has it. 1 query, 2 at first."""
        now = clock.now()
        free = Lease.objects.filter(Q(holder=self.name) | run_out("until", LASTS), task=self.task)
        self.held = bool(free.update(holder=self.name, until=now + LASTS))
        if not self.held:
            row = Lease(task=self.task, holder=self.name, until=now + LASTS)
            Lease.objects.bulk_create([row], ignore_conflicts=True)  # the first time there is none to take
            self.held = Lease.objects.filter(task=self.task, holder=self.name).exists()
        return self.held

    def note_done(self) -> None:
        """Note that the task was done to its end now."""
        Lease.objects.filter(task=self.task, holder=self.name).update(done_at=clock.now())

    def give_up(self) -> None:
        """Let another worker have the lease at once."""
        self.held = False
        Lease.objects.filter(task=self.task, holder=self.name).update(until=clock.now())
