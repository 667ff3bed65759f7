"""Operators name themselves at a shared station and move pieces under their own name."""

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


def test_movement_has_the_operators_name(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    assert move(dora, "in", order, shop.casting, 6).status == 200
    assert move(dora, "out", order, shop.casting, 2).status == 200
    assert {row["inputUsername"] for row in shop.history(order)} == {"Dora Torres"}
    assert move(floor.tablet, "in", order, shop.casting).status == 403, "the tablet's account may not move pieces"
    event = OutboxEvent.objects.filter(type="line.moved").latest("pk")
    assert json.loads(event.payload)["by"] == {"id": dora.id, "fullName": "Dora Torres"}


def test_audit_has_operator_and_station(floor: Floor) -> None:
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


def test_processes_and_permissions_of_the_operator_count_not_the_stations(shop: Shop) -> None:
    tablet = somebody(Permission.Station, *MOVES, processes=[shop.casting, shop.polishing])
    eva = Caller(person("eva", Permission.SalesOrderPositionProcessIn, processes=[shop.polishing]))
    set_pin(shop, eva, "141421")
    order = shop.approved(10)
    here = Caller(bearer=name_oneself(tablet, pin="141421").json["token"])
    assert move(here, "in", order, shop.casting).code == "not_your_process"
    assert move(here, "in", order, shop.polishing, 4).status == 200
    assert move(here, "out", order, shop.polishing).code == "permission_denied"
    assert move(tablet, "out", order, shop.polishing).status == 200


def test_user_who_may_move_nothing_at_the_process_cannot_name_themselves(floor: Floor) -> None:
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
    assert answer.status == 200, "permission for exits alone is enough"


def test_permissions_taken_from_an_operator_apply_at_once(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    assert move(dora, "in", order, shop.casting, 2).status == 200
    ProcessWorker.objects.filter(user=dora.id, process=shop.casting).delete()
    assert move(dora, "in", order, shop.casting, 2).code == "not_your_process"
    RolePermission.objects.filter(role__users=dora.id, action=Permission.SalesOrderPositionProcessIn).delete()
    assert move(dora, "in", order, shop.polishing, 2).code == "permission_denied"


@pytest.mark.parametrize("change", [{"active": False}, {"locked": True}], ids=str)
def test_user_who_cannot_sign_in_cannot_be_an_operator(floor: Floor, change: dict[str, bool]) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    badge = make_badge(shop, floor.dora)
    dora = floor.dora_stands_here()
    assert shop.ana.put(f"/identity/users/{dora.id}", change).status == 200
    assert move(dora, "in", order, shop.casting).code == "operator_over"
    for body in ({"pin": PIN}, {"badge": badge}):
        assert name_oneself(floor.tablet, **body).code == "unknown_operator"
    assert floor.tablet.get(f"/api/station/{shop.casting.pk}").status == 200


def test_new_password_pin_or_badge_ends_the_operators_tokens(floor: Floor) -> None:
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


def test_change_to_a_customer_account_and_back_ends_the_operators_token(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    users = f"/identity/users/{dora.id}"
    assert shop.ana.put(users, {"userType": "Customer"}).status == 200
    assert shop.ana.put(users, {"userType": "Internal"}).status == 200
    assert move(dora, "in", order, shop.casting, 1).code == "operator_over"


def test_operator_ends_with_the_session_of_the_station(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here()
    assert floor.tablet.post("/identity/authentication/sign-out").status == 200
    assert move(dora, "in", order, shop.casting).code == "unauthenticated"
    again = Caller(floor.tablet.user)
    assert name_oneself(again, pin=PIN).status == 200
    assert move(dora, "in", order, shop.casting).code == "unauthenticated", (
        "the operator's token belongs to the ended session"
    )


@pytest.mark.parametrize("change", [{"active": False}, {"locked": True}, {"password": "Otra.2026x"}], ids=str)
def test_operator_ends_with_the_account_of_the_station(floor: Floor, change: dict[str, object]) -> None:
    dora = floor.dora_stands_here()
    assert floor.shop.ana.put(f"/identity/users/{floor.tablet.id}", change).status == 200
    assert move(dora, "in", floor.shop.approved(10), floor.shop.casting).code == "unauthenticated"


def test_operator_cannot_move_once_the_account_loses_the_station_permission(floor: Floor) -> None:
    dora = floor.dora_stands_here()
    RolePermission.objects.filter(role__users=floor.tablet.id).delete()
    answer = move(dora, "in", floor.shop.approved(10), floor.shop.casting)
    assert (answer.status, answer.code) == (403, "permission_denied")


def test_operator_expires_ten_minutes_after_the_last_use(floor: Floor, noon: datetime) -> None:
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


def test_scan_counts_as_a_use_but_loading_the_station_does_not(floor: Floor, noon: datetime) -> None:
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


def test_operator_of_one_process_cannot_move_in_another(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    dora = floor.dora_stands_here(shop.casting.pk)
    answer = move(dora, "in", order, shop.polishing)
    assert (answer.status, answer.code) == (403, "other_station")
    assert dora.post(f"/api/station/{shop.polishing.pk}/scan", {"code": f"{order}-1"}).code == "other_station"
    anywhere = floor.dora_stands_here()
    assert move(anywhere, "in", order, shop.polishing, 3).status == 200
    assert move(anywhere, "in", order, shop.casting, 3).code == "other_station", (
        "the token is bound to the first process it acted in"
    )
    assert move(dora, "in", order, shop.casting, 3).status == 200
    elsewhere, here = sorted(shop.history(order), key=lambda row: row["productionProcessName"], reverse=True)
    assert undo(dora, order, int(elsewhere["id"])).code == "other_station"
    assert undo(dora, order, int(here["id"])).status == 200


def test_several_operators_share_a_station(floor: Floor) -> None:
    shop, order = floor.shop, floor.shop.approved(10)
    eva = Caller(person("eva", *MOVES, processes=[shop.casting]))
    set_pin(shop, eva, "141421")
    dora = floor.dora_stands_here()
    eva_here = Caller(bearer=name_oneself(floor.tablet, pin="141421").json["token"])
    for by in (dora, eva_here, dora):
        assert move(by, "in", order, shop.casting, 1).status == 200
    assert [row["inputUsername"] for row in shop.history(order)] == ["Dora Torres", "Eva Torres", "Dora Torres"]


def test_only_the_session_of_a_station_may_name_operators(floor: Floor) -> None:
    dora = floor.dora_stands_here()
    assert name_oneself(dora, pin=PIN).status == 403, "an operator's token cannot name operators"
    assert name_oneself(somebody(Permission.ListOrders), pin=PIN).status == 403
    assert name_oneself(floor.shop.nobody, pin=PIN).status == 401


def test_picture_addresses_belong_to_the_session_of_the_station(floor: Floor) -> None:
    """An operator's session is short, and the screen must keep its pictures after it ends."""
    shop, order = floor.shop, floor.shop.approved(5)
    type(shop.item).objects.update(image="items/x.jpeg")
    scan = {"code": f"{order}-1"}
    path = f"/api/station/{shop.casting.pk}/scan"
    images = [by.post(path, scan).json["line"]["image"] for by in (floor.tablet, floor.dora_stands_here())]
    assert images[0] == images[1]
    assert images[0].startswith("/api/images/")


def test_operators_are_deleted_a_day_after_their_session(floor: Floor) -> None:
    floor.dora_stands_here()
    for hours, kept in ((-1, 1), (23, 1), (25, 0)):
        with clock.at(clock.end_of_today() + timedelta(hours=hours)):
            operators.forget_ended()
        assert Operator.objects.count() == kept
