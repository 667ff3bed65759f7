"""The alert engine announces each cause once, at the minute it is due or when an event triggers it."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.notices import causes
from project.notices.announcing import announce
from project.notices.models import Announcement, ReadMark
from project.worker.alerts import Alerts
from project.worker.leader_lease import LASTS, LeaderLease
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, at_once, line_path

NOON = datetime(2026, 3, 2, 18, tzinfo=UTC)
LONG = timedelta(hours=settings.ALERT_OPEN_HOURS)
MINUTE = timedelta(minutes=1)
UNREAD = "/api/notifications/unread"


def announced() -> list[tuple[str, int, int]]:
    """The notifications published so far, as (type, order, position)."""
    rows = OutboxEvent.objects.filter(type="notification.created").order_by("id").values_list("payload", flat=True)
    data = [json.loads(row)["data"] for row in rows]
    return [(one["type"], one["message"]["salesOrderId"], one["message"]["position"]) for one in data]


def entered(shop: Shop, at: datetime) -> int:
    order = shop.approved(10)
    with clock.at(at):
        shop.ana.bearer = Caller(shop.ana.user).bearer
        shop.enter(order, shop.casting)
    shop.ana.bearer = Caller(shop.ana.user).bearer
    return order


def due_on(shop: Shop, *days: int) -> int:
    """Create an order with a line for each delivery date, in days from today."""
    dates = [(clock.today() + timedelta(days=day)).isoformat() for day in days]
    return shop.order(items=[{"itemId": shop.item.pk, "quantity": 1, "deliveryDate": date} for date in dates])


def leading() -> Alerts:
    leader = LeaderLease("alerts")
    alerts = Alerts(leader)
    alerts.acquire()
    assert leader.held
    return alerts


def test_record_is_announced_at_the_minute_it_is_open_too_long(shop: Shop) -> None:
    order = entered(shop, NOON)
    for minutes, expected in ((-1, []), (0, [("SalesOrderWithoutOutputProcess", order, 1)])):
        with clock.at(NOON + LONG + minutes * MINUTE):
            announce()
        assert announced() == expected


def test_delivery_date_is_announced_at_the_plants_midnight(shop: Shop) -> None:
    order = due_on(shop, settings.ALERT_DELIVERY_DAYS + 1)
    announce()
    assert announced() == []
    with clock.at(clock.end_of_today() - MINUTE):
        announce()
    assert announced() == []
    with clock.at(clock.end_of_today()):
        announce()
    assert announced() == [("SalesOrderDeliveryDateExpiring", order, 1)]


def test_cause_is_announced_once_over_several_runs(shop: Shop) -> None:
    due_on(shop, 0, 1)
    assert [announce(), announce(), announce()] == [2, 0, 0]
    assert len(announced()) == 2


def test_cause_that_returns_is_announced_again_and_unread_again(shop: Shop) -> None:
    order = due_on(shop, 0)
    announce()
    (row,) = shop.ana.get(UNREAD).json
    shop.ana.post(f"/api/notifications/{row['id']}/read")
    later = (clock.today() + timedelta(days=30)).isoformat()
    for date in (later, clock.today().isoformat()):
        shop.ana.put(f"{line_path(order)}/full", {"deliveryDate": date})
        announce()
    assert [one["id"] for one in shop.ana.get(UNREAD).json] == [row["id"]]
    assert len(announced()) == 2


def test_announcements_and_read_marks_of_a_deleted_order_are_deleted(shop: Shop) -> None:
    order = due_on(shop, 0)
    announce()
    (row,) = shop.ana.get(UNREAD).json
    shop.ana.post(f"/api/notifications/{row['id']}/read")
    shop.ana.delete(f"/api/sales-order/{order}")
    announce()
    assert (Announcement.objects.count(), ReadMark.objects.count()) == (0, 0)


def test_event_equals_the_list_row_and_goes_to_users_who_list_orders(shop: Shop) -> None:
    entered(shop, clock.now() - LONG - MINUTE)
    announce()
    event = OutboxEvent.objects.get(type="notification.created")
    assert json.loads(event.payload)["data"] == shop.ana.get(UNREAD).json[0]
    assert (event.audience, event.to_user) == (str(Permission.ListOrders), None)


def test_reading_a_cause_before_the_engine_runs_announces_it(shop: Shop) -> None:
    order = due_on(shop, 0)
    (row,) = shop.ana.get(UNREAD).json
    shop.ana.post(f"/api/notifications/{row['id']}/read")
    assert announced() == [("SalesOrderDeliveryDateExpiring", order, 1)]
    announce()
    assert len(announced()) == 1


def test_run_takes_at_most_six_queries(shop: Shop) -> None:
    gone = due_on(shop, *[0] * 5)
    announce()
    shop.ana.delete(f"/api/sales-order/{gone}")
    due_on(shop, *[0] * 30)
    entered(shop, clock.now() - LONG - MINUTE)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        announce()
    work = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    assert len(work) <= 6, work
    assert len(announced()) == 36


def published(kind: str) -> list[dict[str, Any]]:
    """The data of the events of this type, in order."""
    rows = OutboxEvent.objects.filter(type=kind).order_by("id").values_list("payload", flat=True)
    return [json.loads(row)["data"] for row in rows]


def test_end_of_a_cause_is_published_once(shop: Shop) -> None:
    order = entered(shop, clock.now() - LONG - MINUTE)
    announce()
    (row,) = shop.ana.get(UNREAD).json
    shop.leave(order, shop.casting)
    announce([order])
    announce([order])
    assert published("notification.ended") == [{"kind": "notification", "id": row["id"]}]


def test_end_of_the_causes_of_a_deleted_order_is_published(shop: Shop) -> None:
    order = due_on(shop, 0, 1)
    announce()
    ids = {row["id"] for row in shop.ana.get(UNREAD).json}
    assert shop.ana.delete(f"/api/sales-order/{order}").status == 200
    announce([order])
    assert {one["id"] for one in published("notification.ended")} == ids


def test_changed_notification_is_published_when_its_text_changes_but_not_on_movements(shop: Shop) -> None:
    alerts = leading()
    order = due_on(shop, 1)
    shop.status(order, 1, "Approved")
    alerts.announce_changed()
    (before,) = shop.ana.get(UNREAD).json
    shop.enter(order, shop.casting)
    alerts.announce_changed()
    assert published("notification.changed") == []
    shop.ana.put(f"/api/sales-order/{order}", {"customerSalesOrderId": "PO-otra"})
    alerts.announce_changed()
    (after,) = shop.ana.get(UNREAD).json
    assert published("notification.changed") == [after]
    assert after["message"]["notes"] == "PO-otra"
    assert after["version"] > before["version"]


def test_leader_announces_a_cause_at_once_after_its_event(shop: Shop) -> None:
    alerts = leading()
    alerts.announce_changed()
    order = due_on(shop, 0)
    alerts.announce_changed()
    assert announced() == [("SalesOrderDeliveryDateExpiring", order, 1)]


def test_event_checks_only_its_own_order(shop: Shop) -> None:
    entered(shop, NOON)
    alerts = leading()
    with clock.at(NOON + MINUTE):
        alerts.announce_changed()
    with clock.at(NOON + LONG + MINUTE):
        alerts.announce_changed()
        assert announced() == []  # due by time alone, so the next minute announces it
        alerts.announce_due()
    assert len(announced()) == 1


def test_worker_without_the_lease_announces_nothing(shop: Shop) -> None:
    leading()
    other = Alerts(LeaderLease("alerts"))
    other.acquire()
    due_on(shop, 0)
    other.announce_changed()
    other.announce_due()
    assert announced() == []


def test_new_leader_checks_every_order_first(shop: Shop) -> None:
    leading()
    other_leader = LeaderLease("alerts")
    other = Alerts(other_leader)
    order = due_on(shop, 0)
    with clock.at(clock.now() + LASTS + MINUTE):
        other.acquire()
        other.announce_changed()
    assert announced() == [("SalesOrderDeliveryDateExpiring", order, 1)]


def test_simultaneous_workers_announce_no_cause_twice(busy_shop: Shop) -> None:
    due_on(busy_shop, *[0] * 20)

    def look() -> int:
        try:
            return announce()
        except IntegrityError:  # another worker was quicker, and this run was rolled back
            return 0

    assert sum(at_once([look] * 4)) == 20
    assert len(announced()) == len(set(announced())) == 20


def test_row_that_cannot_become_a_notification_blocks_no_other(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = due_on(shop, 0), due_on(shop, 0)
    made = causes._of

    def fails_for_one(kind: str, cause_id: int, version: int, order_id: int, *rest: Any) -> causes.Notification:
        if order_id == bad:
            raise OverflowError("date value out of range")
        return made(kind, cause_id, version, order_id, *rest)

    monkeypatch.setattr(causes, "_of", fails_for_one)
    announce()
    assert [order for _, order, _ in announced()] == [good]
    assert [one["message"]["salesOrderId"] for one in shop.ana.get(UNREAD).json] == [good]
    assert "no notification can be made" in caplog.text
