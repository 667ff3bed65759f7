"""The load on the cluster: stations, an office that writes and reads, and walls.

As the station's page does, stations and the office keep every write until it is answered, and send the writes in order.
The acknowledged writes are compared with the database.
"""

import asyncio
import io
import itertools
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import uuid4

import httpx
from PIL import Image

from infra.chaos.folding import FoldingClient, Json

PRESS_SECONDS, ORDER_SECONDS, READ_SECONDS, PICTURE_SECONDS, PRINT_SECONDS = 1.0, 2.0, 0.5, 2.0, 4.0
PATIENCE = 15.0
"""Seconds after which a call counts as unanswered, as at a station."""
AT_ONCE = 5.0
"""Seconds. A movement that is sent later than this after its press also sends the time of the press."""
PIECE_MG, MOST_LOST_MG = (4_000, 6_000), 50
"""The weight of a piece, from and to, and its largest loss, in milligrams."""
CUT, LATE = 0, 1
NOT_FOUND = 404
OUT_OF_RANGE = "made_at_out_of_range"
"""The refusal while the clocks differ. The station's page shows it, and the worker sends the write again."""
REUSED = "idempotency_key_reused"


@dataclass(frozen=True)
class Call:
    """One attempt of a call: its begin, end and HTTP status. CUT: the connection broke. LATE: no answer in time."""

    began: float
    ended: float
    status: int
    what: str


@dataclass
class Tally:
    """The answers to the load."""

    calls: list[Call] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    told: dict[str, int] = field(default_factory=dict)
    """The milligrams of each movement that was pressed with its weight."""
    refused: list[str] = field(default_factory=list)
    """Writes that were refused for good. There must be none."""

    @property
    def weighed(self) -> int:
        """How many acknowledged movements had a weight."""
        return len(self.acknowledged & self.told.keys())


class Client:
    """A caller of the API. Each of its calls is noted in `tally`."""

    def __init__(self, address: str, bearer: str, tally: Tally) -> None:
        self._http = httpx.AsyncClient(
            base_url=address, headers={"Authorization": f"Bearer {bearer}"}, timeout=PATIENCE
        )
        self.tally = tally

    async def call(self, method: str, path: str, **how: object) -> httpx.Response | None:
        """Make one call. Returns the answer, or None without one."""
        began, answer = time.monotonic(), None
        try:
            answer = await self._http.request(method, path, **how)  # type: ignore[arg-type]
            status = answer.status_code
        except httpx.TimeoutException:
            status = LATE
        except httpx.TransportError:
            status = CUT
        self.tally.calls.append(Call(began, time.monotonic(), status, f"{method} {path}"))
        return answer

    async def close(self) -> None:
        await self._http.aclose()


@dataclass
class Write:
    """A write that was pressed. `kind` and `key` name the record that it makes."""

    kind: str
    method: str
    path: str
    body: Json
    order: int = 0
    mg: int = 0
    """The weight of a movement's pieces, in milligrams; 0 if they are not weighed."""
    key: str = field(default_factory=lambda: uuid4().hex)
    made: float = field(default_factory=time.monotonic)
    at: datetime = field(default_factory=lambda: datetime.now(UTC))
    arrived: bool = False
    """The server already has this key without a time, so the write is repeated without one."""

    @property
    def name(self) -> str:
        return f"{self.kind} {self.key}"


