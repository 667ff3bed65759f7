"""Links of customers for tests: made by Ana, opened and answered by nobody who is signed in."""

import itertools
from typing import Any

from tests.builders import Answer, Caller, Shop

LINKS = "/api/customer-links"
_keys = itertools.count(1)


def shared(shop: Shop, order: int | None = None, **fields: Any) -> dict[str, Any]:
    """Make a link to an order, or to all orders of the shop's customer. Return it with its token."""
    of = {"customerId": shop.customer.pk} if order is None else {"salesOrderId": order}
    answer = shop.ana.post(LINKS, {**of, **fields})
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made


def address(link: dict[str, Any]) -> str:
    return f"/api/c/{link['token']}"


def opened(link: dict[str, Any], query: str = "") -> Answer:
    """Load the page of a link."""
    return Caller().get(f"{address(link)}{query}")


def page_of(link: dict[str, Any]) -> dict[str, Any]:
    answer = opened(link)
    assert answer.status == 200, answer
    page: dict[str, Any] = answer.json
    return page


def line_of(link: dict[str, Any], position: int = 1) -> dict[str, Any]:
    """A line of the only order of a page."""
    (order,) = page_of(link)["orders"]
    line: dict[str, Any] = order["lines"][position - 1]
    return line


def answering(order: int, kind: str = "again", position: int = 1, **fields: Any) -> dict[str, Any]:
    """The body of an answer, with a key of its own."""
    return {"key": f"key-{next(_keys):05}", "kind": kind, "salesOrderId": order, "position": position, **fields}


def said(link: dict[str, Any], order: int, kind: str = "again", **fields: Any) -> Answer:
    """Answer through a link."""
    return Caller().post(f"{address(link)}/answers", answering(order, kind, **fields))


def ask(shop: Shop, link: dict[str, Any], order: int, **fields: Any) -> Answer:
    """Ask the reader of a link to approve a line."""
    body = {"salesOrderId": order, "position": 1, "text": "¿Así la muestra?", **fields}
    return shop.ana.post(f"{LINKS}/{link['id']}/requests", body)


def asked(shop: Shop, link: dict[str, Any], order: int, **fields: Any) -> dict[str, Any]:
    answer = ask(shop, link, order, **fields)
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made
