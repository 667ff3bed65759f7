"""The worker forgets what nobody may ask for again, and nothing else."""

import itertools
import logging
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest

from project.access.models import SignedOutToken, SignInAttempt
from project.core import clock
from project.upkeep.jobs import Job, forget_sign_ins, work
from project.upkeep.management.commands.worker import stop_without

ROOT = Path(__file__).resolve().parents[3]
NOW = datetime(2026, 3, 2, 15, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.mark.django_db
def test_ended_tokens_and_old_attempts_are_forgotten_live_ones_stay() -> None:
    SignedOutToken.objects.create(jti="ended", expires_at=NOW - HOUR)
    SignedOutToken.objects.create(jti="still good elsewhere", expires_at=NOW + HOUR)
    SignInAttempt.objects.create(account="old@obrador.test", address="127.0.0.1", at=NOW - HOUR, failed=True)
    SignInAttempt.objects.create(account="new@obrador.test", address="127.0.0.1", at=NOW, failed=True)
    with clock.at(NOW):
        forget_sign_ins()
    assert [token.jti for token in SignedOutToken.objects.all()] == ["still good elsewhere"]
    assert [attempt.account for attempt in SignInAttempt.objects.all()] == ["new@obrador.test"]


@pytest.mark.django_db
def test_a_failing_job_is_logged_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    stop = Event()
    done: list[str] = []

    def fails() -> None:
        raise ConnectionError("the database is away")

    def ends() -> None:
        done.append("ends")
        stop.set()

    with caplog.at_level(logging.ERROR):
        work([Job("fails", HOUR, fails), Job("ends", HOUR, ends)], stop=stop)
    assert done == ["ends"]
    assert "fails failed" in caplog.text


@pytest.mark.django_db
def test_a_job_comes_again_after_its_time() -> None:
    stop = Event()
    runs: list[datetime] = []

    def job() -> None:
        runs.append(clock.now())
        if len(runs) == 3:
            stop.set()

    work([Job("often", timedelta(milliseconds=5), job)], stop=stop)
    assert all(later - earlier >= timedelta(milliseconds=5) for earlier, later in itertools.pairwise(runs))
    assert len(runs) == 3


def test_a_worker_ends_with_the_process_that_started_it() -> None:
    stop = Event()
    parents = iter([41, 41, 1])
    stop_without(41, _never_waiting(stop), parent_now=lambda: next(parents))
    assert stop.is_set()


def test_a_worker_that_is_told_to_stop_looks_no_longer() -> None:
    stop = Event()
    stop.set()
    stop_without(41, stop, parent_now=lambda: 41)


def _never_waiting(stop: Event) -> Event:
    """The same event, whose waiting takes no time."""
    stop.wait = lambda timeout=None: stop.is_set()  # type: ignore[method-assign]
    return stop


def test_the_worker_beside_a_server_goes_even_when_that_is_killed(tmp_path: Path) -> None:
    """As infra/setup/run.sh starts it. The worker holds the pipe: reading to its end is waiting for both."""
    script = f"{sys.executable} manage.py worker --with $$ & echo started; exec sleep 300"
    environment = os.environ | {"DATA_DIR": str(tmp_path), "DATABASE_URL": "", "LOG_LEVEL": "CRITICAL"}
    server = subprocess.Popen(["bash", "-c", script], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline() == b"started\n"
    server.kill()
    server.communicate(timeout=60)
    assert server.returncode == -signal.SIGKILL
