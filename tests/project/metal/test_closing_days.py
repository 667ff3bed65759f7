"""Closing a person's day of metal: what is booked, who is named, and the late movement that opens it again."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.models import SignInAttempt
from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.metal import closing, ledger, selectors
from project.metal.models import EntryKind, MetalDay, MetalEntry
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Caller, Shop, at_once, somebody
from tests.project.metal.weighing import (
    DAYS,
    METAL,
    SURE,
    alloy,
    close,
    closed,
    count,
    held,
    issue,
    receive,
    take_back,
)
from tests.project.station.standing import PIN, make_badge, name_oneself, set_pin
from tests.realtime.clients import session

DAY = timedelta(days=1)


@pytest.fixture
def ley(shop: Shop) -> Alloy:
    """Sterling: a kilogram of it is in the vault."""
    of = alloy()
    assert receive(shop.ana, of).status == 201
    return of


@pytest.fixture
def bench(shop: Shop, ley: Alloy) -> Iterator[datetime]:
    """Carla was given 100 g at casting and gave 40 g back. The clock stands at noon."""
    at = clock.start_of(clock.today()) + timedelta(hours=12)
    with clock.at(at):
        issue(shop.ana, ley, 100, shop.carla.id, shop.casting)
        take_back(shop.ana, ley, 40, shop.carla.id, shop.casting)
        yield at


def recovers(process: ProductionProcess) -> None:
    ProductionProcess.objects.filter(pk=process.pk).update(recovers=True, allowed_loss="20.0")


def as_carla(shop: Shop) -> dict[str, Any]:
    """The field by which the office names Carla, who is not there."""
    return {"userId": shop.carla.id}


def expected(by: Caller, shop: Shop, query: str = "") -> dict[str, Any]:
    answer = by.get(f"{DAYS}/expected?productionProcessId={shop.casting.pk}&userId={shop.carla.id}{query}")
    assert answer.status == 200, answer
    found: dict[str, Any] = answer.json
    return found


@pytest.mark.usefixtures("bench")
def test_expected_is_what_the_account_holds(shop: Shop, ley: Alloy) -> None:
    recovers(shop.casting)
    day = expected(shop.ana, shop)
    assert day["alloys"] == [{"alloyId": ley.pk, "alloyName": "Ley 925", "expectedGrams": 60.0, "receivedGrams": 100.0}]
    assert (day["userName"], day["productionProcessName"], day["day"]) == (
        "Carla Torres",
        "Fundición",
        clock.today().isoformat(),
    )
    assert (day["recovers"], day["allowedLoss"], day["reopened"], day["closings"]) == (True, 20.0, False, [])


@pytest.mark.parametrize(
    ("swept_up", "gone"), [(True, {"dust Fundición": 1.4}), (False, {"dust Fundición": 0.9, "lost": 0.5})]
)
@pytest.mark.usefixtures("bench")
def test_closed_day_books_dust_and_difference(shop: Shop, ley: Alloy, swept_up: bool, gone: dict[str, float]) -> None:
    if swept_up:
        recovers(shop.casting)
    day = closed(shop.ana, shop.casting, count(ley, 58.6, 0.9), **as_carla(shop), notes="turno de día")
    (row,) = day["alloys"]
    assert (row["expectedGrams"], row["countedGrams"], row["dustGrams"], row["differenceGrams"]) == (60, 58.6, 0.9, 0.5)
    assert (row["receivedGrams"], row["lossGrams"], row["lossPerMille"]) == (100, 1.4, 14.0)
    assert row["fineLossGrams"] == 1.295
    assert (day["userName"], day["number"], day["slipNumber"], day["notes"]) == (
        "Carla Torres",
        1,
        day["id"],
        "turno de día",
    )
    accounts = held(shop.ana)
    assert (
        accounts
        == {
            "vault": 940,
            "person Carla Torres Fundición": 58.6,
            "supplier Casa Fina": -1_000,
        }
        | gone
    )
    assert set(selectors.sums_by_alloy().values()) == {0}
    assert selectors.differing_balances() == []
    assert shop.ana.get(f"{DAYS}/{day['id']}").json == day
    assert shop.ana.get(f"{DAYS}?userId={shop.carla.id}").json == [day]
    assert shop.carla.get(f"{METAL}/mine").json["days"] == [day]


@pytest.mark.usefixtures("bench")
def test_more_than_expected_comes_back_from_what_was_lost(shop: Shop, ley: Alloy) -> None:
    recovers(shop.casting)
    (row,) = closed(shop.ana, shop.casting, count(ley, 60.2, 0.1), **as_carla(shop), **SURE)["alloys"]
    assert (row["differenceGrams"], row["lossGrams"], row["lossPerMille"]) == (-0.3, -0.2, -2.0)
    assert held(shop.ana) == {
        "vault": 940,
        "person Carla Torres Fundición": 60.2,
        "dust Fundición": 0.1,
        "lost": -0.3,
        "supplier Casa Fina": -1_000,
    }


@pytest.mark.usefixtures("bench")
def test_closed_day_is_in_the_audit_and_reaches_readers(shop: Shop, ley: Alloy) -> None:
    day = closed(shop.ana, shop.casting, count(ley, 59, 0.5), **as_carla(shop))
    row = AuditEntry.objects.get(entity="metal-day", entity_id=day["id"])
    assert (row.action, row.user_name, row.changes["namedBy"]["after"]) == ("closed", "Ana Torres", "office")
    assert row.changes["alloys"]["after"] == [
        {"alloyId": ley.pk, "expectedGrams": 60.0, "countedGrams": 59.0, "dustGrams": 0.5, "differenceGrams": 0.5}
    ]
    event = OutboxEvent.objects.filter(type="metal.changed").latest("pk")
    kinds = {one["kind"] for one in json.loads(event.payload)["data"]["accounts"]}
    assert kinds == {"person", "dust", "lost"}


def test_person_is_named_by_pin_or_badge(shop: Shop, ley: Alloy, bench: datetime) -> None:
    set_pin(shop, shop.carla, PIN)
    badge = make_badge(shop, shop.carla)
    tablet = somebody(Permission.Station, Permission.CloseMetalDay)
    day = closed(tablet, shop.casting, count(ley, 60), pin=PIN)
    assert (day["userId"], day["closedBy"]) == (shop.carla.id, tablet.user and tablet.user.full_name)
    assert AuditEntry.objects.get(entity="metal-day").changes["namedBy"]["after"] == "pin"
    with clock.at(bench + timedelta(hours=1)):
        issue(shop.ana, ley, 1, shop.carla.id, shop.casting)
        assert closed(tablet, shop.casting, count(ley, 61), badge=badge, userId=shop.carla.id)["number"] == 2
        assert tablet.get(f"{DAYS}/{day['id']}").json == day, "who closed it reads it"


@pytest.mark.usefixtures("bench")
def test_wrong_pin_is_refused_counted_and_closes_nothing(shop: Shop, ley: Alloy) -> None:
    set_pin(shop, shop.carla, PIN)
    tablet = somebody(Permission.CloseMetalDay)
    answer = close(tablet, shop.casting, count(ley, 60), pin="998877")
    assert (answer.status, answer.code) == (422, "unknown_operator")
    assert SignInAttempt.objects.filter(purpose=SignInAttempt.OPERATOR, failed=True).count() == 1
    for _ in range(4):
        close(tablet, shop.casting, count(ley, 60), pin="998877")
    assert close(tablet, shop.casting, count(ley, 60), pin=PIN).code == "too_many_attempts"
    assert not MetalDay.objects.exists()


@pytest.mark.usefixtures("bench")
def test_day_of_somebody_else_needs_their_pin_or_the_office(shop: Shop, ley: Alloy) -> None:
    set_pin(shop, shop.beto, PIN)
    closer = somebody(Permission.CloseMetalDay)
    assert close(closer, shop.casting, count(ley, 60), **as_carla(shop)).fields == {"pin": "required"}
    both = close(closer, shop.casting, count(ley, 60), pin=PIN, badge="B1AAAA")
    assert both.fields == {"pin": "required"}
    other = close(closer, shop.casting, count(ley, 60), pin=PIN, **as_carla(shop))
    assert other.fields == {"userId": "other_person"}
    office = somebody(Permission.CloseMetalDay, Permission.ManageMetal)
    assert close(office, shop.casting, count(ley, 60), **as_carla(shop)).status == 201


def test_operator_at_a_station_closes_their_own_day_there(shop: Shop, ley: Alloy) -> None:
    dora = Caller(builders.person("dora", Permission.CloseMetalDay, processes=[shop.casting]))
    set_pin(shop, dora, PIN)
    issue(shop.ana, ley, 10, dora.id, shop.casting)
    station = Caller(bearer=name_oneself(somebody(Permission.Station), pin=PIN).json["token"])
    asked = station.get(f"{DAYS}/expected?productionProcessId={shop.casting.pk}")
    assert [row["expectedGrams"] for row in asked.json["alloys"]] == [10]
    day = closed(station, shop.casting, count(ley, 9.9))
    assert (day["userId"], day["closedBy"]) == (dora.id, "Dora Torres")
    assert "stationUserId" in AuditEntry.objects.get(entity="metal-day").changes
    assert close(station, shop.polishing, count(ley, 0)).code == "other_station"


@pytest.mark.usefixtures("bench")
def test_who_may_close_and_who_may_read_a_day(shop: Shop, ley: Alloy) -> None:
    viewer, closer = somebody(Permission.ViewMetal), somebody(Permission.CloseMetalDay)
    for by in (viewer, shop.carla):
        assert close(by, shop.casting, count(ley, 60), **as_carla(shop)).code == "permission_denied"
    assert shop.nobody.post(DAYS, {}).status == 401
    day = closed(shop.ana, shop.casting, count(ley, 60), **as_carla(shop))
    path = f"{DAYS}/{day['id']}"
    assert viewer.get(path).json == day
    assert closer.get(path).code == "not_found"
    assert shop.carla.get(path).code == "permission_denied"
    asked = f"{DAYS}/expected?productionProcessId={shop.casting.pk}"
    assert viewer.get(f"{asked}&userId={shop.carla.id}").status == 200
    assert closer.get(f"{asked}&userId={shop.carla.id}").fields == {"userId": "unknown"}
    assert closer.get(asked).json["alloys"] == []


def test_day_closed_twice_is_refused_until_something_moves(shop: Shop, ley: Alloy, bench: datetime) -> None:
    by_office = partial(close, shop.ana, shop.casting, **as_carla(shop))
    assert by_office(count(ley, 59.5)).status == 201
    again = by_office(count(ley, 59.5))
    assert (again.status, again.code, again.json["params"]) == (409, "day_closed", {"userIds": [shop.carla.id]})
    with clock.at(bench + timedelta(hours=1)):
        issue(shop.ana, ley, 10, shop.carla.id, shop.casting)
        second = by_office(count(ley, 69.4)).json
        (row,) = second["alloys"]
        assert (second["number"], row["receivedGrams"], row["lossPerMille"]) == (2, 10, 10.0)
        assert [one["number"] for one in expected(shop.ana, shop)["closings"]] == [2, 1]


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({"alloys": []}, {"alloys": "not_all_counted"}),
        ({"day": "2199-01-01"}, {"day": "in_the_future"}),
        ({"productionProcessId": 999_999}, {"productionProcessId": "unknown"}),
        ({"userId": 999_999}, {"userId": "unknown"}),
        ({"alloys": [{"alloyId": 999_999, "countedGrams": 1}]}, {"alloys.0.alloyId": "unknown"}),
        ({"lost": 1}, {"lost": "unknown_field"}),
    ],
)
@pytest.mark.usefixtures("bench")
def test_wrong_body_closes_nothing(shop: Shop, ley: Alloy, body: dict[str, Any], refused: dict[str, str]) -> None:
    whole = {"productionProcessId": shop.casting.pk, "alloys": [count(ley, 60)], **as_carla(shop)}
    answer = shop.ana.post(DAYS, whole | body)
    assert (answer.status, answer.fields) == (422, refused)
    assert not MetalDay.objects.exists()


@pytest.mark.parametrize("grams", ["60,5", "60 g", -0.001, 60.0001, True, None])
@pytest.mark.usefixtures("bench")
def test_count_that_is_no_weight_is_refused(shop: Shop, ley: Alloy, grams: Any) -> None:
    answer = close(shop.ana, shop.casting, count(ley, grams), **as_carla(shop))
    assert (answer.status, list(answer.fields)) == (422, ["alloys.0.countedGrams"])
    twice = close(shop.ana, shop.casting, count(ley, 60), count(ley, 60), **as_carla(shop))
    assert twice.fields == {"alloys.1.alloyId": "named_twice"}


def test_nothing_is_closed_where_nothing_is_held(shop: Shop, ley: Alloy) -> None:
    for counts in ([count(ley, 0)], []):
        answer = close(shop.ana, shop.casting, *counts, **as_carla(shop))
        assert (answer.status, answer.code) == (409, "nothing_to_close")


def test_yesterday_is_closed_without_what_happened_today(shop: Shop, ley: Alloy) -> None:
    noon = clock.start_of(clock.today()) + timedelta(hours=12)
    yesterday = clock.day_of(noon - DAY).isoformat()
    with clock.at(noon - DAY):
        issue(shop.ana, ley, 100, shop.carla.id, shop.casting)
    with clock.at(noon):
        issue(shop.ana, ley, 30, shop.carla.id, shop.casting)
        assert expected(shop.ana, shop, f"&day={yesterday}")["alloys"][0]["expectedGrams"] == 100
        day = closed(shop.ana, shop.casting, count(ley, 99), day=yesterday, **as_carla(shop))
        assert (day["day"], day["alloys"][0]["expectedGrams"], day["alloys"][0]["receivedGrams"]) == (
            yesterday,
            100,
            100,
        )
        today = expected(shop.ana, shop)
        assert (today["alloys"][0]["expectedGrams"], today["alloys"][0]["receivedGrams"]) == (129, 30)
        closed(shop.ana, shop.casting, count(ley, 129), **as_carla(shop))
        late = close(shop.ana, shop.casting, count(ley, 129), day=yesterday, **as_carla(shop))
        assert (late.status, late.code) == (409, "later_day_closed")


def _leaves(shop: Shop, of: Alloy, grams: int, made_at: datetime) -> None:
    """Book a movement of Carla's that a station reports later, as a movement does: first open its day again."""
    assert shop.ana.user is not None
    by = session(shop.ana.user)
    closing.days_reopen([(shop.carla.id, shop.casting.pk)], made_at=made_at, by=by)
    posting = ledger.Posting(
        ledger.person_account(shop.carla.id, shop.casting.pk),
        ledger.line_account(7, 1, "PO-7"),
        of.pk,
        grams * 1_000,
        EntryKind.leaves,
        person_id=shop.carla.id,
    )
    ledger.post([posting], by=by, at=clock.now(), made_at=made_at)


