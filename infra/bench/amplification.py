"""Count the requests that open screens make while other people move lines.

The requests of one page of each kind are counted in Chromium. `amplification REVISION` first counts those of that
revision's build, then those of this build. Then AMPLIFICATION_SCREENS (1,000) simulated screens of this build are
measured; 0 leaves them out. AMPLIFICATION_SECONDS: how long to count, 60 by default. CHROMIUM: the path of a Chromium
that is not on the PATH.
"""

import itertools
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from httpx import Client

from infra.bench.builds import Build, builds
from infra.bench.filled import Filled, fill, move, movements
from infra.bench.machine import ROOT, processor_seconds
from infra.bench.report import Report, percentile
from infra.bench.served import PASSWORD, Served, manage, served
from infra.bench.simulated import WATCHER, Loaded, Node, program, simulated

SECONDS = int(os.environ.get("AMPLIFICATION_SECONDS", "60"))
SCREENS = int(os.environ.get("AMPLIFICATION_SCREENS", "1000"))
RATE, LINES = 20, 5  # movements a second; lines of the open order that move, beside as many other lines

Counts = dict[str, dict[str, int]]
"""Screen → request (`METHOD path` without ids) → number of such requests."""


def screens(filled: Filled) -> dict[str, tuple[str, str]]:
    """Return the path of each screen, and the name of the button to press there ("" for none)."""
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
    """Return the path of Chromium. Raises FileNotFoundError."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        raise FileNotFoundError("no Chromium: CHROMIUM names one")
    return found


def build_client(build: Build) -> None:
    """Build the web client of an older checkout, with the packages of this checkout."""
    if build.root != ROOT:
        web = build.root / "web"
        (web / "node_modules").symlink_to(ROOT / "web" / "node_modules")
        subprocess.run(["node_modules/.bin/vite", "build", "--logLevel", "error"], cwd=web, check=True)


def keep_moving(client: Client, filled: Filled) -> list[float]:
    """Move pieces of the open order and of other orders for SECONDS. Returns the milliseconds of each call."""
    order, begun = filled.recent[-1], time.monotonic()
    # Each line has a thread of its own, so that one slow call does not delay the others.
    places = [(order, position) for position in range(1, LINES + 1)] + filled.movable[: max(LINES, RATE // 2 - LINES)]
    lanes = [movements([place], filled.processes[-2:]) for place in places]

    def lane(number: int) -> list[float]:
        took = []
        for turn in itertools.count():
            pause = begun + (turn * len(lanes) + number) / RATE - time.monotonic()
            if time.monotonic() + pause >= begun + SECONDS:
                break
            time.sleep(max(0.0, pause))
            asked = time.monotonic()
            move(client, *next(lanes[number]), quantity=1)
            took.append(1_000 * (time.monotonic() - asked))
        return took

    with ThreadPoolExecutor(len(lanes)) as threads:
        return list(itertools.chain.from_iterable(threads.map(lane, range(len(lanes)))))


@contextmanager
def opened(client: Served, filled: Filled) -> Iterator[tuple[Loaded, Node]]:
    """Open each kind of screen in one Chromium, and wait until the screens send no more requests.

    Yields the addresses that the screens loaded, and the Node program that drives them. After SECONDS the program
    answers once more, with the requests that the screens sent in that time.
    """
    with program(ROOT / "infra" / "bench" / "screens.mjs") as node:
        node.ask(
            {
                "base": client.url,
                "email": WATCHER,
                "password": PASSWORD,
                "browser": browser(),
                "seconds": SECONDS,
                "screens": screens(filled),
            }
        )
        yield node.answer(), node


def count(build: Build, client: Served, filled: Filled) -> tuple[Counts, Loaded]:
    """Count the requests of the pages in Chromium while lines move. Returns the counts, and what `opened` loaded."""
    manage(build.settings, "createadmin", WATCHER, "--password", PASSWORD, root=build.root)
    with opened(client, filled) as (loaded, node):
        before = processor_seconds(client.pid)
        moved = keep_moving(client, filled)
        busy = (processor_seconds(client.pid) - before) / SECONDS
        counts: Counts = node.answer()
    print(f"  {build.name}: {len(moved) / SECONDS:.1f} movements a second, the server took {busy:.0%} of a core")
    return counts, loaded


def simulate(client: Served, filled: Filled, loaded: Loaded) -> dict[str, str]:
    """Simulate SCREENS screens of the kinds that Chromium opened. Returns the row with their cost."""
    with simulated(client, loaded, SCREENS) as open_screens:
        # A screen learns the number of screens when it connects. So let all of them connect once more.
        open_screens.ask({"cut": SCREENS})
        back = open_screens.answer()
        print(f"  {SCREENS} screens are live again after {back['seconds']:.0f} s, {back['absent']} not within a minute")
        before = processor_seconds(client.pid)
        moved = keep_moving(client, filled)
        busy = (processor_seconds(client.pid) - before) / SECONDS
        open_screens.ask({})
        result = open_screens.answer()
    latencies, p95 = result["latencies"], percentile(result["latencies"], 95)
    print(f"  {SCREENS} screens, {len(moved) / SECONDS:.1f} movements a second, p95 {percentile(moved, 95):.0f} ms")
    print(f"    {result['events']} events, {result['lost']} screens lost or repeated one of them")
    print(f"    {len(latencies)} requests, p95 {p95:.0f} ms, failures: {result['failures'] or 'none'}")
    for kind, number in result["screens"].items():
        of_one = 60 * result["requests"].get(kind, 0) / SECONDS / number
        print(f"    {kind:20}{of_one:12.2f} requests a minute of each")
    label = f"{SCREENS:,} simulated screens of {len(loaded)} kinds at {RATE} movements a second"
    figures = (f"{60 * len(latencies) / SECONDS:.0f}", f"{p95:.0f} ms", f"{100 * busy:.0f} % of a core")
    return {f"{label}: requests a minute of all, their p95, the server": ", ".join(figures)}


def measure(base: str = "") -> Report:
    """Count the requests of each build. The rows are those of this build."""
    found: dict[str, Counts] = {}
    report = Report()
    with builds(base) as compared:
        for build in compared:
            build_client(build)
            # All screens have one address here, as behind a proxy.
            with served(build.root, **build.settings, REDIS_URL="", TRUSTED_PROXIES="1") as client:
                filled = fill(client)
                found[build.name], loaded = count(build, client, filled)
                if build.root == ROOT and SCREENS:
                    report.rows |= simulate(client, filled, loaded)
    print(f"  {'requests a minute':20}" + "".join(f"{name[:11]:>12}" for name in found) + "   most of them")
    ours = {screen: 60 * sum(asked.values()) / SECONDS for screen, asked in found["this"].items()}
    for screen in ours:
        cells = "".join(f"{60 * sum(counts[screen].values()) / SECONDS:12.0f}" for counts in found.values())
        most = sorted(found["this"][screen].items(), key=lambda item: -item[1])[:4]
        print(f"  {screen:20}{cells}   " + ", ".join(f"{number} {what}" for what, number in most))
    busiest = max(ours, key=lambda screen: ours[screen])
    label = f"Requests a minute of one open page at {RATE} movements a second: most of {len(ours)} kinds"
    report.rows[label] = f"{ours[busiest]:.0f} ({busiest})"
    return report
