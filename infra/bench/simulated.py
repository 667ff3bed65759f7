"""Simulated screens of this build: Node processes driven by the client's own code (`web/tools/simulated.ts`)."""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from builds import Build
from httpx import Client
from served import ROOT, python_of

OF_ONE_PERSON = 20
END_SECONDS = 15
WATCHER = "watcher@obrador.test"
"""Who looks at the screens: somebody else than who moves."""

Loaded = dict[str, list[str]]
"""For each kind of screen the addresses it loads when it is opened."""


class Node:
    """A Node program that is asked, and answers, by lines of JSON."""

    def __init__(self, script: Path) -> None:
        self.process = subprocess.Popen(["node", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, what: object) -> None:
        assert self.process.stdin is not None  # noqa: S101 - it was opened with a pipe
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        """Its next line. Raises RuntimeError where it ended instead."""
        assert self.process.stdout is not None  # noqa: S101 - it was opened with a pipe
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args!r} ended without an answer")
        return json.loads(line)

    def end(self) -> None:
        """It is asked nothing more, and ends; where it does not, it is ended."""
        assert self.process.stdin is not None  # noqa: S101 - it was opened with a pipe
        self.process.stdin.close()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait(END_SECONDS)
        if self.process.stdout is not None:
            self.process.stdout.close()


class Screens:
    """The screens of one or several processes, which share them evenly."""

    def __init__(self, processes: list[Node]) -> None:
        self.processes = processes

    def cut(self, count: int) -> tuple[float, int]:
        """So many screens lose the network at once. Returns the seconds until they are live again, and how many are
        not within a minute."""
        shares = _shares(count, len(self.processes))
        found = self._all([{"cut": share} for share in shares])
        return max(one["seconds"] for one in found), sum(one["absent"] for one in found)

    def over(self, newest: int = 0, receipts: Path | None = None) -> dict[str, Any]:
        """What they asked and heard since they were open, once all have heard the event `newest`: {requests: {kind: how
        many}, screens: {kind: how many}, latencies (ms), failures, lost, events}. `receipts`: a file for the instants,
        as `receipts.compare` reads it."""
        parts = [None if receipts is None else receipts.with_name(f"{receipts.name}.{n}") for n in self._numbers()]
        found = self._all([{"newest": newest, "receipts": "" if part is None else str(part)} for part in parts])
        if receipts is not None:
            receipts.write_bytes(b"".join(part.read_bytes() for part in parts if part is not None))
        merged = {
            name: dict(sum((Counter(one[name]) for one in found), Counter())) for name in ("requests", "failures")
        }
        return merged | {
            "screens": dict(sum((Counter(one["screens"]) for one in found), Counter())),
            "latencies": [latency for one in found for latency in one["latencies"]],
            "lost": sum(one["lost"] for one in found),
            "events": max(one["events"] for one in found),
        }

    def _numbers(self) -> range:
        return range(len(self.processes))

    def _all(self, orders: list[dict[str, Any]]) -> list[Any]:
        for process, order in zip(self.processes, orders, strict=True):
            process.ask(order)
        return [process.answer() for process in self.processes]


@contextmanager
def simulated(
    base: str, people: tuple[int, list[str]], loaded: Loaded, count: int, *, processes: int = 1, events: int = 0
) -> Iterator[Screens]:
    """So many screens at `base`, live and loaded; of `people`, as `watchers` makes them. `events`: how many there will
    be at most, of which the receipts are written down."""
    built = "node_modules/.simulated"  # beside the packages that it imports
    vite = ["node_modules/.bin/vite", "build", "--ssr", "tools/simulated.ts", "--outDir", built, "--logLevel", "error"]
    subprocess.run(vite, cwd=ROOT / "web", check=True)
    me, tokens = people
    with Client(base_url=base, headers={"Authorization": f"Bearer {tokens[0]}"}, timeout=60) as client:
        described = client.post("/identity/permissions/describe", json={"subjectId": str(me)}).json()
        user = client.get(f"/identity/users/{me}").json()
    of_screens = [tokens[n % len(tokens)] for n in range(count)]
    job = {
        "base": base,
        "user": user,
        "permissions": [row["action"] for row in described],
        "screens": loaded,
        "paths": sorted(json.loads((ROOT / "web/src/contract/openapi.json").read_text())["paths"]),
    }
    with ExitStack() as started:
        nodes = []
        first = 0
        for share in _shares(count, processes):
            nodes.append(Node(ROOT / "web" / built / "simulated.js"))
            started.callback(nodes[-1].end)
            own = of_screens[first : first + share]
            nodes[-1].ask(job | {"tokens": own, "first": first, "receipts": share * events})
            first += share
        for node in nodes:
            node.answer()  # they are open
        yield Screens(nodes)


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
    command = [python_of(build.root), "manage.py", "shell", "--no-imports", "-c", made]
    answer = subprocess.run(command, cwd=build.root, env=build.environment, check=True, capture_output=True, text=True)
    (written,) = [line for line in answer.stdout.splitlines() if line.startswith("TOKENS ")]
    me, *tokens = json.loads(written.removeprefix("TOKENS "))
    return me, tokens


def _shares(count: int, of: int) -> list[int]:
    """`count` in parts that differ by one at most."""
    return [count // of + (n < count % of) for n in range(of)]
