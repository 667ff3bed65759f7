"""Cause every fault in turn while a whole workshop works on the cluster, and print one table of the effects.

    infra/chaos/all.sh

Stations and the office write, walls and screens receive events, other people read. One station weighs the pieces that
it moves. After each fault every acknowledged write must be in the database exactly once. The books of metal must hold
each acknowledged weight exactly once, and add up to 0.

The exit status is 1 if a write is lost, doubled or refused, if the books are wrong, if a call fails outside the time of
a fault, if a screen or wall does not catch up or misses an event, or if a screen differs from the database.

CHAOS_FAULTS: words, separated by commas; run only the faults with one of them in the name. CHAOS_SECONDS: when to give
up, 540 by default.
"""

import asyncio
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
from PIL import Image

from infra.bench.machine import ROOT
from infra.bench.movement_log.client import Api, Person
from infra.bench.movement_log.log import Movement
from infra.bench.movement_log.plan import plan_log
from infra.bench.movement_log.workshop import Workshop, set_up
from infra.chaos.books import books_off
from infra.chaos.cluster import Cluster
from infra.chaos.faults import FAULTS, Clock, Disk, Fault, Place
from infra.chaos.folding import FoldingClient, Json, State, all_lines, differences, until
from infra.chaos.load import (
    CUT,
    LATE,
    ORDER_SECONDS,
    PATIENCE,
    PRESS_SECONDS,
    Client,
    Queue,
    Tally,
    Wall,
    movements,
    orders,
    print_sheets,
    read,
    upload_pictures,
)
from infra.chaos.machines import PostgreSQL, Redis, Wire
from infra.chaos.table import Row, printed

EMAIL, PASSWORD = "chaos@obrador.test", "Obrador.2026"
STATIONS, LINES, SCREENS, WALLS, READERS = 6, 3, 3, 3, 4
PIECES = 5_000
WEIGHING = 0
"""The number of the station that weighs."""
VAULT_GRAMS = 1_000
CATCH_UP_SECONDS = 60.0
WHOLE_SECONDS = float(os.environ.get("CHAOS_SECONDS", "540"))
MADE = (
    "SELECT side || ' ' || notes, count(*) FROM orders_movement"
    " WHERE side IN ('in', 'out') AND takes_back_id IS NULL AND notes <> '' GROUP BY 1"
    " UNION ALL SELECT 'order ' || notes, count(*) FROM orders_salesorder WHERE notes <> '' GROUP BY 1"
)


