"""The page of measurements is written from the stored rows alone, and a partial run keeps the other rows."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from infra.bench import measurements
from infra.bench.machine import ROOT


def test_the_page_is_the_one_of_the_stored_rows() -> None:
    stored = json.loads(measurements.DATA.read_text())
    assert measurements.PAGE.read_text() == measurements.page(stored), "run make measurements"
    assert set(stored) <= set(measurements.BENCHMARKS)


def test_every_benchmark_is_a_target_of_the_makefile() -> None:
    targets = re.findall(r"^(bench-[a-z-]+|backtest):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert sorted(targets) == sorted(map(measurements.command, measurements.BENCHMARKS))


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stored rows of two benchmarks."""
    rows = {name: {"processors": 2, "rows": {f"{name} then": "1 ms"}} for name in ("live", "calls")}
    (tmp_path / "measurements.json").write_text(json.dumps(rows))
    monkeypatch.setattr(measurements, "ROOT", tmp_path)
    monkeypatch.setattr(measurements, "DATA", tmp_path / "measurements.json")
    monkeypatch.setattr(measurements, "PAGE", tmp_path / "measurements.md")
    return tmp_path


@pytest.mark.parametrize(
    ("good", "rows", "status", "shown"),
    [
        (True, {"live now": "2 ms"}, 0, ["live now", "calls then"]),
        (False, {"live now": "9 ms"}, 1, ["live now", "calls then"]),  # a limit is exceeded
        (False, {}, 1, ["live then", "calls then"]),  # it failed
    ],
)
def test_a_run_replaces_the_rows_of_its_benchmarks_alone(
    stored: Path, monkeypatch: pytest.MonkeyPatch, good: bool, rows: dict[str, Any], status: int, shown: list[str]
) -> None:
    (stored / "measurements.md").write_text(measurements.page(json.loads((stored / "measurements.json").read_text())))
    monkeypatch.setenv("ONLY", "live")
    monkeypatch.setattr(measurements, "run", lambda name, log: (good, rows))
    assert measurements.main() == status
    page = (stored / "measurements.md").read_text()
    assert re.findall(r"^\| ([a-z ]+) \|", page, re.MULTILINE) == shown
