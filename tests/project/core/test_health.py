"""Whether the site lives and can do its work (contract, section 1)."""

import pytest
from django.db import OperationalError

from project import health
from tests.builders import Caller

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
