"""What a board on a wall takes of the machine: 500 cards and 20 movements a second in a headless Chromium.

Run by `make bench-board`, which names the database. BOARD_SECONDS: how long, 600 by default. Judges nothing.
"""

import itertools
import json
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from amplification import browser
from calls import processor_seconds
from filled import Place, made, move, put
from httpx import Client
from served import EMAIL, PASSWORD, ROOT, Served, served, token

SECONDS = int(os.environ.get("BOARD_SECONDS", "600"))
TRACED = min(30, SECONDS // 4)
CARDS, OF_AN_ORDER, PROCESSES = 500, 10, 8
RATE, HANDS = 20, 5  # movements a second, by so many people
PIECES = 10_000  # of each line: never completed


def fill(client: Client) -> tuple[list[tuple[Place, int]], list[int]]:
    """500 lines, a card of each in one of eight processes, and the processes."""
    run = token()
    roll = random.Random(7)
    me = int(client.get("/identity/users?limit=1").raise_for_status().json()[0]["id"])
    customer = made(client, "customers", name=f"Bench {run}")
    items = [made(client, "items", key=f"{run}-{n}", name=f"Anillo {run} {n}", sellPrice=10) for n in range(20)]
    processes = [
        made(client, "production-processes", name=f"Proceso {n} {run}", order=n, price=2, userIds=[me])
        for n in range(1, PROCESSES + 1)
    ]

    def order(number: int) -> list[tuple[Place, int]]:
        rows = [{"itemId": items[n], "quantity": PIECES, "deliveryDate": "2099-12-31"} for n in range(OF_AN_ORDER)]
        po = f"PO-{number:05}"
        order_id = made(client, "sales-order", customerId=customer, customerSalesOrderId=po, items=rows)
        places = [(order_id, position) for position in range(1, OF_AN_ORDER + 1)]
        return [(place, roll.choice(processes)) for place in places]

    cards = [card for number in range(CARDS // OF_AN_ORDER) for card in order(number)]

    def enter(card: tuple[Place, int]) -> None:
        put(client, card[0], "update-status/Approved")
        move(client, card[0], "in", card[1], quantity=1 + card[0][1] % 9)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(enter, cards))
    return cards, processes


def keep_moving(client: Client, cards: list[tuple[Place, int]], processes: list[int], seconds: float) -> float:
    """Each hand takes a card out of its process and brings it into the next. Returns movements a second."""
    begun = time.monotonic()

    def hand(number: int) -> int:
        mine = cards[number::HANDS]
        moves = (
            (place, direction, processes[(processes.index(process) + turn + later) % PROCESSES])
            for turn in itertools.count()
            for place, process in mine
            for direction, later in (("out", 0), ("in", 1))
        )
        for count in itertools.count():
            due = begun + (count * HANDS + number) / RATE
            if due >= begun + seconds:
                return count
            time.sleep(max(0.0, due - time.monotonic()))
            place, direction, process = next(moves)
            # All that is inside leaves, and as much goes on.
            move(client, place, direction, process, quantity=None if direction == "out" else 1 + place[1] % 9)
        return 0

    with ThreadPoolExecutor(HANDS) as threads:
        moved = sum(threads.map(hand, range(HANDS)))
    return moved / (time.monotonic() - begun)


def measure(client: Served) -> None:
    cards, processes = fill(client)
    asked = time.monotonic()
    answer = client.get("/api/shop-floor").raise_for_status()
    board_ms = 1_000 * (time.monotonic() - asked)
    print(f"  the board's call with {CARDS} cards: {board_ms:.0f} ms, {len(answer.content) // 1_000} kB")
    job = {
        "base": str(client.base_url).rstrip("/"),
        "email": EMAIL,
        "password": PASSWORD,
        "browser": browser(),
        "seconds": SECONDS,
        "traced": TRACED,
    }
    command = ["node", str(ROOT / "infra" / "bench" / "board.mjs")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        if node.stdin is None or node.stdout is None:
            raise RuntimeError("node has no pipes")
        node.stdin.write(json.dumps(job) + "\n")
        node.stdin.flush()
        shown = json.loads(node.stdout.readline())["cards"]
        before = processor_seconds(client.pid)
        # The browser settles for six seconds before it measures.
        rate = keep_moving(client, cards, processes, SECONDS + 8)
        busy = (processor_seconds(client.pid) - before) / (SECONDS + 8)
        found = json.loads(node.stdout.readline())
    heap = ", ".join(f"{size / 1_000_000:.1f}" for size in found["heap"])
    print(f"  {rate:.1f} movements a second for {SECONDS} s, {shown} of {CARDS} cards on the wall at a time")
    print(
        f"  the page {found['renderer']:.0%} of a core (aim 50 %), the whole browser {found['cores']:.0%};"
        f" the server {busy:.0%}"
    )
    print(f"  tasks over 50 ms: {found['long']}, the longest {found['longest']:.0f} ms (aim 100 ms)")
    print(f"  traced: {found['traced']} tasks in {TRACED} s, the longest {found['longestTraced']:.0f} ms")
    print(f"  heap after a collection, at the start, in the middle and at the end: {heap} MB (aim: flat)")


def main() -> int:
    with served(REDIS_URL="") as client:
        measure(client)
    return 0


if __name__ == "__main__":
    sys.exit(main())
