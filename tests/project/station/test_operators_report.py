"""Movements that an operator's token reports late, and that such reports do not extend the operator's time."""

from datetime import datetime, timedelta
from typing import Any

from project.access import operators
from project.access.permissions import Permission
from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import ProcessRecord
from tests.builders import Caller, Shop, move, somebody, undo
from tests.project.station.handing import hand_over
from tests.project.station.standing import PIN, Floor, name_oneself

MINUTE = timedelta(minutes=1)


def ordered(shop: Shop, quantity: int) -> int:
    """An order approved two days ago."""
    with clock.at(clock.now() - timedelta(days=2)):
        return shop.approved(quantity)


def made(floor: Floor, dora: Caller, order: int, at: datetime) -> Any:
    return move(dora, "in", order, floor.shop.casting, 1, made_at=utc_z(at))


def test_movements_made_offline_are_accepted_after_the_operator_expired(floor: Floor, noon: datetime) -> None:
    order = ordered(floor.shop, 10)
    dora = floor.dora_stands_here()
    with clock.at(noon + 3 * 60 * MINUTE):
        for minutes in (9, 18, 27):
            assert made(floor, dora, order, noon + minutes * MINUTE).status == 200, (
                "each is within ten minutes of the one before"
            )
        for minutes in (38, -3):
            assert made(floor, dora, order, noon + minutes * MINUTE).code == "operator_over"
        assert move(dora, "in", order, floor.shop.casting, 1).code == "operator_over", "the operator has expired"
    assert ProcessRecord.objects.count() == 3


def test_late_reports_do_not_revive_an_expired_operator(floor: Floor, noon: datetime) -> None:
    order = ordered(floor.shop, 30)
    station = f"/api/station/{floor.shop.casting.pk}"
    dora = floor.dora_stands_here()
    with clock.at(noon + 3 * 60 * MINUTE):
        at = noon
        while at + 9 * MINUTE <= clock.now():
            at += 9 * MINUTE
            assert made(floor, dora, order, at).status == 200
        assert move(dora, "in", order, floor.shop.casting, 1).code == "operator_over"
        assert dora.post(f"{station}/scan", {"code": f"{order}-1"}).code == "operator_over"
        assert dora.get(station).code == "operator_over"
        record = int(floor.shop.history(order)[0]["id"])
        assert undo(dora, order, record).code == "operator_over"


def test_expired_token_only_reports_movements_of_its_time(floor: Floor, noon: datetime) -> None:
    order = ordered(floor.shop, 30)
    dora = floor.dora_stands_here()
    with clock.at(noon + 12 * MINUTE):
        assert made(floor, dora, order, noon + 8 * MINUTE).status == 200, "made while offline"
        assert made(floor, dora, order, clock.now()).status == 200, "also made while offline"
    for minutes in (16, 20, 60):
        with clock.at(noon + minutes * MINUTE):
            for at in (noon + 15 * MINUTE, clock.now()):
                assert made(floor, dora, order, at).code == "operator_over", minutes
            assert made(floor, dora, order, noon + 11 * MINUTE).status == 200, "still waiting in the queue"


def test_expired_token_reports_four_hours_and_a_new_one_reports_the_rest(floor: Floor, noon: datetime) -> None:
    order = ordered(floor.shop, 60)
    dora = floor.dora_stands_here()
    with clock.at(noon + 6 * 60 * MINUTE):
        presses = [noon + number * 10 * MINUTE for number in range(1, 36)]
        answers = [made(floor, dora, order, at) for at in presses]
        assert [answer.status for answer in answers] == [200] * 24 + [401] * 11
        assert {answer.code for answer in answers[24:]} == {"operator_over"}
        again = floor.dora_stands_here()
        assert [made(floor, again, order, at).status for at in presses[24:]] == [200] * 11


def test_report_while_the_operator_is_active_counts_as_a_use(floor: Floor, noon: datetime) -> None:
    order = ordered(floor.shop, 10)
    dora = floor.dora_stands_here()
    with clock.at(noon + 9 * MINUTE):
        assert made(floor, dora, order, noon + 8 * MINUTE).status == 200
    with clock.at(noon + 18 * MINUTE):
        assert move(dora, "in", order, floor.shop.casting, 1).status == 200


def test_operator_expires_ten_minutes_after_the_last_use_when_the_clock_was_set_back(
    floor: Floor, noon: datetime
) -> None:
    order = ordered(floor.shop, 10)
    dora = floor.dora_stands_here()
    with clock.at(noon - 60 * MINUTE):
        assert move(dora, "in", order, floor.shop.casting, 1).status == 200
    with clock.at(noon - 49 * MINUTE):
        assert move(dora, "in", order, floor.shop.casting, 1).code == "operator_over"


def test_report_from_before_the_operator_named_themselves_is_refused(floor: Floor, noon: datetime) -> None:
    order = ordered(floor.shop, 10)
    dora = floor.dora_stands_here()
    refused = made(floor, dora, order, noon - 3 * MINUTE)
    assert (refused.status, refused.code) == (422, "made_at_out_of_range")
    assert refused.json["params"]["first"] == utc_z(noon)
    handed = hand_over(floor.shop, order, by=dora, madeAt=utc_z(noon - 3 * MINUTE))
    assert handed.code == "made_at_out_of_range"
    assert made(floor, dora, order, noon - MINUTE).status == 200, "the clock of a station may differ a little"
    assert made(floor, dora, order, noon - timedelta(hours=25)).code == "made_at_out_of_range"


def test_new_token_may_report_movements_of_an_earlier_stay(floor: Floor, noon: datetime) -> None:
    """After midnight station and operator sign in again, and movements that wait there are still accepted."""
    order = ordered(floor.shop, 10)
    floor.dora_stands_here()
    with clock.at(noon + 14 * 60 * MINUTE):
        operators.forget_ended()
        dora = Floor(floor.shop, Caller(floor.tablet.user), floor.dora).dora_stands_here()
        for minutes in (9, 18, 27):
            assert made(floor, dora, order, noon + minutes * MINUTE).status == 200, (
                "each is within ten minutes of the one before"
            )
        for minutes in (38, 13 * 60, -3):
            assert made(floor, dora, order, noon + minutes * MINUTE).code == "made_at_out_of_range"
        elsewhere = name_oneself(somebody(Permission.Station), pin=PIN)
        assert made(floor, Caller(bearer=elsewhere.json["token"]), order, noon).code == "made_at_out_of_range"
    assert ProcessRecord.objects.count() == 3


def test_repeated_movement_is_replayed_after_the_operator_expired(floor: Floor, noon: datetime) -> None:
    order = floor.shop.approved(10)
    dora = floor.dora_stands_here()

    def send(by: Caller) -> Any:
        at = utc_z(noon + MINUTE)
        return move(by, "in", order, floor.shop.casting, 2, made_at=at, idempotency_key="k1")

    assert send(dora).status == 200
    with clock.at(noon + 60 * MINUTE):
        assert send(dora).headers["Idempotent-Replayed"] == "true"
        assert send(floor.dora_stands_here()).headers["Idempotent-Replayed"] == "true", "also with her new token"
    assert ProcessRecord.objects.count() == 1
