"""Live delivery through a real daphne, over TCP: whole frames, slow clients, closed sockets."""

import asyncio
import contextlib
import json
import signal
import time

import httpx
import pytest
from django.db import transaction
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from project.access import token
from project.access.permissions import ALL, Permission
from project.identity.models import User
from realtime import outbox
from tests.builders import person
from tests.realtime.clients import in_database
from tests.realtime.daphnes import Server, shared, start
from tests.realtime.samples import commit, commit_moves, ids_up_to_now, line_moved

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def server(django_db_setup: None, django_db_blocker: pytest.FixtureDef[object]) -> Server:
    return shared()


SOCKETS = 60
BURST = 4_000


def reader(name: str = "ana") -> User:
    """A user who may read lines and their history, so that no field of a movement is hidden."""
    return person(name, Permission.ListOrders, Permission.SalesOrderPositionRecord)


async def frame(client: ClientConnection) -> dict[str, object]:
    found: dict[str, object] = json.loads(await asyncio.wait_for(client.recv(), 10))
    return found


async def ids(client: ClientConnection, count: int) -> list[object]:
    return [(await frame(client))["id"] for _ in range(count)]


async def closing_code(client: ClientConnection) -> int:
    """Read until the socket is closed. Return the close code."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await asyncio.wait_for(client.recv(), 15)
    assert client.close_code is not None
    return client.close_code


async def test_frames_of_every_size_arrive_whole_and_in_order(server: Server) -> None:
    client = await server.socket(await in_database(reader))
    assert (await frame(client))["type"] == "hello"
    sizes = [0, 100, 1_000, 60_000, 33_000, 150_000, 10]
    expected = await in_database(lambda: [commit(line_moved(notes="ñ" * size)) for size in sizes])
    for number, size in zip(expected, sizes, strict=True):
        event = await frame(client)
        assert event["id"] == number
        assert event["data"]["record"]["inputNotes"] == "ñ" * size  # type: ignore[index]
    await client.close()


async def test_pings_between_events_are_answered(server: Server) -> None:
    client = await server.socket(await in_database(reader), max_queue=None)
    await frame(client)
    writing = asyncio.create_task(in_database(lambda: commit_moves(60)))
    received: list[object] = []
    while len(received) < 60:
        answered = await client.ping()
        received.append((await frame(client))["id"])
        await asyncio.wait_for(answered, 5)
    assert received == await writing
    await client.close()
    assert client.close_code == 1000


async def test_a_thousand_missed_events_are_replayed_through_a_small_buffer(server: Server) -> None:
    user = await in_database(reader)
    expected = await in_database(lambda: at_once(1_000))
    client = await server.socket(user, query="&since=0", max_queue=1)
    await frame(client)
    assert await ids(client, 1_000) == expected
    await client.close()


async def test_a_client_that_reads_nothing_is_closed_4408_and_delays_no_other(server: Server) -> None:
    slow_user, user = await in_database(lambda: reader("ivo")), await in_database(reader)
    slow, quick = await server.socket(slow_user, max_queue=1), await server.raw_socket(user)
    await frame(slow)
    await quick.frames(1)
    expected: list[int] = []

    async def send_rounds(rounds: int) -> int:
        """Send more than the buffers of the connection hold, and return the server's memory."""
        for _ in range(rounds):
            expected.extend(await in_database(lambda: at_once(30, notes="n" * 20_000)))
            assert [json.loads(payload)["id"] for payload in await quick.frames(30)] == expected[-30:]
        return server.memory()

    # The first rounds also fill the memory that the server needs for a round. The window takes 10 MB of the others, and
    # a server that kept the frames of the slow client would take as much again.
    before = await send_rounds(4)
    assert await send_rounds(8) - before < 15_000_000
    assert await closing_code(slow) == 4408
    again = await server.socket(slow_user, query=f"&since={expected[-20]}")
    await frame(again)
    assert await ids(again, 19) == expected[-19:]
    await again.close()
    quick.close()


