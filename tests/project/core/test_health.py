"""Whether the site lives and can do its work."""

import errno
import threading

import pytest
from django.db import OperationalError

from project.operations import health
from tests.builders import Caller


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test was answered is not fresh in the next."""
    for part in health.PARTS:
        monkeypatch.setattr(part, "_asked", None)


EVERYTHING = {"status": "ok", "database": True, "channelLayer": True, "storage": True}


def test_it_lives_without_a_database() -> None:
    answer = Caller().get("/health/live")
    assert (answer.status, answer.json) == (200, {"status": "ok", "version": "2.3.0"})


def test_it_is_ready_when_its_parts_answer(db: None) -> None:
    answer = Caller().get("/health/ready")
    assert (answer.status, answer.json) == (200, EVERYTHING)


@pytest.mark.parametrize("part", ["database", "storage"])
def test_without_database_or_storage_it_is_not_ready_and_says_which(
    db: None, part: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object, settings: object
) -> None:
    class Away:
        def cursor(self) -> None:
            raise OperationalError("the canary sings")

        def close(self) -> None:
            """Nothing is open."""

    if part == "database":
        monkeypatch.setattr(health, "connection", Away())
    else:
        settings.DATA_DIR = f"{tmp_path}/gone"  # type: ignore[attr-defined]
    answer = Caller().get("/health/ready")
    assert (answer.status, answer.json) == (503, EVERYTHING | {"status": "unavailable", part: False})
    assert "canary" not in answer.text


def test_without_the_channel_layer_it_goes_on(db: None, settings: object) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.nowhere"}}  # type: ignore[attr-defined]
    answer = Caller().get("/health/ready")
    assert (answer.status, answer.json) == (200, EVERYTHING | {"channelLayer": False})


def test_a_database_that_is_away_is_503_in_the_one_shape(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*args: object, **kwargs: object) -> None:
        raise OperationalError("server closed the connection: password=canary")

    monkeypatch.setattr("project.access.guard.verify", away)
    answer = Caller(bearer="x").get("/api/materials")
    assert (answer.status, answer.code) == (503, "unavailable")
    assert "canary" not in answer.text
    answer = Caller(bearer="x").post("/api/materials", {"name": "x"}, idempotency_key="k")
    assert (answer.status, answer.code) == (503, "unavailable")


@pytest.mark.parametrize("part", health.PARTS, ids=lambda part: part.name)
def test_a_part_that_hangs_is_named_and_hung_on_only_once(
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


def test_many_who_ask_at_once_cost_one_check(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    for part in health.PARTS:
        monkeypatch.setattr(part, "_check", lambda: asked.append(1) or True)
    monkeypatch.setattr(health, "FRESH_SECONDS", 3_600)
    assert {Caller().get("/health/ready").status for _ in range(20)} == {200}
    assert len(asked) == len(health.PARTS)


def test_a_full_disk_is_not_ready(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    answer = Caller().get("/health/ready")
    assert (answer.status, answer.json) == (503, EVERYTHING | {"status": "unavailable", "storage": False})


def test_the_service_that_keeps_the_pictures_counts_as_storage(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def exists(self, name: str) -> bool:
            raise OSError("the file storage failed")

    monkeypatch.setattr(health, "default_storage", Away())
    assert Caller().get("/health/ready").json["storage"] is False
