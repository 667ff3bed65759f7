"""Measure the peak memory of a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEBIBYTE = 1024 * 1024


@contextmanager
def grows_by_at_most(mebibytes: int, pid: int | str = "self") -> Iterator[None]:
    """Fail if the process grows by more than `mebibytes` at any time within the block."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # resets the peak to the current size
    before = _of(pid, "VmHWM")
    yield
    grown = _of(pid, "VmHWM") - before
    assert grown <= mebibytes * MEBIBYTE, f"grown by {grown // MEBIBYTE} MB"


def _of(pid: int | str, what: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) * 1_024 for line in status.splitlines() if line.startswith(what))