class Floor:
    """The workshop: the people and screens that work on the cluster, and the answers that they got."""

    def __init__(self, place: Place) -> None:
        self.place, self.tally = place, Tally()
        self._database = place.postgresql.url
        self._queues: list[Queue] = []
        self._pressing: list[asyncio.Task[None]] = []
        self._others: list[asyncio.Task[None]] = []
        self._clients: list[Client] = []
        self.screens: list[FoldingClient] = []
        self.walls: list[Wall] = []
        self._known: set[str] = set()
        self._known_off: set[str] = set()
        self.broken_pictures = 0

    def begin(self) -> None:
        """Set up the workshop, and start the work of its people."""
        url = self.place.cluster.url
        api = Api(url)
        self._admin = admin = api.sign_in(Person(EMAIL, PASSWORD))
        workshop = _workshop(api, admin)
        for process, worker in zip(workshop.processes.values(), workshop.workers.values(), strict=True):
            number = len(self._queues)
            lines = [workshop.lines[f"Case {number * LINES + each}"] for each in range(LINES)]
            moving = movements(process, lines, weighs=number == WEIGHING)
            self._press(self._client(worker.token), moving, PRESS_SECONDS, reports_late=True)
        customer, item = (next(api.pages(f"/api/{what}", admin))["id"] for what in ("customers", "items"))
        self._press(self._client(admin.token), orders(customer, item), ORDER_SECONDS, reports_late=False)
        line = next(iter(workshop.lines.values()))
        order = int(line.split("/")[3])
        process = next(iter(workshop.processes.values()))
        looked_at = ["/api/sales-order?limit=25", "/api/sales-order/positions?limit=25", line, "/api/shop-floor"]
        looked_at += [f"/api/station/{process}", "/api/materials?limit=5", "/identity/users?limit=5"]
        for _ in range(READERS):
            self._also(read(self._client(admin.token), looked_at))
        self._also(print_sheets(self._client(admin.token), order))
        self._also(upload_pictures(self._client(admin.token), line, self._judge_picture))
        self.screens = [FoldingClient(f"screen {number + 1}", url, admin.token) for number in range(SCREENS)]
        self.walls = [Wall(f"wall {number + 1}", url, _paired(api, admin, number)) for number in range(WALLS)]

    async def listen(self) -> None:
        """Connect the screens and walls, and wait until each has loaded its data."""
        for one in (*self.screens, *self.walls):
            one.start()
        await asyncio.gather(*(one.has_loaded() for one in (*self.screens, *self.walls)))

    def _client(self, bearer: str) -> Client:
        self._clients.append(Client(self.place.cluster.url, bearer, self.tally))
        return self._clients[-1]

    def _press(self, client: Client, writes: Any, every: float, *, reports_late: bool) -> None:
        queue = Queue(client, writes, every, reports_late=reports_late)
        self._queues.append(queue)
        self._pressing.append(asyncio.create_task(queue.press()))
        self._also(queue.send())

    def _also(self, work: Coroutine[Any, Any, None]) -> None:
        self._others.append(asyncio.create_task(work))

    def _judge_picture(self, answer: httpx.Response) -> None:
        try:
            with Image.open(io.BytesIO(answer.content)) as picture:
                picture.load()
        except (OSError, ValueError):
            self.broken_pictures += 1

    async def suffer(self, fault: Fault) -> Row:
        """Cause one fault, and wait until all people, screens and walls have caught up. Returns the fault's row."""
        before, weighed_before, began = len(self.tally.acknowledged), self.tally.weighed, time.monotonic()
        await fault.run(self.place)
        over = time.monotonic()
        caught_up = time.monotonic() - over if await self._caught_up(over) else None
        lost, doubled, off = await asyncio.to_thread(self._compared)
        acknowledged, weighed = len(self.tally.acknowledged) - before, self.tally.weighed - weighed_before
        return Row(fault, began, over + fault.grace, acknowledged, lost, doubled, weighed, off, caught_up)

    async def _caught_up(self, since: float) -> bool:
        """Wait until every press before `since` is answered, and every screen and wall has the newest event.

        Returns whether both happened in time.
        """

        def answered() -> bool:
            self._failures()
            return all(queue.oldest >= since for queue in self._queues)

        if not await until(answered, seconds=CATCH_UP_SECONDS):
            return False
        newest = await asyncio.to_thread(self._newest)
        listening = (*self.screens, *self.walls)
        return await until(lambda: all(one.newest >= newest for one in listening), seconds=CATCH_UP_SECONDS)

    def _failures(self) -> None:
        """Raise the error of a task of the load that has failed, if there is one."""
        for task in (*self._pressing, *self._others):
            if task.done() and not task.cancelled():
                task.result()

    def _newest(self) -> int:
        with psycopg.connect(self._database, connect_timeout=2) as connection:
            row = connection.execute(
                "SELECT coalesce(max(id), 0) FROM realtime_outboxevent WHERE audience LIKE '%ShopFloor%'"
            ).fetchone()
        return int(row[0]) if row else 0

    def _compared(self) -> tuple[int, int, dict[str, int]]:
        """Return the number of lost writes, the number of doubled writes, and the errors in the books of metal.

        A lost write was acknowledged and is missing. Problems that an earlier call returned are left out.
        """
        acknowledged = set(self.tally.acknowledged)
        with psycopg.connect(self._database) as connection:
            # Let all queries see the same instant, because the work continues.
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            made: dict[str, int] = dict(connection.execute(MADE).fetchall())
            wrong = books_off(lambda query: connection.execute(query).fetchall(), self.tally.told, acknowledged)
        lost = {key for key in acknowledged if key not in made} - self._known
        doubled = {key for key, count in made.items() if count > 1} - self._known
        off = {name: mg for name, mg in wrong.items() if name not in self._known_off}
        self._known |= lost | doubled
        self._known_off |= off.keys()
        return len(lost), len(doubled), off

    async def end(self) -> tuple[list[str], tuple[int, int, dict[str, int]]]:
        """Stop pressing, and wait until all queues are empty.

        Returns the differences between screens and database, and the result of `_compared`.
        """
        for task in self._pressing:
            task.cancel()
        await asyncio.gather(*self._pressing, return_exceptions=True)
        self._pressing.clear()
        found = [] if await self._caught_up(time.monotonic()) else ["not all caught up"]
        headers = {"Authorization": f"Bearer {self._admin.token}"}
        async with httpx.AsyncClient(base_url=self.place.cluster.url, headers=headers, timeout=60) as http:
            truth = State.of(await all_lines(http))
        with psycopg.connect(self._database) as connection:
            rows = connection.execute("SELECT id, audience, to_user FROM realtime_outboxevent").fetchall()
        public = {number for number, _, to_user in rows if to_user is None}
        boards = {number for number, audience, _ in rows if "ShopFloor" in audience.split()}
        for one, published in (*((each, public) for each in self.screens), *((each, boards) for each in self.walls)):
            log = one.log
            missed = published - set(log.ids) - set(range(log.started_after + 1))
            wrong = differences(one.state, truth) if not isinstance(one, Wall) else []
            print(
                f"  {one.name}: {len(log.ids)} events, {len(missed)} missed, {log.doubles} doubled,"
                f" {len(wrong)} differences, {log.connections} connections, {log.resets} resets"
            )
            found += [f"{one.name}: {text}" for text in wrong[:5]]
            found += [f"{one.name} missed {sorted(missed)[:5]}"] if missed else []
            found += [f"{one.name} had {log.doubles} twice"] if log.doubles else []
            found += [f"{one.name} was ended by {one.failed!r}"] if one.failed else []
        return found, await asyncio.to_thread(self._compared)

    async def close(self) -> None:
        for one in (*self.screens, *self.walls):
            await one.stop()
        for task in (*self._pressing, *self._others):
            task.cancel()
        await asyncio.gather(*self._pressing, *self._others, return_exceptions=True)
        for client in self._clients:
            await client.close()


