"""A client that loads its data once and then applies each event in order, as a screen does."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

Json = dict[str, Any]
Key = tuple[int, int]

LINE_FIELDS = (
    "customerSalesOrderId",
    "customerName",
    "itemId",
    "itemName",
    "status",
    "orderStatus",
    "quantity",
    "quantityInside",
    "quantityAvailable",
    "quantityDone",
    "inside",
    "late",
    "offers",
    "deliveryDate",
    "version",
    "currentProductionProcess",
    "lastProductionProcess",
)
AWAY = (httpx.TransportError, WebSocketException, OSError, TimeoutError)


@dataclass
class State:
    """Lines by order and position. Each line has its records by id."""

    lines: dict[Key, Json] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: list[Json]) -> "State":
        """Return the state of lines in the form in which the API answers them."""
        state = cls()
        for row in rows:
            line = state._line(row)
            line["records"] = {record["id"]: record for record in row["productionProcesses"]}
        return state

    def apply(self, event: Json) -> None:
        """Apply the next event."""
        data = event["data"]
        match event["type"]:
            case "order.created":
                for line in data["lines"]:
                    self._line(line)
            case "order.changed":
                for line in data["lines"]:
                    self._line(line)
                for line in self._of_order(data["id"]):
                    line["customerSalesOrderId"] = data["customerSalesOrderId"]
                    line["customerName"] = data["customerName"]
                    line["orderStatus"] = data["status"]
            case "order.deleted":
                self.lines = {key: line for key, line in self.lines.items() if key[0] != data["id"]}
            case "line.moved" | "line.released" | "line.status-changed" | "line.changed":
                self._line(data["line"])["records"] |= {record["id"]: record for record in data["records"]}
                for line in self._of_order(data["salesOrderId"]):
                    line["orderStatus"] = data["orderStatus"]

    def _line(self, data: Json) -> Json:
        line = self.lines.setdefault((data["salesOrderId"], data["position"]), {"records": {}})
        line |= {name: data[name] for name in LINE_FIELDS}
        return line

    def _of_order(self, order: int) -> list[Json]:
        return [line for key, line in self.lines.items() if key[0] == order]


def differences(mine: State, theirs: State) -> list[str]:
    """Return a sentence for each difference between two states. `theirs`: the state in the database."""
    found = [f"line {key} is on one side only" for key in mine.lines.keys() ^ theirs.lines.keys()]
    for key in mine.lines.keys() & theirs.lines.keys():
        left, right = mine.lines[key], theirs.lines[key]
        found += [
            f"line {key}: {name} is {left[name]!r}, in the database {right[name]!r}"
            for name in LINE_FIELDS
            if left[name] != right[name]
        ]
        found += [
            f"line {key}: record {number} differs"
            for number in left["records"].keys() | right["records"].keys()
            if left["records"].get(number) != right["records"].get(number)
        ]
    return sorted(found)


@dataclass
class Log:
    """The notes of a client about its connections and events. `started_after`: the newest event in the loaded state."""

    connections: int = 0
    resets: int = 0
    doubles: int = 0
    started_after: int = 0
    ids: list[int] = field(default_factory=list)


class FoldingClient:
    """Connect, load the data once, and then apply events. Reconnect with `since` and `epoch` after every cut."""

    def __init__(self, name: str, address: str, bearer: str) -> None:
        self.name = name
        self.state = State()
        self.log = Log()
        self._address = address
        self._headers = {"Authorization": f"Bearer {bearer}"}
        self._last: int | None = None
        self._epoch = ""
        self._task: asyncio.Task[None] | None = None
        self._loaded = asyncio.Event()

    def start(self) -> None:
        self._task = asyncio.create_task(self._stay_connected())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    @property
    def failed(self) -> BaseException | None:
        """The error that ended this client; None while it runs, as it must."""
        return self._task.exception() if self._task is not None and self._task.done() else None

    async def has_loaded(self) -> None:
        """Wait until the client has loaded its data. Raises the client's error if it fails before."""
        if self._task is None:
            raise RuntimeError("not started")
        loading = asyncio.create_task(self._loaded.wait())
        await asyncio.wait((loading, self._task), return_when=asyncio.FIRST_COMPLETED)
        loading.cancel()
        if self.failed is not None:
            raise self.failed

    @property
    def newest(self) -> int:
        return self._last or 0

    async def _stay_connected(self) -> None:
        pause = 0.05
        while True:
            try:
                async for event in self._events():
                    self._take(event)
                    pause = 0.05
            except AWAY:
                pass
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, 1.0)

    async def _events(self) -> AsyncIterator[Json]:
        """Yield the events of one connection. On the first connection, load the data before."""
        async with httpx.AsyncClient(base_url=self._address, headers=self._headers, timeout=10) as http:
            answer = await http.post("/api/live/ticket")
            if answer.status_code >= 500:
                raise TimeoutError
            ticket = answer.raise_for_status().json()["ticket"]
            since = "" if self._last is None else f"&since={self._last}&epoch={self._epoch}"
            url = f"{self._address.replace('http', 'ws', 1)}/ws/events?ticket={ticket}{since}"
            async with connect(url, origin=self._address, compression=None, max_queue=None) as socket:  # type: ignore[arg-type]
                self.log.connections += 1
                hello = json.loads(await socket.recv())
                self._epoch = hello["epoch"]
                if self._last is None:
                    await self._load(http, hello["id"])
                async for message in socket:
                    event = json.loads(message)
                    if event["type"] == "reset":
                        self.log.resets += 1
                        await self._load(http, hello["id"])
                    elif event["data"].get("lines", ()) is None:  # the event lists no lines, because there are too many
                        await self._load(http, event["id"])
                    else:
                        yield event

    async def _load(self, http: httpx.AsyncClient, newest: int) -> None:
        """Load the present state. It contains every event up to `newest`, and perhaps some that still arrive."""
        self.state = State.of(await all_lines(http))
        self.began_at(newest)

    def began_at(self, newest: int) -> None:
        """Note that the state contains every event up to `newest`."""
        self._last = newest
        self.log.ids.clear()
        self.log.started_after = newest
        self._loaded.set()

    def _take(self, event: Json) -> None:
        if self._last is not None and event["id"] <= self._last:
            self.log.doubles += 1
            return
        self._last = event["id"]
        self.log.ids.append(event["id"])
        self.state.apply(event)


async def all_lines(http: httpx.AsyncClient) -> list[Json]:
    """Load all lines with their histories: first the list of orders, page by page, then each order."""
    orders: list[int] = []
    following: str | None = "/api/sales-order?limit=200"
    while following:
        answer = await _answer(http, following)
        orders += [order["id"] for order in answer.json()]
        following = answer.links.get("next", {}).get("url")
    whole = [(await _answer(http, f"/api/sales-order/{order}")).json() for order in orders]
    return [line for order in whole for line in order["items"]]


async def _answer(http: httpx.AsyncClient, path: str) -> httpx.Response:
    answer = await http.get(path)
    if answer.status_code >= 500:
        raise TimeoutError
    return answer.raise_for_status()


async def until(what: Callable[[], bool | Awaitable[bool]], *, seconds: float) -> bool:
    """Wait up to `seconds` for a condition. Returns whether it became true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = what()
        if answer if isinstance(answer, bool) else await answer:
            return True
        await asyncio.sleep(0.02)
    return False
