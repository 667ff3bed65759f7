"""An ASGI server that blocks `send`, unlike daphne, and wake-ups between processes."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import transaction

from project.access.permissions import Permission
from realtime import outbox, wakeup
from realtime.hub import Hub
from realtime.routing import live_sockets
from tests.builders import person
from tests.realtime.clients import HOST, ORIGIN, in_database, ticket
from tests.realtime.samples import commit_moves, ids_up_to_now, line_moved

MOVES = 31


class WaitingServer:
    """An ASGI server that blocks `send` from the first event on, until the gate opens."""

    def __init__(self, shown: str, *, one_by_one: float | None = None) -> None:
        """`one_by_one`: the gate is always open, but sending an event takes so many seconds."""
        self._takes = one_by_one
        self.gate = asyncio.Event()
        self.greeted = asyncio.Event()
        self.waiting = asyncio.Event()
        self.all_sent = asyncio.Event()
        self.sent: list[Any] = []
        self._to_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._to_app.put_nowait({"type": "websocket.connect"})
        scope = {
            "type": "websocket",
            "path": "/ws/events",
            "query_string": f"ticket={shown}".encode(),
            "headers": [(b"host", HOST.encode()), (b"origin", ORIGIN.encode())],
        }
        self.application = asyncio.create_task(live_sockets()(scope, self._to_app.get, self._send))

    async def _send(self, message: Mapping[str, Any]) -> None:
        if message["type"] != "websocket.send":
            return
        frame = json.loads(message["text"])
        if frame["type"] != "hello":
            self.waiting.set()
            if self._takes is None:
                await self.gate.wait()
            else:
                await asyncio.sleep(self._takes)
        self.sent.append(frame["id"])
        self.greeted.set()
        if len(self.sent) == 1 + MOVES:
            self.all_sent.set()

    async def leave(self) -> None:
        self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(self.application, 5)


@pytest.mark.django_db(transaction=True)
async def test_a_server_that_blocks_send_gets_all_events_in_order_afterwards(hub: Hub) -> None:
    server = WaitingServer(await in_database(lambda: ticket(person("ana", Permission.ListOrders))))
    await asyncio.wait_for(server.greeted.wait(), 5)
    expected = await in_database(lambda: commit_moves(1))
    await asyncio.wait_for(server.waiting.wait(), 5)
    expected += await in_database(lambda: commit_moves(MOVES - 1))
    assert server.sent == [0]
    server.gate.set()
    await asyncio.wait_for(server.all_sent.wait(), 5)
    assert server.sent == [0, *expected]
    await server.leave()
    assert hub.connected == 0


@pytest.mark.django_db(transaction=True)
async def test_a_socket_that_takes_nothing_for_too_long_is_dropped(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realtime.hub.STALL_SECONDS", 0.0)
    monkeypatch.setattr("realtime.sockets.SLOW_CLOSE_SECONDS", 0.0)
    server = WaitingServer(await in_database(lambda: ticket(person("ana", Permission.ListOrders))))
    await asyncio.wait_for(server.greeted.wait(), 5)
    await in_database(lambda: commit_moves(1))
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(server.application, 5)
    assert hub.connected == 0


@pytest.mark.django_db(transaction=True)
async def test_a_slow_socket_that_keeps_taking_events_is_kept(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sending all events takes longer than STALL_SECONDS, but each one takes less."""
    monkeypatch.setattr("realtime.hub.POLL_SECONDS", 0.02)
    monkeypatch.setattr("realtime.hub.STALL_SECONDS", 0.5)
    server = WaitingServer(await in_database(lambda: ticket(person("ana", Permission.ListOrders))), one_by_one=0.2)
    await asyncio.wait_for(server.greeted.wait(), 5)

    @transaction.atomic
    def at_once() -> list[int]:
        outbox.publish_all([line_moved()] * MOVES, by=None)
        return ids_up_to_now(MOVES)

    expected = await in_database(at_once)
    await asyncio.wait_for(server.all_sent.wait(), 30)
    assert server.sent == [0, *expected]
    await server.leave()


async def test_a_wake_up_of_another_process_is_heard() -> None:
    heard = asyncio.Event()
    listening = asyncio.create_task(wakeup.listen(heard.set, lambda message: None))
    layer = get_channel_layer()
    try:
        async with asyncio.timeout(5):
            # Send until it is heard: the layer does not report when the subscription is active.
            while not heard.is_set():
                await layer.group_send(wakeup.GROUP, {"type": wakeup.MESSAGE, "origin": "another"})
                await asyncio.sleep(0.01)
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await layer.flush()
