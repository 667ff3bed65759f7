"""Movements that a station tells of later than they happened (contract, section 8)."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import ChangedDay, ProcessRecord
from tests.builders import Answer, Shop

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def made(shop: Shop, direction: str, order: int, at: object, quantity: int | None = None) -> Answer:
    sent = utc_z(at) if isinstance(at, datetime) else at
    return shop.move(direction, order, shop.casting, quantity, made_at=sent)


def test_pieces_are_inside_since_they_were_brought_in_not_since_the_server_heard(shop: Shop, noon: datetime) -> None:
    order = shop.approved(10)
    assert made(shop, "in", order, noon - 3 * HOUR, 6).status == 200
    assert made(shop, "out", order, noon - 2 * HOUR, 4).status == 200
    left, inside = sorted(shop.history(order), key=lambda row: row["outputDate"] is None)
    assert (left["inputDate"], left["outputDate"]) == (utc_z(noon - 3 * HOUR), utc_z(noon - 2 * HOUR))
    assert left["inputReceivedAt"] == left["outputReceivedAt"] == utc_z(noon)
    assert (inside["inputDate"], inside["inputReceivedAt"]) == (utc_z(noon - 3 * HOUR), utc_z(noon))
    assert inside["outputReceivedAt"] is None


def test_what_comes_at_once_was_not_received_later(shop: Shop, noon: datetime) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting, 4)
    (row,) = shop.history(order)
    assert (row["inputDate"], row["inputReceivedAt"]) == (utc_z(noon), None)


@pytest.mark.parametrize(
    ("ahead", "allowed"),
    [(2 * MINUTE, True), (2.5 * MINUTE, False), (-24 * HOUR, True), (-24 * HOUR - MINUTE, False)],
)
def test_a_movement_is_of_the_last_day_and_hardly_ahead(
    shop: Shop, noon: datetime, ahead: timedelta, allowed: bool
) -> None:
    answer = made(shop, "in", shop.approved(10), noon + ahead)
    if allowed:
        assert answer.status == 200
    else:
        assert (answer.status, answer.code) == (422, "made_at_out_of_range")
        assert answer.json["errors"][0]["field"] == "madeAt"
        assert not ProcessRecord.objects.exists()


def test_nothing_leaves_before_it_entered(shop: Shop, noon: datetime) -> None:
    order = shop.approved(10)
    made(shop, "in", order, noon - HOUR)
    answer = made(shop, "out", order, noon - 2 * HOUR)
    assert (answer.status, answer.code) == (422, "made_at_out_of_range")
    assert shop.line(order)["quantityInside"] == 10


@pytest.mark.parametrize("wrong", ["yesterday", "2026-03-02", "2026-03-02T10:00:00", 1_772_445_600, True, ["x"]])
def test_what_is_no_instant_with_its_zone_is_refused(shop: Shop, wrong: Any) -> None:
    answer = made(shop, "in", shop.approved(10), wrong)
    assert (answer.status, answer.code) == (422, "invalid_fields")
    (error,) = answer.json["errors"]
    assert (error["field"], error["code"]) == ("madeAt", "invalid_instant")


def test_the_history_stands_in_the_order_in_which_it_happened(shop: Shop, noon: datetime) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.polishing, 2)
    late = made(shop, "in", order, noon - HOUR, 3)
    rows = [row["inputDate"] for row in late.json["productionProcesses"]]
    assert rows == [utc_z(noon), utc_z(noon - HOUR)]
    assert rows == [row["inputDate"] for row in shop.history(order)]


def test_pieces_earn_the_price_of_when_they_left(shop: Shop, noon: datetime) -> None:
    path = f"/api/production-processes/{shop.casting.pk}"
    with clock.at(noon - 5 * HOUR):
        shop.ana.put(path, {"price": 3})
    order = shop.approved(10)
    made(shop, "in", order, noon - 4 * HOUR)
    with clock.at(noon - 2 * HOUR):
        shop.ana.put(path, {"price": 7})
    assert made(shop, "out", order, noon - 3 * HOUR, 4).status == 200
    assert made(shop, "out", order, noon - HOUR, 6).status == 200
    prices = ProcessRecord.objects.filter(output_at__isnull=False).order_by("output_at").values_list("price", flat=True)
    assert list(prices) == [Decimal(3), Decimal(7)]


def test_an_exit_of_yesterday_changes_what_was_computed_of_that_day(shop: Shop) -> None:
    early = clock.start_of(clock.today()) + HOUR
    with clock.at(early):
        order = shop.approved(10)
        made(shop, "in", order, early - 3 * HOUR)
        assert made(shop, "out", order, early - 2 * HOUR).status == 200
    assert list(ChangedDay.objects.values_list("day", flat=True)) == [clock.today() - timedelta(days=1)]


def test_the_same_movement_sent_again_happens_once_at_its_own_time(shop: Shop, noon: datetime) -> None:
    order = shop.approved(10)
    body = {"productionProcessId": shop.casting.pk, "madeAt": utc_z(noon - HOUR)}
    path = f"/api/sales-order/{order}/position/1/production-process/in"
    answers = [shop.ana.put(path, body, idempotency_key="station-1") for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 200]
    (row,) = shop.history(order)
    assert row["inputDate"] == utc_z(noon - HOUR)
