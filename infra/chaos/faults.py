"""The faults of the cluster. Each function causes one fault, waits, and returns when the fault is over."""

import asyncio
import ctypes
import errno
import shutil
import subprocess
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from infra.bench.machine import Machine
from infra.chaos.cluster import Cluster
from infra.chaos.machines import PostgreSQL, Redis, Wire

HERE = Path(__file__).parent
AN_HOUR = 3_600
DISK_BYTES = 24 << 20


@dataclass
class Place:
    """Everything that can be broken."""

    cluster: Cluster
    postgresql: PostgreSQL
    redis: Redis
    to_postgresql: Wire
    to_redis: Wire
    disk: "Disk"
    clock: "Clock"


class Disk:
    """The folder of stored files, on its own small disk, which can be filled. Needs the right to mount."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)]
        self.is_own = subprocess.run(mount, stderr=subprocess.DEVNULL).returncode == 0

    def fill(self) -> None:
        with (self.folder / "full").open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4_096))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def make_room(self) -> None:
        (self.folder / "full").unlink()

    def end(self) -> None:
        if self.is_own:
            subprocess.run(["umount", "-l", str(self.folder)], check=True)


class Clock:
    """The clock of the processes that start with its `environment` (clock.c). Needs a C compiler."""

    def __init__(self, place: Path) -> None:
        self._file, library = place / "clock", place / "clock.so"
        self._set(0)
        compiler = shutil.which("cc")
        self.environment: dict[str, str] = {}
        if compiler:
            command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(HERE / "clock.c"), "-ldl"]
            subprocess.run(command, check=True)
            self.environment = {"LD_PRELOAD": str(library), "CHAOS_CLOCK": str(self._file)}

    def step(self, seconds: int) -> None:
        self._set(seconds)

    def _set(self, seconds: int) -> None:
        with self._file.open(
            "r+b" if self._file.exists() else "wb"
        ) as file:  # keep the same file, because processes have it mapped
            file.write(bytes(ctypes.c_long(seconds)))


@dataclass(frozen=True)
class Fault:
    """A fault. `grace`: for how many seconds after the fault calls may still fail.

    `possible`: whether the fault can be caused on this machine.
    """

    name: str
    run: Callable[[Place], Awaitable[None]]
    grace: float = 1.0
    possible: Callable[[Place], bool] = lambda place: True


async def _killed(machine: Machine, away: float = 0.0) -> None:
    await asyncio.to_thread(machine.kill)
    await asyncio.sleep(away)
    await asyncio.to_thread(machine.start)


async def _frozen(machine: Machine | PostgreSQL, seconds: float) -> None:
    machine.freeze()
    try:
        await asyncio.sleep(seconds)
    finally:
        machine.thaw()


async def nothing(place: Place) -> None:
    """Let the workshop work for six seconds without a fault, to compare with."""
    await asyncio.sleep(6)


async def web_killed(place: Place) -> None:
    await _killed(place.cluster.web[0])


async def web_frozen(place: Place) -> None:
    await _frozen(place.cluster.web[1], 20)


async def workers_killed(place: Place) -> None:
    for worker in place.cluster.workers:
        await _killed(worker)


async def pdf_killed(place: Place) -> None:
    await _killed(place.cluster.printer)


async def nginx_killed(place: Place) -> None:
    await _killed(place.cluster.nginx, 1)


async def redis_killed(place: Place) -> None:
    await _killed(place.redis, 3)


async def redis_emptied(place: Place) -> None:
    await asyncio.to_thread(place.redis.kill)
    place.redis.forget()
    await asyncio.to_thread(place.redis.start)


async def redis_frozen(place: Place) -> None:
    await _frozen(place.redis, 15)


async def redis_cut(place: Place) -> None:
    await _killed(place.to_redis, 4)


async def postgresql_killed(place: Place) -> None:
    await asyncio.to_thread(place.postgresql.kill)
    await asyncio.to_thread(place.postgresql.start)


async def postgresql_restarted(place: Place) -> None:
    await asyncio.to_thread(place.postgresql.stop_at_once)
    await asyncio.to_thread(place.postgresql.start)


async def postgresql_frozen(place: Place) -> None:
    await _frozen(place.postgresql, 15)


async def postgresql_cut(place: Place) -> None:
    await _killed(place.to_postgresql, 4)


async def postgresql_swallowed(place: Place) -> None:
    await _frozen(place.to_postgresql, 10)


async def disk_full(place: Place) -> None:
    await asyncio.to_thread(place.disk.fill)
    await asyncio.sleep(12)
    place.disk.make_room()


async def clock_stepped(place: Place) -> None:
    for seconds in (-AN_HOUR, 0):
        place.clock.step(seconds)
        await asyncio.sleep(6)


async def released(place: Place) -> None:
    """Replace the web processes one after the other, as `make cluster` does at SIGHUP."""
    await asyncio.to_thread(place.cluster.roll)


FAULTS = (
    Fault("none", nothing, grace=0),
    Fault("web process: kill -9", web_killed),
    Fault("web process: SIGSTOP 20 s", web_frozen),
    Fault("both workers: kill -9", workers_killed, grace=0),
    Fault("PDF service: kill -9", pdf_killed),
    Fault("nginx: kill -9", nginx_killed),
    Fault("Redis: kill -9, away 3 s", redis_killed, grace=0),
    Fault("Redis: kill -9, back empty", redis_emptied, grace=0),
    Fault("Redis: SIGSTOP 15 s", redis_frozen, grace=0),
    Fault("Redis: network cut 4 s", redis_cut, grace=0),
    Fault("PostgreSQL: kill -9", postgresql_killed, grace=5),
    Fault("PostgreSQL: immediate restart", postgresql_restarted, grace=5),
    Fault("PostgreSQL: SIGSTOP 15 s", postgresql_frozen, grace=2),
    Fault("PostgreSQL: network cut 4 s", postgresql_cut, grace=5),
    Fault("PostgreSQL: network silent 10 s", postgresql_swallowed, grace=5),
    Fault("disk of the files full 12 s", disk_full, possible=lambda place: place.disk.is_own),
    Fault("clock an hour back, and forward", clock_stepped, possible=lambda place: bool(place.clock.environment)),
    Fault("rolling release (SIGHUP)", released, grace=0),
)
