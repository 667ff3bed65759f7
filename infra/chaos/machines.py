"""The processes that are killed and started again, each on a port that stays: daphne, Redis, PostgreSQL."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import psycopg
import redis

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60


class Machine(ABC):
    """A process that comes back on the same port."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.environment: dict[str, str] = {}
        """Of its own, beside that of this process."""

    @abstractmethod
    def command(self) -> list[str]: ...

    @abstractmethod
    def answers(self) -> bool: ...

    def start(self) -> None:
        """Start it and wait until it answers."""
        environment = os.environ | self.environment
        self._process = process = subprocess.Popen(self.command(), cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        if not wait(lambda: process.poll() is not None or self.answers(), START_SECONDS) or process.poll() is not None:
            raise RuntimeError(f"{type(self).__name__} did not come up")

    def kill(self) -> None:
        """kill -9."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)

    def freeze(self) -> None:
        """SIGSTOP: it takes connections and answers nothing."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)

    @property
    def pid(self) -> int:
        """Its first process, once it was started."""
        if self._process is None:
            raise RuntimeError(f"{type(self).__name__} was not started")
        return self._process.pid

    def threads(self) -> int:
        """How many threads it has."""
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(40)  # it answers what it was asked, within 30 seconds


class Daphne(Machine):
    """One application server."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        daphne = [sys.executable, "-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(self.port)]
        return [*daphne, "project.asgi:application"]

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health/live").status_code == 200
        except httpx.TransportError:
            return False


class Redis(Machine):
    """The channel layer's Redis; start() points REDIS_URL at it."""

    def __init__(self, place: Path, *, keeps: bool = False) -> None:
        """`keeps`: it has its data again after a restart."""
        super().__init__()
        self._place, self._keeps = place, keeps
        self.url = os.environ["REDIS_URL"] = f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        keeps = "yes" if self._keeps else "no"
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": keeps, "dir": self._place}
        return ["redis-server", *(str(part) for name, value in options.items() for part in (f"--{name}", value))]

    def forget(self) -> None:
        """What it kept is lost; only while it does not run."""
        shutil.rmtree(self._place / "appendonlydir", ignore_errors=True)

    def answers(self) -> bool:
        with redis.Redis.from_url(self.url) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False


class Wire(Machine):
    """The network to a server: `kill` cuts it, `freeze` swallows what is sent."""

    def __init__(self, to_port: int) -> None:
        super().__init__()
        self._to_port = to_port

    def command(self) -> list[str]:
        return [sys.executable, str(Path(__file__).parent / "wire.py"), str(self.port), str(self._to_port)]

    def answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True


class PostgreSQL:
    """The database server that run.sh started, by its data folder."""

    def __init__(self) -> None:
        self._data = Path(os.environ["CHAOS_POSTGRESQL_DATA"])
        self._url = os.environ["CHAOS_POSTGRESQL"]

    def kill(self) -> None:
        """kill -9 of its first process; the others notice and end."""
        self._first(signal.SIGKILL)

    def stop_at_once(self) -> None:
        """As `pg_ctl stop -m immediate`: nobody is waited for, and the next start reads the log of what was written."""
        first = self._first(signal.SIGQUIT)
        if not wait(lambda: not Path(f"/proc/{first}").exists() or _is_over(first), START_SECONDS):
            raise RuntimeError("PostgreSQL did not stop")

    def freeze(self) -> None:
        """SIGSTOP of all its processes: it takes connections and answers nothing."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _first(self, number: signal.Signals) -> int:
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(first, number)
        return first

    def _signal(self, number: signal.Signals) -> None:
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for pid in (first, *map(int, children)):
            with suppress(ProcessLookupError):  # one that served a connection has ended since
                os.kill(pid, number)

    def start(self) -> None:
        """Start it as it was started before, as often as it takes for the old processes to be gone."""
        command = ["sh", "-c", f"exec {(self._data / 'postmaster.opts').read_text()}"]
        if os.getuid() == 0:  # it refuses to run as root
            command = ["runuser", "-u", "postgres", "--", *command]
        started: list[subprocess.Popen[bytes]] = []

        def up() -> bool:
            if not started or started[-1].poll() is not None:
                started.append(
                    subprocess.Popen(
                        command, cwd=self._data.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                    )
                )
            return self.answers()

        if not wait(up, START_SECONDS):
            raise RuntimeError("PostgreSQL did not come back")

    def answers(self) -> bool:
        try:
            psycopg.connect(self._url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


def _is_over(process: int) -> bool:
    """Whether it has ended and only waits for its parent to ask."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait(what: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if what():
            return True
        time.sleep(0.05)
    return False
