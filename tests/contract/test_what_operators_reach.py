"""An operator's token opens only the operations of a station."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from project.access.guard import SignedIn
from project.access.operators import LASTS
from project.access.permissions import ALL
from project.api import api
from project.core import clock
from project.core.routing import PUBLIC
from tests import builders
from tests.builders import Caller, Shop, somebody
from tests.contract.operations import Operation, operations
from tests.project.station.standing import make_badge, name_oneself

AT_A_STATION = {
    "sales_order_position_process_in": "they move pieces",
    "sales_order_position_process_out": "they move pieces",
    "sales_order_position_scrap": "they scrap pieces that are lost",
    "sales_order_position_record_undo": "they undo their own movements",
    "press_undo": "they undo their own presses",
    "batch_process_in": "they move the pieces of a batch",
    "batch_process_out": "they move the pieces of a batch",
    "station_get": "they see their station",
    "station_scan": "they scan a code",
    "station_hand_over": "they hand pieces over",
    "line_message_list": "they read what is written about a line",
    "line_message_get": "their message that is sent again",
    "line_message_create": "they call somebody to a line",
    "line_message_come": "they come after a call",
    "metal_day_expected": "they count their metal",
    "metal_day_create": "they close their day of metal",
    "metal_day_reopen": "they take back the closing of their day",
    "metal_day_get": "they see their closed day",
    "metal_slip_print": "they print the slip of their day",
}
THEIR_OPTIONS = {"production_process_list": "the lines at their station name processes by id"}
"""Lists that operators may read as options (`fields=options`) and in no other form."""
REPORTED_LATER = {
    "line_message_create",
    "line_message_come",
    "press_undo",
    "sales_order_position_process_in",
    "sales_order_position_process_out",
    "sales_order_position_scrap",
    "station_hand_over",
}
"""Operations that an offline station sends later: they check themselves when the operator was active."""
EVERY = sorted((one for one in operations() if one.name not in PUBLIC), key=str)


@pytest.fixture(scope="module")
def station(module_db: None) -> Iterator[tuple[Shop, Caller]]:
    """A workshop with Beto at a station. He and the account of the station hold every permission. The clock is stopped.

    Beto uses a badge: a PIN opens the same, but is slow to hash.
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
def test_an_operator_may_call_only_what_is_done_at_a_station(operator: Caller, operation: Operation) -> None:
    answer = operator.call(operation.method, operation.path, {})
    if operation.name in AT_A_STATION:
        assert answer.status in (404, 422), answer
    else:
        assert (answer.status, answer.code) == (403, "permission_denied")


def test_the_guards_open_to_operators_what_the_table_lists() -> None:
    guards = {
        str(operation.operation_id): callback
        for bound in api._get_bound_routers()
        for view in bound.path_operations.values()
        for operation in view.operations
        for callback in operation.auth_callbacks
        if isinstance(callback, SignedIn)
    }
    assert {name for name, guard in guards.items() if guard.operators} == {*AT_A_STATION, *THEIR_OPTIONS}
    assert {name for name, guard in guards.items() if guard.reported_later} == REPORTED_LATER


@pytest.mark.parametrize("operation", [one for one in EVERY if one.name in THEIR_OPTIONS], ids=str)
def test_an_operator_may_read_these_lists_as_options_alone(operator: Caller, operation: Operation) -> None:
    assert operator.get(f"{operation.path}?fields=options").status == 200
    for query in ("", "?filterByUser=true", "?fields=x"):
        assert operator.get(operation.path + query).status in (403, 422)


@pytest.mark.parametrize("operation", [one for one in EVERY if one.name in AT_A_STATION], ids=str)
def test_an_expired_operator_token_gets_401_operator_over(shop: Shop, operator: Caller, operation: Operation) -> None:
    order = shop.approved(3)
    shop.enter(order, shop.casting, 1)
    path = operation.template.replace("{order_id}", str(order)).replace("{position}", "1")
    path = path.replace("{process_id}", str(shop.casting.pk)).replace("{record_id}", "1")
    path = path.replace("{batch_id}", "1").replace("{day_id}", "1").replace("{message_id}", "1")
    body = {
        "station_hand_over": {"salesOrderId": order, "position": 1, "toProcessId": shop.polishing.pk},
        "station_scan": {"code": f"{order}-1"},
        "press_undo": {"key": "k1"},
        "line_message_create": {"kind": "stop", "productionProcessId": shop.casting.pk},
        "sales_order_position_scrap": {
            "productionProcessId": shop.casting.pk,
            "quantity": 1,
            "reason": "broken",
        },
    }.get(operation.name, {"productionProcessId": shop.casting.pk})
    with clock.at(clock.now() + LASTS + timedelta(seconds=1)):
        answer = operator.call(operation.method, path, None if operation.method == "GET" else body)
    assert (answer.status, answer.code) == (401, "operator_over")


@pytest.mark.parametrize("bearer", ["operator.", "operator.x", "operator." + "A" * 43, "operator." + "A" * 5_000])
def test_a_made_up_operator_token_gets_401_operator_over(shop: Shop, bearer: str) -> None:
    answer = Caller(bearer=bearer).get(f"/api/station/{shop.casting.pk}")
    assert (answer.status, answer.code) == (401, "operator_over")
