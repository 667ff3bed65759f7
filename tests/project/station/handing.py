"""Hand pieces over from casting to polishing, for tests."""

from collections import Counter
from typing import Any

from tests.builders import Answer, Caller, Shop


def hand_over(shop: Shop, order: int, quantity: int | None = None, by: Caller | None = None, **body: Any) -> Answer:
    sent = {"salesOrderId": order, "position": 1, "toProcessId": shop.polishing.pk} | body
    headers = {name: sent.pop(name) for name in ("idempotency_key", "if_match") if name in sent}
    if quantity is not None:
        sent["quantity"] = quantity
    return (by or shop.ana).post(f"/api/station/{shop.casting.pk}/hand-over", sent, **headers)


def inside(shop: Shop, pieces: int = 10, of: int = 10) -> int:
    """An order of `of` pieces with `pieces` of them in casting."""
    order = shop.approved(of)
    shop.enter(order, shop.casting, pieces)
    return order


def places(shop: Shop, order: int) -> dict[str, int]:
    names = {shop.casting.pk: shop.casting.name, shop.polishing.pk: shop.polishing.name}
    found: Counter[str] = Counter()
    for one in shop.line(order)["inside"]:
        found[names[one["productionProcessId"]]] += one["quantity"]
    return dict(found)


def offered(shop: Shop, order: int, by: Caller | None = None) -> dict[str, int]:
    answer = (by or shop.ana).post(f"/api/station/{shop.casting.pk}/scan", {"code": f"{order}-1"})
    assert answer.status == 200, answer
    return {one["productionProcessName"]: one["maxQuantity"] for one in answer.json["handOver"]}


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code