def test_late_movement_opens_the_day_again_and_the_next_closing_finds_the_rest(
    shop: Shop, ley: Alloy, bench: datetime
) -> None:
    recovers(shop.casting)
    with clock.at(bench + timedelta(hours=5)):
        day = closed(shop.ana, shop.casting, count(ley, 40), **as_carla(shop), **SURE)
        assert held(shop.ana, kind="dust") == {"dust Fundición": 20}
    with clock.at(bench + timedelta(hours=6)):
        _leaves(shop, ley, 19, made_at=bench + timedelta(hours=4))
        assert held(shop.ana, kind="dust") == {}
        assert shop.ana.get(f"{DAYS}/{day['id']}").json["reopened"] is True
        assert [row["id"] for row in shop.ana.get(f"{DAYS}?reopened=true").json] == [day["id"]]
        now = expected(shop.ana, shop)
        assert (now["reopened"], now["alloys"][0]["expectedGrams"]) == (True, 41)
        again = closed(shop.ana, shop.casting, count(ley, 40), **as_carla(shop))
        assert (again["number"], again["alloys"][0]["differenceGrams"], again["reopened"]) == (2, 1, False)
        assert held(shop.ana, kind="dust") == {"dust Fundición": 1}
        assert expected(shop.ana, shop)["reopened"] is False
    assert [row.action for row in AuditEntry.objects.filter(entity="metal-day").order_by("id")] == [
        "closed",
        "reopened",
        "closed",
    ]
    assert set(selectors.sums_by_alloy().values()) == {0}
    assert selectors.differing_balances() == []


