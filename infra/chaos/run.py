"""Breaks things while a shop floor works, and compares every client's folded state with the database.

    infra/chaos/run.sh [LOG.csv]

Each fault has a database of its own, two servers (one takes the movements and half of the clients, the other the
rest) and six clients, two of which come when half is done. Ends with 1 where a client differs from the database,
missed an event or had one twice, or where a movement was lost.
"""

import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg
import shop_floor
from folding import FoldingClient, State, all_lines, differences, until
from machines import ROOT, Daphne, PostgreSQL, Redis

EMAIL = "chaos@obrador.test"
PASSWORD = "Obrador.2026"
CLIENTS = 4
LATE_CLIENTS = 2
CUTS = 20
CATCH_UP_SECONDS = 15.0
FROZEN_SECONDS, REFUSED_SECONDS, BACK_SECONDS = 30.0, 5.0, 2.0
REDIS_FROZEN_SECONDS, READY_SECONDS = 20.0, 2.0
MORE_THREADS = 40
"""Beside those it had: the callers that are being refused at a time, and the pool's."""


class Floor:
    """One fault's world: database, Redis, two servers, clients, and the replay that keeps them busy."""

    def __init__(self, name: str, place: Path, log: Path) -> None:
        self.name, self._log = name, log
        self._create_database()
        self.postgresql = PostgreSQL()
        self.redis = Redis(place)
        self.servers = [Daphne(), Daphne()]
        self.clients: list[FoldingClient] = []
        self._bearer = ""
        self._replay: asyncio.subprocess.Process | None = None
        self.replayed = ""
        self._moved = 0
        self._counting: asyncio.Task[None] | None = None
        self.bad = False
        """Something was not as it must be while the fault lasted."""

    def _create_database(self) -> None:
        base = urlsplit(os.environ["CHAOS_POSTGRESQL"])
        with psycopg.connect(urlunsplit(base), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{self.name}"')
        self.database = os.environ["DATABASE_URL"] = urlunsplit(base._replace(path=f"/{self.name}"))

    async def open(self) -> None:
        """Start everything, and wait until every client has loaded."""
        self.redis.start()
        manage("migrate", "--verbosity", "0")
        manage("createadmin", EMAIL, "--password", PASSWORD)
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in self.servers))
        async with httpx.AsyncClient(base_url=self.servers[0].url, timeout=30) as http:
            body = {"username": EMAIL, "password": PASSWORD, "rememberLogin": True}
            answer = await http.post("/identity/authentication/sign-in", json=body)
            self._bearer = answer.raise_for_status().json()["access_token"]
        await self.join(CLIENTS)
        self._counting = asyncio.create_task(self._count())
        command = [str(ROOT / "infra/bench/replay.py"), str(self._log), "--url", self.servers[0].url]
        self._replay = await asyncio.create_subprocess_exec(
            sys.executable, *command, "--username", EMAIL, "--password", PASSWORD, stdout=asyncio.subprocess.PIPE
        )

    async def join(self, count: int) -> None:
        """Let more clients in, on each server in turn, and wait until they have loaded."""
        new = []
        for number in range(len(self.clients), len(self.clients) + count):
            server = self.servers[number % len(self.servers)]
            new.append(FoldingClient(f"client {number + 1}", server.url, self._bearer))
            new[-1].start()
        self.clients += new
        await asyncio.gather(*(client.has_loaded() for client in new))

    async def join_late(self) -> None:
        """Those who come when half is done load a shop floor at work."""
        await self.moved(0.45)
        await self.join(LATE_CLIENTS)

    async def ask(self, server: Daphne) -> tuple[int, float]:
        """A small list asked of `server`: its status, and the seconds it took."""
        headers = {"Authorization": f"Bearer {self._bearer}"}
        async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=60) as http:
            before = time.monotonic()
            answer = await http.get("/api/materials?limit=1")
            return answer.status_code, time.monotonic() - before

    @property
    def moved_so_far(self) -> int:
        return self._moved

    async def moved(self, share: float) -> None:
        """Wait until this share of the log's rows has been played."""
        rows = sum(1 for _ in self._log.open()) - 1
        if not await until(lambda: self._moved >= share * rows, seconds=300):
            raise RuntimeError(f"{self.name}: the replay stands still at {self._moved} of {rows}")

    async def _count(self) -> None:
        counting = "SELECT count(*) FROM realtime_outboxevent WHERE type = 'line.moved'"
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self.database, autocommit=True) as connection:
                    while True:
                        row = await (await connection.execute(counting)).fetchone()
                        self._moved = int(row[0]) if row else 0
                        await asyncio.sleep(0.1)
            except psycopg.OperationalError:
                await asyncio.sleep(0.5)  # killed, and soon back

    async def finish(self) -> bool:
        """Let the replay end and the clients catch up; print what came of it. Whether all is as it must be."""
        if self._replay is None:
            raise RuntimeError("not open")
        output, _ = await self._replay.communicate()
        self.replayed = output.decode()
        published = self.published()
        ended = time.monotonic()
        await until(lambda: all(client.newest >= published[-1] for client in self.clients), seconds=CATCH_UP_SECONDS)
        caught_up = time.monotonic() - ended
        async with httpx.AsyncClient(
            base_url=self.servers[0].url, headers={"Authorization": f"Bearer {self._bearer}"}, timeout=30
        ) as http:
            truth = State.of(await all_lines(http))
        print(f"\n{self.name}: {len(published)} events, {len(truth.lines)} lines; caught up {caught_up:.2f} s after")
        good = self._replay.returncode == 0 and not self.bad
        print("\n".join(f"  replay  {line}" for line in self.replayed.splitlines() if line.strip()))
        for client in self.clients:
            good = self._judge(client, truth, published) and good
        return good

    def published(self) -> list[int]:
        """The ids of every event that an administrator may see."""
        with psycopg.connect(self.database) as connection:
            rows = connection.execute("SELECT id FROM realtime_outboxevent WHERE to_user IS NULL ORDER BY id")
            return [row[0] for row in rows]

    def _judge(self, client: FoldingClient, truth: State, published: list[int]) -> bool:
        log = client.log
        missed = set(published) - set(log.ids) - set(range(log.started_after + 1))
        found = differences(client.state, truth)
        delay, last = median_ms(log.delays), median_ms(log.delays[-len(log.delays) // 10 :])
        print(
            f"  {client.name}  seen {len(log.ids)}  gaps {len(missed)}  doubles {log.doubles}"
            f"  differences {len(found)}  connections {log.connections}  resets {log.resets}"
            f"  median delay {delay:.0f} ms, at the end {last:.0f} ms"
        )
        for difference in found[:5]:
            print(f"    {difference}")
        if client.failed is not None:
            print(f"    ended by {client.failed!r}")
        return not (missed or log.doubles or found or client.failed)

    async def close(self) -> None:
        for client in self.clients:
            await client.stop()
        if self._counting is not None:
            self._counting.cancel()
            await asyncio.gather(self._counting, return_exceptions=True)
        if self._replay is not None and self._replay.returncode is None:
            self._replay.kill()
            await self._replay.wait()
        for machine in (*self.servers, self.redis):
            await asyncio.to_thread(machine.stop)


async def servers_killed(floor: Floor) -> None:
    """kill -9 of each server in turn, and a restart."""
    for share, server in ((0.25, floor.servers[0]), (0.5, floor.servers[1]), (0.75, floor.servers[0])):
        await floor.moved(share)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)


async def redis_killed(floor: Floor) -> None:
    """kill -9 of Redis, twice; it stays away for a while."""
    for share in (0.2, 0.5):
        await floor.moved(share)
        await asyncio.to_thread(floor.redis.kill)
        await floor.moved(share + 0.15)
        await asyncio.to_thread(floor.redis.start)


async def postgresql_killed(floor: Floor) -> None:
    """kill -9 of PostgreSQL, and a restart."""
    await floor.moved(0.3)
    await asyncio.to_thread(floor.postgresql.kill)
    await asyncio.to_thread(floor.postgresql.start)


async def postgresql_frozen(floor: Floor) -> None:
    """SIGSTOP of PostgreSQL for 30 s: callers are refused within 5 s, threads stay as they are, then all goes on."""
    await floor.moved(0.3)
    threads = max(server.threads() for server in floor.servers)
    await asyncio.to_thread(floor.postgresql.freeze)
    slowest, most = 0.0, threads
    try:
        frozen_until = time.monotonic() + FROZEN_SECONDS
        while time.monotonic() < frozen_until:
            asked = [floor.ask(server) for server in floor.servers for _ in range(16)]
            answers = await asyncio.gather(*asked)
            slowest = max(slowest, *(seconds for _, seconds in answers))
            most = max(most, *(server.threads() for server in floor.servers))
            if unexpected := {status for status, _ in answers} - {503}:
                raise RuntimeError(f"{floor.name}: {unexpected} instead of 503")
            await asyncio.sleep(0.5)
    finally:
        await asyncio.to_thread(floor.postgresql.thaw)
    back = time.monotonic()
    while (await floor.ask(floor.servers[1]))[0] != 200:
        await asyncio.sleep(0.05)
    back = time.monotonic() - back
    print(f"\n{floor.name}: refused after {slowest:.1f} s at most, {threads} threads before and {most} at most,")
    print(f"  served again {back:.2f} s after")
    if slowest > REFUSED_SECONDS or back > BACK_SECONDS or most > threads + MORE_THREADS:
        floor.bad = True


async def redis_frozen(floor: Floor) -> None:
    """SIGSTOP of Redis for 20 s: writes go on, and `/health/ready` names it within 2 s."""
    await floor.moved(0.3)
    await asyncio.to_thread(floor.redis.freeze)
    try:
        before = time.monotonic()
        async with httpx.AsyncClient(base_url=floor.servers[0].url, timeout=30) as http:
            ready = await http.get("/health/ready")
        took = time.monotonic() - before
        moved = floor.moved_so_far
        await asyncio.sleep(REDIS_FROZEN_SECONDS - took)
        print(
            f"\n{floor.name}: ready says {ready.json()} after {took:.1f} s;"
            f" {floor.moved_so_far - moved} movements meanwhile"
        )
        if ready.json()["channelLayer"] or took > READY_SECONDS or floor.moved_so_far == moved:
            floor.bad = True
    finally:
        await asyncio.to_thread(floor.redis.thaw)


async def sockets_cut(floor: Floor) -> None:
    """Every client's socket is cut, 20 times."""
    chance = random.Random(1)

    async def cut(client: FoldingClient) -> None:
        for number in range(CUTS):
            await floor.moved(0.9 * (number + chance.random()) / CUTS)
            if not await until(client.cut, seconds=30):
                raise RuntimeError(f"{client.name} did not come back")

    await asyncio.gather(*(cut(client) for client in floor.clients))


FAULTS: dict[str, Callable[[Floor], Awaitable[None]]] = {
    "servers-killed": servers_killed,
    "redis-killed": redis_killed,
    "postgresql-killed": postgresql_killed,
    "postgresql-frozen": postgresql_frozen,
    "redis-frozen": redis_frozen,
    "sockets-cut": sockets_cut,
}


async def suffer(name: str, place: Path, log: Path) -> bool:
    floor = Floor(name, place, log)
    try:
        await floor.open()
        await asyncio.gather(FAULTS[name](floor), floor.join_late())
        return await floor.finish()
    finally:
        await floor.close()


def median_ms(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1_000 if seconds else 0.0


def manage(*command: str) -> None:
    subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, check=True)


def main() -> int:
    chosen = os.environ.get("CHAOS_FAULTS", " ".join(FAULTS)).split()
    with tempfile.TemporaryDirectory() as place:
        if len(sys.argv) > 1:
            log = Path(sys.argv[1])
        else:
            log = Path(place) / "movements.csv"
            shop_floor.write(log)
        outcomes = {name: asyncio.run(suffer(name, Path(place), log)) for name in chosen}
    print()
    for name, good in outcomes.items():
        print(f"{'PASS' if good else 'FAIL'}  {name}")
    return 0 if all(outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
