"""Movements that a station reports later than they happened."""

import random
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import accumulate
from typing import Any

import pytest

from project.audit.models import AuditEntry
from project.core import clock
from project.core.schemas import utc_z
from project.orders.models import ChangedDay, ProcessRecord
from tests.builders import Answer, Caller, Shop, move, release, undo

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def ordered(shop: Shop, quantity: int) -> int:
    """An approved order of two days ago."""
    with clock.at(clock.now() - 48 * HOUR):
        return shop.approved(quantity)


def made(shop: Shop, direction: str, order: int, at: object, quantity: int | None = None) -> Answer:
    sent = utc_z(at) if isinstance(at, datetime) else at
    return shop.move(direction, order, shop.casting, quantity, made_at=sent)


def test_pieces_are_inside_since_they_were_brought_in_not_since_the_server_heard(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    assert made(shop, "in", order, noon - 3 * HOUR, 6).status == 200
    assert made(shop, "out", order, noon - 2 * HOUR, 4).status == 200
    left, inside = sorted(shop.history(order), key=lambda row: row["outputDate"] is None)
    assert (left["inputDate"], left["outputDate"]) == (utc_z(noon - 3 * HOUR), utc_z(noon - 2 * HOUR))
    assert left["inputReceivedAt"] == left["outputReceivedAt"] == utc_z(noon)
    assert (inside["inputDate"], inside["inputReceivedAt"]) == (utc_z(noon - 3 * HOUR), utc_z(noon))
    assert inside["outputReceivedAt"] is None


def test_what_comes_at_once_was_not_received_later(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
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
    answer = made(shop, "in", ordered(shop, 10), noon + ahead)
    if allowed:
        assert answer.status == 200
    else:
        assert (answer.status, answer.code) == (422, "made_at_out_of_range")
        assert answer.json["errors"][0]["field"] == "madeAt"
        assert not ProcessRecord.objects.exists()


def test_nothing_leaves_before_it_entered(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - HOUR)
    answer = made(shop, "out", order, noon - 2 * HOUR)
    assert (answer.status, answer.code) == (422, "made_at_out_of_range")
    assert shop.line(order)["quantityInside"] == 10


def test_pieces_may_leave_at_the_very_instant_at_which_they_are_shown_to_have_entered(shop: Shop) -> None:
    """A station that was told when they entered, by a server that hung meanwhile, says that they left no earlier."""
    order = ordered(shop, 40)
    earlier = clock.now() - HOUR
    reported = [(earlier + timedelta(microseconds=37 * number)).isoformat() for number in range(1, 11)]
    for at in [*reported, *[None] * 10]:
        assert made(shop, "in", order, at, 1).status == 200
        entered = next(row["inputDate"] for row in shop.history(order) if row["outputDate"] is None)
        assert made(shop, "out", order, entered, 1).status == 200


@pytest.mark.parametrize("wrong", ["yesterday", "2026-03-02", "2026-03-02T10:00:00", 1_772_445_600, True, ["x"]])
def test_what_is_no_instant_with_its_zone_is_refused(shop: Shop, wrong: Any) -> None:
    answer = made(shop, "in", ordered(shop, 10), wrong)
    assert (answer.status, answer.code) == (422, "invalid_fields")
    (error,) = answer.json["errors"]
    assert (error["field"], error["code"]) == ("madeAt", "invalid_instant")


def test_work_may_have_begun_before_the_order_was_typed_in(shop: Shop, noon: datetime) -> None:
    order = shop.approved(10)
    assert made(shop, "in", order, noon - HOUR).status == 200
    assert made(shop, "out", order, noon - HOUR / 2).status == 200
    (row,) = shop.history(order)
    assert (row["inputDate"], row["outputDate"]) == (utc_z(noon - HOUR), utc_z(noon - HOUR / 2))
    day = shop.ana.get(f"/api/shop-floor/day?date={clock.today()}").json
    assert [movement["at"] for movement in day["movements"]] == [utc_z(noon - HOUR), utc_z(noon - HOUR / 2)]


def test_the_refusal_names_the_bounds_to_the_machine_and_in_the_plant_s_time_to_people(
    shop: Shop, noon: datetime
) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 5 * HOUR)
    answer = made(shop, "out", order, noon - 6 * HOUR)
    assert answer.json["params"] == {"first": utc_z(noon - 5 * HOUR), "last": utc_z(noon + 2 * MINUTE)}
    for words in (answer.json["message"], answer.json["errors"][0]["message"]):
        assert f"{clock.today()} 07:00" in words
        assert f"{clock.today()} 12:02" in words
    params = made(shop, "in", order, noon + HOUR).json["params"]
    assert params["first"] == utc_z(noon - 24 * HOUR), "of the time alone no line is asked"


def elsewhere(shop: Shop, order: int, at: datetime, quantity: int | None = None) -> Answer:
    return move(shop.ana, "in", order, shop.polishing, quantity, made_at=utc_z(at))


def test_pieces_enter_nowhere_while_they_were_inside_another_process(shop: Shop, noon: datetime) -> None:
    """Else the day, played again, would show twenty pieces of ten."""
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 3 * HOUR)
    made(shop, "out", order, noon - HOUR)
    for at in (noon - 4 * HOUR, noon - 2 * HOUR, noon - HOUR - 3 * MINUTE):
        answer = elsewhere(shop, order, at)
        assert (answer.status, answer.code) == (422, "made_at_out_of_range"), at
        assert answer.json["params"]["first"] == utc_z(noon - HOUR)
    assert elsewhere(shop, order, noon - HOUR - MINUTE).status == 200, "two stations' clocks differ a little"
    entered = next(row for row in shop.history(order) if row["productionProcessId"] == shop.polishing.pk)
    assert entered["inputDate"] == utc_z(noon - HOUR), "not before they left"


