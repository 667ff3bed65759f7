"""Requests that open screens make by themselves while lines move: one page of each kind in a headless Chromium.

`amplification.py [REVISION]` counts the build of that revision first, then this one, each on a database that was
filled in the same way; then SCREENS simulated screens of this build, which are driven by the client's own code. Run by
`make bench-amplification`, which names the database. Judges nothing.
"""

import itertools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from builds import Build, builds
from calls import processor_seconds
from filled import Filled, fill, move, movements
from httpx import Client
from served import PASSWORD, ROOT, Served, manage, served
from simulated import OF_ONE_PERSON, WATCHER, Loaded, Node, simulated, watchers

SECONDS = int(os.environ.get("AMPLIFICATION_SECONDS", "60"))
RATE, LINES = 20, 5  # movements a second, on so many lines of the order that is open and as many others
SCREENS = int(os.environ.get("AMPLIFICATION_SCREENS", "1000"))

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


def keep_moving(client: Client, filled: Filled, seconds: float = SECONDS, rate: int = RATE) -> list[float]:
    """Movements for `seconds`, of the open order among others. Returns what each call took, in milliseconds."""
    order, begun = filled.recent[-1], time.monotonic()
    # Each line has time for its turn, so that one slow call does not hold up the others.
    places = [(order, position) for position in range(1, LINES + 1)] + filled.movable[: max(LINES, rate // 2 - LINES)]
    lanes = [movements([place], filled.processes[-2:]) for place in places]

    def lane(number: int) -> list[float]:
        took = []
        for turn in itertools.count():
            pause = begun + (turn * len(lanes) + number) / rate - time.monotonic()
            if time.monotonic() + pause >= begun + seconds:
                break
            time.sleep(max(0.0, pause))
            asked = time.monotonic()
            move(client, *next(lanes[number]), quantity=1)
            took.append(1_000 * (time.monotonic() - asked))
        return took

    with ThreadPoolExecutor(len(lanes)) as threads:
        return list(itertools.chain.from_iterable(threads.map(lane, range(len(lanes)))))


@contextmanager
def opened(base: str, filled: Filled, seconds: float) -> Iterator[tuple[Loaded, Node]]:
    """Each kind of screen in one Chromium, loaded and at rest; the program says after `seconds` what they asked."""
    node = Node(ROOT / "infra" / "bench" / "screens.mjs")
    try:
        node.ask(
            {
                "base": base,
                "email": WATCHER,
                "password": PASSWORD,
                "browser": browser(),
                "seconds": seconds,
                "screens": screens(filled),
            }
        )
        yield node.answer(), node
    finally:
        node.end()


def count(build: Build, client: Served, filled: Filled) -> tuple[Counts, Loaded]:
    manage(build.environment, "createadmin", WATCHER, "--password", PASSWORD, root=build.root)
    with opened(address(client), filled, SECONDS) as (loaded, node):
        before = processor_seconds(client.pid)
        moved = keep_moving(client, filled)
        busy = (processor_seconds(client.pid) - before) / SECONDS
        counts: Counts = node.answer()
    print(f"  {build.name}: {len(moved) / SECONDS:.1f} movements a second, the server took {busy:.0%} of a core")
    return counts, loaded


def address(client: Client) -> str:
    return str(client.base_url).rstrip("/")


def simulate(build: Build, client: Served, filled: Filled, loaded: Loaded) -> None:
    """SCREENS screens of the kinds that Chromium opened, and what they made the server do."""
    people = watchers(build, -(-SCREENS // OF_ONE_PERSON))
    with simulated(address(client), people, loaded, SCREENS) as open_screens:
        # They come back as on any day but the first: each knows from yesterday how many they are.
        back, absent = open_screens.cut(SCREENS)
        print(f"  {SCREENS} simulated screens came back within {back:.0f} s, {absent} did not within a minute")
        before = processor_seconds(client.pid)
        moved = keep_moving(client, filled)
        busy = (processor_seconds(client.pid) - before) / SECONDS
        result = open_screens.over()
    latencies = sorted(result["latencies"]) or [0.0]
    p95 = latencies[len(latencies) * 95 // 100]
    rate = len(moved) / SECONDS
    print(f"  {SCREENS} simulated screens, {rate:.1f} movements a second: the server took {busy:.0%} of a core")
    print(f"    {result['events']} events, {result['lost']} screens missed or doubled one of them")
    print(f"    {len(latencies)} requests, p95 {p95:.0f} ms, failures: {result['failures'] or 'none'}")
    for kind, number in result["screens"].items():
        of_one = 60 * result["requests"].get(kind, 0) / SECONDS / number
        print(f"    {kind:20}{of_one:12.2f} requests a minute of each")


def main() -> int:
    found: dict[str, Counts] = {}
    with builds(*sys.argv[1:2]) as compared:
        for build in compared:
            build_client(build)
            # All screens have one address here, as behind a proxy.
            with served(build.root, **build.settings, REDIS_URL="", TRUSTED_PROXIES="1") as client:
                filled = fill(client)
                found[build.name], loaded = count(build, client, filled)
                if build.root == ROOT and SCREENS:
                    simulate(build, client, filled, loaded)
    print(f"  {'requests a minute':20}" + "".join(f"{name[:11]:>12}" for name in found) + "   most of them")
    for screen in found["this"]:
        cells = "".join(f"{60 * sum(counts[screen].values()) / SECONDS:12.0f}" for counts in found.values())
        most = sorted(found["this"][screen].items(), key=lambda item: -item[1])[:4]
        print(f"  {screen:20}{cells}   " + ", ".join(f"{number} {what}" for what, number in most))
    return 0


if __name__ == "__main__":
    sys.exit(main())
