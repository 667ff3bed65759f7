"""Taking a closing back while nothing has moved since (infra/docs/rules.md#metal-days)."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.metal import closing, ledger, selectors
from project.metal.models import MetalDay, MetalEntry
from realtime.models import OutboxEvent
from tests import builders
from tests.builders import Answer, Caller, Shop, at_once, somebody
from tests.project.metal.grams import principal
from tests.project.metal.weighing import DAYS, METAL, SURE, alloy, close, closed, count, held, issue, receive
from tests.project.station.standing import PIN, name_oneself, set_pin
from tests.realtime.clients import session

HOUR = timedelta(hours=1)


@pytest.fixture
def ley(shop: Shop) -> Alloy:
    of = alloy()
    receive(shop.ana, of)
    return of


@pytest.fixture
def noon(shop: Shop, ley: Alloy) -> Iterator[datetime]:
    """Carla was given 60 g at casting, which recovers its dust. The clock stands at noon."""
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(recovers=True, allowed_loss="20.0")
    at = clock.start_of(clock.today()) + 12 * HOUR
    with clock.at(at):
        issue(shop.ana, ley, 60, shop.carla.id, shop.casting)
        yield at


def reopen(by: Caller, day: dict[str, Any]) -> Answer:
    return by.post(f"{DAYS}/{day['id']}/reopen")


def expected(shop: Shop) -> dict[str, Any]:
    answer = shop.ana.get(f"{DAYS}/expected?productionProcessId={shop.casting.pk}&userId={shop.carla.id}")
    found: dict[str, Any] = answer.json
    return found


def close_carla(shop: Shop, of: Alloy, *counted: float, **fields: Any) -> dict[str, Any]:
    return closed(shop.ana, shop.casting, count(of, *counted), userId=shop.carla.id, **fields)


def test_closing_taken_back_leaves_the_books_as_before_and_closes_again(shop: Shop, ley: Alloy, noon: datetime) -> None:
    before = held(shop.ana)
    first = close_carla(shop, ley, 50, 1, **SURE)
    with clock.at(noon + HOUR):
        answer = reopen(shop.ana, first)
        assert answer.status == 200, answer
        back = answer.json
        assert (back["id"], back["reopened"], back["reopenedBy"]) == (first["id"], True, "Ana Torres")
        assert back["reopenedAt"] == clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        assert held(shop.ana) == before
        again = expected(shop)
        assert (again["reopened"], again["alloys"][0]["expectedGrams"], again["alloys"][0]["receivedGrams"]) == (
            False,
            60,
            60,
        )
        second = close_carla(shop, ley, 59, 0.5)
    assert (second["number"], second["slipNumber"] > first["slipNumber"]) == (2, True)
    (row,) = second["alloys"]
    assert (row["expectedGrams"], row["receivedGrams"], row["differenceGrams"]) == (60, 60, 0.5)
    assert (second["reopened"], second["reopenedBy"], second["reopenedAt"]) == (False, None, None)
    assert held(shop.ana, kind="dust") == {"dust Fundición": 1}
    assert set(selectors.sums_by_alloy().values()) == {0}
    assert selectors.differing_balances() == []


def test_taking_back_is_in_the_audit_and_reaches_readers(shop: Shop, ley: Alloy, noon: datetime) -> None:
    day = close_carla(shop, ley, 59, 0.5)
    reopen(shop.ana, day)
    row = AuditEntry.objects.filter(entity="metal-day", entity_id=day["id"]).latest("pk")
    assert (row.action, row.user_name) == ("reopened", "Ana Torres")
    event = OutboxEvent.objects.filter(type="metal.changed").latest("pk")
    assert {one["kind"] for one in json.loads(event.payload)["data"]["accounts"]} == {"person", "dust"}


def test_closing_is_not_taken_back_once_metal_has_moved(shop: Shop, ley: Alloy, noon: datetime) -> None:
    day = close_carla(shop, ley, 59, 0.5)
    issue(shop.ana, ley, 1, shop.carla.id, shop.casting)
    before = held(shop.ana)
    answer = reopen(shop.ana, day)
    assert (answer.status, answer.code) == (409, "moved_since")
    assert held(shop.ana) == before
    assert MetalDay.objects.get().reopened is False


def test_closing_is_taken_back_if_what_moved_is_back(shop: Shop, ley: Alloy, noon: datetime) -> None:
    day = close_carla(shop, ley, 59, 0.5)
    issued = MetalEntry.objects.get(pk=issue(shop.ana, ley, 1, shop.carla.id, shop.casting)["id"])
    ledger.reverse([issued], by=principal(shop.ana), at=clock.now())
    assert reopen(shop.ana, day).status == 200
    assert selectors.differing_balances() == []


def test_closing_is_not_taken_back_once_what_moved_before_it_is_taken_back(
    shop: Shop, ley: Alloy, noon: datetime
) -> None:
    issued = MetalEntry.objects.get(pk=issue(shop.ana, ley, 1, shop.carla.id, shop.casting)["id"])
    day = close_carla(shop, ley, 60, 0.5)
    with clock.at(noon + HOUR):
        ledger.reverse([issued], by=principal(shop.ana), at=clock.now())
        assert reopen(shop.ana, day).code == "moved_since"


def test_closing_without_a_difference_is_not_taken_back_once_metal_has_moved(
    shop: Shop, ley: Alloy, noon: datetime
) -> None:
    day = close_carla(shop, ley, 60)
    with clock.at(noon + HOUR):
        issue(shop.ana, ley, 1, shop.carla.id, shop.casting)
        assert reopen(shop.ana, day).code == "moved_since"


def test_closing_is_not_taken_back_twice_or_below_a_later_one(shop: Shop, ley: Alloy, noon: datetime) -> None:
    yesterday = clock.day_of(noon - timedelta(days=1)).isoformat()
    with clock.at(noon - timedelta(days=1)):
        issue(shop.ana, ley, 10, shop.carla.id, shop.casting)
    first = close_carla(shop, ley, 10, day=yesterday)
    second = close_carla(shop, ley, 70)
    assert reopen(shop.ana, first).code == "moved_since"
    assert reopen(shop.ana, second).status == 200
    answer = reopen(shop.ana, second)
    assert (answer.status, answer.code) == (409, "already_reopened")
    assert reopen(shop.ana, first).status == 200, "nothing is closed after it any more"
    assert close_carla(shop, ley, 10, day=yesterday)["number"] == 2, "no later day is closed any more"


def test_closing_is_not_taken_back_once_its_dust_is_at_the_refinery(shop: Shop, ley: Alloy, noon: datetime) -> None:
    day = close_carla(shop, ley, 58, 1)
    sources = [{"productionProcessId": shop.casting.pk, "grams": 2}]
    sent = {"partner": "Afinadora Sur", "alloyId": ley.pk, "sources": sources}
    assert shop.ana.post(f"{METAL}/refinings", sent).status == 201
    answer = reopen(shop.ana, day)
    assert (answer.status, answer.code, answer.json["params"]["account"]) == (409, "not_enough_metal", "dust")
    assert MetalDay.objects.get().reopened is False


def test_late_movement_opens_the_closing_that_stands(shop: Shop, ley: Alloy, noon: datetime) -> None:
    first = close_carla(shop, ley, 59, 0.5)
    reopen(shop.ana, first)
    with clock.at(noon + HOUR):
        second = close_carla(shop, ley, 59)
        assert shop.ana.user is not None
        people = [(shop.carla.id, shop.casting.pk)]
        closing.days_reopen(people, made_at=noon - HOUR, by=session(shop.ana.user))
    found = shop.ana.get(f"{DAYS}/{second['id']}").json
    assert (found["reopened"], found["reopenedBy"]) == (True, None)
    assert reopen(shop.ana, second).code == "already_reopened"


def test_who_may_take_a_closing_back(shop: Shop, ley: Alloy, noon: datetime) -> None:
    day = close_carla(shop, ley, 59, 0.5)
    assert reopen(somebody(Permission.ViewMetal, Permission.ManageMetal), day).code == "permission_denied"
    assert reopen(somebody(Permission.CloseMetalDay), day).code == "not_found"
    assert reopen(somebody(Permission.CloseMetalDay, Permission.ViewMetal), day).code == "permission_denied"
    assert reopen(shop.carla, day).code == "permission_denied"
    assert reopen(shop.ana, {"id": 999_999}).code == "not_found"
    assert reopen(somebody(Permission.CloseMetalDay, Permission.ManageMetal), day).status == 200
    set_pin(shop, shop.carla, PIN)
    tablet = somebody(Permission.Station, Permission.CloseMetalDay)
    own = closed(tablet, shop.casting, count(ley, 59), pin=PIN)
    assert reopen(tablet, own).status == 200, "they closed it"


def test_operator_takes_back_their_own_closing_at_its_process_alone(shop: Shop, ley: Alloy) -> None:
    dora = Caller(builders.person("dora", Permission.CloseMetalDay, processes=[shop.casting]))
    set_pin(shop, dora, PIN)
    issue(shop.ana, ley, 10, dora.id, shop.casting)
    issue(shop.ana, ley, 10, dora.id, shop.polishing)
    station = Caller(bearer=name_oneself(somebody(Permission.Station), pin=PIN).json["token"])
    elsewhere = closed(shop.ana, shop.polishing, count(ley, 10), userId=dora.id)
    day = closed(station, shop.casting, count(ley, 9.9))
    assert reopen(station, day).json["reopenedBy"] == "Dora Torres"
    assert reopen(station, elsewhere).code == "other_station"
    assert "stationUserId" in AuditEntry.objects.filter(action="reopened").latest("pk").changes


def test_repeated_taking_back_answers_the_first_one(shop: Shop, ley: Alloy, noon: datetime) -> None:
    day = close_carla(shop, ley, 59, 0.5)
    shop.ana.headers["idempotency_key"] = "r1"
    first, again = (reopen(shop.ana, day) for _ in range(2))
    assert (first.status, again.status, again.json) == (200, 200, first.json)


def test_of_a_taking_back_and_a_closing_at_once_the_books_add_up(busy_shop: Shop) -> None:
    shop, of = busy_shop, alloy()
    receive(shop.ana, of)
    issue(shop.ana, of, 10, shop.carla.id, shop.casting)
    day = close_carla(shop, of, 9)
    calls = [partial(reopen, shop.ana, day) for _ in range(2)]
    calls += [partial(close, shop.ana, shop.casting, count(of, 8), userId=shop.carla.id) for _ in range(2)]
    answers = at_once(calls)
    assert [one.status for one in answers].count(200) == 1
    assert selectors.differing_balances() == []
    assert set(selectors.sums_by_alloy().values()) == {0}