def _workshop(api: Api, admin: Person) -> Workshop:
    """Make a process and a person for each station, and lines with many pieces. One process weighs its pieces."""
    at = datetime.now(UTC)
    rows = [
        Movement(number, at + timedelta(seconds=number), "in", f"Case {number}", *_made_at(number), None)
        for number in range(STATIONS * LINES)
    ]
    workshop = set_up(api, admin, rows, plan_log(rows))
    part, _, process, _ = _made_at(WEIGHING * LINES)
    _let_weigh(api, admin, workshop.processes[process], part)
    return workshop


def _made_at(line: int) -> tuple[str, int, str, str]:
    """Return the part of a line, its number of pieces, and the process and the person of its station."""
    station = line // LINES
    return "Silver ring" if station == WEIGHING else "Ring", PIECES, f"Process {station}", f"Station {station}"


def _let_weigh(api: Api, admin: Person, process: int, part: str) -> None:
    """Make a process weigh the pieces of a part, and put metal for them into the vault."""
    alloy = api.write("POST", "/api/alloys", admin, {"name": "Chaos 925", "fineness": 925})["id"]
    item = next(row["id"] for row in api.pages("/api/items", admin) if row["key"] == f"LOG {part}")
    api.write("PUT", f"/api/items/{item}", admin, {"alloyId": alloy})
    api.write("PUT", f"/api/production-processes/{process}", admin, {"weighs": "required"})
    received = {"alloyId": alloy, "grams": VAULT_GRAMS, "supplier": "Chaos"}
    api.write("POST", "/api/metal/lots", admin, received)


