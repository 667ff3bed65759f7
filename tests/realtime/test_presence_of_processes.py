"""Processes send each other who views a line."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from django.conf import LazySettings

from project.access import token
from project.access.permissions import Permission
from project.identity.models import User
from realtime import presence, wakeup
from realtime.presence import Presence
from tests.builders import person, shop as make_shop
from tests.realtime.clients import in_database

pytestmark = pytest.mark.django_db(transaction=True)


def an_order() -> int:
    return make_shop().order(5, 6)


def reader(name: str) -> User:
    return person(name, Permission.ListOrders)


class Wire:
    """A channel layer between two processes; messages can be lost."""

    def __init__(self) -> None:
        self.ends: list[Presence] = []
        self.lost = False
        self.sent = 0

    async def publish(self, message: dict[str, Any]) -> None:
        self.sent += 1
        if not self.lost:
            for end in self.ends:
                end.receive(json.loads(json.dumps({"type": wakeup.PRESENCE, **message})))


class FakeSocket:
    """A socket of one of two processes. `received`: the first names of each presence frame."""

    def __init__(self, user: User) -> None:
        self.principal = token.verify(token.issue(user))
        self.ready = True
        self.received: list[list[str]] = []

    def say(self, frame: dict[str, Any]) -> None:
        self.received.append([one["fullName"].removesuffix(" Torres") for one in frame["people"]])


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that does not advance until it is set."""
    standing = [1_000.0]
    monkeypatch.setattr("realtime.presence.monotonic", lambda: standing[0])
    return standing


@pytest.fixture
async def wire(monkeypatch: pytest.MonkeyPatch, ticks: list[float]) -> AsyncIterator[Wire]:
    between = Wire()
    monkeypatch.setattr(wakeup, "between_processes", lambda: True)
    monkeypatch.setattr(wakeup, "publish_presence", between.publish)
    between.ends = [Presence(in_database), Presence(in_database)]
    yield between
    for end in between.ends:
        await end.stop()


async def look(end: Presence, socket: FakeSocket, order: int) -> None:
    end.take_message(socket, json.dumps({"viewing": {"salesOrderId": order, "position": 1}}))  # type: ignore[arg-type]
    await quiet(end)


async def quiet(*ends: Presence) -> None:
    """Wait until no task of these processes is running."""
    while tasks := [
        task
        for end in ends
        for task in (*end._settling.values(), end._publishing)
        if task is not None and not task.done()
    ]:
        await asyncio.wait_for(asyncio.gather(*tasks), 5)


async def test_two_processes_exchange_the_viewers_of_a_line(wire: Wire) -> None:
    order = await in_database(an_order)
    here, there = wire.ends
    eva, leo = [await in_database(lambda name=name: FakeSocket(reader(name))) for name in ("eva", "leo")]
    await look(here, eva, order)
    await look(there, leo, order)
    await quiet(here, there)
    assert eva.received == [["Eva"], ["Eva", "Leo"]]
    assert leo.received[-1] == ["Eva", "Leo"]
    there.leave(leo)  # type: ignore[arg-type]
    await quiet(here, there)
    assert eva.received[-1] == ["Eva"]


async def test_a_dead_process_is_forgotten_and_a_lost_message_is_sent_again(wire: Wire, ticks: list[float]) -> None:
    order = await in_database(an_order)
    here, there = wire.ends
    eva, leo = [await in_database(lambda name=name: FakeSocket(reader(name))) for name in ("eva", "leo")]
    await look(here, eva, order)
    wire.lost = True
    await look(there, leo, order)
    await quiet(here, there)
    assert eva.received == [["Eva"]]
    wire.lost = False
    ticks[0] += presence.BEAT_SECONDS + 1
    there.tend()
    await quiet(here, there)
    assert eva.received[-1] == ["Eva", "Leo"]
    wire.lost = True  # as if the other process were killed
    ticks[0] += presence.FORGOTTEN_SECONDS
    here.tend()
    assert eva.received[-1] == ["Eva", "Leo"]
    ticks[0] += 1
    here.tend()
    assert eva.received[-1] == ["Eva"]


async def test_a_process_keeps_no_presence_of_lines_without_viewers_of_its_own(wire: Wire) -> None:
    order = await in_database(an_order)
    here, there = wire.ends
    await look(there, await in_database(lambda: FakeSocket(reader("leo"))), order)
    assert here._elsewhere == {}


async def test_a_socket_that_was_not_ready_receives_the_newest_presence_only(wire: Wire) -> None:
    order = await in_database(an_order)
    here, _ = wire.ends
    eva, leo = [await in_database(lambda name=name: FakeSocket(reader(name))) for name in ("eva", "leo")]
    await look(here, eva, order)
    eva.ready = False
    for _ in range(5):
        await look(here, leo, order)
        here.leave(leo)  # type: ignore[arg-type]
    await look(here, leo, order)
    assert eva.received == [["Eva"]]
    eva.ready = True
    here.catch_up(eva)  # type: ignore[arg-type]
    assert eva.received == [["Eva"], ["Eva", "Leo"]]


async def test_two_servers_exchange_presence_over_redis(settings: LazySettings) -> None:
    """Two real servers. Skipped without Redis."""
    if not settings.REDIS_URL:
        pytest.skip("embedded: one process")
    from tests.realtime.daphnes import shared

    order = await in_database(an_order)
    users = [await in_database(lambda name=name: reader(name)) for name in ("eva", "leo")]
    one, two = shared(), shared(PDF_WORKERS="1")
    sockets = [await server.socket(user) for server, user in zip((one, two), users, strict=True)]
    for socket in sockets:
        await socket.send(json.dumps({"viewing": {"salesOrderId": order, "position": 1}}))

    async def both(socket: Any) -> None:
        while [each["id"] for each in json.loads(await socket.recv()).get("people", [])] != [u.pk for u in users]:
            pass

    await asyncio.wait_for(asyncio.gather(*(both(socket) for socket in sockets)), 15)
    for socket in sockets:
        await socket.close()
