"""How quickly a station answers a press, a board in another browser shows it, and what waited is sent.

Run by `make bench-floor`, which names the database. FLOOR_PRESSES: how many presses are timed, FLOOR_WAITING: how many
movements wait for the network. Judges nothing.
"""

import json
import os
import signal
import subprocess
import sys
from statistics import median, quantiles

from amplification import browser
from filled import Place, made, move, put
from httpx import Client
from served import EMAIL, PASSWORD, ROOT, Served, served, token

PRESSES = int(os.environ.get("FLOOR_PRESSES", "60"))
WAITING = int(os.environ.get("FLOOR_WAITING", "200"))
"""Half are exits of lines inside; half are entries and exits of lines that may enter, of which a station knows 50."""
OTHERS, PROCESSES = 30, 6  # what is on the board beside it
PIECES = 9


def fill(client: Client) -> tuple[int, dict[str, list[str]]]:
    """A process of its own with lines that may enter it, among others on the board. Returns it and the lines' codes."""
    run = token()
    me = int(client.get("/identity/users?limit=1").raise_for_status().json()[0]["id"])
    customer = made(client, "customers", name=f"Bench {run}")
    item = made(client, "items", key=run, name=f"Anillo {run}", sellPrice=10)
    processes = [
        made(client, "production-processes", name=f"Proceso {n} {run}", order=n, price=2, userIds=[me])
        for n in range(1, PROCESSES + 1)
    ]

    def order(po: str, lines: int) -> list[Place]:
        rows = [{"itemId": item, "quantity": PIECES, "deliveryDate": "2099-12-31"} for _ in range(lines)]
        id_ = made(client, "sales-order", customerId=customer, customerSalesOrderId=po, items=rows)
        places = [(id_, position) for position in range(1, lines + 1)]
        for place in places:
            put(client, place, "update-status/Approved")
        return places

    for number, place in enumerate(order("OTHER", OTHERS)):
        move(client, place, "in", processes[1 + number % (PROCESSES - 1)])
    lines = {
        # Each is pressed in and out once; two warm up.
        "timed": order("TIMED", 2 + PRESSES // 2),
        "hanging": order("HANGS", PRESSES // 4),
        "waiting": [place for number in range(WAITING // 40) for place in order(f"WAIT-{number}", 10)],
        "inside": [place for number in range(WAITING // 20) for place in order(f"INSIDE-{number}", 10)],
    }
    return processes[0], {name: [f"{id_}-{position}" for id_, position in places] for name, places in lines.items()}


def measure(client: Served) -> dict[str, list[float]]:
    process, codes = fill(client)
    job = {
        "base": str(client.base_url).rstrip("/"),
        "email": EMAIL,
        "password": PASSWORD,
        "browser": browser(),
        "process": process,
        "server": client.pid,
        **codes,
    }
    command = ["node", str(ROOT / "infra" / "bench" / "floor.mjs")]
    try:
        done = subprocess.run(command, input=json.dumps(job), stdout=subprocess.PIPE, text=True, check=True)
    finally:
        os.kill(client.pid, signal.SIGCONT)  # A halted server would not end either.
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def main() -> int:
    with served() as client:
        found = measure(client)
    rows = [
        ("press to colour", "colour", "p95 50 ms"),
        ("press to colour, the network hanging", "colourHanging", "p95 50 ms"),
        ("press to the call to the server", "sent", ""),
        ("press to the event at the other browser", "event", ""),
        ("press to a board in another browser", "board", "p95 150 ms"),
    ]
    print(f"  {'':42}{'p50':>8}{'p95':>8}{'worst':>8}   aim")
    for name, key, aim in rows:
        times = found[key]
        p95 = quantiles(times, n=20, method="inclusive")[-1]
        print(f"  {name:42}{median(times):8.0f}{p95:8.0f}{max(times):8.0f}   {aim}")
    [settled] = found["settled"]
    print(f"  {f'{WAITING} waiting movements sent':42}{settled / 1_000:8.1f} s{'':14}   20 s")
    print(f"  load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
