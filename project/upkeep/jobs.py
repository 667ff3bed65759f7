"""The worker's jobs: each is idempotent and safe beside another worker's."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from threading import Event

from django.db import close_old_connections

from project.access import throttle
from project.access.idempotency import KEPT
from project.access.models import SignedOutToken, SignInAttempt
from project.core import clock
from project.core.models import IdempotentAnswer
from project.imports import services as imports
from realtime import housekeeping

IMPORTS_KEPT = timedelta(days=2)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """Something to do, and again after `every`."""

    name: str
    every: timedelta
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


JOBS: tuple[Job, ...] = (
    Job("live events and tickets", timedelta(minutes=10), housekeeping.tidy),
    Job("answers to repeated writes", timedelta(hours=1), forget_answers),
    Job("uploads", timedelta(minutes=10), forget_imports),
    Job("ended sign-ins", timedelta(minutes=15), forget_sign_ins),
)


def work(jobs: Iterable[Job], *, stop: Event) -> None:
    """Run each job when it is due, at once the first time, until `stop` is set.

    A job that fails is logged and due again after its time: a database that is away for a while ends nothing.
    """
    due = dict.fromkeys(jobs, clock.now())
    while not stop.is_set():
        job = min(due, key=lambda one: due[one])
        if stop.wait(max(0.0, (due[job] - clock.now()).total_seconds())):
            return
        close_old_connections()
        try:
            job.run()
        except Exception:
            logger.exception("worker: %s failed", job.name)
        finally:
            close_old_connections()
        due[job] = clock.now() + job.every
