"""Notifications: one for each cause, gone with the cause, and marked as read by each user."""

import json
from copy import copy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.notices import causes
from project.notices.rules import Cause, Kind, is_notified
from project.orders.models import Line
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, somebody

NOTIFIED = json.loads((Path(__file__).parents[2] / "contract" / "notified.json").read_text(encoding="utf-8"))
UNREAD = "/api/notifications/unread"
A_DAY_LATER = timedelta(hours=settings.ALERT_OPEN_HOURS, minutes=1)


def entered_a_day_ago(shop: Shop) -> int:
    """An order with pieces that have been in casting for longer than the setting allows."""
    order = shop.approved(10)
    with clock.at(clock.now() - A_DAY_LATER):
        shop.ana.bearer = Caller(shop.ana.user).bearer
        shop.enter(order, shop.casting)
    shop.ana.bearer = Caller(shop.ana.user).bearer
    return order


def test_record_open_too_long_is_notified_with_its_order(shop: Shop) -> None:
    order = entered_a_day_ago(shop)
    rows = shop.ana.get(UNREAD).json
    po = shop.line(order)["customerSalesOrderId"]
    assert [(row["type"], row["read"]) for row in rows] == [("SalesOrderWithoutOutputProcess", False)]
    assert (rows[0]["message"]["notes"], rows[0]["message"]["salesOrderId"]) == (po, order)


