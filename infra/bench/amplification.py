"""Requests that open screens make by themselves while lines move: one page of each kind in a headless Chromium.

`amplification.py [REVISION]` counts the build of that revision first, then this one, each on a database that was
filled in the same way. Run by `make bench-amplification`, which names the database. Judges nothing.
"""

import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from builds import Build, builds
from calls import processor_seconds
from filled import Filled, fill, move, movements
from httpx import Client
from served import PASSWORD, ROOT, Served, manage, served

SECONDS = int(os.environ.get("AMPLIFICATION_SECONDS", "60"))
RATE, LINES = 20, 5  # movements a second, on so many lines of the order that is open and as many others
WATCHER = "watcher@obrador.test"
"""Who looks at the screens: somebody else than who moves."""

Counts = dict[str, dict[str, int]]
"""For each screen what it asked, as `METHOD path` without ids, and how often."""


def screens(filled: Filled) -> dict[str, tuple[str, str]]:
    """The path of each screen, and the button that is pressed there."""
    order = f"/operations/sales-orders/{filled.recent[-1]}"
    return {
        "order list": ("/operations/sales-orders", ""),
        "lines": ("/operations/orders", ""),
        "order": (order, ""),
        "line": (f"{order}/position/1", ""),
        "history": (f"{order}/position/1", "Ver historial"),
        "board": ("/shop-floor", ""),
        "dashboard": ("/dashboard", ""),
        "bills": ("/reports/bills", ""),
        "to pay": ("/reports/pay-orders", ""),
        "home": ("/home", ""),
    }


def browser() -> str:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        raise FileNotFoundError("no Chromium: CHROMIUM names one")
    return found


def build_client(build: Build) -> None:
    """The web client of an older checkout, with this one's packages."""
    if build.root != ROOT:
        web = build.root / "web"
        (web / "node_modules").symlink_to(ROOT / "web" / "node_modules")
        subprocess.run(["node_modules/.bin/vite", "build", "--logLevel", "error"], cwd=web, check=True)


def keep_moving(client: Client, filled: Filled) -> float:
    """Movements for as long as is counted, of the open order among others. Returns how many a second there were."""
    order, begun = filled.recent[-1], time.monotonic()
    places = [(order, position) for position in range(1, LINES + 1)] + filled.movable[:LINES]
    lanes = [movements([place], filled.processes[-2:]) for place in places]

    def lane(number: int) -> int:
        for turn in itertools.count():
            pause = begun + (turn * len(lanes) + number) / RATE - time.monotonic()
            if time.monotonic() + pause >= begun + SECONDS:
                return turn
            time.sleep(max(0.0, pause))
            move(client, *next(lanes[number]), quantity=1)
        return 0

    with ThreadPoolExecutor(len(lanes)) as threads:
        moved = sum(threads.map(lane, range(len(lanes))))
    return moved / (time.monotonic() - begun)


def count(build: Build, client: Served, filled: Filled) -> Counts:
    manage(build.environment, "createadmin", WATCHER, "--password", PASSWORD, root=build.root)
    job = {
        "base": str(client.base_url).rstrip("/"),
        "email": WATCHER,
        "password": PASSWORD,
        "browser": browser(),
        "seconds": SECONDS,
        "screens": screens(filled),
    }
    command = ["node", str(ROOT / "infra" / "bench" / "screens.mjs")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        if node.stdin is None or node.stdout is None:
            raise RuntimeError("node has no pipes")
        node.stdin.write(json.dumps(job) + "\n")
        node.stdin.flush()
        if node.stdout.readline() != "open\n":
            raise RuntimeError("the screens did not open")
        before = processor_seconds(client.pid)
        rate = keep_moving(client, filled)
        busy = (processor_seconds(client.pid) - before) / SECONDS
        counts: Counts = json.loads(node.stdout.readline())
    print(f"  {build.name}: {rate:.1f} movements a second, the server took {busy:.0%} of a core")
    return counts


def main() -> int:
    found: dict[str, Counts] = {}
    with builds(*sys.argv[1:2]) as compared:
        for build in compared:
            build_client(build)
            with served(build.root, **build.settings, REDIS_URL="") as client:
                found[build.name] = count(build, client, fill(client))
    print(f"  {'requests a minute':20}" + "".join(f"{name[:11]:>12}" for name in found) + "   most of them")
    for screen in found["this"]:
        cells = "".join(f"{60 * sum(counts[screen].values()) / SECONDS:12.0f}" for counts in found.values())
        most = sorted(found["this"][screen].items(), key=lambda item: -item[1])[:4]
        print(f"  {screen:20}{cells}   " + ", ".join(f"{number} {what}" for what, number in most))
    return 0


if __name__ == "__main__":
    sys.exit(main())