async def test_a_burst_of_thousands_in_one_transaction_reaches_every_socket_and_closes_none(server: Server) -> None:
    users = await in_database(lambda: [reader(f"ana{number}") for number in range(SOCKETS // 20)])
    clients = [await server.raw_socket(users[number % len(users)]) for number in range(SOCKETS)]
    for client in clients:
        await client.frames(1)
    reading = [asyncio.create_task(client.frames(BURST)) for client in clients]
    expected = await in_database(lambda: at_once(BURST, notes=""))
    waits: list[float] = []
    async with httpx.AsyncClient(base_url=server.url) as http:
        while not all(task.done() for task in reading):
            asked = time.monotonic()
            assert (await http.get("/health/live", timeout=10)).status_code == 200
            waits.append(time.monotonic() - asked)
            await asyncio.sleep(0.05)
    for task in reading:
        assert [int(payload[6 : payload.index(b",")]) for payload in task.result()] == expected
    assert max(waits) < 3, "the loop goes on answering"
    number = await in_database(lambda: commit(line_moved()))
    for client in clients:
        assert (await client.frames(1))[0].startswith(b'{"id":%d,' % number)
        client.close()


async def test_a_pong_is_never_sent_inside_a_frame(server: Server) -> None:
    client = await server.raw_socket(await in_database(reader))
    await client.frames(1)
    count = 60
    reading = asyncio.create_task(client.frames(count))
    writing = in_database(lambda: [commit(line_moved(notes="n" * 200_000)) for _ in range(count)])
    written = asyncio.create_task(writing)
    while not reading.done():
        client.ping()
        await asyncio.sleep(0.001)
    assert [json.loads(payload)["id"] for payload in await reading] == await written
    assert client.pongs > 0
    client.close()


async def test_signing_out_over_http_closes_4401_within_a_second(server: Server) -> None:
    user = await in_database(reader)
    bearer = await in_database(lambda: token.issue(user))
    client = await server.socket_of(bearer)
    await frame(client)
    async with httpx.AsyncClient(base_url=server.url, headers={"Authorization": f"Bearer {bearer}"}) as http:
        answer = await http.post("/identity/authentication/sign-out")
        assert answer.status_code == 200
    answered = time.monotonic()
    assert await closing_code(client) == 4401
    assert time.monotonic() - answered < 1


async def test_rights_taken_and_given_back_over_http_reach_an_open_socket(server: Server) -> None:
    """The socket stays open, events go on, and the describe endpoint lists the same permissions."""
    user, admin = await in_database(reader), await in_database(lambda: person("jefa", *ALL))
    role = await in_database(lambda: user.roles.get().pk)
    bearer, hers = await in_database(lambda: (token.issue(admin), token.issue(user)))
    client = await server.socket_of(hers)
    await frame(client)
    async with httpx.AsyncClient(base_url=server.url) as http:
        for permissions in ([], [Permission.ListOrders]):
            changed = await http.put(
                f"/identity/roles/{role}",
                json={"permissions": permissions},
                headers={"Authorization": f"Bearer {bearer}"},
            )
            assert changed.status_code == 200, changed.text
            assert (await frame(client))["type"] == "permissions.changed"
            held = await http.post(
                "/identity/permissions/describe",
                json={"subjectId": user.pk},
                headers={"Authorization": f"Bearer {hers}"},
            )
            assert [row["action"] for row in held.json()] == permissions
    number = await in_database(lambda: commit(line_moved()))
    assert await ids(client, 1) == [number]
    await client.close()


async def test_the_access_log_holds_no_token(server: Server) -> None:
    user = await in_database(reader)
    bearer = await in_database(lambda: token.issue(user))
    client = await server.socket_of(bearer)
    await frame(client)
    await client.close()
    async with httpx.AsyncClient(base_url=server.url) as http:
        refused = await http.get(f"/api/notifications/unread?canary={user.pk}")
        assert refused.status_code == 401
    logged = server.access_log.read_text()
    assert f"canary={user.pk}" in logged
    assert "/api/live/ticket" in logged
    assert bearer not in logged
    assert bearer.rsplit(".", 1)[1] not in logged


@pytest.mark.parametrize("origin", ["http://elsewhere.test", "null", None])
async def test_a_handshake_from_a_foreign_origin_is_answered_403(server: Server, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{server.port}/ws/events?ticket=x", origin=origin)  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403


async def test_a_socket_with_a_bad_ticket_is_accepted_and_closed_4401(server: Server) -> None:
    client = await connect(f"ws://127.0.0.1:{server.port}/ws/events?ticket=x", origin=server.url)  # type: ignore[arg-type]
    assert await closing_code(client) == 4401


@pytest.mark.parametrize(("size", "code"), [(5_000, 1009), (80_000, None)])
async def test_an_oversized_message_closes_its_own_socket_only(server: Server, size: int, code: int | None) -> None:
    ana, eva = await in_database(reader), await in_database(lambda: reader("eva"))
    rude, polite = await server.socket(ana), await server.socket(eva)
    await frame(rude)
    await frame(polite)
    await rude.send("x" * size)
    await asyncio.wait_for(rude.wait_closed(), 5)
    assert rude.close_code == (code or 1006)
    number = await in_database(lambda: commit(line_moved()))
    assert await ids(polite, 1) == [number]
    await polite.close()


async def test_a_server_that_stops_closes_1012_and_the_next_one_replays_missed_events(server: Server) -> None:
    user = await in_database(reader)
    restarting = await asyncio.to_thread(start)
    try:
        client = await restarting.socket(user)
        epoch = (await frame(client))["epoch"]
        seen = await in_database(lambda: commit(line_moved()))
        assert await ids(client, 1) == [seen]
        restarting.process.send_signal(signal.SIGTERM)
        assert await closing_code(client) == 1012
    finally:
        await asyncio.to_thread(restarting.stop)
    assert restarting.process.returncode == 0
    missed = await in_database(lambda: commit_moves(3))
    client = await server.socket(user, query=f"&since={seen}&epoch={epoch}")
    await frame(client)
    assert await ids(client, 3) == missed
    await client.close()


@transaction.atomic
def at_once(count: int, notes: str = "n" * 190) -> list[int]:
    """Publish `count` movements in one transaction. Return their ids."""
    outbox.publish_all([line_moved(notes=notes)] * count, by=None)
    return ids_up_to_now(count)
