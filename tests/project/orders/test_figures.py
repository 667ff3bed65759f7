"""What an order says of its lines in figures: the same table as the client's."""

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic.alias_generators import to_camel

from project.orders.figures import LineFigures, order_figures, progress
from project.orders.rules import Status

TABLES = Path(__file__).parents[2] / "contract"
CASES = json.loads((TABLES / "figures.json").read_text(encoding="utf-8"))
PROGRESS = json.loads((TABLES / "progress.json").read_text(encoding="utf-8"))


def line(case: dict[str, Any]) -> LineFigures:
    day = case["deliveryDate"]
    return LineFigures(
        status=Status(case["status"]),
        quantity=case["quantity"],
        quantity_done=case["quantityDone"],
        late=case["late"],
        delivery_date=date.fromisoformat(day) if day else None,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_lines_are_counted_by_the_table(case: dict[str, Any]) -> None:
    figures = asdict(order_figures([line(one) for one in case["lines"]]))
    day = figures["first_delivery_date"]
    figures["first_delivery_date"] = day.isoformat() if day else None
    assert {to_camel(name): value for name, value in figures.items()} == case["figures"]


@pytest.mark.parametrize("case", PROGRESS, ids=lambda case: case["name"])
def test_progress_is_reckoned_by_the_table(case: dict[str, Any]) -> None:
    on_the_way = {int(usual): left for usual, left in case["onTheWay"].items()}
    assert progress(case["done"], on_the_way, case["pieces"]) == case["progress"]
