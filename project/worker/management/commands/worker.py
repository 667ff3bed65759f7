"""`manage.py worker`: run the worker's jobs until the process is stopped."""

import os
import signal
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from project.worker.alerts import TASK
from project.worker.jobs import Schedule, jobs
from project.worker.leader_lease import LeaderLease, last_done

LOOK_SECONDS = 1.0


def stop_without(parent: int, stop: Event, *, parent_now: Callable[[], int] = os.getppid) -> None:
    """Set `stop` once `parent`, the process that started this one, has ended for any reason."""
    while parent_now() == parent:
        if stop.wait(LOOK_SECONDS):
            return
    stop.set()


class Command(BaseCommand):
    """Runs the jobs of project/worker/jobs.py. At SIGTERM or Ctrl+C it ends after the current runs."""

    help = "Announces to the staff what must be seen to, and deletes what nobody will ask for again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--with", type=int, dest="parent", metavar="PID", help="end with the process that starts it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        stop = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        if options["parent"]:
            Thread(target=stop_without, args=(options["parent"], stop), daemon=True).start()
        last_done(TASK)  # raises at once if the database has no tables, before every job fails repeatedly
        lease = LeaderLease(TASK)
        work = Schedule(jobs(lease, stop))
        work.start()
        try:
            stop.wait()
        finally:
            work.stop()
            lease.give_up()
