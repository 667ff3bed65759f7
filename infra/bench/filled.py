"""Fill a workshop with data, only over HTTP, so that every build is filled in the same way."""

import base64
import itertools
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from httpx import Client

from infra.bench.served import token

PLAIN_ORDERS, PLAIN_LINES = 48, 100  # lines without a history, for calls that read every line
RECENT_ORDERS, RECENT_LINES, RECORDS = 25, 5, 4  # the first page of orders; lines of each order; records of each line
BILLABLE, MOVABLE = 50, 40
PIECES = 1_000  # of each line that moves: too many for a process to complete them

Place = tuple[int, int]
"""A line: the id of its order, and its position."""


@dataclass
class Filled:
    """The records that calls use. The caller works in `processes`."""

    customer: int
    company: int
    item: int
    processes: list[int]
    billable: list[Place]
    movable: list[Place]
    recent: list[int]
    """The newest orders. Each has five lines with a history."""


def fill(client: Client) -> Filled:
    """Make about 5,000 lines.

    125 lines have four process records each, 50 are done, and 40 are approved and alone in their order.
    """
    run = token()
    me = int(_claims(client)["sub"])
    address = {"street": "Reforma", "city": "México", "country": "MX", "postalCode": "06600"}
    customer = made(client, "customers", name=f"Bench {run}", addresses=[{"kind": "Commercial", **address}])
    company = made(client, "companies", name=f"Bench {run}", commercialAddress=address)
    items = [
        made(client, "items", key=f"{run}-{n}", name=f"Bench {run} {n}", sellPrice=10 + n, taxAmount=16)
        for n in range(20)
    ]
    processes = [
        made(client, "production-processes", name=f"Bench {run} {n}", order=n, price=2, userIds=[me])
        for n in range(1, 7)
    ]

    def order(lines: int, quantity: int, due: date) -> int:
        rows = [{"itemId": items[n % 20], "quantity": quantity, "deliveryDate": due.isoformat()} for n in range(lines)]
        return made(client, "sales-order", customerId=customer, customerSalesOrderId=token(), items=rows)

    today = datetime.now(UTC).date()
    soon, later = today + timedelta(days=5), today + timedelta(days=90)
    for _ in range(PLAIN_ORDERS):
        order(PLAIN_LINES, 10, later)
    billable = _places(order(BILLABLE, 10, later), BILLABLE)
    # One line for each order: movements of one order wait for each other.
    movable = [(order(1, PIECES, soon), 1) for _ in range(MOVABLE)]
    recent = [order(RECENT_LINES, PIECES, soon) for _ in range(RECENT_ORDERS)]

    def work(place: Place, records: int = 0, done: bool = False) -> None:
        put(client, place, "update-status/Approved")
        for process in processes[:records]:
            move(client, place, "in", process)
            move(client, place, "out", process)
        if done:
            put(client, place, "update-status/Done")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda place: work(place, 1, done=True), billable))
        list(threads.map(work, movable))
        lines = itertools.chain.from_iterable(_places(id_, RECENT_LINES) for id_ in recent)
        list(threads.map(lambda place: work(place, RECORDS), lines))
    return Filled(customer, company, items[0], processes, billable, movable, recent)


def weighable(client: Client, filled: Filled) -> list[Place]:
    """Turn on weighing in the processes, and make `MOVABLE` lines of a product with an alloy. Returns these lines.

    Older builds cannot weigh.
    """
    run = token()
    alloy = made(client, "alloys", name=f"Bench {run}", fineness=925)
    made(client, "metal/lots", alloyId=alloy, grams=100_000, supplier=f"Bench {run}")
    item = made(client, "items", key=f"{run}-alloy", name=f"Bench {run} alloy", sellPrice=10, alloyId=alloy)
    for process in filled.processes:
        client.put(f"/api/production-processes/{process}", json={"weighs": "optional"}).raise_for_status()
    row = {"itemId": item, "quantity": PIECES, "deliveryDate": "2099-12-31"}
    places = [
        (made(client, "sales-order", customerId=filled.customer, customerSalesOrderId=token(), items=[row]), 1)
        for _ in range(MOVABLE)
    ]
    for place in places:
        put(client, place, "update-status/Approved")
    return places


def movements(places: list[Place], processes: list[int]) -> Iterator[tuple[Place, str, int]]:
    """Yield entries and exits without end. All lines go through one process, then through the next."""
    for process in itertools.cycle(processes):
        for place in places:
            yield place, "in", process
            yield place, "out", process


def move(
    client: Client, place: Place, direction: str, process: int, quantity: int | None = None, **weights: float
) -> Any:
    """Move pieces of a line, without `quantity` all pieces. `weights`: fields such as `grams`. Returns the response."""
    body: dict[str, float] = {"productionProcessId": process, **weights}
    if quantity is not None:
        body["quantity"] = quantity
    return put(client, place, f"production-process/{direction}", body)


def put(client: Client, place: Place, what: str, body: dict[str, float] | None = None) -> Any:
    """Write to a line with a new Idempotency-Key. Returns the response."""
    path = f"/api/sales-order/{place[0]}/position/{place[1]}/{what}"
    return client.put(path, json=body or {}, headers={"Idempotency-Key": token(16)}).raise_for_status()


def made(client: Client, path: str, **body: object) -> int:
    """Create a record. Returns its id."""
    return int(client.post(f"/api/{path}", json=body).raise_for_status().json()["id"])


def _places(order: int, lines: int) -> list[Place]:
    return [(order, position) for position in range(1, lines + 1)]


def _claims(client: Client) -> dict[str, Any]:
    part = client.headers["Authorization"].split(".")[1]
    claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return claims
