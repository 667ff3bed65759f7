"""Requests that open screens make by themselves while lines move: one page of each kind in a headless Chromium.

`amplification.py [REVISION]` counts the build of that revision first, then this one, each on a database that was
filled in the same way; then SCREENS simulated screens of this build, which are driven by the client's own code. Run by
`make bench-amplification`, which names the database. Judges nothing.
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
SCREENS = int(os.environ.get("AMPLIFICATION_SCREENS", "1000"))
OF_ONE_PERSON = 20
WATCHER = "watcher@obrador.test"
"""Who looks at the screens: somebody else than who moves."""

Counts = dict[str, dict[str, int]]
"""For each screen what it asked, as `METHOD path` without ids, and how often."""
Loaded = dict[str, list[str]]
"""For each screen the addresses it loaded when it was opened."""


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


def keep_moving(client: Client, filled: Filled, seconds: float = SECONDS) -> float:
    """Movements for `seconds`, of the open order among others. Returns how many a second there were."""
    order, begun = filled.recent[-1], time.monotonic()
    places = [(order, position) for position in range(1, LINES + 1)] + filled.movable[:LINES]
    lanes = [movements([place], filled.processes[-2:]) for place in places]

    def lane(number: int) -> int:
        for turn in itertools.count():
            pause = begun + (turn * len(lanes) + number) / RATE - time.monotonic()
            if time.monotonic() + pause >= begun + seconds:
                return turn
            time.sleep(max(0.0, pause))
            move(client, *next(lanes[number]), quantity=1)
        return 0

    with ThreadPoolExecutor(len(lanes)) as threads:
        moved = sum(threads.map(lane, range(len(lanes))))
    return moved / (time.monotonic() - begun)


def count(build: Build, client: Served, filled: Filled) -> tuple[Counts, Loaded]:
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
        loaded: Loaded = json.loads(node.stdout.readline())
        before = processor_seconds(client.pid)
        rate = keep_moving(client, filled)
        busy = (processor_seconds(client.pid) - before) / SECONDS
        counts: Counts = json.loads(node.stdout.readline())
    print(f"  {build.name}: {rate:.1f} movements a second, the server took {busy:.0%} of a core")
    return counts, loaded


def watchers(build: Build, count: int) -> tuple[int, list[str]]:
    """The id of the first of so many people, and a token of each; they may do what the watcher may."""
    made = f"""
import json
from project.access import token
from project.identity.models import User
watcher = User.objects.get(email="{WATCHER}")
people = [watcher]
for n in range({count - 1}):
    people.append(User.objects.create(email=f"w{{n}}@obrador.test", first_name=f"W {{n}}"))
    people[-1].roles.set(watcher.roles.all())
print("TOKENS", json.dumps([person.pk for person in people[:1]] + [token.issue(person) for person in people]))
"""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", made]
    answer = subprocess.run(command, cwd=build.root, env=build.environment, check=True, capture_output=True, text=True)
    (written,) = [line for line in answer.stdout.splitlines() if line.startswith("TOKENS ")]
    me, *tokens = json.loads(written.removeprefix("TOKENS "))
    return me, tokens


def simulate(build: Build, client: Served, filled: Filled, loaded: Loaded) -> None:
    """SCREENS screens of the kinds that Chromium opened, and what they made the server do."""
    built = "node_modules/.simulated"  # beside the packages that it imports
    vite = ["node_modules/.bin/vite", "build", "--ssr", "tools/simulated.ts", "--outDir", built, "--logLevel", "error"]
    subprocess.run(vite, cwd=ROOT / "web", check=True)
    me, tokens = watchers(build, -(-SCREENS // OF_ONE_PERSON))
    first = {"Authorization": f"Bearer {tokens[0]}"}
    described = client.post("/identity/permissions/describe", json={"subjectId": str(me)}, headers=first).json()
    job = {
        "base": str(client.base_url).rstrip("/"),
        "tokens": [tokens[n % len(tokens)] for n in range(SCREENS)],
        "user": client.get(f"/identity/users/{me}", headers=first).json(),
        "permissions": [row["action"] for row in described],
        "seconds": SECONDS,
        "screens": loaded,
        "paths": sorted(json.loads((ROOT / "web/src/contract/openapi.json").read_text())["paths"]),
    }
    with subprocess.Popen(
        ["node", str(ROOT / "web" / built / "simulated.js")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as node:
        if node.stdin is None or node.stdout is None:
            raise RuntimeError("node has no pipes")
        node.stdin.write(json.dumps(job) + "\n")
        node.stdin.flush()
        if node.stdout.readline() != "open\n":
            raise RuntimeError("the simulated screens did not open")
        before = processor_seconds(client.pid)
        rate = keep_moving(client, filled)
        busy = (processor_seconds(client.pid) - before) / SECONDS
        result = json.loads(node.stdout.readline())
    latencies = sorted(result["latencies"]) or [0.0]
    p95 = latencies[len(latencies) * 95 // 100]
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
            with served(build.root, **build.settings, REDIS_URL="") as client:
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
