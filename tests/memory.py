"""How much memory a process takes at its most."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEBIBYTE = 1024 * 1024


@contextmanager
def grows_by_at_most(mebibytes: int, pid: int | str = "self") -> Iterator[None]:
    """The process is never larger within the block than it was before by more than that."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # the most so far is what it is now
    before = _of(pid, "VmHWM")
    yield
    grown = _of(pid, "VmHWM") - before
    assert grown <= mebibytes * MEBIBYTE, f"grown by {grown // MEBIBYTE} MB"


def _of(pid: int | str, what: str) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) * 1_024 for line in status.splitlines() if line.startswith(what))
