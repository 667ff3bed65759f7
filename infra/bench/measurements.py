"""Run benchmarks, store their rows in infra/docs/measurements.json, and write infra/docs/measurements.md from them.

    make measurements [ONLY=live,calls] [FILE=LOG.csv]

ONLY: run only these benchmarks; the rows of the others stay. FILE: a movement log for `backtest`, `stations`, `pooled`
and `capacity`, which are left out without it. The exit status is 1 if a benchmark exceeds a limit or fails. A benchmark
that fails keeps its earlier rows.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TypedDict

from infra.bench.machine import ROOT

DOCS = ROOT / "infra" / "docs"
DATA, PAGE = DOCS / "measurements.json", DOCS / "measurements.md"
BENCHMARKS = (
    "live",
    "sign-in",
    "calls",
    "amplification",
    "pages",
    "reload",
    "scale",
    "metal",
    "forecasts",
    "backtest",
    "stations",
    "pooled",
    "capacity",
)
OF_A_LOG = {"backtest", "stations", "pooled", "capacity"}
HEAD = """\
# Measurements

<!-- Made by `make measurements` from measurements.json. -->

The figures of the last run of each [benchmark](commands.md#benchmarks). The same processors run the server, the
database and the load. [Capacity](capacity.md) computes from them what an installation needs.

| What | Figure | Command | Processors |
|---|---|---|---|
"""


class Stored(TypedDict):
    """The last run of a benchmark: the number of processors of the machine, and its rows (label → figure)."""

    processors: int
    rows: dict[str, str]


def command(name: str) -> str:
    """Return the target of `make` that runs a benchmark."""
    return name if name == "backtest" else f"bench-{name}"


def page(stored: dict[str, Stored]) -> str:
    """Return the text of the page, made only from the stored rows."""
    lines = [
        f"| {label} | {figure} | `make {command(name)}` | {stored[name]['processors']} |\n"
        for name in BENCHMARKS
        if name in stored
        for label, figure in stored[name]["rows"].items()
    ]
    return HEAD + "".join(lines)


def run(name: str, log: str) -> tuple[bool, dict[str, str]]:
    """Run a benchmark. Returns whether it succeeded within its limits, and its rows."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.json"
        settings = os.environ | {"MEASUREMENTS": str(file), "FILE": log, "LOG": log}
        done = subprocess.run(["make", "--no-print-directory", command(name)], cwd=ROOT, env=settings, check=False)
        return done.returncode == 0, json.loads(file.read_text()) if file.exists() else {}


def main() -> int:
    """Run the chosen benchmarks one after the other, and write the page after each."""
    only, log = os.environ.get("ONLY", ""), os.environ.get("FILE", "")
    chosen = only.split(",") if only else [name for name in BENCHMARKS if log or name not in OF_A_LOG]
    if unknown := set(chosen) - set(BENCHMARKS):
        print(f"no such benchmark: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    stored: dict[str, Stored] = json.loads(DATA.read_text())
    failed = []
    for name in chosen:
        good, rows = run(name, log)
        if rows:
            stored[name] = {"processors": os.cpu_count() or 0, "rows": rows}
            DATA.write_text(json.dumps(stored, ensure_ascii=False, indent=2) + "\n")
            PAGE.write_text(page(stored))
        if not good:
            failed.append(name)
    print(f"\n{PAGE.relative_to(ROOT)} is written." + (f" Not as it must be: {', '.join(failed)}." if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
