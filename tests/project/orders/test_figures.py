"""The progress of an order."""

import json
from pathlib import Path
from typing import Any

import pytest

from project.orders.summaries import progress

PROGRESS = json.loads((Path(__file__).parents[2] / "contract" / "progress.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", PROGRESS, ids=lambda case: case["name"])
def test_progress_follows_the_shared_table(case: dict[str, Any]) -> None:
    on_the_way = {int(usual): left for usual, left in case["onTheWay"].items()}
    assert progress(case["done"], on_the_way, case["pieces"]) == case["progress"]