def test_recent_record_is_not_notified(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    assert shop.ana.get(UNREAD).json == []


def test_notification_ends_when_the_pieces_leave(shop: Shop) -> None:
    order = entered_a_day_ago(shop)
    shop.leave(order, shop.casting)
    assert shop.ana.get(UNREAD).json == []


def test_near_or_past_delivery_date_is_notified_until_the_line_is_closed(shop: Shop) -> None:
    days = settings.ALERT_DELIVERY_DAYS
    dates = [clock.today() + timedelta(days=offset) for offset in (-1, days, days + 1)]
    items = [{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": date.isoformat()} for date in dates]
    order = shop.order(items=items)
    rows = shop.ana.get(UNREAD).json
    assert {row["type"] for row in rows} == {"SalesOrderDeliveryDateExpiring"}
    assert sorted(row["message"]["position"] for row in rows) == [1, 2]
    shop.status(order, 1, "Canceled")
    assert [row["message"]["position"] for row in shop.ana.get(UNREAD).json] == [2]


def test_records_without_exit_come_before_delivery_dates(shop: Shop) -> None:
    today = clock.today().isoformat()
    shop.order(items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": today}])
    entered_a_day_ago(shop)
    types = [row["type"] for row in shop.ana.get(UNREAD).json]
    assert types == ["SalesOrderWithoutOutputProcess", "SalesOrderDeliveryDateExpiring"]


def test_reading_is_idempotent_and_affects_only_the_reader(shop: Shop) -> None:
    entered_a_day_ago(shop)
    (row,) = shop.ana.get(UNREAD).json
    for _ in range(2):
        answer = shop.ana.post(f"/api/notifications/{row['id']}/read")
        assert (answer.status, answer.json) == (200, row | {"read": True})
    assert shop.ana.get(UNREAD).json == []
    assert [one["id"] for one in shop.beto.get(UNREAD).json] == [row["id"]]


def test_reading_all_is_a_no_op_when_none_is_unread(shop: Shop) -> None:
    entered_a_day_ago(shop)
    assert len(shop.ana.post("/api/notifications/read/all").json) == 1
    assert shop.ana.post("/api/notifications/read/all").json == []
    assert shop.ana.get(UNREAD).json == []


def test_reading_all_reads_more_than_one_list_shows(shop: Shop) -> None:
    order = shop.order(items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": clock.today().isoformat()}])
    line = Line.objects.get(order=order)
    lines = [copy(line) for _ in range(2, 1_501)]
    for position, one in enumerate(lines, start=2):
        one.pk, one.position = None, position
    Line.objects.bulk_create(lines)
    assert len(shop.ana.get(UNREAD).json) == causes.MOST_UNREAD == 1_000
    with CaptureQueriesContext(connection) as sent:
        answered = shop.ana.post("/api/notifications/read/all").json
    assert len(answered) == 1_000
    assert len(sent) < 40, "statements do not grow with each notification"
    assert shop.ana.get(UNREAD).json == []
    assert OutboxEvent.objects.filter(type="notification.read", to_user=shop.ana.id).count() == 1_500
    assert len(shop.beto.get(UNREAD).json) == 1_000


def test_read_mark_is_published_to_the_reader(shop: Shop) -> None:
    entered_a_day_ago(shop)
    (row,) = shop.ana.get(UNREAD).json
    shop.ana.post(f"/api/notifications/{row['id']}/read")
    event = OutboxEvent.objects.get(type="notification.read")
    assert event.to_user == shop.ana.id
    assert f'"id":{row["id"]}' in event.payload


def test_unknown_or_foreign_notification_gets_404(shop: Shop) -> None:
    entered_a_day_ago(shop)
    (row,) = shop.ana.get(UNREAD).json
    assert shop.ana.post("/api/notifications/999999/read").code == "not_found"
    assert shop.carla.post(f"/api/notifications/{row['id']}/read").code == "not_found"


def test_notifications_need_permission_to_list_orders(shop: Shop) -> None:
    entered_a_day_ago(shop)
    assert shop.carla.get(UNREAD).json == []
    assert len(somebody(Permission.ListOrders).get(UNREAD).json) == 1
    assert shop.nobody.get(UNREAD).status == 401


@pytest.mark.parametrize("case", NOTIFIED, ids=lambda case: case["name"])
def test_notified_users_follow_the_shared_table(case: dict[str, Any]) -> None:
    notified = is_notified(case["process"], permissions=case["permissions"], processes=case["processes"])
    assert notified is case["notified"]


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("number", [1, 2, 3, 1_000_001])
def test_notification_id_encodes_its_cause(kind: Kind, number: int) -> None:
    cause = Cause(kind, number)
    assert Cause.of(cause.notification_id) == cause
    others = {Cause(other, near).notification_id for other in Kind for near in range(number - 1, number + 2)}
    assert len(others) == 3 * len(Kind)


def test_worker_is_notified_only_of_their_own_processes(shop: Shop) -> None:
    order = entered_a_day_ago(shop)
    today = clock.today().isoformat()
    shop.order(items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": today}])
    caster = somebody(Permission.ListOrders, Permission.Station, processes=[shop.casting])
    polisher = somebody(Permission.ListOrders, Permission.Station, processes=[shop.polishing])
    (row,) = caster.get(UNREAD).json
    assert row["message"] == {
        "notes": shop.line(order)["customerSalesOrderId"],
        "position": 1,
        "salesOrderId": order,
        "lineId": shop.line(order)["id"],
        "productionProcessId": shop.casting.pk,
        "productionProcessName": shop.casting.name,
        "insideSince": shop.line(order)["inside"][0]["since"],
        "deliveryDate": None,
        "answer": None,
    }
    assert polisher.get(UNREAD).json == []
    assert polisher.post(f"/api/notifications/{row['id']}/read").code == "not_found"
    assert polisher.post("/api/notifications/read/all").json == []
    assert caster.post(f"/api/notifications/{row['id']}/read").status == 200
    assert len(shop.ana.get(UNREAD).json) == 2, "the office is notified of both"


def test_delivery_notification_has_its_date(shop: Shop) -> None:
    days = [(clock.today() + timedelta(days=offset)).isoformat() for offset in (-1, 0, 1)]
    shop.order(items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": day} for day in days])
    rows = shop.ana.get(UNREAD).json
    assert [row["message"]["deliveryDate"] for row in rows] == days, "the one that is longest overdue comes first"
    assert {row["message"]["productionProcessId"] for row in rows} == {None}
