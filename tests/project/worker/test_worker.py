"""The worker's jobs and their schedule; it deletes only rows that are no longer needed."""

import logging
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, transaction

from project.access.models import SignedOutToken, SignInAttempt
from project.audit import services as audit
from project.audit.models import AuditEntry
from project.core import clock
from project.worker import jobs as worker_jobs
from project.worker.jobs import Job, Schedule, forget_audit, forget_sign_ins, jobs, tidy_live
from project.worker.leader_lease import LeaderLease
from project.worker.management.commands.worker import stop_without
from realtime.models import OutboxEvent
from tests.realtime.samples import commit, line_moved

ROOT = Path(__file__).resolve().parents[3]
NOW = datetime(2026, 3, 2, 15, tzinfo=UTC)
HOUR = timedelta(hours=1)
MOMENT = timedelta(milliseconds=20)


@pytest.mark.django_db
def test_ended_tokens_and_old_attempts_are_deleted_and_live_ones_kept() -> None:
    SignedOutToken.objects.create(jti="ended", expires_at=NOW - HOUR)
    SignedOutToken.objects.create(jti="still good elsewhere", expires_at=NOW + HOUR)
    SignInAttempt.objects.create(account="old@obrador.test", address="127.0.0.1", at=NOW - HOUR, failed=True)
    SignInAttempt.objects.create(account="new@obrador.test", address="127.0.0.1", at=NOW, failed=True)
    with clock.at(NOW):
        forget_sign_ins()
    assert [token.jti for token in SignedOutToken.objects.all()] == ["still good elsewhere"]
    assert [attempt.account for attempt in SignInAttempt.objects.all()] == ["new@obrador.test"]


def entries(*ages: timedelta) -> None:
    """Create audit entries of these ages, labelled with their age in days."""
    AuditEntry.objects.bulk_create(
        AuditEntry(at=NOW - age, entity="items", entity_id=1, action="changed", label=str(age.days)) for age in ages
    )


@pytest.mark.django_db
def test_audit_is_kept_for_the_configured_time(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "FORGOTTEN_AT_ONCE", 2)
    entries(*(timedelta(days=age) for age in (1, 99, 101, 102, 103, 2_000, 2_001)))
    with clock.at(NOW):
        settings.AUDIT_KEEP = timedelta(0)
        forget_audit()
        assert AuditEntry.objects.count() == 7
        settings.AUDIT_KEEP = timedelta(days=100)
        forget_audit()
    assert sorted(AuditEntry.objects.values_list("label", flat=True)) == ["1", "99"]
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        AuditEntry.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_live_events_are_kept_for_the_configured_time(settings: LazySettings) -> None:
    settings.EVENTS_KEEP = timedelta(days=3)
    for age in (timedelta(days=4), timedelta(days=2)):
        with clock.at(NOW - age):
            commit(line_moved())
    with clock.at(NOW):
        tidy_live()
    (left,) = OutboxEvent.objects.all()
    assert left.created_at == NOW - timedelta(days=2)


def run(*work: Job, until: Event) -> None:
    """Run these jobs until `until` is set; fail after 20 s."""
    running = Schedule(work)
    running.start()
    try:
        assert until.wait(20)
    finally:
        running.stop()


@pytest.mark.django_db
def test_failing_job_is_logged_and_others_continue(caplog: pytest.LogCaptureFixture) -> None:
    failed, stop = Event(), Event()

    def fails() -> None:
        failed.set()
        raise ConnectionError("the database is away")

    def goes_on() -> None:
        if failed.is_set():
            stop.set()

    with caplog.at_level(logging.ERROR):
        run(Job("fails", HOUR, fails), Job("goes on", MOMENT, goes_on), until=stop)
    assert "fails failed" in caplog.text


@pytest.mark.django_db
def test_job_starts_at_once_and_repeats_after_its_interval() -> None:
    stop = Event()
    runs: list[datetime] = []

    def job() -> None:
        runs.append(clock.now())
        if len(runs) == 3:
            stop.set()

    begun = clock.now()
    run(Job("often", MOMENT, job), until=stop)
    assert all(at >= begun + number * MOMENT for number, at in enumerate(runs))


def test_running_job_is_not_started_again() -> None:
    stop, at_work = Event(), []

    def slow() -> None:
        at_work.append(1)
        stop.wait(20)

    def watch() -> None:
        watched.append(len(at_work))
        if len(watched) == 10:
            stop.set()

    watched: list[int] = []
    run(Job("slow", MOMENT, slow), Job("watch", MOMENT, watch), until=stop)
    assert max(watched[:10]) == 1, "started again before it had ended"


@pytest.mark.django_db
def test_changed_clock_neither_stops_nor_doubles_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the second run on, `time.time` is an hour off."""
    stop, runs = Event(), 0
    real = time.time

    def job() -> None:
        nonlocal runs
        runs += 1
        step = -3_600 if runs % 2 else 3_600
        monkeypatch.setattr(time, "time", lambda: real() + step)
        if runs == 6:
            stop.set()

    once = []
    run(Job("by the minute", MOMENT, job), Job("by the hour", HOUR, lambda: once.append(1)), until=stop)
    assert len(once) == 1


@pytest.mark.django_db
def test_runs_missed_during_a_long_run_are_not_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        """The first run takes ten seconds; waiting advances the clock by the seconds asked for."""

        now = 0.0

        def monotonic(self) -> float:
            return self.now

    clock, waited, runs = Clock(), [], []
    monkeypatch.setattr(worker_jobs, "time", clock)
    schedule = Schedule([])

    def wait(seconds: float) -> bool:
        waited.append(seconds)
        clock.now += seconds
        return len(waited) > 4

    def works() -> None:
        runs.append(clock.now)
        clock.now += 10 if len(runs) == 1 else 0

    monkeypatch.setattr(schedule._stop, "wait", wait)
    schedule._repeat(Job("slow at first", timedelta(seconds=3), works))
    assert runs == [0, 10, 13, 16]


def test_every_job_has_a_unique_name() -> None:
    work = jobs(LeaderLease("alerts"), Event())
    assert len({job.name for job in work}) == len(work)
    assert {"alerts by time", "alerts by events", "the lease of the alerts"} <= {job.name for job in work}


def test_worker_ends_with_the_process_that_started_it() -> None:
    stop = Event()
    parents = iter([41, 41, 1])
    stop_without(41, _never_waiting(stop), parent_now=lambda: next(parents))
    assert stop.is_set()


def test_worker_told_to_stop_stops_watching_its_parent() -> None:
    stop = Event()
    stop.set()
    stop_without(41, stop, parent_now=lambda: 41)


def _never_waiting(stop: Event) -> Event:
    """Make waiting on this event take no time."""
    stop.wait = lambda timeout=None: stop.is_set()  # type: ignore[method-assign]
    return stop


def test_worker_ends_when_its_server_is_killed(tmp_path: Path) -> None:
    """Start both as infra/setup/run.sh does. The worker holds the pipe, so reading it to the end waits for both."""
    script = f"{sys.executable} manage.py worker --with $$ & echo started; exec sleep 300"
    environment = os.environ | {"DATA_DIR": str(tmp_path), "DATABASE_URL": "", "LOG_LEVEL": "CRITICAL"}
    server = subprocess.Popen(["bash", "-c", script], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline() == b"started\n"
    server.kill()
    server.communicate(timeout=60)
    assert server.returncode == -signal.SIGKILL