def test_the_pieces_that_were_free_enter_while_the_others_were_inside(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 3 * HOUR, 6)
    made(shop, "out", order, noon - HOUR, 6)
    assert elsewhere(shop, order, noon - 2 * HOUR, 5).code == "made_at_out_of_range"
    assert elsewhere(shop, order, noon - 2 * HOUR, 4).status == 200


def test_what_was_released_was_inside_until_then_and_again_since(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 5 * HOUR)
    made(shop, "out", order, noon - 4 * HOUR)
    with clock.at(noon - 2 * HOUR):
        release(Caller(shop.ana.user), order, shop.casting, "out")
    assert made(shop, "out", order, noon - 3 * HOUR).json["params"]["first"] == utc_z(noon - 2 * HOUR)
    assert made(shop, "out", order, noon - HOUR).status == 200
    assert elsewhere(shop, order, noon - 1.5 * HOUR).code == "made_at_out_of_range"
    assert elsewhere(shop, order, noon - HOUR).status == 200


def test_what_waits_of_a_line_is_taken_in_its_order(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    at = noon - 3 * HOUR
    for process in (shop.casting, shop.polishing):
        for direction in ("in", "out"):
            assert move(shop.ana, direction, order, process, made_at=utc_z(at)).status == 200
            at += 20 * timedelta(seconds=1)
    assert shop.history(order)[0]["outputDate"] == utc_z(at - timedelta(seconds=20))


def test_a_claim_ahead_of_the_clock_is_recorded_as_now(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    assert made(shop, "in", order, noon + 2 * MINUTE).status == 200
    assert made(shop, "out", order, noon + 2 * MINUTE).status == 200
    shop.enter(order, shop.polishing)
    polished, cast = shop.history(order)
    assert (cast["inputDate"], cast["outputDate"], polished["inputDate"]) == (utc_z(noon),) * 3


@pytest.mark.parametrize("take_back", ["undo", "release", "release the record"])
def test_pieces_leave_again_after_an_exit_ahead_of_the_clock_was_taken_back(
    shop: Shop, noon: datetime, take_back: str
) -> None:
    order = ordered(shop, 10)
    assert made(shop, "in", order, noon + 2 * MINUTE).status == 200
    shop.leave(order, shop.casting)
    if take_back == "undo":
        assert undo(shop.ana, order, int(shop.history(order)[0]["id"])).status == 200
    else:
        assert release(shop.ana, order, shop.casting, "out" if take_back == "release" else "").status == 200
    if take_back == "release the record":
        shop.enter(order, shop.casting)
    assert made(shop, "out", order, None).status == 200


def test_undo_ends_five_minutes_after_the_receipt_of_a_claim_ahead_of_the_clock(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon + 2 * MINUTE)
    record = int(shop.history(order)[0]["id"])
    with clock.at(noon + 5 * MINUTE + timedelta(seconds=1)):
        assert undo(shop.ana, order, record).code == "too_late"


@pytest.mark.parametrize("seed", range(5))
def test_whatever_stations_claim_no_instant_has_more_pieces_than_the_line(
    shop: Shop, noon: datetime, seed: int
) -> None:
    roll = random.Random(seed)
    order = ordered(shop, 10)
    answers = []
    for _ in range(60):
        direction, process = roll.choice(["in", "out"]), roll.choice([shop.casting, shop.polishing])
        at = utc_z(noon - roll.randrange(0, 20 * 60) * MINUTE)
        answers.append(move(shop.ana, direction, order, process, roll.randrange(1, 6), made_at=at))
        if roll.random() < 0.2:
            release(shop.ana, order, process, roll.choice(["in", "out"]))
    changes = [
        (at, pieces)
        for record in ProcessRecord.objects.all()
        for stay in record.stays
        for at, pieces in ((stay.since, stay.quantity), (stay.until, -stay.quantity))
        if at is not None
    ]
    inside = list(accumulate(pieces for _, pieces in sorted(changes)))
    assert max(inside) <= 10
    assert {answer.status for answer in answers} >= {200, 422}


def test_the_history_stands_in_the_order_in_which_it_happened(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    shop.enter(order, shop.polishing, 2)
    late = made(shop, "in", order, noon - HOUR, 3)
    rows = [row["inputDate"] for row in late.json["productionProcesses"]]
    assert rows == [utc_z(noon), utc_z(noon - HOUR)]
    assert rows == [row["inputDate"] for row in shop.history(order)]


def priced(shop: Shop, at: datetime, price: int) -> None:
    with clock.at(at):
        assert Caller(shop.ana.user).put(f"/api/production-processes/{shop.casting.pk}", {"price": price}).status == 200


def prices(shop: Shop) -> list[Decimal | None]:
    """The prices of the records that left casting, in their order."""
    left = ProcessRecord.objects.filter(output_at__isnull=False).order_by("pk")
    return list(left.values_list("price", flat=True))


@pytest.mark.parametrize(
    ("claimed", "price"),
    [
        (None, 7),
        (timedelta(seconds=3), 3),
        (10 * MINUTE, 3),
        (10 * MINUTE + timedelta(seconds=1), 7),
        (3 * HOUR, 7),
    ],
)
def test_a_claim_that_is_over_ten_minutes_old_earns_the_price_at_its_receipt(
    shop: Shop, noon: datetime, claimed: timedelta | None, price: int
) -> None:
    priced(shop, noon - 5 * HOUR, 3)
    order = ordered(shop, 10)
    assert made(shop, "in", order, noon - 4 * HOUR).status == 200
    priced(shop, noon - timedelta(seconds=1), 7)
    assert made(shop, "out", order, noon - claimed if claimed else None).status == 200
    assert prices(shop) == [Decimal(price)]


def test_a_claim_of_an_hour_ago_earns_the_price_that_has_not_changed_since(shop: Shop, noon: datetime) -> None:
    priced(shop, noon - 5 * HOUR, 3)
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 4 * HOUR)
    assert made(shop, "out", order, noon - HOUR).status == 200
    assert prices(shop) == [Decimal(3)]


def test_the_audit_says_that_a_movement_was_reported_later(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - HOUR)
    shop.leave(order, shop.casting)
    reported, live = AuditEntry.objects.filter(action__in=("in", "out")).order_by("pk")
    assert reported.changes["madeAt"]["after"] == utc_z(noon - HOUR)
    assert "madeAt" not in live.changes


def test_an_exit_of_yesterday_changes_what_was_computed_of_that_day(shop: Shop) -> None:
    early = clock.start_of(clock.today()) + HOUR
    with clock.at(early):
        order = ordered(shop, 10)
        made(shop, "in", order, early - 3 * HOUR)
        assert made(shop, "out", order, early - 2 * HOUR).status == 200
    assert list(ChangedDay.objects.values_list("day", flat=True)) == [clock.today() - timedelta(days=1)]


def test_the_same_movement_sent_again_happens_once_at_its_own_time(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    body = {"productionProcessId": shop.casting.pk, "madeAt": utc_z(noon - HOUR)}
    path = f"/api/sales-order/{order}/position/1/production-process/in"
    answers = [shop.ana.put(path, body, idempotency_key="station-1") for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 200, 200]
    (row,) = shop.history(order)
    assert row["inputDate"] == utc_z(noon - HOUR)
