"""The events of an order: how many of its lines they carry, and their customer."""

import json
from typing import Any

import pytest

from realtime.models import OutboxEvent
from tests.builders import Shop


def last_event() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(OutboxEvent.objects.order_by("-id").values_list("payload", flat=True)[0])
    return found


@pytest.mark.parametrize(("lines", "carried"), [(200, 200), (201, None)])
def test_order_event_carries_up_to_200_lines_or_none(shop: Shop, lines: int, carried: int | None) -> None:
    order = shop.order(*[1] * lines)

    def check_event(type: str) -> None:
        event = last_event()
        assert event["type"] == type
        assert (event["data"]["lines"] and len(event["data"]["lines"])) == carried

    check_event("order.created")
    shop.ana.put(f"/api/sales-order/{order}", {"items": [{"position": n, "notes": "a"} for n in range(1, lines + 1)]})
    check_event("order.changed")
    shop.ana.put(f"/api/sales-order/{order}", {"items": [{"position": 1, "notes": "b"}]})
    assert [line["position"] for line in last_event()["data"]["lines"]] == [1]


def test_events_of_lines_and_orders_have_their_customer(shop: Shop) -> None:
    order = shop.approved(4)
    shop.enter(order, shop.casting)
    rows = OutboxEvent.objects.values_list("type", "customer")
    assert set(rows) == {
        ("order.created", None),  # customers do not see it before a line is approved
        ("line.status-changed", shop.customer.pk),
        ("line.moved", shop.customer.pk),
    }