def test_late_movement_before_two_closings_is_told_of_and_charged_once(shop: Shop, ley: Alloy, bench: datetime) -> None:
    recovers(shop.casting)
    with clock.at(bench + timedelta(hours=5)):
        first = closed(shop.ana, shop.casting, count(ley, 58), **as_carla(shop))
        issue(shop.ana, ley, 10, shop.carla.id, shop.casting)
    with clock.at(bench + timedelta(hours=6)):
        second = closed(shop.ana, shop.casting, count(ley, 68), **as_carla(shop))
        assert (second["alloys"][0]["expectedGrams"], second["alloys"][0]["differenceGrams"]) == (68, 0)
    with clock.at(bench + timedelta(hours=7)):
        _leaves(shop, ley, 20, made_at=bench + timedelta(hours=4))
        assert [shop.ana.get(f"{DAYS}/{day['id']}").json["reopened"] for day in (first, second)] == [True, False]
        now = expected(shop.ana, shop)
        assert (now["reopened"], now["alloys"][0]["expectedGrams"]) == (True, 50)
        again = closed(shop.ana, shop.casting, count(ley, 48), **as_carla(shop))
        assert (again["number"], again["alloys"][0]["differenceGrams"]) == (3, 2)
        assert held(shop.ana, kind="dust") == {"dust Fundición": 2}
    assert set(selectors.sums_by_alloy().values()) == {0}


