"""The two that are compared: Obrador as it is served, and a broadcaster that does nothing else."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import redis
from django.db import transaction
from receipts import Outcome, compare
from sample import movement

from project.access import token
from project.access.permissions import Permission
from project.identity.models import Role, RolePermission, User
from realtime import outbox, tickets
from realtime.connection import SOCKETS_OF_USER

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CHANNEL = "bench"
# The program itself: a wrapper around it would be what is measured.
NODE = subprocess.run(["node", "-p", "process.execPath"], capture_output=True, text=True, check=True).stdout.strip()
START_SECONDS = 60
DRAIN_SECONDS = 5.0
TICKS = os.sysconf("SC_CLK_TCK")


class Side(ABC):
    """A server, the way to its sockets, and the way to publish."""

    name: str
    hello: bool
    process: "subprocess.Popen[bytes]"
    port: int

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Start the server, and end it."""
        self.port = free_port()
        self.process = subprocess.Popen(self.command(), cwd=ROOT, stdout=subprocess.DEVNULL)
        try:
            self.wait_until_up()
            yield
        finally:
            self.process.terminate()
            self.process.wait(40)

    @abstractmethod
    def command(self) -> list[str]: ...

    def wait_until_up(self) -> None:
        until = time.monotonic() + START_SECONDS
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{self.name} did not come up")
            time.sleep(0.1)

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def paths(self, sockets: int) -> list[str]:
        return ["/"] * sockets

    @abstractmethod
    def publish(self, number: int) -> tuple[int, int]:
        """Send one movement. Returns its id and the instant from which its way is measured."""

    def run(self, *, sockets: int, rate: int, count: int, place: Path) -> Outcome:
        """`count` movements at `rate` a second to `sockets` clients."""
        memory = resident(self.process.pid)
        clients = subprocess.Popen(
            [NODE, str(HERE / "sockets.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        asked = {
            "port": self.port,
            "origin": f"http://127.0.0.1:{self.port}",
            "paths": self.paths(sockets),
            "hello": self.hello,
            "expected": sockets * count,
        }
        try:
            begun = time.monotonic()
            tell(clients, json.dumps(asked), answer="open")
            opened = time.monotonic() - begun
            grown = resident(self.process.pid) - memory
            cpu = cpu_seconds(self.process.pid)
            sent = dict(self.publish_steadily(rate, count))
            time.sleep(DRAIN_SECONDS)  # part of what is promised: by then everything has arrived
            cpu = cpu_seconds(self.process.pid) - cpu
            file = place / f"{secrets.token_hex(4)}.receipts"
            tell(clients, str(file), answer="written")
        finally:
            clients.kill()
            clients.wait(10)
        return compare(file, sent, sockets, cpu_seconds=cpu, bytes_grown=grown, opened=opened)

    def publish_steadily(self, rate: int, count: int) -> Iterator[tuple[int, int]]:
        begun = time.monotonic()
        for number in range(count):
            time.sleep(max(0.0, begun + number / rate - time.monotonic()))
            yield self.publish(number)


class Obrador(Side):
    """daphne, fed by the outbox from another process."""

    name = "Obrador"
    hello = True

    def command(self) -> list[str]:
        return [
            sys.executable,
            "-m",
            "daphne",
            "-v",
            "0",
            "-b",
            "127.0.0.1",
            "-p",
            str(self.port),
            "project.asgi:application",
        ]

    def answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/health/live").status_code == 200
        except httpx.TransportError:
            return False

    def paths(self, sockets: int) -> list[str]:
        people = users(-(-sockets // SOCKETS_OF_USER))
        sessions = [token.verify(token.issue(user)) for user in people]
        return [f"/ws/events?ticket={tickets.issue(sessions[n % len(sessions)])}" for n in range(sockets)]

    def publish(self, number: int) -> tuple[int, int]:
        committed: list[int] = []
        with transaction.atomic():
            # Registered first, so it is called between the commit and the wake-up.
            transaction.on_commit(lambda: committed.append(time.monotonic_ns()))
            outbox.publish(movement(number), by=None)
            id_ = outbox.newest_id()
        return id_, committed[0]


class RawBroadcaster(Side):
    """Node's `ws`, fed by Redis."""

    name = "raw Node ws"
    hello = False

    def __init__(self) -> None:
        self._redis = redis.Redis.from_url(os.environ["REDIS_URL"])
        self._number = 0

    def command(self) -> list[str]:
        redis_port = urlsplit(os.environ["REDIS_URL"]).port
        return [NODE, str(HERE / "broadcaster.mjs"), str(self.port), str(redis_port), CHANNEL]

    def publish(self, number: int) -> tuple[int, int]:
        # The same bytes as ours: the id first, then the data.
        data = movement(number).data.model_dump_json(by_alias=True)
        text = f'{{"id":{number + 1},"type":"line.moved","at":null,"by":null,"data":{data}}}'
        at = time.monotonic_ns()
        self._redis.publish(CHANNEL, text)
        return number + 1, at


class RawAgain(RawBroadcaster):
    """Sends frames that were heard already."""

    def __init__(self, frames: list[tuple[int, str]]) -> None:
        super().__init__()
        self._frames = frames

    def publish(self, number: int) -> tuple[int, int]:
        id_, text = self._frames[number]
        at = time.monotonic_ns()
        self._redis.publish(CHANNEL, text)
        return id_, at


def tell(clients: "subprocess.Popen[str]", line: str, *, answer: str) -> None:
    """Send a line and wait for its answer. Raises RuntimeError where the clients failed instead."""
    if clients.stdin is None or clients.stdout is None:
        raise RuntimeError("the clients are spoken to through pipes")
    clients.stdin.write(f"{line}\n")
    clients.stdin.flush()
    if clients.stdout.readline().strip() != answer:
        raise RuntimeError(f"the clients failed before they were {answer}")


def users(count: int) -> list[User]:
    """People who may read orders; the same ones at each call."""
    role, _ = Role.objects.get_or_create(name="bench")
    RolePermission.objects.get_or_create(role=role, action=Permission.ListOrders)
    found = []
    for n in range(count):
        user, _ = User.objects.get_or_create(email=f"bench{n}@obrador.test", defaults={"first_name": f"Bench {n}"})
        user.roles.add(role)
        found.append(user)
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def resident(pid: int) -> int:
    """Resident memory in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
