"""Open simulated screens: one Node process that runs the client's own code (`web/tools/simulated.ts`)."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.bench.machine import ROOT, node
from infra.bench.served import Served
from project.access import token
from project.identity.models import User

OF_ONE_PERSON = 20
END_SECONDS = 15
WATCHER = "watcher@obrador.test"
"""The person who looks at the screens. Another person moves the lines."""

Loaded = dict[str, list[str]]
"""Kind of screen → the addresses that it loads when it is opened."""


class Node:
    """A Node program that reads and answers lines of JSON."""

    def __init__(self, script: Path) -> None:
        self.process = subprocess.Popen([node(), str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, what: object) -> None:
        assert self.process.stdin is not None  # noqa: S101 - it was opened with a pipe
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        """Read the program's next line. Raises RuntimeError if the program has ended."""
        assert self.process.stdout is not None  # noqa: S101 - it was opened with a pipe
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args!r} ended without an answer")
        return json.loads(line)

    def end(self) -> None:
        """Close the program's input, so that it ends. Terminate it if it has not ended after 15 s."""
        assert self.process.stdin is not None  # noqa: S101 - it was opened with a pipe
        self.process.stdin.close()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait(END_SECONDS)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def program(script: Path) -> Iterator[Node]:
    """Run a Node program during the block."""
    found = Node(script)
    try:
        yield found
    finally:
        found.end()


@contextmanager
def simulated(client: Served, loaded: Loaded, count: int) -> Iterator[Node]:
    """Open `count` screens of the kinds in `loaded`. Yields the program; simulated.ts describes its answers."""
    built = "node_modules/.simulated"  # beside the packages that it imports
    vite = ["node_modules/.bin/vite", "build", "--ssr", "tools/simulated.ts", "--outDir", built, "--logLevel", "error"]
    subprocess.run(vite, cwd=ROOT / "web", check=True)
    me, tokens = watchers(-(-count // OF_ONE_PERSON))
    described = client.post("/identity/permissions/describe", json={"subjectId": str(me)}).raise_for_status().json()
    job = {
        "base": client.url,
        "user": client.get(f"/identity/users/{me}").raise_for_status().json(),
        "permissions": [row["action"] for row in described],
        "screens": loaded,
        "paths": sorted(json.loads((ROOT / "infra/docs/contract.json").read_text())["paths"]),
        "tokens": [tokens[n % len(tokens)] for n in range(count)],
    }
    with program(ROOT / "web" / built / "simulated.js") as screens:
        screens.ask(job)
        screens.answer()  # they are open
        yield screens


def watchers(count: int) -> tuple[int, list[str]]:
    """Make people with the watcher's roles. Returns the watcher's id, and `count` tokens, the watcher's first."""
    watcher = User.objects.get(email=WATCHER)
    people = [watcher]
    for n in range(count - 1):
        people.append(User.objects.create(email=f"w{n}@obrador.test", first_name=f"W {n}"))
        people[-1].roles.set(watcher.roles.all())
    return watcher.pk, [token.issue(person) for person in people]
