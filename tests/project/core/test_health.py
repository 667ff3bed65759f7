"""Liveness and readiness."""

import errno
import threading

import pytest
from django.db import OperationalError

from project.operations import health
from tests.builders import Caller


@pytest.fixture(autouse=True)
def _no_cached_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the cached checks between tests."""
    for part in health.PARTS:
        monkeypatch.setattr(part, "_asked", None)


EVERYTHING = {"status": "ok", "database": True, "channelLayer": True, "storage": True}


def test_live_needs_no_database() -> None:
    answer = Caller().get("/health/live")
    assert (answer.status, answer.json) == (200, {"status": "ok", "version": "2.3.0"})


def test_ready_when_every_part_answers(db: None) -> None:
    answer = Caller().get("/health/ready")
    assert (answer.status, answer.json) == (200, EVERYTHING)


@pytest.mark.parametrize("part", ["database", "storage"])
def test_not_ready_without_database_or_storage(
    db: None, part: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object, settings: object
) -> None:
    class Away:
        def cursor(self) -> None:
            raise OperationalError("the canary sings")

        def close(self) -> None:
            """Do nothing, as no connection is open."""

    if part == "database":
        monkeypatch.setattr(health, "connection", Away())
    else:
        settings.DATA_DIR = f"{tmp_path}/gone"  # type: ignore[attr-defined]
    answer = Caller().get("/health/ready")
    assert (answer.status, answer.json) == (503, EVERYTHING | {"status": "unavailable", part: False})
    assert "canary" not in answer.text


def test_ready_without_the_channel_layer(db: None, settings: object) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.nowhere"}}  # type: ignore[attr-defined]
    answer = Caller().get("/health/ready")
    assert (answer.status, answer.json) == (200, EVERYTHING | {"channelLayer": False})


def test_database_error_gets_503_without_details(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*args: object, **kwargs: object) -> None:
        raise OperationalError("server closed the connection: password=canary")

    monkeypatch.setattr("project.access.guard.verify", away)
    answer = Caller(bearer="x").get("/api/materials")
    assert (answer.status, answer.code) == (503, "unavailable")
    assert "canary" not in answer.text
    answer = Caller(bearer="x").post("/api/materials", {"name": "x"}, idempotency_key="k")
    assert (answer.status, answer.code) == (503, "unavailable")


@pytest.mark.parametrize("part", health.PARTS, ids=lambda part: part.name)
def test_hanging_part_is_named_and_checked_only_once(
    db: None, part: health.Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, asked = threading.Event(), []

    def hangs() -> bool:
        asked.append(part.name)
        return answers.wait(30)

    monkeypatch.setattr(part, "_check", hangs)
    monkeypatch.setattr(health, "ANSWER_SECONDS", 0.05)
    try:
        for answer in [Caller().get("/health/ready") for _ in range(5)]:
            assert answer.json[part.name] is False
        assert asked == [part.name]
    finally:
        answers.set()
    part.ask().result(30)


def test_many_requests_at_once_cost_one_check(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    for part in health.PARTS:
        monkeypatch.setattr(part, "_check", lambda: asked.append(1) or True)
    monkeypatch.setattr(health, "FRESH_SECONDS", 3_600)
    assert {Caller().get("/health/ready").status for _ in range(20)} == {200}
    assert len(asked) == len(health.PARTS)


def test_full_disk_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    answer = Caller().get("/health/ready")
    assert (answer.status, answer.json) == (503, EVERYTHING | {"status": "unavailable", "storage": False})


def test_unreachable_object_storage_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def exists(self, name: str) -> bool:
            raise OSError("the file storage failed")

    monkeypatch.setattr(health, "default_storage", Away())
    assert Caller().get("/health/ready").json["storage"] is False
