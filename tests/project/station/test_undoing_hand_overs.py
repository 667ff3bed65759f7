"""A hand-over is undone as a whole."""

from datetime import timedelta
from typing import Any

from project.access.permissions import Permission
from project.core import clock
from project.orders.models import ProcessRecord
from tests.builders import Caller, Shop, move, person, release, undo
from tests.project.station.handing import hand_over, inside, offered, places, refusal
from tests.project.station.standing import MOVES, Floor


def the_undo(line: dict[str, Any]) -> dict[str, Any]:
    """The only undo offered in the answer."""
    (found,) = line["actions"]["undo"]
    return dict(found)


def test_one_undo_takes_back_both_movements(shop: Shop) -> None:
    order = shop.approved(10)
    with clock.at(clock.now() - timedelta(hours=1)):
        shop.enter(order, shop.casting)
    offer = the_undo(hand_over(shop, order, 6).json)
    assert (offer["side"], offer["productionProcessName"], offer["quantity"]) == ("out", "Fundición", 6)
    answer = undo(shop.ana, order, offer["recordId"])
    assert answer.status == 200, answer
    assert places(shop, order) == {"Fundición": 10}
    entered, *_ = (row for row in shop.history(order) if row["productionProcessName"] == "Pulido")
    assert entered["undone"] is True
    assert refusal(undo(shop.ana, order, offer["recordId"]))[0] == 409
    assert hand_over(shop, order, 10).status == 200, "the pieces can be handed over again"


def test_undo_of_the_entry_takes_back_the_exit_too(shop: Shop) -> None:
    order = shop.approved(10)
    with clock.at(clock.now() - timedelta(hours=1)):
        shop.enter(order, shop.casting)
    hand_over(shop, order)
    (entered,) = ProcessRecord.objects.filter(process=shop.polishing)
    assert undo(shop.ana, order, entered.pk).status == 200
    assert places(shop, order) == {"Fundición": 10}


def test_hand_over_cannot_be_undone_once_its_pieces_moved_on(shop: Shop) -> None:
    order = shop.approved(10)
    with clock.at(clock.now() - timedelta(hours=1)):
        shop.enter(order, shop.casting)
    offer = the_undo(hand_over(shop, order, 6).json)
    by = Caller(person("eva", *MOVES, processes=[shop.polishing]))
    assert move(by, "out", order, shop.polishing, 2).status == 200
    answer = undo(shop.ana, order, offer["recordId"])
    assert refusal(answer) == (409, "not_enough_pieces")
    assert places(shop, order) == {"Fundición": 4, "Pulido": 4}


def test_undo_of_a_hand_over_needs_the_mover_five_minutes_and_both_permissions(shop: Shop) -> None:
    order = inside(shop)
    offer = the_undo_of(hand_over(shop, order).json, "Fundición")
    assert undo(shop.beto, order, offer).code == "not_yours"
    with clock.at(clock.now() + timedelta(minutes=5, seconds=1)):
        assert undo(shop.ana, order, offer).code == "too_late"
    leaves_alone = Permission.SalesOrderPositionProcessOut
    assert shop.ana.user is not None
    shop.ana.user.roles.get().permissions.exclude(action=leaves_alone).delete()
    assert undo(shop.ana, order, offer).code == "permission_denied"


def the_undo_of(line: dict[str, Any], process_name: str) -> int:
    (found,) = (one for one in line["actions"]["undo"] if one["productionProcessName"] == process_name)
    return int(found["recordId"])


def test_operator_hands_over_at_their_station_and_undoes_it_there(floor: Floor) -> None:
    shop = floor.shop
    order = inside(shop)
    dora = floor.dora_stands_here(shop.casting.pk)
    assert offered(shop, order, dora) == {"Pulido": 10}
    assert offered(shop, order, floor.tablet) == {}, "the tablet's account works in no process"
    answer = hand_over(shop, order, 6, by=dora)
    assert answer.status == 200, answer
    assert {row["inputUsername"] for row in shop.history(order) if row["productionProcessName"] == "Pulido"} == {
        "Dora Torres"
    }
    assert undo(dora, order, the_undo_of(answer.json, "Fundición")).status == 200
    assert places(shop, order) == {"Fundición": 10}
    elsewhere = dora.post(
        f"/api/station/{shop.polishing.pk}/hand-over",
        {"salesOrderId": order, "position": 1, "toProcessId": shop.casting.pk},
    )
    assert refusal(elsewhere) == (403, "other_station")


def test_exit_is_undone_alone_after_its_entry_was_released(shop: Shop) -> None:
    order = shop.approved(10)
    with clock.at(clock.now() - timedelta(hours=1)):
        shop.enter(order, shop.casting)
    hand_over(shop, order)
    assert release(shop.ana, order, shop.polishing).status == 200
    (left,) = ProcessRecord.objects.filter(process=shop.casting)
    assert undo(shop.ana, order, left.pk).status == 200
    assert places(shop, order) == {"Fundición": 10}