def test_day_is_not_closed_if_metal_moved_since_it_was_looked_at(shop: Shop, ley: Alloy, bench: datetime) -> None:
    with clock.at(bench + timedelta(hours=5)):
        seen = expected(shop.ana, shop)["alloys"][0]["expectedGrams"]
        issue(shop.ana, ley, 10, shop.carla.id, shop.casting)
        before = held(shop.ana, kind="person")
        late = close(shop.ana, shop.casting, {**count(ley, seen), "expectedGrams": seen}, **as_carla(shop))
        assert (late.status, late.code, late.json["params"]) == (409, "expected_changed", {"userIds": [shop.carla.id]})
        assert held(shop.ana, kind="person") == before
        right = {**count(ley, seen + 10), "expectedGrams": seen + 10}
        assert closed(shop.ana, shop.casting, right, **as_carla(shop))["alloys"][0]["differenceGrams"] == 0


def test_late_movement_is_booked_although_the_dust_is_at_the_refinery(shop: Shop, ley: Alloy, bench: datetime) -> None:
    recovers(shop.casting)
    with clock.at(bench + timedelta(hours=5)):
        closed(shop.ana, shop.casting, count(ley, 40), **as_carla(shop), **SURE)
        body = {
            "partner": "Afinadora Sur",
            "alloyId": ley.pk,
            "sources": [{"productionProcessId": shop.casting.pk, "grams": 20}],
        }
        assert shop.ana.post(f"{METAL}/refinings", body).status == 201
        _leaves(shop, ley, 20, made_at=bench + timedelta(hours=4))
    assert held(shop.ana, kind="person") == {"person Carla Torres Fundición": 40}
    assert set(selectors.sums_by_alloy().values()) == {0}


