"""Payables and payments over the API, for tests."""

from typing import Any

from project.catalogs.models import ProductionProcess
from project.orders.models import ProcessRecord
from tests.builders import Answer, Caller, Shop

PAYABLES = "/api/sales-order/positions/production-processes"
PAYMENTS = f"{PAYABLES}/payments"
EARNINGS = f"{PAYABLES}/earnings"


def left(shop: Shop, quantity: int = 10, process: ProductionProcess | None = None) -> int:
    """The record of pieces that Ana moved into a process and out again."""
    order = shop.approved(quantity)
    shop.enter(order, process or shop.casting)
    shop.leave(order, process or shop.casting)
    return ProcessRecord.objects.get(line__order=order).pk


def order_of(record: int) -> int:
    return ProcessRecord.objects.get(pk=record).line.order_id


def item(record: int, quantity: int = 10, price: Any = 9.25) -> dict[str, Any]:
    return {"processRecordId": record, "quantity": quantity, "price": price}


def pay(by: Caller, *items: dict[str, Any], **fields: Any) -> Answer:
    return by.post(PAYMENTS, {"items": list(items), **fields})


def pay_people(by: Caller, *people: dict[str, Any], **fields: Any) -> Answer:
    return by.post(f"{PAYMENTS}/people", {"people": list(people), **fields})


def owed_for(shop: Shop, record: int, quantity: int = 10, price: Any = 9.25) -> dict[str, Any]:
    """What Ana is owed for pieces of one record."""
    assert ProcessRecord.objects.get(pk=record).output_by_id == shop.ana.id
    return {"userId": shop.ana.id, "records": 1, "pieces": quantity, "amount": round(quantity * price, 2)}


def paid(by: Caller, *items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Make a payment and return it."""
    answer = pay(by, *items, **fields)
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made


def cancel(by: Caller, payment: int, notes: str = "se pagó dos veces", **headers: str) -> Answer:
    return by.put(f"{PAYMENTS}/{payment}/cancel", {"notes": notes}, **headers)


def remaining(by: Caller, record: int) -> int:
    """Pieces of a record that are left to pay, according to the list of payables."""
    rows = by.get(PAYABLES).json
    return int(next(row["remainingQuantity"] for row in rows if row["id"] == record))
