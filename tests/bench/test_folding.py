"""A client of infra/chaos that applies the events in order has the state that it would load."""

import json
from typing import Any

from infra.chaos.folding import State, differences
from realtime.models import OutboxEvent
from tests.builders import Shop


def of_order(shop: Shop, order: int) -> State:
    items: list[dict[str, Any]] = shop.ana.get(f"/api/sales-order/{order}").json["items"]
    return State.of(items)


def test_the_state_folded_from_events_equals_the_loaded_state(shop: Shop) -> None:
    order = shop.approved(4, 6)
    shop.enter(order, shop.casting, 4)
    shop.leave(order, shop.casting, 3)
    shop.ana.put(f"/api/sales-order/{order}", {"notes": "Urgente"})
    folded = State()
    for type, payload in OutboxEvent.objects.order_by("id").values_list("type", "payload"):
        folded.apply({"type": type, **json.loads(payload)})
    assert folded.lines
    assert differences(folded, of_order(shop, order)) == []


def test_differences_reports_a_missed_event(shop: Shop) -> None:
    order = shop.approved(4)
    before = of_order(shop, order)
    shop.enter(order, shop.casting, 4)
    assert differences(before, of_order(shop, order))