def _paired(api: Api, admin: Person, number: int) -> str:
    """Pair a display. Returns its token."""
    nobody = Person("", "", token="none")
    waiting: Json = api.write("POST", "/api/displays/pairings", nobody)
    api.write("POST", "/api/displays", admin, {"code": waiting["code"], "name": f"Wall {number}"})
    return str(api.read(f"/api/displays/pairings/{waiting['secret']}", nobody)["token"])


async def work(place: Place) -> bool:
    """Cause the faults while the workshop works. Returns whether nothing was wrong."""
    floor = Floor(place)
    rows: list[Row] = []
    found: list[str] = []
    words = [word for word in os.environ.get("CHAOS_FAULTS", "").split(",") if word]
    try:
        floor.begin()
        await floor.listen()
        async with asyncio.timeout(WHOLE_SECONDS):
            for fault in FAULTS:
                if words and not any(word in fault.name for word in words):
                    continue
                if not fault.possible(place):
                    print(f"  {fault.name}: this machine cannot have it", flush=True)
                    continue
                rows.append(await floor.suffer(fault))
                print(f"  {fault.name}: {rows[-1].over - rows[-1].began:.0f} s", flush=True)
            found, (lost, doubled, off) = await floor.end()
            rows[-1].lost += lost
            rows[-1].doubled += doubled
            rows[-1].off |= off
    except TimeoutError:
        found = [f"not done within {WHOLE_SECONDS:.0f} s"]
    finally:
        await floor.close()
    good = printed(rows, floor.tally)
    calls = Counter(call.status for call in floor.tally.calls)
    named = {CUT: "cut", LATE: f"none within {PATIENCE:.0f} s"}
    print(
        "\nanswers: " + ", ".join(f"{count:,} {named.get(status, status)}" for status, count in sorted(calls.items()))
    )
    found += [f"refused: {text}" for text in floor.tally.refused]
    found += [f"{floor.broken_pictures} pictures are no pictures"] if floor.broken_pictures else []
    for text in found[:20]:
        print(f"  {text}")
    return good and not found


def main() -> int:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))  # let `finally` stop the servers
    with tempfile.TemporaryDirectory(prefix="obrador-chaos-") as folder:
        here = Path(folder)
        here.chmod(0o755)
        redis, postgresql = Redis(here), PostgreSQL()
        database = psycopg.conninfo.conninfo_to_dict(postgresql.url)
        to_postgresql, to_redis = Wire(int(str(database["port"]))), Wire(redis.port)
        os.environ["DATABASE_URL"] = f"postgres://obrador@127.0.0.1:{to_postgresql.port}/obrador"
        os.environ["REDIS_URL"] = f"redis://127.0.0.1:{to_redis.port}/0"
        disk, clock = Disk(Path(os.environ["DATA_DIR"])), Clock(here)
        cluster = Cluster(here)
        for machine in (*cluster.web, *cluster.workers, cluster.printer):
            machine.environment = clock.environment
        place = Place(cluster, postgresql, redis, to_postgresql, to_redis, disk, clock)
        try:
            for machine in (redis, to_redis, to_postgresql):
                machine.start()
            cluster.start()
            admin = [sys.executable, "manage.py", "createadmin", EMAIL, "--password", PASSWORD]
            subprocess.run(admin, cwd=ROOT, check=True)
            return 0 if asyncio.run(work(place)) else 1
        finally:
            cluster.stop()
            for machine in (to_redis, to_postgresql, redis):
                machine.stop()
            disk.end()


if __name__ == "__main__":
    sys.exit(main())