def test_movement_after_the_closing_opens_nothing(shop: Shop, ley: Alloy, bench: datetime) -> None:
    with clock.at(bench + timedelta(hours=5)):
        day = closed(shop.ana, shop.casting, count(ley, 40), **as_carla(shop), **SURE)
    with clock.at(bench + timedelta(hours=6)):
        _leaves(shop, ley, 19, made_at=bench + timedelta(hours=5, minutes=30))
    assert shop.ana.get(f"{DAYS}/{day['id']}").json["reopened"] is False
    assert not MetalEntry.objects.filter(kind=EntryKind.reversal).exists()


@pytest.mark.usefixtures("bench")
def test_release_of_a_record_does_not_take_back_the_closing_of_the_same_number(shop: Shop, ley: Alloy) -> None:
    day = closed(shop.ana, shop.casting, count(ley, 59), **as_carla(shop))
    assert MetalEntry.objects.filter(record_id=day["id"], kind=EntryKind.close).count() == 1
    assert ledger.unreversed_of([day["id"]]) == []


def _people(shop: Shop, of: Alloy, number: int) -> list[dict[str, Any]]:
    """People who each hold 10 g, and their counts of 9.9 g."""
    rows = []
    for _ in range(number):
        one = somebody()
        issue(shop.ana, of, 10, one.id, shop.casting)
        rows.append({"userId": one.id, "productionProcessId": shop.casting.pk, "alloys": [count(of, 9.8, 0.1)]})
    return rows


