"""Jobs of imports as tasks: what they get is plain JSON, and they run in threads, beside the request."""

import json
import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from project.access.principal import Principal, Station
from project.core import task_threads
from project.importing import jobs, tasks
from project.importing.models import Import
from tests import builders
from tests.builders import Shop
from tests.project.importing.uploads import csv_of, settled, upload


def test_job_gets_the_whole_caller_as_json() -> None:
    now = datetime(2026, 11, 28, 12, tzinfo=UTC)
    account = Principal(1, "Estación", frozenset({"Station"}), "a", now, 3, scope=frozenset({4}))
    at = Station(account, operator_id=2, process_id=4, since=now, used_at=now, report_received_at=now)
    by = replace(account, user_id=2, full_name="Ana", customer_id=5, is_service=True, station=at, page=6)
    asked = jobs.Asked(by, "10.0.0.1", "upload-7", "en")
    sent = json.loads(json.dumps(jobs._asked.dump_python(asked, mode="json")))
    assert jobs._asked.validate_python(sent) == asked


def test_upload_is_answered_while_its_job_waits_for_two_others(
    busy_shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most two jobs of a process run at the same time."""
    running, go_on = threading.Semaphore(0), threading.Event()
    at_work: list[int] = []

    def waits(import_id: int, *args: Any, **options: Any) -> None:
        at_work.append(import_id)
        running.release()
        assert go_on.wait(60)
        Import.objects.filter(pk=import_id).update(state="ready")

    with monkeypatch.context() as patched:
        patched.setattr(tasks.previewing, "preview", waits)
        answers = [upload(busy_shop.ana, "materials", csv_of(["name"], [name])) for name in ("Oro", "Plata", "Cobre")]
        assert [answer.json["state"] for answer in answers] == ["reading"] * 3
        assert all(running.acquire(timeout=60) for _ in range(2))
        assert busy_shop.ana.get(f"/api/imports/{answers[2].json['id']}").json["state"] == "reading"
        assert not task_threads.AT_ONCE.acquire(blocking=False)
        assert len(at_work) == 2
        go_on.set()
        builders.tasks_ended()
    assert sorted(at_work) == sorted(answer.json["id"] for answer in answers)
    assert settled(busy_shop.ana, answers[2])["state"] == "ready"
