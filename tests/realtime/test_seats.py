"""Twenty live sockets a user over all processes; those of a killed one are forgotten."""

import asyncio
import json
import os
import signal
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from project.access.permissions import Permission
from project.access.principal import Principal
from project.core import clock
from project.identity.models import User
from realtime import seats
from realtime.hub import Hub
from realtime.models import LiveProcess, LiveSeat
from realtime.seats import LASTS, Seat, Seats
from tests.realtime.clients import in_database, person
from tests.realtime.conftest import Connect
from tests.realtime.daphnes import Server, shared, start

pytestmark = pytest.mark.django_db(transaction=True)


def reader() -> User:
    return person("ana", Permission.ListOrders)


def principal(user: int) -> Principal:
    return Principal(user, "Ana", frozenset(), jti="1", expires_at=clock.end_of_today(), token_version=1)


def open_seats() -> int:
    return LiveSeat.objects.filter(left_at=None).count()


async def take(own: Seats, user: int) -> Seat | None:
    """A seat of somebody who is known already."""
    known = principal(user)
    found, seat = await own.take(uuid.uuid4(), lambda: known)
    assert found == known
    return seat


async def taken(own: Seats, user: int, count: int) -> list[Seat]:
    """`count` seats, which must be there to be had."""
    found = [await take(own, user) for _ in range(count)]
    assert None not in found
    return [seat for seat in found if seat is not None]


async def hello_or_code(client: ClientConnection) -> str | int | None:
    """`hello`, or the code it is closed with."""
    try:
        frame: dict[str, Any] = json.loads(await asyncio.wait_for(client.recv(), 10))
    except ConnectionClosed:
        return client.close_code
    return str(frame["type"])


async def test_two_processes_have_twenty_seats_between_them() -> None:
    one, other = Seats(in_database), Seats(in_database)
    first = await taken(one, 7, 12)
    await taken(other, 7, 8)
    assert await take(one, 7) is None
    assert await take(other, 7) is None
    await taken(other, 8, 1)
    one.vacate(first[0])
    assert await take(one, 7) is not None


async def test_thirty_at_once_in_two_processes_are_twenty() -> None:
    both = [Seats(in_database), Seats(in_database)]
    found = await asyncio.gather(*(take(both[number % 2], 7) for number in range(30)))
    assert len([seat for seat in found if seat is not None]) == LiveSeat.MOST


async def test_nobody_takes_no_seat() -> None:
    assert await Seats(in_database).take(uuid.uuid4(), lambda: None) == (None, None)
    assert await in_database(LiveSeat.objects.count) == 0


async def test_nobody_who_comes_loses_no_seat_that_was_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Seats(in_database)
    (seat,) = await taken(own, 7, 1)
    monkeypatch.setattr(own, "settle", lambda: None)  # as while one is under way
    own.vacate(seat)
    await own.take(uuid.uuid4(), lambda: None)
    assert await in_database(open_seats) == 0


async def known_by(own: Seats, ticket: uuid.UUID) -> tuple[Principal | None, Seat | None]:
    return await own.take(ticket, lambda: principal(7))


async def test_a_ticket_takes_one_seat_however_it_ends() -> None:
    """Asked for at once, in another process, after it was left, after its process ended, after that seemed dead."""
    one, other = Seats(in_database), Seats(in_database)
    ticket = uuid.uuid4()
    first, again = await asyncio.gather(known_by(one, ticket), known_by(one, ticket))
    assert (first[1], again) == (Seat(ticket), (None, None))
    assert await known_by(other, ticket) == (None, None)
    one.vacate(Seat(ticket))
    await settled(one)
    assert await in_database(open_seats) == 0
    for own in (one, other):
        assert await known_by(own, ticket) == (None, None)
    await one.leave()
    assert await known_by(other, ticket) == (None, None)

    killed, later = Seats(in_database), uuid.uuid4()
    assert (await known_by(killed, later))[1] == Seat(later)
    await in_database(lambda: LiveProcess.objects.update(seen_at=Now() - 2 * LASTS))
    await taken(other, 7, LiveSeat.MOST)
    assert await known_by(other, later) == (None, None)


async def test_seats_that_were_left_are_forgotten_when_their_tickets_are_long_over() -> None:
    own = Seats(in_database)
    for seat in await taken(own, 7, 2):
        own.vacate(seat)
    await settled(own)
    await in_database(seats.forget_dead)
    assert await in_database(LiveSeat.objects.count) == 2
    await in_database(lambda: LiveSeat.objects.update(left_at=Now() - timedelta(hours=2)))
    await in_database(seats.forget_dead)
    assert await in_database(LiveSeat.objects.count) == 0


async def test_the_database_itself_refuses_the_twenty_first_and_a_number_taken_twice() -> None:
    await taken(Seats(in_database), 7, 1)

    def write(number: int, **more: object) -> None:
        process = LiveProcess.objects.get()
        with pytest.raises(IntegrityError):
            LiveSeat.objects.create(id=uuid.uuid4(), **{"process": process, "user_id": 7, "number": number} | more)

    await in_database(lambda: [write(number) for number in (LiveSeat.objects.get().number, 0, 21)])
    await in_database(lambda: [write(1, user_id=8, left_at=clock.now()), write(1, user_id=None)])


async def test_a_process_that_lives_keeps_its_seats_and_one_that_was_given_up_takes_them_again() -> None:
    own, other = Seats(in_database), Seats(in_database)
    first = await taken(own, 7, 20)
    await in_database(lambda: LiveProcess.objects.update(seen_at=Now() - 2 * LASTS))
    await taken(other, 7, 1)  # it seemed dead
    await taken(own, 8, 1)
    await reconciled(own)  # and says now that it is not
    assert await take(other, 7) is None
    assert await in_database(LiveSeat.objects.filter(user_id=7).count) == LiveSeat.MOST
    # The one whose number is another's now is left, and its ticket opens nothing either.
    for seat in first:
        assert await known_by(other, seat.id) == (None, None)