def test_days_of_many_people_are_closed_with_a_fixed_number_of_queries(shop: Shop, ley: Alloy) -> None:
    counted = []
    for number in (1, 2, 12):
        people = _people(shop, ley, number)
        with CaptureQueriesContext(connection) as sent:
            answer = shop.ana.post(f"{DAYS}/people", {"people": people})
        assert answer.status == 201, answer
        assert [row["userId"] for row in answer.json] == [one["userId"] for one in people]
        counted.append(len(sent))
    assert counted[1] == counted[2], "the first call makes the accounts of dust and of what is lost"
    assert held(shop.ana, kind="dust") == {"dust Fundición": 1.5}
    assert set(selectors.sums_by_alloy().values()) == {0}


def test_days_of_many_people_are_closed_together_or_not_at_all(shop: Shop, ley: Alloy) -> None:
    people = _people(shop, ley, 3)
    for wrong, refused in (
        (people[2] | {"alloys": []}, {"people.2.alloys": "not_all_counted"}),
        (people[0], {"people.2.userId": "named_twice"}),
        (people[2] | {"userId": 999_999}, {"people.2.userId": "unknown"}),
    ):
        answer = shop.ana.post(f"{DAYS}/people", {"people": [*people[:2], wrong]})
        assert (answer.status, answer.fields) == (422, refused)
    assert shop.ana.post(f"{DAYS}/people", {"people": []}).fields == {"people": "required"}
    assert not MetalDay.objects.exists()
    office = somebody(Permission.CloseMetalDay)
    assert office.post(f"{DAYS}/people", {"people": people}).code == "permission_denied"
    shop.ana.headers["idempotency_key"] = "d1"
    first, again = (shop.ana.post(f"{DAYS}/people", {"people": people}) for _ in range(2))
    assert (first.status, again.status, again.json) == (201, 201, first.json)
    assert MetalDay.objects.count() == 3


@pytest.mark.usefixtures("bench")
def test_repeated_closing_answers_the_first_one(shop: Shop, ley: Alloy) -> None:
    set_pin(shop, shop.carla, PIN)
    shop.ana.headers["idempotency_key"] = "d2"
    first, again = (close(shop.ana, shop.casting, count(ley, 59), pin=PIN) for _ in range(2))
    assert (first.status, again.status, again.json) == (201, 201, first.json)
    assert MetalDay.objects.count() == 1


def test_of_two_closings_at_once_one_is_refused(busy_shop: Shop) -> None:
    shop, of = busy_shop, alloy()
    receive(shop.ana, of)
    issue(shop.ana, of, 10, shop.carla.id, shop.casting)
    calls = [partial(close, shop.ana, shop.casting, count(of, 9), **as_carla(shop)) for _ in range(4)]
    answers = at_once(calls)
    assert sorted(one.status for one in answers) == [201, 409, 409, 409]
    assert {one.code for one in answers if one.status == 409} == {"day_closed"}
    assert held(shop.ana, kind="lost") == {"lost": 1}
    assert selectors.differing_balances() == []


def test_dust_is_weighed_although_nothing_is_missing(shop: Shop, ley: Alloy) -> None:
    issue(shop.ana, ley, 10, shop.carla.id, shop.casting)
    closed(shop.ana, shop.casting, count(ley, 9, 1), **as_carla(shop))
    assert held(shop.ana, kind="dust") == {"dust Fundición": 1}
    assert held(shop.ana, kind="lost") == {}
