"""The servers that the faults break: Redis, PostgreSQL, and the network to each."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psycopg
import redis

from infra.bench.machine import START_SECONDS, Machine, wait


class Redis(Machine):
    """A Redis that keeps its data over a restart."""

    def __init__(self, place: Path) -> None:
        super().__init__()
        self._place = place

    def command(self) -> list[str]:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "yes", "dir": self._place}
        return ["redis-server", *(str(part) for name, value in options.items() for part in (f"--{name}", value))]

    def forget(self) -> None:
        """Delete the stored data. Redis must not be running."""
        shutil.rmtree(self._place / "appendonlydir", ignore_errors=True)

    def answers(self) -> bool:
        with redis.Redis(port=self.port) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False


class Wire(Machine):
    """The network to a server (wire.py). `kill` cuts it; while it is frozen, it delivers nothing."""

    def __init__(self, to_port: int) -> None:
        super().__init__()
        self._to_port = to_port

    def command(self) -> list[str]:
        return [sys.executable, str(Path(__file__).parent / "wire.py"), str(self.port), str(self._to_port)]


class PostgreSQL:
    """The PostgreSQL that on-servers.sh started. `url`: its own address, not that of a `Wire`."""

    def __init__(self) -> None:
        self._data = Path(os.environ["DATABASE_FOLDER"])
        self.url = os.environ["DATABASE_URL"]

    def kill(self) -> None:
        """Kill the first process of PostgreSQL with SIGKILL. The other processes notice this and end."""
        self._first(signal.SIGKILL)

    def stop_at_once(self) -> None:
        """Stop PostgreSQL as `pg_ctl stop -m immediate` does, and wait for its end. The next start replays the log."""
        first = self._first(signal.SIGQUIT)
        if not wait(lambda: not Path(f"/proc/{first}").exists() or _is_over(first), START_SECONDS):
            raise RuntimeError("PostgreSQL did not stop")

    def freeze(self) -> None:
        """Halt all processes with SIGSTOP. The kernel still accepts connections, but nothing is answered."""
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
            with suppress(ProcessLookupError):  # a connection's process may have ended
                os.kill(pid, number)

    def start(self) -> None:
        """Start PostgreSQL with its earlier options. Try again until the old processes have ended."""
        command = ["sh", "-c", f"exec {(self._data / 'postmaster.opts').read_text()}"]
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
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
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


def _is_over(process: int) -> bool:
    """Whether a process is a zombie: it has ended, but its parent has not read its exit status yet."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