class Queue:
    """The unanswered writes of one station or of the office. They are sent in order."""

    def __init__(self, client: Client, writes: Iterable[Write], every: float, *, reports_late: bool) -> None:
        self._client, self._writes, self._every, self._reports_late = client, writes, every, reports_late
        self._waiting: list[Write] = []
        self._more = asyncio.Event()
        self._recorded: dict[int, datetime] = {}
        """Order → when this queue's last movement was recorded. The next movement must not name an earlier time."""

    @property
    def oldest(self) -> float:
        """When the oldest waiting write was pressed; the present time if no write waits."""
        return self._waiting[0].made if self._waiting else time.monotonic()

    async def press(self) -> None:
        """Press one write after the other, without end and without waiting for answers."""
        for write in self._writes:
            if write.mg:
                self._client.tally.told[write.name] = write.mg
            self._waiting.append(write)
            self._more.set()
            await asyncio.sleep(self._every * random.uniform(0.8, 1.2))

    async def send(self) -> None:
        while True:
            await self._more.wait()
            while self._waiting:
                await self._until_answered(self._waiting[0])
                self._waiting.pop(0)
            self._more.clear()

    async def _until_answered(self, write: Write) -> None:
        pause = 0.1
        while True:
            late = self._reports_late and not write.arrived and time.monotonic() - write.made >= AT_ONCE
            at = max(write.at, self._recorded.get(write.order, write.at))
            body = write.body | ({"madeAt": at.isoformat()} if late else {})
            answer = await self._client.call(
                write.method, write.path, json=body, headers={"Idempotency-Key": write.key}
            )
            if answer is not None and late and REUSED in answer.text:
                write.arrived = True
                continue
            if answer is not None and self._is_answered(write, answer):
                return
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, 2.0)

    def _is_answered(self, write: Write, answer: httpx.Response) -> bool:
        if answer.is_success:
            self._client.tally.acknowledged.add(write.name)
            for record in answer.json().get("productionProcesses", ()):
                for given in filter(None, (record["inputDate"], record["outputDate"])):
                    then = datetime.fromisoformat(given)
                    self._recorded[write.order] = max(then, self._recorded.get(write.order, then))
            return True
        if answer.status_code >= 500 or answer.status_code == 429 or OUT_OF_RANGE in answer.text:
            return False
        self._client.tally.refused.append(f"{write.method} {write.path}: {answer.status_code} {answer.text[:200]}")
        return True


def movements(process: int, lines: list[str], *, weighs: bool) -> Iterable[Write]:
    """Yield movements without end: one piece of each line in turn into the process and out of it.

    `weighs`: whether the movements carry the weight.
    """
    for line in itertools.cycle(lines):
        entering = random.randint(*PIECE_MG) if weighs else 0
        leaving = entering - random.randint(0, MOST_LOST_MG) if weighs else 0
        for direction, mg in (("in", entering), ("out", leaving)):
            path = f"{line}/production-process/{direction}"
            write = Write(direction, "PUT", path, {}, int(line.split("/")[3]), mg)
            body = {"productionProcessId": process, "quantity": 1}
            yield _noted(write, body | ({"grams": mg / 1_000} if weighs else {}))


def orders(customer: int, item: int) -> Iterable[Write]:
    while True:
        write = Write("order", "POST", "/api/sales-order", {})
        rows = [{"itemId": item, "quantity": 3, "deliveryDate": "2099-12-31"} for _ in range(2)]
        yield _noted(write, {"customerId": customer, "customerSalesOrderId": write.key, "items": rows})


def _noted(write: Write, body: Json) -> Write:
    """Complete the body. The notes contain the key, so that the record can be found in the database."""
    write.body |= body | {"notes": write.key}
    return write


class Wall(FoldingClient):
    """A paired display. It receives only the events of the board."""

    async def _load(self, http: httpx.AsyncClient, newest: int) -> None:
        answer = await http.get("/api/shop-floor")
        if answer.status_code >= 500:
            raise TimeoutError
        answer.raise_for_status()
        self.began_at(newest)


async def read(client: Client, paths: list[str]) -> None:
    """Read one of the paths at random, without end."""
    while True:
        await client.call("GET", random.choice(paths))
        await asyncio.sleep(READ_SECONDS * random.uniform(0.5, 1.5))


async def print_sheets(client: Client, order: int) -> None:
    body = {"documents": [{"salesOrderId": order, "position": 1}]}
    while True:
        await client.call("POST", "/pdf/create-pdf", json=body)
        await asyncio.sleep(PRINT_SECONDS)


async def upload_pictures(client: Client, line: str, judge: Callable[[httpx.Response], None]) -> None:
    """Upload new pictures of a line without end. Read each picture back, and pass the answer to `judge`.

    If a late upload has replaced the picture in the meantime, read the line's present picture instead.
    """
    while True:
        with io.BytesIO() as file:
            Image.effect_noise((300, 300), random.uniform(20, 80)).convert("RGB").save(file, "JPEG")
            picture = file.getvalue()
        answer = await client.call(
            "POST", f"{line}/upload/document", content=picture, headers={"Content-Type": "image/jpeg"}
        )
        if answer is not None and answer.is_success:
            back = await client.call("GET", answer.json()["url"])
            if back is not None and back.status_code == NOT_FOUND:
                now = await client.call("GET", line)
                back = None if now is None or not now.is_success else await client.call("GET", now.json()["image"])
            if back is not None and back.status_code < 500:
                judge(back)
        await asyncio.sleep(PICTURE_SECONDS)