@pytest.mark.parametrize("step", [2 * LASTS, -timedelta(hours=1)], ids=["long ago", "before the clock stepped back"])
async def test_the_seats_of_a_process_not_seen_are_free(step: timedelta) -> None:
    killed, living = Seats(in_database), Seats(in_database)
    await taken(killed, 7, 20)
    assert await take(living, 7) is None
    await in_database(lambda: LiveProcess.objects.update(seen_at=Now() - step))
    await taken(living, 7, 20)


async def test_old_processes_are_forgotten_with_their_seats() -> None:
    await taken(Seats(in_database), 7, 2)
    await in_database(lambda: LiveProcess.objects.update(seen_at=Now() - timedelta(hours=2)))
    await in_database(seats.forget_dead)
    assert await in_database(LiveSeat.objects.count) == 0


async def test_a_seat_costs_one_query() -> None:
    statements: list[list[str]] = []

    async def counting(work: Callable[[], Any]) -> Any:
        def counted() -> Any:
            with CaptureQueriesContext(connection) as queries:
                answer = work()
            statements.append([query["sql"] for query in queries])
            return answer

        return await in_database(counted)

    await taken(Seats(counting), 7, 2)
    assert len([sql for sql in statements[1] if sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE"))]) == 1


async def settled(own: Seats) -> None:
    """What was given back has been stored."""
    while own._vacated or own._settling is None or not own._settling.done():
        own.settle()
        await asyncio.sleep(0)


async def test_a_seat_of_which_the_answer_was_lost_is_given_back() -> None:
    """As when the database is away for a moment: what it was asked last it may have done."""
    done: list[int] = []

    async def answer_lost(work: Callable[[], Any]) -> Any:
        found = await in_database(work)
        if isinstance(found, tuple):
            done.append(await in_database(open_seats))
            raise ConnectionError
        return found

    own = Seats(answer_lost)
    with pytest.raises(ConnectionError):
        await take(own, 7)
    await asyncio.sleep(0)  # its end is heard of
    await settled(own)
    assert (done, await in_database(open_seats)) == ([1], 0)


async def reconciled(own: Seats) -> None:
    """The process was compared with what is stored, and what that found is stored, too."""
    own._beaten = time.monotonic() - 2 * seats.BEAT_SECONDS
    own.settle()
    await settled(own)


async def test_a_seat_that_is_left_while_its_process_takes_its_seats_again_is_given_back() -> None:
    own = Seats(in_database)
    leaving, staying = await taken(own, 7, 2)

    async def after_it_left(work: Callable[[], Any]) -> Any:
        own._ask = in_database
        own.vacate(leaving)
        return await in_database(work)

    await in_database(LiveProcess.objects.all().delete)  # given up
    own._ask = after_it_left
    await reconciled(own)
    await reconciled(own)
    assert await in_database(lambda: set(LiveSeat.objects.filter(left_at=None).values_list("pk", flat=True))) == {
        staying.id
    }


async def test_a_seat_whose_statement_was_given_up_and_is_done_later_is_given_back() -> None:
    own = Seats(in_database)
    (seat,) = await taken(own, 7, 1)
    late = Seat(uuid.uuid4(), 7, seat.number % LiveSeat.MOST + 1)
    coming = Seat(uuid.uuid4(), 8, 1)
    own._asked_for.add(coming)  # its taking is under way
    await in_database(lambda: LiveSeat.objects.bulk_create([own._row(late), own._row(coming)]))
    await reconciled(own)
    found = await in_database(lambda: set(LiveSeat.objects.filter(left_at=None).values_list("pk", flat=True)))
    assert found == {seat.id, coming.id}


async def test_a_socket_that_goes_leaves_its_seat(connect: Connect, hub: Hub) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    assert await in_database(open_seats) == 1
    await client.leave()
    async with asyncio.timeout(5):
        while await in_database(open_seats):
            await asyncio.sleep(0.01)


async def test_the_limit_holds_over_two_servers_and_a_killed_one_is_forgotten() -> None:
    user = await in_database(reader)
    living: Server = await asyncio.to_thread(shared)
    killed = await asyncio.to_thread(start)
    clients: list[ClientConnection] = []
    try:
        for number in range(LiveSeat.MOST):
            clients.append(await (killed if number % 2 else living).socket(user))
            assert await hello_or_code(clients[-1]) == "hello"
        for server in (living, killed):
            assert await hello_or_code(await server.socket(user)) == 4429
        os.kill(killed.process.pid, signal.SIGKILL)
        since = time.monotonic()
        while await hello_or_code(again := await living.socket(user)) != "hello":
            assert time.monotonic() - since < LASTS.total_seconds() + 5
            await asyncio.sleep(0.3)
        clients.append(again)
        assert await in_database(open_seats) == LiveSeat.MOST // 2 + 1
    finally:
        for client in clients:
            await client.close()
        await asyncio.to_thread(killed.stop)


async def test_a_server_that_restarts_gives_its_seats_back_at_once() -> None:
    user = await in_database(reader)
    restarting = await asyncio.to_thread(start)
    try:
        client = await restarting.socket(user)
        assert await hello_or_code(client) == "hello"
        assert await in_database(LiveProcess.objects.count) >= 1
        restarting.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(restarting.process.wait, 20)
        assert await in_database(open_seats) == 0
    finally:
        await asyncio.to_thread(restarting.stop)
