"""An operator's token opens what is done at a station, and nothing else."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from project.access.guard import SignedIn
from project.access.operators import LASTS
from project.access.permissions import ALL
from project.api import api
from project.core import clock
from tests import builders
from tests.builders import Caller, Shop, somebody
from tests.contract.operations import PUBLIC, Operation, operations
from tests.project.station.standing import make_badge, name_oneself

AT_A_STATION = {
    "sales_order_position_process_in": "he moves pieces",
    "sales_order_position_process_out": "he moves pieces",
    "sales_order_position_record_undo": "he takes his own back",
    "station_get": "what stands before him",
    "station_scan": "what a scan means to him",
    "station_hand_over": "he moves pieces on",
}
TOLD_LATER = {"sales_order_position_process_in", "sales_order_position_process_out", "station_hand_over"}
"""What a station that was offline reports later: the operation checks the operator's time itself."""
EVERY = sorted((one for one in operations() if one.name not in PUBLIC), key=str)


@pytest.fixture(scope="module")
def station(module_db: None) -> Iterator[tuple[Shop, Caller]]:
    """A workshop, and Beto at a station of it: he and the station's account hold every permission. The time stands.

    Beto uses a badge: a PIN is slow to hash, and opens the same.
    """
    shop = builders.shop()
    with clock.at(clock.now()):
        badge = make_badge(shop, shop.beto)
        yield shop, Caller(bearer=name_oneself(somebody(*ALL), badge=badge).json["token"])


@pytest.fixture
def shop(station: tuple[Shop, Caller], db: None) -> Shop:
    return station[0]


@pytest.fixture
def operator(station: tuple[Shop, Caller], db: None) -> Caller:
    return station[1]


@pytest.mark.parametrize("operation", EVERY, ids=str)
def test_everything_but_what_is_done_at_a_station_is_refused(operator: Caller, operation: Operation) -> None:
    answer = operator.call(operation.method, operation.path, {})
    if operation.name in AT_A_STATION:
        assert answer.status in (404, 422), answer
    else:
        assert (answer.status, answer.code) == (403, "permission_denied")


def test_the_guards_say_the_same() -> None:
    guards = {
        str(operation.operation_id): callback
        for bound in api._get_bound_routers()
        for view in bound.path_operations.values()
        for operation in view.operations
        for callback in operation.auth_callbacks
        if isinstance(callback, SignedIn)
    }
    assert {name for name, guard in guards.items() if guard.operators} == set(AT_A_STATION)
    assert {name for name, guard in guards.items() if guard.reported_later} == TOLD_LATER


@pytest.mark.parametrize("operation", [one for one in EVERY if one.name in AT_A_STATION], ids=str)
def test_who_is_over_is_told_so_by_a_code_of_its_own(shop: Shop, operator: Caller, operation: Operation) -> None:
    order = shop.approved(3)
    shop.enter(order, shop.casting, 1)
    path = operation.template.replace("{order_id}", str(order)).replace("{position}", "1")
    path = path.replace("{process_id}", str(shop.casting.pk)).replace("{record_id}", "1")
    body = {
        "station_hand_over": {"salesOrderId": order, "position": 1, "toProcessId": shop.polishing.pk},
        "station_scan": {"code": f"{order}-1"},
    }.get(operation.name, {"productionProcessId": shop.casting.pk})
    with clock.at(clock.now() + LASTS + timedelta(seconds=1)):
        answer = operator.call(operation.method, path, None if operation.method == "GET" else body)
    assert (answer.status, answer.code) == (401, "operator_over")


@pytest.mark.parametrize("bearer", ["operator.", "operator.x", "operator." + "A" * 43, "operator." + "A" * 5_000])
def test_a_made_up_one_opens_nothing(shop: Shop, bearer: str) -> None:
    answer = Caller(bearer=bearer).get(f"/api/station/{shop.casting.pk}")
    assert (answer.status, answer.code) == (401, "operator_over")
