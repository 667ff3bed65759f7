"""The last release at work while this checkout's migrations go through, and after them.

    infra/chaos/upgrade.sh [BASE]

BASE is a git revision, by default the commit of `infra/setup/released.json`. Ends with 1 where any call failed, and
where a column that is renamed at the end is not noticed: then the work proves nothing. Each server runs on
the packages of its own lock file.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue

from builds import Build, builds
from served import EMAIL, PASSWORD, ROOT, manage, running

BEFORE, AFTER, BESIDE = 1, 3, 2
"""Shifts of the old server before the migrations and after them, and of each beside the other."""
SHIFT_SECONDS = 300
BROKEN = "ALTER TABLE orders_line RENAME COLUMN quantity TO pieces"


class Shifts:
    """A server's own work, shift after shift, in a process beside it."""

    def __init__(self, name: str, root: Path, url: str) -> None:
        self.name = name
        self.done, self.failed = 0, list[str]()
        self._lines: SimpleQueue[str] = SimpleQueue()
        environment = os.environ | {"PYTHONPATH": f"{root}:{root / 'infra' / 'bench'}"}
        self._process = subprocess.Popen(
            [sys.executable, str(root / "infra" / "chaos" / "shift.py"), url],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line.strip())

    def work(self, shifts: int) -> None:
        """Wait until so many more are over, well or not, that begin from now on."""
        self._catch_up()
        for _ in range(shifts + 1):  # one has begun already
            try:
                self._count(self._lines.get(timeout=SHIFT_SECONDS))
            except Empty:
                self._count("no shift came to its end")

    def _catch_up(self) -> None:
        while not self._lines.empty():
            self._count(self._lines.get())

    def _count(self, line: str) -> None:
        self.done += 1
        if not line.endswith(": ok"):
            self.failed.append(line)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(SHIFT_SECONDS)
        self._catch_up()


@contextmanager
def at_work(name: str, root: Path, url: str) -> Iterator[Shifts]:
    shifts = Shifts(name, root, url)
    try:
        yield shifts
    finally:
        shifts.stop()


def upgrade(old: Build, new: Build) -> bool:
    """Whether everything was answered, and what is broken on purpose was not."""
    later = old.environment | {"PYTHONPATH": str(new.root)}
    manage(old.environment, "migrate", "--verbosity", "0", root=old.root)
    manage(old.environment, "demo", root=old.root)
    manage(old.environment, "createadmin", EMAIL, "--password", PASSWORD, root=old.root)
    with running(old.environment, old.root) as server, at_work("release", old.root, str(server.base_url)) as before:
        before.work(BEFORE)
        begun = time.monotonic()
        manage(later, "migrate", root=new.root)
        took = time.monotonic() - begun
        before.work(AFTER)
        with running(later, new.root) as beside, at_work("this", new.root, str(beside.base_url)) as after:
            after.work(BESIDE)
            before.work(BESIDE)
        well = report(took, before, after)
        failed = len(before.failed)
        print("now a column is renamed, and what is logged below is meant to be", flush=True)
        with old.database() as connection:
            connection.execute(BROKEN)
        before.work(1)
        noticed = len(before.failed) > failed
        print(f"{'a renamed column is noticed':40} {'yes' if noticed else 'NO'}", flush=True)
    return well and noticed


def report(took: float, *all_shifts: Shifts) -> bool:
    print(f"\n{'migrations':40} {took:.1f} s")
    for one in all_shifts:
        print(f"{f'shifts of {one.name}, failed':40} {one.done}, {len(one.failed)}")
        for line in one.failed:
            print(f"    {line}")
    return not any(one.failed for one in all_shifts)


def main() -> int:
    base = sys.argv[1] if len(sys.argv) > 1 else ""
    base = base or json.loads((ROOT / "infra" / "setup" / "released.json").read_text())["commit"]
    known = subprocess.run(["git", "cat-file", "-e", f"{base}^{{commit}}"], cwd=ROOT, check=False)
    if known.returncode:
        print(f"the release {base} is not in this clone: git fetch --unshallow", file=sys.stderr)
        return 1
    with builds(base) as (old, new):
        well = upgrade(old, new)
    # After the servers have ended: until then they log what the renamed column breaks.
    print(f"\n{'passed' if well else 'FAILED'}: {base} at work while this checkout migrates, and after it", flush=True)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
