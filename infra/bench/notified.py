"""The time from a change that needs attention to its notification on another person's socket.

Run by infra/bench/operations.sh, which names a database of its own; ends with 1 where the limit does not hold.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import django

django.setup()

from httpx import Client  # noqa: E402
from served import ROOT, served, token  # noqa: E402
from websockets.asyncio.client import ClientConnection, connect  # noqa: E402
from websockets.typing import Origin  # noqa: E402

from project.catalogs.models import Customer, Item  # noqa: E402
from project.core import clock  # noqa: E402

ROUNDS = 20
LIMIT_SECONDS = 1.0
PATIENCE_SECONDS = 30


@contextmanager
def worker() -> Iterator[None]:
    """The process that leads the alert engine."""
    process = subprocess.Popen([sys.executable, "manage.py", "worker"], cwd=ROOT, env=os.environ)
    try:
        yield
    finally:
        process.terminate()
        process.wait(40)


def due_order(client: Client, customer: Customer, item: Item) -> int:
    """An order whose line is due today."""
    line = {"itemId": item.pk, "quantity": 1, "deliveryDate": clock.today().isoformat()}
    order = {
        "customerId": customer.pk,
        "customerSalesOrderId": token(),
        "salesOrderDate": clock.today().isoformat(),
        "items": [line],
    }
    return int(client.post("/api/sales-order", json=order).raise_for_status().json()["id"])


async def notified_of(socket: ClientConnection, order: int) -> None:
    """Wait until the socket brings a notification about `order`."""
    async for frame in socket:
        event: dict[str, Any] = json.loads(frame)
        if event["type"] == "notification.created" and event["data"]["message"]["salesOrderId"] == order:
            return
    raise RuntimeError("the socket was closed")


async def measure(client: Client) -> list[float]:
    """Seconds from the answer to each order to its notification."""
    run = token()
    customer = await asyncio.to_thread(Customer.objects.create, name=f"Notified {run}")
    item = await asyncio.to_thread(Item.objects.create, key=f"N{run}", name=f"Notified {run}")
    ticket = client.post("/api/live/ticket").raise_for_status().json()["ticket"]
    taken = []
    live = client.base_url.copy_with(scheme="ws", path="/ws/events", query=f"ticket={ticket}".encode())
    async with connect(str(live), origin=Origin(str(client.base_url).rstrip("/"))) as socket:
        for turn in range(ROUNDS + 1):
            order = await asyncio.to_thread(due_order, client, customer, item)
            committed = time.perf_counter()
            await asyncio.wait_for(notified_of(socket, order), PATIENCE_SECONDS)
            if turn:  # the first waits for the engine to lead
                taken.append(time.perf_counter() - committed)
    return taken


def main() -> int:
    with served() as client, worker():
        taken = asyncio.run(measure(client))
    print(
        f"notification: from the answer to the other person's socket, median {median(taken):.2f} s, "
        f"worst {max(taken):.2f} s of {ROUNDS} (limit {LIMIT_SECONDS:.0f})"
    )
    return int(max(taken) > LIMIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
