"""A count far from the books is asked about before the day is closed (infra/docs/rules.md#metal-days)."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.metal.models import EntryKind, MetalDay, MetalEntry
from project.metal.rules import allowed_mg, is_far
from tests.builders import Shop, somebody
from tests.project.metal.weighing import DAYS, alloy, close, closed, count, held, issue, receive


@pytest.fixture
def ley(shop: Shop) -> Alloy:
    """Sterling: Carla was given 100 g at casting, which may lose 20 ‰."""
    of = alloy()
    receive(shop.ana, of)
    issue(shop.ana, of, 100, shop.carla.id, shop.casting)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(allowed_loss="20.0")
    return of


@pytest.mark.parametrize(
    ("difference", "loss", "allowed", "far"),
    [
        (-20, -20, 0, False),
        (-21, -21, 0, True),
        (5_000, 5_000, 0, False),
        (5_001, 5_001, 0, True),
        (5_001, 5_001, 2_501, False),
        (0, 5_001, 2_500, True),
    ],
)
def test_only_two_steps_more_or_twice_the_allowance_and_5_g_less_are_near(
    difference: int, loss: int, allowed: int, far: bool
) -> None:
    assert is_far(difference_mg=difference, loss_mg=loss, allowed=allowed, step=10) is far


def test_allowance_is_of_what_was_received() -> None:
    assert allowed_mg(Decimal("12.5"), 100_000) == 1_250
    assert allowed_mg(None, 100_000) == 0


@pytest.mark.parametrize(
    ("counted", "swept", "difference"),
    [(500_000, 0, -499_900), (100.1, 0, -0.1), (100, 500, -500), (9.9, 0, 90.1), (94.9, 0, 5.1), (90, 9, 1)],
)
def test_far_count_is_asked_about_and_closes_with_a_reason(
    shop: Shop, ley: Alloy, counted: float, swept: float, difference: float
) -> None:
    body: dict[str, Any] = {"userId": shop.carla.id}
    before = held(shop.ana)
    asked = close(shop.ana, shop.casting, count(ley, counted, swept), **body)
    figures = {
        "userId": shop.carla.id,
        "alloyId": ley.pk,
        "alloy": "Ley 925",
        "expected": 100,
        "counted": counted,
        "dust": swept,
        "difference": difference,
        "allowed": 2,
    }
    assert (asked.status, asked.code, asked.json["params"]) == (409, "expected_far", {**figures, "counts": [figures]})
    for reason in ({}, {"reason": "  "}):
        refused = close(shop.ana, shop.casting, count(ley, counted, swept), **body, confirm=True, **reason)
        assert refused.fields == {"reason": "required"}
    assert not MetalDay.objects.exists()
    assert held(shop.ana) == before
    day = closed(shop.ana, shop.casting, count(ley, counted, swept), **body, confirm=True, reason="Trajo metal suyo")
    assert (day["reason"], day["alloys"][0]["differenceGrams"]) == ("Trajo metal suyo", difference)
    assert MetalEntry.objects.get(kind=EntryKind.close).reason == "Trajo metal suyo"


@pytest.mark.parametrize(("counted", "swept"), [(100.02, 0), (99, 1.02), (96, 0), (95, 0), (95, 5)])
def test_near_count_closes_at_once(shop: Shop, ley: Alloy, counted: float, swept: float) -> None:
    closed(shop.ana, shop.casting, count(ley, counted, swept), userId=shop.carla.id)


def test_loss_of_more_than_5_g_is_near_within_twice_the_allowance(shop: Shop, ley: Alloy) -> None:
    issue(shop.ana, ley, 200, shop.carla.id, shop.casting)
    assert close(shop.ana, shop.casting, count(ley, 287.99), userId=shop.carla.id).code == "expected_far"
    closed(shop.ana, shop.casting, count(ley, 288), userId=shop.carla.id)


def test_allowance_counts_only_what_was_received_since_the_closing_before(shop: Shop, ley: Alloy) -> None:
    now = clock.now()
    with clock.at(now + timedelta(minutes=1)):
        closed(shop.ana, shop.casting, count(ley, 100), userId=shop.carla.id)
    with clock.at(now + timedelta(minutes=2)):
        issue(shop.ana, ley, 300, shop.carla.id, shop.casting)
        asked = close(shop.ana, shop.casting, count(ley, 387), userId=shop.carla.id)
        assert (asked.code, asked.json["params"]["allowed"]) == ("expected_far", 6)


def test_process_without_an_allowance_asks_above_5_g(shop: Shop, ley: Alloy) -> None:
    ProductionProcess.objects.update(allowed_loss=None)
    assert close(shop.ana, shop.casting, count(ley, 94.9), userId=shop.carla.id).code == "expected_far"
    closed(shop.ana, shop.casting, count(ley, 95), userId=shop.carla.id)


def test_each_far_count_of_several_people_is_named(shop: Shop, ley: Alloy) -> None:
    one = somebody()
    issue(shop.ana, ley, 10, one.id, shop.casting)
    at = {"productionProcessId": shop.casting.pk}
    people: list[dict[str, Any]] = [
        {**at, "userId": shop.carla.id, "alloys": [count(ley, 50)]},
        {**at, "userId": one.id, "alloys": [count(ley, 1)]},
    ]
    asked = shop.ana.post(f"{DAYS}/people", {"people": people})
    assert [row["userId"] for row in asked.json["params"]["counts"]] == [shop.carla.id, one.id]
    sure = {"confirm": True, "reason": "Pesado dos veces"}
    asked = shop.ana.post(f"{DAYS}/people", {"people": [people[0], people[1] | sure]})
    assert [row["userId"] for row in asked.json["params"]["counts"]] == [shop.carla.id]
    refused = shop.ana.post(f"{DAYS}/people", {"people": [people[0] | sure, people[1] | {"confirm": True}]})
    assert refused.fields == {"people.1.reason": "required"}
    assert shop.ana.post(f"{DAYS}/people", {"people": [row | sure for row in people]}).status == 201
