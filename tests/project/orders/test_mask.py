"""What a person may do of what is offered: the same table as the client's (contract, section 8)."""

import json
from pathlib import Path
from typing import Any

import pytest

from project.orders.masked import mask
from project.orders.offers import Offers
from tests.builders import Shop

CASES = json.loads((Path(__file__).parents[2] / "contract" / "mask.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_offers_are_masked_by_permissions_and_processes(case: dict[str, Any]) -> None:
    offers = Offers.model_validate(case["offers"])
    actions = mask(offers, permissions=case["permissions"], processes=case["processes"])
    assert actions.model_dump(mode="json", by_alias=True) == {**case["actions"], "undo": []}


def test_the_actions_of_an_answer_are_its_offers_masked(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    line = shop.line(order)
    assert [offer["maxQuantity"] for offer in line["offers"]["out"]] == [4]
    assert [move["type"] for move in line["actions"]["movements"]] == ["out", "in", "in"]
    (row,) = shop.ana.get("/api/sales-order/positions").json
    assert (row["offers"], row["actions"]) == (line["offers"], line["actions"])
