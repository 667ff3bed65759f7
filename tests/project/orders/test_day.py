"""A past day of the shop floor, replayed from its records, matches the board of that day."""

import random
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.orders.models import Line
from project.orders.rules import Status
from tests.builders import Caller, Shop, release, somebody, undo

DAY = "/api/shop-floor/day"
Board = Counter[tuple[int, int, int]]
"""Pieces inside by process, order and position."""


def inside(cards: Iterable[tuple[int, dict[str, Any]]]) -> Board:
    found: Board = Counter()
    for process, card in cards:
        found[process, card["salesOrderId"], card["position"]] += card["pieces"]
    return found


def board(shop: Shop) -> Board:
    found: Board = Counter()
    for line in shop.ana.get("/api/shop-floor").json["lines"]:
        for pieces in line["inside"]:
            found[pieces["productionProcessId"], line["salesOrderId"], line["position"]] += pieces["quantity"]
    return found


def played(answer: dict[str, Any], until: str) -> Board:
    """Replay the day up to `until` as the client does, and return the pieces inside."""
    found = inside((lane["productionProcessId"], card) for lane in answer["start"] for card in lane["cards"])
    for movement in answer["movements"]:
        if movement["at"] > until:
            break
        card = movement["card"]
        found[movement["productionProcessId"], card["salesOrderId"], card["position"]] = movement["inside"]
    return +found


def test_each_press_is_one_movement_of_the_day_whatever_happens_later(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting, 3)
    release(shop.ana, order, shop.casting, "out")
    rows = shop.ana.get(DAY).json["movements"]
    assert [(row["type"], row["pieces"], row["inside"], row["leftToday"]) for row in rows] == [
        ("in", 10, 10, 0),
        ("out", 3, 7, 3),
        ("returned", 3, 10, 0),
    ]
    assert len({row["press"] for row in rows}) == 3


def test_start_of_a_day_has_one_card_a_line_and_process(shop: Shop) -> None:
    order, yesterday = shop.approved(100), clock.start_of(clock.today()) - timedelta(hours=3)
    for place, pieces in enumerate((1, 9, 89)):
        with clock.at(yesterday + timedelta(minutes=place)):
            shop.enter(order, shop.casting, pieces)
    (card,) = [card for lane in shop.ana.get(DAY).json["start"] for card in lane["cards"]]
    assert (card["pieces"], card["since"]) == (99, yesterday.strftime("%Y-%m-%dT%H:%M:%S.000Z"))


def one_change(shop: Shop, order: int, roll: random.Random) -> None:
    """Make a random change to the order."""
    line = shop.line(order)
    process = roll.choice([shop.casting, shop.polishing])
    undoable = line["actions"]["undo"]
    match roll.randrange(6):
        case 0:
            release(shop.ana, order, process, "out")
        case 1:
            release(shop.ana, order, process)
        case 2 if undoable:
            undo(shop.ana, order, undoable[0]["recordId"])
        case 3 | 4:
            shop.move("out", order, process, roll.randint(1, 6))
        case _:
            shop.move("in", order, process, roll.randint(1, 6))


@pytest.mark.parametrize("seed", range(2))
def test_replayed_day_matches_the_board_at_every_change(shop: Shop, seed: int) -> None:
    roll = random.Random(seed)
    orders = [shop.approved(12), shop.approved(9)]
    midnight = clock.start_of(clock.today())
    seen: dict[str, Board] = {}
    for step in range(-30, 30):  # half of the changes fall on the day before
        instant = midnight + timedelta(minutes=20 * step, seconds=1)
        with clock.at(instant):
            one_change(shop, roll.choice(orders), roll)
            if step >= 0:
                seen[instant.strftime("%Y-%m-%dT%H:%M:%S.999Z")] = board(shop)
            elif step == -1:
                at_midnight = board(shop)
    answer = shop.ana.get(f"{DAY}?date={clock.today()}").json
    assert answer["date"] == clock.today().isoformat()
    assert answer["begins"] == midnight.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    assert answer["ends"] == clock.end_of(clock.today()).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    assert played(answer, "") == +at_midnight
    assert {instant: played(answer, instant) for instant in seen} == seen
    assert any(seen.values())


def test_a_line_that_was_late_that_day_is_late_in_its_replay_though_it_was_finished_since(shop: Shop) -> None:
    order, yesterday = shop.approved(10), clock.start_of(clock.today()) - timedelta(hours=3)
    with clock.at(yesterday):
        shop.enter(order, shop.casting)
    Line.objects.update(delivery_date=clock.day_of(yesterday) - timedelta(days=1))
    shop.leave(order, shop.casting)
    Line.objects.update(status=Status.Done)
    (card,) = [card for lane in shop.ana.get(DAY).json["start"] for card in lane["cards"]]
    assert card["late"] is True


def test_day_leaves_out_later_movements(shop: Shop) -> None:
    order = shop.approved(10)
    yesterday = clock.start_of(clock.today()) - timedelta(hours=3)
    with clock.at(yesterday):
        shop.enter(order, shop.casting, 4)
    shop.leave(order, shop.casting, 4)
    before, today = (shop.ana.get(f"{DAY}?date={day}").json for day in (clock.day_of(yesterday), clock.today()))
    (entry,) = before["movements"]
    assert (entry["type"], entry["by"], entry["card"]["pieces"], entry["card"]["itemName"]) == (
        ("in", "Ana Torres", 4, shop.item.name)
    )
    assert [lane["cards"] for lane in before["start"] if lane["cards"]] == []
    assert [movement["type"] for movement in today["movements"]] == ["out"]
    (card,) = [card for lane in today["start"] for card in lane["cards"]]
    assert card["recordId"] == entry["card"]["recordId"]


def test_day_costs_a_constant_number_of_queries(shop: Shop) -> None:
    costs = []
    for orders in (1, 5):
        for _ in range(orders):
            shop.enter(shop.approved(3), shop.casting)
        with CaptureQueriesContext(connection) as queries:
            assert shop.ana.get(DAY).status == 200
        costs.append(len(queries))
    assert costs[0] == costs[1]


def test_day_needs_permission_for_the_board_and_a_valid_date(shop: Shop) -> None:
    assert somebody(Permission.ListOrders).get(DAY).status == 403
    assert somebody(Permission.ShopFloor).get(DAY).status == 200
    for wrong in ("2026-13-01", "yesterday", "1800-01-01"):
        answer = shop.ana.get(f"{DAY}?date={wrong}")
        assert (answer.status, answer.code) == (422, "invalid_fields")


def test_future_day_is_refused_and_today_is_not(shop: Shop) -> None:
    tomorrow = clock.today() + timedelta(days=1)
    answer = shop.ana.get(f"{DAY}?date={tomorrow}")
    assert (answer.status, answer.fields) == (422, {"date": "date_out_of_range"})
    assert str(clock.today()) in answer.json["errors"][0]["message"]
    assert shop.ana.get(f"{DAY}?date={clock.today()}").status == 200
    with clock.at(clock.end_of_today()):
        assert Caller(shop.ana.user).get(f"{DAY}?date={tomorrow}").status == 200


def test_released_pieces_that_had_left_are_removed_from_the_day(shop: Shop) -> None:
    order = shop.approved(4)
    shop.enter(order, shop.casting, 4)
    shop.leave(order, shop.casting, 4)
    release(shop.ana, order, shop.casting)
    moved = [movement["type"] for movement in shop.ana.get(DAY).json["movements"]]
    assert moved == ["in", "out", "removed"]
    assert [line["leftToday"] for line in shop.ana.get("/api/shop-floor").json["lines"]] == [[]]
