"""The worker's jobs: each is idempotent and safe beside another worker's."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, timedelta

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger
from django.db import close_old_connections

from project.access import throttle
from project.access.idempotency import KEPT
from project.access.models import SignedOutToken, SignInAttempt
from project.core import clock
from project.core.models import IdempotentAnswer
from project.imports import services as imports
from project.reports import services as reports
from project.upkeep.alerts import Alerts
from project.upkeep.leading import RENEWED, Leader
from project.worksheets import services as worksheets
from realtime import housekeeping

IMPORTS_KEPT = timedelta(days=2)
NEWS = timedelta(milliseconds=250)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """Something to do at once, and when again."""

    name: str
    when: BaseTrigger
    run: Callable[[], object]


def forget_answers() -> None:
    """Answers whose idempotency key is no longer kept (contract, section 1)."""
    IdempotentAnswer.objects.filter(created_at__lt=clock.now() - KEPT).delete()


def forget_sign_ins() -> None:
    """Tokens that have ended by themselves since they were signed out, and attempts that no longer count."""
    SignedOutToken.objects.filter(expires_at__lt=clock.now()).delete()
    SignInAttempt.objects.filter(at__lt=clock.now() - throttle.WINDOW).delete()


def forget_imports() -> None:
    """Uploads that nobody will come back to, and those whose job died with its process."""
    imports.give_up_silent()
    imports.forget(older_than=IMPORTS_KEPT)


def every(interval: timedelta) -> BaseTrigger:
    """Again after each `interval`."""
    return IntervalTrigger(seconds=interval.total_seconds(), timezone=UTC)


def jobs(leader: Leader) -> tuple[Job, ...]:
    """All of a worker's jobs; `leader` is the worker as a candidate for what only one may do."""
    alerts = Alerts(leader)

    def keep_flow() -> None:
        """The flow of days that are over. A day takes a second at most, and one worker is enough."""
        if leader.leads:
            reports.flow_keep()

    return (
        Job("live events and tickets", every(timedelta(minutes=10)), housekeeping.tidy),
        Job("answers to repeated writes", every(timedelta(hours=1)), forget_answers),
        Job("uploads", every(timedelta(minutes=10)), forget_imports),
        Job("ended sign-ins", every(timedelta(minutes=15)), forget_sign_ins),
        Job("prints nobody waits for", every(timedelta(hours=1)), worksheets.forget_runs),
        Job("the flow of days that are over", every(timedelta(minutes=1)), keep_flow),
        Job("who leads", every(RENEWED), alerts.stand),
        Job("alerts by events", every(NEWS), alerts.look_at_news),
        Job("alerts by time", CronTrigger(second=0, timezone=UTC), alerts.look_at_all),
    )


def scheduler(work: tuple[Job, ...]) -> BackgroundScheduler:
    """A scheduler of these jobs, to be started. A job that fails is logged and due again at its time: a database that
    is away for a while ends nothing."""
    made = BackgroundScheduler(
        timezone=UTC,
        executors={"default": ThreadPoolExecutor(max_workers=4)},
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
    )
    # A job that is still at work when it is due again is no news.
    logging.getLogger("apscheduler.scheduler").setLevel(logging.ERROR)
    for job in work:
        made.add_job(_run, job.when, args=[job], id=job.name, next_run_time=clock.now())
    return made


def _run(job: Job) -> None:
    close_old_connections()
    try:
        job.run()
    except Exception:
        logger.exception("worker: %s failed", job.name)
    finally:
        close_old_connections()
