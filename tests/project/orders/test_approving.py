"""Approving a whole order in one step."""

import json

from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.audit.models import AuditEntry
from realtime.models import OutboxEvent
from tests.builders import Caller, Shop, somebody


def approve(by: Caller, order: int, **headers: str):  # type: ignore[no-untyped-def]
    return by.post(f"/api/sales-order/{order}/approve", **headers)


def test_every_line_that_can_be_approved_is_approved(shop: Shop) -> None:
    order = shop.order(3, 5, 7)
    shop.status(order, 2, "Canceled")
    answer = approve(shop.ana, order)
    assert (answer.status, answer.json["status"]) == (200, "Approved")
    assert [line["status"] for line in answer.json["items"]] == ["Approved", "Canceled", "Approved"]
    assert answer.headers["ETag"] == f'"{answer.json["version"]}"'
    assert shop.ana.get(f"/api/sales-order/{order}").json == answer.json


def test_lines_added_after_the_first_movement_are_approved(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.ana.post(f"/api/sales-order/{order}/position", {"itemId": shop.item.pk, "quantity": 2})
    answer = approve(shop.ana, order)
    assert [line["status"] for line in answer.json["items"]] == ["InProcess", "Approved"]


def test_order_with_nothing_to_approve_gets_409_and_leaves_no_trace(shop: Shop) -> None:
    order = shop.approved(10)
    left = AuditEntry.objects.count(), OutboxEvent.objects.count()
    before = shop.ana.get(f"/api/sales-order/{order}").json
    answer = approve(shop.ana, order)
    assert (answer.status, answer.code) == (409, "nothing_to_approve")
    assert shop.ana.get(f"/api/sales-order/{order}").json == before
    assert (AuditEntry.objects.count(), OutboxEvent.objects.count()) == left


def test_line_added_after_the_callers_version_is_not_approved(shop: Shop) -> None:
    order = shop.order(3)
    seen = shop.ana.get(f"/api/sales-order/{order}").headers["ETag"]
    shop.beto.post(f"/api/sales-order/{order}/position", {"itemId": shop.item.pk, "quantity": 2})
    assert (approve(shop.ana, order, if_match=seen)).code == "stale_version"
    assert shop.line(order)["status"] == "New"


def test_approving_needs_permission_to_change_line_statuses(shop: Shop) -> None:
    order = shop.order(3)
    assert approve(somebody("UpdateSalesOrder", "ListSalesOrders"), order).status == 403
    assert approve(somebody("UpdateSalesOrderPositionStatus"), order).status == 200
    assert approve(shop.ana, 999_999).status == 404


def test_one_event_carries_all_lines_and_the_audit_has_a_row_for_each(shop: Shop) -> None:
    order = shop.order(3, 5)
    approve(shop.ana, order)
    event = OutboxEvent.objects.filter(type="order.changed").latest("pk")
    assert [line["status"] for line in json.loads(event.payload)["data"]["lines"]] == ["Approved", "Approved"]
    rows = AuditEntry.objects.filter(entity="sales-order-position", action="status")
    assert rows.count() == 2


def test_approving_50_lines_costs_as_many_queries_as_2(shop: Shop) -> None:
    few, many = shop.order(1, 2), shop.order(*range(1, 51))
    approve(shop.ana, shop.order(1))
    counts = []
    for order in (few, many):
        with CaptureQueriesContext(connection) as queries:
            assert approve(shop.ana, order).status == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
