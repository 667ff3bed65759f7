"""`manage.py worker`: the process that does what is due, until it is told to stop."""

import signal
from threading import Event
from typing import Any

from django.core.management.base import BaseCommand

from project.upkeep.jobs import JOBS, work


class Command(BaseCommand):
    """Runs the jobs of project/upkeep/jobs.py; ends at SIGTERM or Ctrl+C after the job it is in."""

    help = "Runs what is due from time to time: forgets old live events, tickets, idempotency keys and sign-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        work(JOBS, stop=stop)
