"""The worker's jobs. Each is idempotent, and may run in several workers at the same time."""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from threading import Event, Thread
from typing import Any

from django.conf import settings
from django.db import close_old_connections

from project.access import operators, throttle
from project.access.models import SignedOutToken
from project.audit import services as audit
from project.core import clock
from project.core.idempotency import KEPT
from project.core.logs import own_id
from project.core.models import IdempotentAnswer
from project.displays import pairing
from project.doors import challenges
from project.importing import services as imports
from project.integrations import delivering
from project.integrations.delivering import Webhooks
from project.notices import composing, digests, links, raising, services as notices
from project.notices.mailing import Mails
from project.notices.push import Pushes
from project.personal_data import services as personal_data
from project.printing import services as printing
from project.reports import services as reports
from project.sending.loop import Queue, send_due
from project.worker.alerts import Alerts
from project.worker.forecasting import Forecasts
from project.worker.leader_lease import RENEWED, LeaderLease
from realtime import outbox, tickets

EVENTS_EVERY = timedelta(milliseconds=250)
FORECASTS_EVERY = timedelta(seconds=5)
"""How often to look whether forecasts are due; they are made at most once a minute."""
NOTICES_EVERY = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """A function to run at the start, and again after each `every`."""

    name: str
    every: timedelta
    run: Callable[[], object]


def forget_answers() -> None:
    """Delete idempotency keys older than KEPT, except lasting ones (infra/docs/rules.md#repeated-writes)."""
    IdempotentAnswer.objects.filter(created_at__lt=clock.now() - KEPT, lasting=False).delete()


def forget_sign_ins() -> None:
    """Delete expired signed-out tokens, operators' tokens of a day ago, and old attempts and challenges."""
    operators.forget_ended()
    SignedOutToken.objects.filter(expires_at__lt=clock.now()).delete()
    challenges.forget_answered()
    throttle.forget_old()


def forget_imports() -> None:
    """Give up imports that died with their process, and delete uploads older than UPLOADS_KEEP."""
    imports.give_up_abandoned()
    imports.forget(older_than=settings.UPLOADS_KEEP)


def tidy_live() -> None:
    """Delete events older than EVENTS_KEEP, once webhooks have taken them, and the ids of old used tickets."""
    up_to = outbox.last_of_before(clock.now() - settings.EVENTS_KEEP)
    delivering.take_before_pruning(up_to)
    outbox.prune(up_to=up_to)
    tickets.forget_used()


def forget_audit() -> None:
    """Delete audit entries older than AUDIT_KEEP. No-op if the audit is kept for ever."""
    if settings.AUDIT_KEEP:
        audit.forget(clock.now() - settings.AUDIT_KEEP)


def jobs(lease: LeaderLease, stopping: Event) -> tuple[Job, ...]:
    """Return all jobs of a worker. `lease`: held by the one worker that raises alerts. `stopping`: set to end it."""
    alerts = Alerts(lease)
    forecasts = Forecasts(lease)

    def keep_flow() -> None:
        """Store the flow of days that are over. A day takes a second at most, so one worker is enough."""
        if lease.held:
            reports.flow_keep()

    def raise_notices() -> None:
        """Turn new events into notices for people. Only one worker does so, so that each event counts once."""
        while lease.held and raising.raise_by_events():
            logger.info("many events at once, going on with their notices")

    def raise_late() -> None:
        """Turn the lines that became late into notices."""
        if lease.held:
            raising.raise_late()

    queues: tuple[Queue[Any], ...] = (
        Webhooks(),
        Pushes(),
        Mails("mails", composing.mails_due, every=timedelta(seconds=2)),
        Mails("digests", digests.mails_due, every=MINUTE),
        Mails("mails of links", links.mails_due, every=MINUTE),
    )
    return (
        *(Job(queue.name, queue.every, partial(send_due, queue, stopping)) for queue in queues),
        Job("live events and tickets", timedelta(minutes=10), tidy_live),
        Job("answers to repeated writes", timedelta(hours=1), forget_answers),
        Job("the audit of long ago", timedelta(hours=6), forget_audit),
        Job("uploads", timedelta(minutes=10), forget_imports),
        Job("names of people who were erased", MINUTE, personal_data.erase_again),
        Job("pairing codes nobody typed", timedelta(minutes=10), pairing.forget_over),
        Job("ended sign-ins", timedelta(minutes=15), forget_sign_ins),
        Job("prints nobody waits for", timedelta(hours=1), printing.forget_runs),
        Job("the flow of days that are over", MINUTE, keep_flow),
        Job("what webhooks were sent", timedelta(hours=1), delivering.forget_old),
        Job("the lease of the alerts", RENEWED, alerts.acquire),
        Job("forecasts", FORECASTS_EVERY, forecasts.make_due),
        Job("alerts by events", EVENTS_EVERY, alerts.announce_changed),
        Job("alerts by time", MINUTE, alerts.announce_due),
        Job("notices by events", NOTICES_EVERY, raise_notices),
        Job("notices of late lines", MINUTE, raise_late),
        Job("notices of long ago", timedelta(hours=6), notices.forget_old),
    )


class Schedule:
    """Runs each job in a thread of its own, one run at a time, by the monotonic clock.

    A failure is logged, and the job runs again at its next time: a database that is away for a while stops no job.
    """

    def __init__(self, work: Iterable[Job]) -> None:
        self._stop = Event()
        self._threads = [Thread(target=self._repeat, args=[job], name=job.name) for job in work]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Return once every job has ended its current run."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _repeat(self, job: Job) -> None:
        seconds = job.every.total_seconds()
        due = time.monotonic()
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            _run(job)
            # Runs that were due during a long run are skipped.
            due = max(due + seconds, time.monotonic())


def _attempt(job: Job) -> None:
    try:
        job.run()
    except Exception:
        logger.exception("worker: %s failed", job.name)


def _run(job: Job) -> None:
    close_old_connections()
    try:
        with own_id():
            _attempt(job)
    finally:
        close_old_connections()
