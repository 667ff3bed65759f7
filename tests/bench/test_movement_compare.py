"""`mismatches` reports every kind of difference between the log and a history of the server."""

from typing import Any

import pytest

from infra.bench.movement_log.compare import mismatches
from infra.bench.movement_log.plan import Record

NAMES = {"ID1": "Worker ID1", "ID2": "Worker ID2"}
EXPECTED = [Record("Milling", 10, "ID1", "ID1", released=True), Record("Milling", 10, "ID1", "ID2")]


def answered(**changes: Any) -> list[dict[str, Any]]:
    """The history of the server for EXPECTED, newest first. `changes` override fields of the newest record."""
    first = {
        "productionProcessName": "Milling",
        "quantity": 10,
        "inputUsername": "Worker ID1",
        "inputDate": "2026-01-02T08:00:00Z",
        "outputUsername": "Worker ID1",
        "outputDate": "2026-01-02T09:00:00Z",
        "released": True,
    }
    second = first | {
        "inputDate": "2026-01-02T09:30:00Z",
        "outputUsername": "Worker ID2",
        "outputDate": "2026-01-02T10:00:00Z",
        "released": False,
    }
    return [second | changes, first]


def test_the_same_history_has_no_mismatch() -> None:
    assert list(mismatches("Case 1", EXPECTED, answered(), NAMES)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"productionProcessName": "Packing"},
        {"quantity": 9},
        {"inputUsername": "Worker ID2"},
        {"outputUsername": "Worker ID1"},
        {"outputUsername": "", "outputDate": None},
        {"released": True},
        {"outputDate": "2026-01-02T09:29:00Z"},
        {"inputDate": "2026-01-02T07:59:00Z"},
    ],
)
def test_each_difference_is_one_mismatch(changes: dict[str, Any]) -> None:
    assert len(list(mismatches("Case 1", EXPECTED, answered(**changes), NAMES))) == 1


def test_a_missing_record_and_one_too_many_are_mismatches() -> None:
    assert "missing" in next(mismatches("Case 1", EXPECTED, answered()[1:], NAMES))
    assert "more than" in next(mismatches("Case 1", EXPECTED[:1], answered(), NAMES))
