"""Batches, for tests."""

from typing import Any

from project.catalogs.models import ProductionProcess
from tests.builders import Answer, Caller, Shop

BATCHES = "/api/batches"


def batch_path(batch: dict[str, Any]) -> str:
    return f"{BATCHES}/{batch['id']}"


def new_batch(shop: Shop, process: ProductionProcess | None = None, **fields: Any) -> dict[str, Any]:
    """A batch at casting, without lines."""
    answer = shop.ana.post(BATCHES, {"productionProcessId": (process or shop.casting).pk} | fields)
    assert answer.status == 201, answer
    batch: dict[str, Any] = answer.json
    return batch


def put_on(shop: Shop, batch: dict[str, Any], order: int, quantity: int | None = None, *, position: int = 1) -> Answer:
    body = {"salesOrderId": order, "position": position, "quantity": quantity}
    return shop.ana.post(f"{batch_path(batch)}/lines", body)


def batch_of(shop: Shop, *orders: int, **fields: Any) -> dict[str, Any]:
    """A batch at casting with the first line of each order."""
    batch = new_batch(shop, **fields)
    for order in orders:
        answer = put_on(shop, batch, order)
        assert answer.status == 200, answer
        batch = answer.json
    return batch


def move_batch(
    shop: Shop, side: str, batch: dict[str, Any], by: Caller | None = None, *, key: str = "", **body: Any
) -> Answer:
    """Move a batch `in` or `out`. `key`: the idempotency key."""
    headers = {"idempotency_key": key} if key else {}
    return (by or shop.ana).post(f"{batch_path(batch)}/{side}", body, **headers)


def batch_inside(shop: Shop, *orders: int, **fields: Any) -> dict[str, Any]:
    """A batch whose pieces are inside casting."""
    answer = move_batch(shop, "in", batch_of(shop, *orders, **fields))
    assert answer.status == 200, answer
    batch: dict[str, Any] = answer.json
    return batch


def take_off_first(shop: Shop, batch: dict[str, Any]) -> Answer:
    return shop.ana.delete(f"{batch_path(batch)}/lines/{batch['lines'][0]['id']}")


def read(shop: Shop, batch: dict[str, Any]) -> dict[str, Any]:
    answer = shop.ana.get(batch_path(batch))
    assert answer.status == 200, answer
    found: dict[str, Any] = answer.json
    return found
