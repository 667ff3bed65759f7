"""People whose day of metal is open (infra/docs/rules.md#metal-days)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.catalogs.models import Alloy
from project.core import clock
from tests.builders import Shop, buyer, somebody
from tests.project.metal.weighing import DAYS, alloy, closed, count, issue, receive, take_back

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
OPEN = f"{DAYS}/open"


@pytest.fixture
def ley(shop: Shop) -> Alloy:
    of = alloy()
    receive(shop.ana, of)
    return of


@pytest.fixture
def noon(shop: Shop, ley: Alloy) -> Iterator[datetime]:
    """Carla was given 60 g at casting. The clock stands at noon."""
    at = clock.start_of(clock.today()) + 12 * HOUR
    with clock.at(at):
        issue(shop.ana, ley, 60, shop.carla.id, shop.casting)
        yield at


def opened(shop: Shop, query: str = "") -> list[tuple[int, int]]:
    answer = shop.ana.get(OPEN + query)
    assert answer.status == 200, answer
    return [(row["userId"], row["productionProcessId"]) for row in answer.json]


def test_person_with_metal_who_was_never_closed_is_listed(shop: Shop, ley: Alloy, noon: datetime) -> None:
    (row,) = shop.ana.get(OPEN).json
    metal: dict[str, Any] = {"alloyId": ley.pk, "alloyName": "Ley 925", "grams": 60.0, "fineGrams": 55.5}
    assert row == {
        "userId": shop.carla.id,
        "userName": "Carla Torres",
        "productionProcessId": shop.casting.pk,
        "productionProcessName": "Fundición",
        "closedDay": None,
        "closedAt": None,
        "balances": [metal],
    }


def test_closed_person_is_listed_again_once_metal_moves(shop: Shop, ley: Alloy, noon: datetime) -> None:
    carla = (shop.carla.id, shop.casting.pk)
    with clock.at(noon + HOUR):
        closed(shop.ana, shop.casting, count(ley, 59, 0.5), userId=shop.carla.id)
        assert opened(shop) == [], "the entries of a closing are no movements"
    with clock.at(noon + 2 * HOUR):
        take_back(shop.ana, ley, 1, shop.carla.id, shop.casting)
        (row,) = shop.ana.get(OPEN).json
        assert (row["closedDay"], (row["userId"], row["productionProcessId"])) == (clock.today().isoformat(), carla)
        take_back(shop.ana, ley, 58, shop.carla.id, shop.casting)
        assert opened(shop) == [], "nothing is left to close"


def test_day_that_was_taken_back_is_open_again(shop: Shop, ley: Alloy, noon: datetime) -> None:
    with clock.at(noon + HOUR):
        day = closed(shop.ana, shop.casting, count(ley, 59, 0.5), userId=shop.carla.id)
    with clock.at(noon + 2 * HOUR):
        assert shop.ana.post(f"{DAYS}/{day['id']}/reopen").status == 200
        assert opened(shop) == [(shop.carla.id, shop.casting.pk)]
        closed(shop.ana, shop.casting, count(ley, 59, 0.5), userId=shop.carla.id)
        assert opened(shop) == []


def test_closing_of_yesterday_leaves_what_moved_today_open(shop: Shop, ley: Alloy) -> None:
    noon = clock.start_of(clock.today()) + 12 * HOUR
    with clock.at(noon - DAY):
        issue(shop.ana, ley, 10, shop.beto.id, shop.casting)
        issue(shop.ana, ley, 10, shop.carla.id, shop.casting)
    with clock.at(noon):
        issue(shop.ana, ley, 60, shop.carla.id, shop.casting)
    yesterday = clock.day_of(noon - DAY).isoformat()
    with clock.at(noon + HOUR):
        for user_id in (shop.beto.id, shop.carla.id):
            closed(shop.ana, shop.casting, count(ley, 10), userId=user_id, day=yesterday)
        assert opened(shop) == [(shop.carla.id, shop.casting.pk)]


def test_list_is_of_a_process_and_in_pages(shop: Shop, ley: Alloy, noon: datetime) -> None:
    issue(shop.ana, ley, 1, shop.carla.id, shop.polishing)
    assert opened(shop) == [(shop.carla.id, shop.casting.pk), (shop.carla.id, shop.polishing.pk)]
    assert opened(shop, f"?productionProcessId={shop.polishing.pk}") == [(shop.carla.id, shop.polishing.pk)]
    assert opened(shop, "?limit=1") == [(shop.carla.id, shop.casting.pk)]


def test_list_has_a_fixed_number_of_queries(shop: Shop, ley: Alloy, noon: datetime) -> None:
    sent = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            opened(shop)
        sent.append(len(queries))
        for _ in range(3):
            issue(shop.ana, ley, 1, somebody().id, shop.casting)
    assert sent[0] == sent[1]


def test_list_is_for_readers_of_metal(shop: Shop, ley: Alloy, noon: datetime) -> None:
    for permission in (Permission.ViewMetal, Permission.ManageMetal):
        assert somebody(permission).get(OPEN).status == 200
    for other in (somebody(Permission.CloseMetalDay), shop.carla, buyer(shop.customer)):
        assert other.get(OPEN).code == "permission_denied"
    assert shop.nobody.get(OPEN).status == 401
