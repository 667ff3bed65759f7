"""Movements that a station reports after they happened (`madeAt`)."""

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
from project.orders.selectors import load_past_exits
from tests.builders import Answer, Caller, Shop, move, release, undo

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def ordered(shop: Shop, quantity: int) -> int:
    """An order approved two days ago."""
    with clock.at(clock.now() - 48 * HOUR):
        return shop.approved(quantity)


def made(shop: Shop, direction: str, order: int, at: object, quantity: int | None = None) -> Answer:
    sent = utc_z(at) if isinstance(at, datetime) else at
    return shop.move(direction, order, shop.casting, quantity, made_at=sent)


def test_entry_and_exit_have_the_time_they_were_made_not_received(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    assert made(shop, "in", order, noon - 3 * HOUR, 6).status == 200
    assert made(shop, "out", order, noon - 2 * HOUR, 4).status == 200
    left, inside = sorted(shop.history(order), key=lambda row: row["outputDate"] is None)
    assert (left["inputDate"], left["outputDate"]) == (utc_z(noon - 3 * HOUR), utc_z(noon - 2 * HOUR))
    assert left["inputReceivedAt"] == left["outputReceivedAt"] == utc_z(noon)
    assert (inside["inputDate"], inside["inputReceivedAt"]) == (utc_z(noon - 3 * HOUR), utc_z(noon))
    assert inside["outputReceivedAt"] is None


def test_live_movement_has_no_received_at(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    shop.enter(order, shop.casting, 4)
    (row,) = shop.history(order)
    assert (row["inputDate"], row["inputReceivedAt"]) == (utc_z(noon), None)


@pytest.mark.parametrize(
    ("ahead", "allowed"),
    [(2 * MINUTE, True), (2.5 * MINUTE, False), (-24 * HOUR, True), (-24 * HOUR - MINUTE, False)],
)
def test_made_at_is_accepted_up_to_24_hours_back_and_2_minutes_ahead(
    shop: Shop, noon: datetime, ahead: timedelta, allowed: bool
) -> None:
    answer = made(shop, "in", ordered(shop, 10), noon + ahead)
    if allowed:
        assert answer.status == 200
    else:
        assert (answer.status, answer.code) == (422, "made_at_out_of_range")
        assert answer.json["errors"][0]["field"] == "madeAt"
        assert not ProcessRecord.objects.exists()


def test_exit_before_the_entry_is_refused(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - HOUR)
    answer = made(shop, "out", order, noon - 2 * HOUR)
    assert (answer.status, answer.code) == (422, "made_at_out_of_range")
    assert shop.line(order)["quantityInside"] == 10


def test_exit_at_the_displayed_instant_of_the_entry_is_accepted(shop: Shop) -> None:
    """The entry is stored with microseconds but shown with milliseconds, so the shown time may be slightly
    earlier."""
    order = ordered(shop, 40)
    earlier = clock.now() - HOUR
    reported = [(earlier + timedelta(microseconds=37 * number)).isoformat() for number in range(1, 11)]
    for at in [*reported, *[None] * 10]:
        assert made(shop, "in", order, at, 1).status == 200
        entered = next(row["inputDate"] for row in shop.history(order) if row["outputDate"] is None)
        assert made(shop, "out", order, entered, 1).status == 200


@pytest.mark.parametrize("wrong", ["yesterday", "2026-03-02", "2026-03-02T10:00:00", 1_772_445_600, True, ["x"]])
def test_made_at_without_a_time_zone_gets_422(shop: Shop, wrong: Any) -> None:
    answer = made(shop, "in", ordered(shop, 10), wrong)
    assert (answer.status, answer.code) == (422, "invalid_fields")
    (error,) = answer.json["errors"]
    assert (error["field"], error["code"]) == ("madeAt", "invalid_instant")


def test_movement_may_be_earlier_than_its_order(shop: Shop, noon: datetime) -> None:
    order = shop.approved(10)
    assert made(shop, "in", order, noon - HOUR).status == 200
    assert made(shop, "out", order, noon - HOUR / 2).status == 200
    (row,) = shop.history(order)
    assert (row["inputDate"], row["outputDate"]) == (utc_z(noon - HOUR), utc_z(noon - HOUR / 2))
    day = shop.ana.get(f"/api/shop-floor/day?date={clock.today()}").json
    assert [movement["at"] for movement in day["movements"]] == [utc_z(noon - HOUR), utc_z(noon - HOUR / 2)]


def test_refusal_has_bounds_in_utc_params_and_plant_time_message(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 5 * HOUR)
    answer = made(shop, "out", order, noon - 6 * HOUR)
    assert answer.json["params"] == {"first": utc_z(noon - 5 * HOUR), "last": utc_z(noon + 2 * MINUTE)}
    for words in (answer.json["message"], answer.json["errors"][0]["message"]):
        assert f"{clock.today()} 07:00" in words
        assert f"{clock.today()} 12:02" in words
    params = made(shop, "in", order, noon + HOUR).json["params"]
    assert params["first"] == utc_z(noon - 24 * HOUR), "this check does not look at the line"


def elsewhere(shop: Shop, order: int, at: datetime, quantity: int | None = None) -> Answer:
    return move(shop.ana, "in", order, shop.polishing, quantity, made_at=utc_z(at))


def test_pieces_cannot_enter_while_they_were_inside_another_process(shop: Shop, noon: datetime) -> None:
    """Without this check the replayed day would show twenty pieces of ten."""
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 3 * HOUR)
    made(shop, "out", order, noon - HOUR)
    for at in (noon - 4 * HOUR, noon - 2 * HOUR, noon - HOUR - 3 * MINUTE):
        answer = elsewhere(shop, order, at)
        assert (answer.status, answer.code) == (422, "made_at_out_of_range"), at
        assert answer.json["params"]["first"] == utc_z(noon - HOUR)
    assert elsewhere(shop, order, noon - HOUR - MINUTE).status == 200, "the clocks of two stations may differ a little"
    entered = next(row for row in shop.history(order) if row["productionProcessId"] == shop.polishing.pk)
    assert entered["inputDate"] == utc_z(noon - HOUR), "not before they left"


def test_free_pieces_may_enter_while_others_were_inside_elsewhere(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 3 * HOUR, 6)
    made(shop, "out", order, noon - HOUR, 6)
    assert elsewhere(shop, order, noon - 2 * HOUR, 5).code == "made_at_out_of_range"
    assert elsewhere(shop, order, noon - 2 * HOUR, 4).status == 200


def test_pieces_of_a_released_exit_count_as_inside_except_between_exit_and_release(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 5 * HOUR)
    made(shop, "out", order, noon - 4 * HOUR)
    with clock.at(noon - 2 * HOUR):
        release(Caller(shop.ana.user), order, shop.casting, "out")
    assert made(shop, "out", order, noon - 3 * HOUR).json["params"]["first"] == utc_z(noon - 2 * HOUR)
    assert made(shop, "out", order, noon - HOUR).status == 200
    assert elsewhere(shop, order, noon - 1.5 * HOUR).code == "made_at_out_of_range"
    assert elsewhere(shop, order, noon - HOUR).status == 200


def test_stored_movements_of_a_line_are_accepted_in_sequence(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    at = noon - 3 * HOUR
    for process in (shop.casting, shop.polishing):
        for direction in ("in", "out"):
            assert move(shop.ana, direction, order, process, made_at=utc_z(at)).status == 200
            at += 20 * timedelta(seconds=1)
    assert shop.history(order)[0]["outputDate"] == utc_z(at - timedelta(seconds=20))


def test_made_at_ahead_of_the_clock_is_recorded_as_now(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    assert made(shop, "in", order, noon + 2 * MINUTE).status == 200
    assert made(shop, "out", order, noon + 2 * MINUTE).status == 200
    shop.enter(order, shop.polishing)
    polished, cast = shop.history(order)
    assert (cast["inputDate"], cast["outputDate"], polished["inputDate"]) == (utc_z(noon),) * 3


@pytest.mark.parametrize("take_back", ["undo", "release", "release the record"])
def test_pieces_can_leave_again_after_an_exit_with_made_at_ahead_is_taken_back(
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


def test_undo_ends_5_minutes_after_receipt_of_a_movement_made_ahead(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon + 2 * MINUTE)
    record = int(shop.history(order)[0]["id"])
    with clock.at(noon + 5 * MINUTE + timedelta(seconds=1)):
        assert undo(shop.ana, order, record).code == "too_late"


@pytest.mark.parametrize("seed", range(3))
def test_no_instant_has_more_pieces_inside_than_the_line(shop: Shop, noon: datetime, seed: int) -> None:
    roll = random.Random(seed)
    order = ordered(shop, 10)
    answers = []
    for _ in range(60):
        direction, process = roll.choice(["in", "out"]), roll.choice([shop.casting, shop.polishing])
        at = utc_z(noon - roll.randrange(0, 20 * 60) * MINUTE)
        answers.append(move(shop.ana, direction, order, process, roll.randrange(1, 6), made_at=at))
        if roll.random() < 0.2:
            release(shop.ana, order, process, roll.choice(["in", "out"]))
    records = list(ProcessRecord.objects.all())
    load_past_exits(records)
    changes = [
        (at, pieces)
        for record in records
        for stay in record.stays
        for at, pieces in ((stay.since, stay.quantity), (stay.until, -stay.quantity))
        if at is not None
    ]
    inside = list(accumulate(pieces for _, pieces in sorted(changes)))
    assert max(inside) <= 10
    assert {answer.status for answer in answers} >= {200, 422}


def test_history_is_newest_first_by_made_at(shop: Shop, noon: datetime) -> None:
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
    """The prices of the records that left casting, in order of their ids."""
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
def test_made_at_over_ten_minutes_old_gets_the_price_at_receipt(
    shop: Shop, noon: datetime, claimed: timedelta | None, price: int
) -> None:
    priced(shop, noon - 5 * HOUR, 3)
    order = ordered(shop, 10)
    assert made(shop, "in", order, noon - 4 * HOUR).status == 200
    priced(shop, noon - timedelta(seconds=1), 7)
    assert made(shop, "out", order, noon - claimed if claimed else None).status == 200
    assert prices(shop) == [Decimal(price)]


def test_made_at_an_hour_old_gets_the_price_that_has_not_changed_since(shop: Shop, noon: datetime) -> None:
    priced(shop, noon - 5 * HOUR, 3)
    order = ordered(shop, 10)
    made(shop, "in", order, noon - 4 * HOUR)
    assert made(shop, "out", order, noon - HOUR).status == 200
    assert prices(shop) == [Decimal(3)]


def test_audit_has_made_at_only_for_late_movements(shop: Shop, noon: datetime) -> None:
    order = ordered(shop, 10)
    made(shop, "in", order, noon - HOUR)
    shop.leave(order, shop.casting)
    reported, live = AuditEntry.objects.filter(action__in=("in", "out")).order_by("pk")
    assert reported.changes["madeAt"]["after"] == utc_z(noon - HOUR)
    assert "madeAt" not in live.changes


def test_late_exit_of_yesterday_marks_that_day_as_changed(shop: Shop) -> None:
    early = clock.start_of(clock.today()) + HOUR
    with clock.at(early):
        order = ordered(shop, 10)
        made(shop, "in", order, early - 3 * HOUR)
        assert made(shop, "out", order, early - 2 * HOUR).status == 200
    assert list(ChangedDay.objects.values_list("day", flat=True)) == [clock.today() - timedelta(days=1)]
