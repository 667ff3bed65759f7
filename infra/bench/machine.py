"""Start, stop and break a server process on this machine, and read its processor time and memory."""

import os
import signal
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60


class Machine(ABC):
    """A server process on a free port. It keeps the port when it is started again."""

    root = ROOT

    def __init__(self) -> None:
        self.port = free_port()
        self.environment: dict[str, str] = {}
        """Variables for this process, which override those of the environment."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @abstractmethod
    def command(self) -> list[str]:
        """Return the command line that starts the process."""

    def answers(self) -> bool:
        """Whether the process accepts connections."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def start(self) -> None:
        """Start the process, and wait until it answers.

        Raises RuntimeError if the process ends or does not answer within 60 s.
        """
        environment = os.environ | self.environment
        process = subprocess.Popen(self.command(), cwd=self.root, env=environment, stdout=subprocess.DEVNULL)
        self._process = process
        if not wait(lambda: process.poll() is not None or self.answers(), START_SECONDS) or process.poll() is not None:
            raise RuntimeError(f"{type(self).__name__} did not start")

    @property
    def pid(self) -> int:
        """The id of the started process, not of its children. Raises RuntimeError before the first start."""
        if self._process is None:
            raise RuntimeError(f"{type(self).__name__} was not started")
        return self._process.pid

    def stop(self) -> None:
        """Stop the process with SIGTERM. It may first answer its open requests, which takes at most 30 s."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(40)

    def kill(self) -> None:
        """Kill the process with SIGKILL."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)

    def freeze(self) -> None:
        """Halt the process with SIGSTOP. The kernel still accepts connections, but nothing is answered."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)


class Daphne(Machine):
    """A web process of the checkout in `root`, run by that checkout's virtual environment."""

    def __init__(self, root: Path = ROOT) -> None:
        super().__init__()
        self.root = root

    def command(self) -> list[str]:
        daphne = [python_of(self.root), "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(self.port)]
        return [*daphne, "project.asgi:application"]

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health/live").status_code == 200
        except httpx.TransportError:
            return False


def python_of(root: Path) -> str:
    """Return the path of a checkout's Python interpreter."""
    return sys.executable if root == ROOT else str(root / ".venv" / "bin" / "python")


@cache
def node() -> str:
    """Return the path of Node itself, to measure and kill it. In a virtual environment `node` is only a wrapper."""
    return subprocess.run(["node", "-p", "process.execPath"], capture_output=True, text=True, check=True).stdout.strip()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait up to `seconds` for a condition. Returns whether it became true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def processor_seconds(pid: int) -> float:
    """Return the user and system time of a process and its threads, to the nanosecond (clock_getcpuclockid(3))."""
    return time.clock_gettime((~pid << 3) | 2)


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
