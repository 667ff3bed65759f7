"""What the parts of an installation take of the machine: a part is a process and all that it started."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")

Families = dict[str, int]
"""The first process of each part, by the part's name."""


def memory(families: Families) -> dict[str, int]:
    """Bytes; what processes share is divided among them (Pss)."""

    def of(pid: int) -> int:
        found = re.search(r"^Pss: +(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        return 1_024 * int(found[1]) if found else 0

    return {name: int(_sum(of, first)) for name, first in families.items()}


def processor(families: Families) -> dict[str, float]:
    """Seconds since the start, with those of children that are over."""

    def of(pid: int) -> float:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS

    return {name: _sum(of, first) for name, first in families.items()}


def _sum(of: Callable[[int], float], first: int) -> float:
    total = 0.0
    for pid in _family(first):
        try:
            total += of(pid)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
    return total


def _family(first: int) -> Iterator[int]:
    yield first
    try:
        children = [path.read_text() for path in Path(f"/proc/{first}/task").glob("*/children")]
    except (FileNotFoundError, ProcessLookupError):
        return
    for child in " ".join(children).split():
        yield from _family(int(child))
