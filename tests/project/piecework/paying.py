"""Payables and payments over the API, for tests."""

from copy import copy
from typing import Any

from project.catalogs.models import ProductionProcess
from project.orders.models import Line, ProcessRecord, SalesOrder
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


def many_left(shop: Shop, count: int, quantity: int = 10) -> list[int]:
    """So many records as `left` makes, each of an order of its own.

    The calls make the first one. The others are copies of its rows, because each record takes four calls.
    """
    first = ProcessRecord.objects.select_related("line__order").get(pk=left(shop, quantity))
    orders, lines, records = [], [], []
    for number in range(1, count):
        order, line, record = copy(first.line.order), copy(first.line), copy(first)
        order.pk = line.pk = record.pk = None
        order.customer_sales_order_id += f"-{number}"
        orders.append(order)
        lines.append(line)
        records.append(record)
    SalesOrder.objects.bulk_create(orders)
    for order, line in zip(orders, lines, strict=True):
        line.order = order
    Line.objects.bulk_create(lines)
    for line, record in zip(lines, records, strict=True):
        record.line = line
    ProcessRecord.objects.bulk_create(records)
    return [first.pk, *(record.pk for record in records)]


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
