"""Operators: who stands at a station names himself, and moves pieces as himself."""

import json
from datetime import datetime, timedelta

import pytest

from project.access import operators
from project.access.models import Operator
from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.core import clock
from project.identity.models import RolePermission
from project.staffing.models import ProcessWorker
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, move, person, somebody, undo
from tests.project.station.standing import MOVES, PIN, Floor, make_badge, name_oneself, set_pin

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def test_a_movement_carries_the_name_of_who_stands_there(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    assert move(dora, "in", order, shop.casting, 6).status == 200
    assert move(dora, "out", order, shop.casting, 2).status == 200
    assert {row["inputUsername"] for row in shop.history(order)} == {"Dora Torres"}
    assert move(floor.tablet, "in", order, shop.casting).status == 403, "the tablet itself may not"
    event = OutboxEvent.objects.filter(type="line.moved").latest("pk")
    assert json.loads(event.payload)["by"] == {"id": dora.id, "fullName": "Dora Torres"}


def test_the_audit_says_who_it_was_and_at_whose_station(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here(shop.casting.pk)
    move(dora, "in", order, shop.casting)
    named, moved = AuditEntry.objects.order_by("-pk")[:2][::-1]
    tablet = floor.tablet.user
    assert tablet is not None
    assert (named.action, named.user_name, named.entity_id) == ("named-at-station", "Dora Torres", dora.id)
    assert named.changes["station"]["after"] == tablet.full_name
    assert named.changes["productionProcessName"]["after"] == "Fundición"
    assert (moved.action, moved.user_name) == ("in", "Dora Torres")
    assert moved.changes["station"]["after"] == tablet.full_name
    record = int(shop.history(order)[0]["id"])
    assert undo(dora, order, record).status == 200
    undone = AuditEntry.objects.latest("pk")
    assert (undone.action, undone.changes["station"]["after"]) == ("undone", tablet.full_name)


def test_his_own_processes_and_permissions_count_and_not_the_station_s(shop: Shop) -> None:
    tablet = somebody(Permission.Station, *MOVES, processes=[shop.casting, shop.polishing])
    eva = Caller(person("eva", Permission.SalesOrderPositionProcessIn, processes=[shop.polishing]))
    set_pin(shop, eva, "141421")
    order = shop.approved(10)
    here = Caller(bearer=name_oneself(tablet, pin="141421").json["token"])
    assert move(here, "in", order, shop.casting).code == "not_your_process"
    assert move(here, "in", order, shop.polishing, 4).status == 200
    assert move(here, "out", order, shop.polishing).code == "permission_denied"
    assert move(tablet, "out", order, shop.polishing).status == 200


def test_who_may_move_nothing_at_the_process_is_not_named_there(floor: Floor) -> None:
    shop = floor.shop
    strangers = {
        "not_your_process": Caller(person("eva", *MOVES, processes=[shop.polishing])),
        "permission_denied": Caller(person("gil", Permission.ListOrders, processes=[shop.casting])),
    }
    for number, (code, stranger) in enumerate(strangers.items()):
        pin = f"14142{number}"
        assert set_pin(shop, stranger, pin).status == 200
        for body in ({"badge": make_badge(shop, stranger)}, {"pin": pin}):
            answer = name_oneself(floor.tablet, **body, productionProcessId=shop.casting.pk)
            assert (answer.status, answer.code) == (403, code)
            assert "token" not in answer.json
    assert not Operator.objects.exists()
    assert not AuditEntry.objects.filter(action="named-at-station").exists()
    one_side = Caller(person("ines", Permission.SalesOrderPositionProcessOut, processes=[shop.casting]))
    answer = name_oneself(floor.tablet, badge=make_badge(shop, one_side), productionProcessId=shop.casting.pk)
    assert answer.status == 200, "who takes out only works there as well"


def test_rights_taken_while_he_works_count_at_once(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    assert move(dora, "in", order, shop.casting, 2).status == 200
    ProcessWorker.objects.filter(user=dora.id, process=shop.casting).delete()
    assert move(dora, "in", order, shop.casting, 2).code == "not_your_process"
    RolePermission.objects.filter(role__users=dora.id, action=Permission.SalesOrderPositionProcessIn).delete()
    assert move(dora, "in", order, shop.polishing, 2).code == "permission_denied"


@pytest.mark.parametrize("change", [{"active": False}, {"locked": True}], ids=str)
def test_who_may_not_sign_in_is_nobody_at_a_station(floor: Floor, change: dict[str, bool]) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    badge = make_badge(shop, floor.dora)
    dora = floor.dora_stands_here()
    assert shop.ana.put(f"/identity/users/{dora.id}", change).status == 200
    assert move(dora, "in", order, shop.casting).code == "operator_over"
    for body in ({"pin": PIN}, {"badge": badge}):
        assert name_oneself(floor.tablet, **body).code == "unknown_operator"
    assert floor.tablet.get(f"/api/station/{shop.casting.pk}").status == 200


def test_a_new_password_pin_or_badge_ends_what_he_began(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    users = f"/identity/users/{floor.dora.id}"
    ends = (
        lambda: shop.ana.put(users, {"password": "Otra.2026x"}),
        lambda: shop.ana.put(f"{users}/pin", {"pin": "314159"}),
        lambda: shop.ana.put(f"{users}/pin", {"pin": PIN}),
        lambda: shop.ana.post(f"{users}/badge"),
        lambda: shop.ana.delete(f"{users}/badge"),
    )
    for end in ends:
        pin = PIN if name_oneself(floor.tablet, pin=PIN).status == 200 else "314159"
        dora = Caller(bearer=name_oneself(floor.tablet, pin=pin).json["token"])
        assert move(dora, "in", order, shop.casting, 1).status == 200
        assert end().status in (200, 201)
        assert move(dora, "in", order, shop.casting, 1).code == "operator_over"


def test_who_becomes_a_customer_s_account_and_staff_again_must_name_himself_again(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    users = f"/identity/users/{dora.id}"
    assert shop.ana.put(users, {"userType": "Customer"}).status == 200
    assert shop.ana.put(users, {"userType": "Internal"}).status == 200
    assert move(dora, "in", order, shop.casting, 1).code == "operator_over"


def test_he_goes_with_the_session_of_the_station(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    assert floor.tablet.post("/identity/authentication/sign-out").status == 200
    assert move(dora, "in", order, shop.casting).code == "unauthenticated"
    again = Caller(floor.tablet.user)
    assert name_oneself(again, pin=PIN).status == 200
    assert move(dora, "in", order, shop.casting).code == "unauthenticated", "the session that he was bound to is over"


@pytest.mark.parametrize("change", [{"active": False}, {"locked": True}, {"password": "Otra.2026x"}], ids=str)
def test_he_goes_with_the_account_of_the_station(floor: Floor, change: dict[str, object]) -> None:
    dora = floor.dora_stands_here()
    assert floor.shop.ana.put(f"/identity/users/{floor.tablet.id}", change).status == 200
    assert move(dora, "in", floor.shop.approved(10), floor.shop.casting).code == "unauthenticated"


def test_a_station_that_may_not_be_one_any_more_lets_nobody_move(floor: Floor) -> None:
    dora = floor.dora_stands_here()
    RolePermission.objects.filter(role__users=floor.tablet.id).delete()
    answer = move(dora, "in", floor.shop.approved(10), floor.shop.casting)
    assert (answer.status, answer.code) == (403, "permission_denied")


def test_he_is_over_ten_minutes_after_his_last_use(floor: Floor, noon: datetime) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    for minutes in (10, 20, 30):
        with clock.at(noon + minutes * MINUTE):
            assert move(dora, "in", order, shop.casting, 1).status == 200
    with clock.at(noon + 40 * MINUTE + SECOND):
        answer = move(dora, "in", order, shop.casting, 1)
        assert (answer.status, answer.code) == (401, "operator_over")
        assert dora.get(f"/api/station/{shop.casting.pk}").code == "operator_over"
        assert floor.tablet.get(f"/api/station/{shop.casting.pk}").status == 200


def test_a_scan_is_a_use_and_what_the_screen_reads_by_itself_is_none(floor: Floor, noon: datetime) -> None:
    station = f"/api/station/{floor.shop.casting.pk}"
    order = floor.shop.approved(10)
    dora = floor.dora_stands_here()
    with clock.at(noon + 9 * MINUTE):
        assert dora.post(f"{station}/scan", {"code": f"{order}-1"}).status == 200
    for minutes in (18, 19):
        with clock.at(noon + minutes * MINUTE):
            assert dora.get(station).status == 200
    with clock.at(noon + 20 * MINUTE):
        assert dora.get(station).code == "operator_over"


def test_a_station_of_one_process_moves_nothing_elsewhere(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here(shop.casting.pk)
    answer = move(dora, "in", order, shop.polishing)
    assert (answer.status, answer.code) == (403, "other_station")
    assert dora.post(f"/api/station/{shop.polishing.pk}/scan", {"code": f"{order}-1"}).code == "other_station"
    anywhere = floor.dora_stands_here()
    assert move(anywhere, "in", order, shop.polishing, 3).status == 200
    assert move(anywhere, "in", order, shop.casting, 3).code == "other_station", "it is the station's where it acted"
    assert move(dora, "in", order, shop.casting, 3).status == 200
    elsewhere, here = sorted(shop.history(order), key=lambda row: row["productionProcessName"], reverse=True)
    assert undo(dora, order, int(elsewhere["id"])).code == "other_station"
    assert undo(dora, order, int(here["id"])).status == 200


def test_several_stand_at_one_station(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    eva = Caller(person("eva", *MOVES, processes=[shop.casting]))
    set_pin(shop, eva, "141421")
    dora = floor.dora_stands_here()
    eva_here = Caller(bearer=name_oneself(floor.tablet, pin="141421").json["token"])
    for by in (dora, eva_here, dora):
        assert move(by, "in", order, shop.casting, 1).status == 200
    assert [row["inputUsername"] for row in shop.history(order)] == ["Dora Torres", "Eva Torres", "Dora Torres"]


def test_only_a_station_s_own_session_names_somebody(floor: Floor) -> None:
    dora = floor.dora_stands_here()
    assert name_oneself(dora, pin=PIN).status == 403, "an operator names nobody"
    assert name_oneself(somebody(Permission.ListOrders), pin=PIN).status == 403
    assert name_oneself(floor.shop.nobody, pin=PIN).status == 401


def test_pictures_open_in_the_session_of_the_station(floor: Floor) -> None:
    """His own time is short: what the screen shows does not go with him."""
    shop, order = floor.shop, floor.shop.approved(5)
    type(shop.item).objects.update(image="items/x.jpeg")
    scan = {"code": f"{order}-1"}
    path = f"/api/station/{shop.casting.pk}/scan"
    images = [by.post(path, scan).json["line"]["image"] for by in (floor.tablet, floor.dora_stands_here())]
    assert images[0] == images[1]
    assert images[0].startswith("/api/images/")


def test_ended_ones_are_forgotten_a_day_after_their_session(floor: Floor) -> None:
    floor.dora_stands_here()
    for hours, kept in ((-1, 1), (23, 1), (25, 0)):
        with clock.at(clock.end_of_today() + timedelta(hours=hours)):
            operators.forget_ended()
        assert Operator.objects.count() == kept
