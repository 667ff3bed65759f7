"""Helpers of the tests of deliveries: a company and a customer with addresses, done lines, bills."""

from typing import Any

from project.catalogs.models import Company, Customer, Item
from tests.builders import Answer, Caller, Shop, line_path

ADDRESS = {"street": "Calle de la Veracruz", "city": "Taxco"}
PATH = "/api/deliveries"


def company(name: str = "Obrador") -> Company:
    return Company.objects.create(name=name, commercial_address=ADDRESS)


def prepare(shop: Shop, *, price: str = "10.50", tax: str = "16") -> Company:
    """Give the customer an address and the product a price. Return a company that can bill."""
    Customer.objects.filter(pk=shop.customer.pk).update(addresses=[{"kind": "Commercial", **ADDRESS}])
    Item.objects.filter(pk=shop.item.pk).update(sell_price=price, tax_amount=tax)
    return Company.objects.first() or company()


def done(shop: Shop, *quantities: int, **fields: Any) -> int:
    """Create an order with all its lines Done and return its id."""
    order = shop.order(*quantities, **fields)
    positions = range(1, len(quantities) + 1)
    for position in positions:
        shop.status(order, position, "Approved")
    for position in positions:
        body = {"productionProcessId": shop.casting.pk}
        for movement in ("in", "out"):
            answer = shop.ana.put(f"{line_path(order, position)}/production-process/{movement}", body)
            assert answer.status == 200, answer
    for position in positions:
        shop.status(order, position, "Done")
    return order


def of(order: int, position: int = 1, quantity: int = 1, **fields: Any) -> dict[str, Any]:
    """A line of a delivery request."""
    return {"salesOrderId": order, "position": position, "quantity": quantity, **fields}


def asked(caller: Caller, *lines: dict[str, Any], **fields: Any) -> Answer:
    return caller.post(PATH, {"guideNumber": "G-1", "lines": list(lines), **fields})


def billed(shop: Shop, *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    answer = asked(shop.ana, *lines, **fields)
    assert answer.status == 201, answer
    delivery: dict[str, Any] = answer.json
    return delivery


def pre_billed(shop: Shop, *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return billed(shop, *lines, **{"preBill": True, "guideNumber": "", **fields})
