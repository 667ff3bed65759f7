"""A socket receives events in order, once, only those its user may read, and resumes where it left off."""

import asyncio
from types import SimpleNamespace

import pytest
from django.db import transaction

from project.access.permissions import Permission
from project.identity.models import RolePermission, User
from realtime import outbox, tickets
from realtime.hub import Hub
from realtime.sockets import AsgiSocket
from realtime.waiting import LONGEST_REST, MOST_RESTS, Rest
from realtime.window import Chunk
from tests.builders import person
from tests.realtime.clients import Client, in_database, session
from tests.realtime.conftest import Connect
from tests.realtime.samples import (
    change_permissions,
    commit,
    commit_moves,
    customer_changed,
    end_session,
    line_moved,
)

pytestmark = pytest.mark.django_db(transaction=True)


def reader() -> User:
    return person("ana", Permission.ListOrders)


async def test_live_events_come_in_order_and_once(connect: Connect) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    ids = await in_database(lambda: commit_moves(20))
    assert [frame["id"] for frame in await client.frames(20)] == ids
    assert await client.silent()


async def test_a_hub_reports_its_connected_sockets_and_its_newest_event(connect: Connect) -> None:
    assert [hub.connected for hub in Hub.of_this_process() if hub.connected] == []
    user = await in_database(reader)
    one, other = await connect(user), await connect(user)
    for client in (one, other):
        await client.frame()
    ids = await in_database(lambda: commit_moves(3))
    await one.frames(3)
    assert [(hub.connected, hub.newest) for hub in Hub.of_this_process() if hub.connected] == [(2, ids[-1])]


async def test_a_frame_carries_its_type_author_and_data(connect: Connect) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    await in_database(lambda: commit(line_moved(order=12, position=3)))
    frame = await client.frame()
    assert frame["type"] == "line.moved"
    assert frame["by"]["fullName"] == "Ana Torres"
    assert (frame["data"]["salesOrderId"], frame["data"]["position"]) == (12, 3)


async def test_an_event_reaches_only_those_who_may_read_its_data(connect: Connect) -> None:
    orders = await connect(await in_database(lambda: person("ana", Permission.ListSalesOrders)))
    customers = await connect(await in_database(lambda: person("eva", Permission.ListCustomers)))
    both = await connect(await in_database(lambda: person("leo", Permission.ListOrders, Permission.ListCustomers)))
    for client in (orders, customers, both):
        await client.frame()
    move = await in_database(lambda: commit(line_moved()))
    change = await in_database(lambda: commit(customer_changed()))
    assert (await orders.frame())["id"] == move
    assert (await customers.frame())["id"] == change
    assert [frame["id"] for frame in await both.frames(2)] == [move, change]
    assert await orders.silent()
    assert await customers.silent()


async def test_a_personal_event_reaches_all_sockets_of_its_user_and_no_other(connect: Connect) -> None:
    ana, eva = await in_database(reader), await in_database(lambda: person("eva", Permission.ListOrders))
    hers = [await connect(ana), await connect(ana)]
    other = await connect(eva)
    for client in (*hers, other):
        await client.frame()
    number = await in_database(lambda: change_permissions(ana.pk))
    assert [(await client.frame())["id"] for client in hers] == [number, number]
    assert await other.silent()


async def test_a_change_that_is_rolled_back_is_never_published(connect: Connect) -> None:
    client = await connect(await in_database(reader))
    await client.frame()

    def undo() -> None:
        with transaction.atomic():
            outbox.publish(line_moved(), by=None)
            transaction.set_rollback(True)

    await in_database(undo)
    assert await client.silent()


async def test_an_event_arrives_without_a_wake_up(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    monkeypatch.setattr("realtime.wakeup.wake", lambda only=None: None)
    number = await in_database(lambda: commit(line_moved()))
    assert (await client.frame())["id"] == number


async def test_events_that_come_while_the_hub_rests_are_sent_in_one_write(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    written: list[list[int]] = []
    push = AsgiSocket.push

    def noted(socket: AsgiSocket, chunk: Chunk) -> None:
        written.append([entry.id for entry in chunk.entries])
        push(socket, chunk)

    rested = asyncio.Event()

    async def take(rest: Rest) -> None:
        await rested.wait()

    monkeypatch.setattr(AsgiSocket, "push", noted)
    monkeypatch.setattr(Rest, "take", take)
    first = await in_database(lambda: commit(line_moved()))
    await client.frame()
    others = [await in_database(lambda: commit(line_moved())) for _ in range(3)]
    assert await client.silent()
    rested.set()
    assert [(await client.frame())["id"] for _ in others] == others
    assert written == [[first], others]


class Slept:
    """Record the seconds that a hub rests after it worked for `worked` seconds each time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *worked: float, calls: int = 0) -> None:
        self.seconds: list[float] = []
        self._worked, self._calls = worked, calls
        times = (second for seconds in worked for second in (0.0, seconds))
        monkeypatch.setattr("realtime.waiting.time", SimpleNamespace(monotonic=lambda: next(times)))
        monkeypatch.setattr("realtime.waiting.asyncio", SimpleNamespace(sleep=self._sleep))

    async def _sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self._calls -= 1

    async def rest(self) -> list[float]:
        rest = Rest(lambda: self._calls > 0)
        for _ in self._worked:
            with rest.after():
                pass
        await rest.take()
        await rest.take()
        return self.seconds


@pytest.mark.parametrize(
    ("worked", "rests"), [([], 0.0), ([0.004], 0.004), ([0.004, 0.002], 0.006), ([9.0], LONGEST_REST)]
)
async def test_the_hub_rests_as_long_as_it_worked(
    worked: list[float], rests: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await Slept(monkeypatch, *worked).rest() == [pytest.approx(rests), 0.0]


@pytest.mark.parametrize(("calls", "times"), [(1, 1), (3, 3), (1_000, MOST_RESTS)])
async def test_the_hub_rests_again_while_calls_wait(calls: int, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`calls`: for so many rests, a call waits for its answer."""
    assert await Slept(monkeypatch, 0.004, calls=calls).rest() == [pytest.approx(0.004)] * times + [0.0]


async def test_a_hub_that_did_no_work_does_not_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await Slept(monkeypatch, calls=1_000).rest() == [0.0, 0.0]


# Reconnecting.


async def test_a_client_that_reconnects_gets_missed_events_and_then_live_ones(connect: Connect) -> None:
    user = await in_database(reader)
    first = await connect(user)
    epoch = (await first.frame())["epoch"]
    seen, *missed = await in_database(lambda: commit_moves(4))
    second = await connect(user, since=seen, epoch=epoch)
    hello = await second.frame()
    # The hello carries the newest id that the hub has read. Events that it reads later follow.
    assert (hello["type"], hello["id"] in (seen, *missed), hello["epoch"]) == ("hello", True, epoch)
    live = await in_database(lambda: commit(line_moved()))
    assert [frame["id"] for frame in await second.frames(4)] == [*missed, live]
    assert await second.silent()


async def test_missed_events_are_filtered_by_permission_too(connect: Connect) -> None:
    user = await in_database(reader)
    await in_database(lambda: (commit(customer_changed()), commit(line_moved())))
    client = await connect(user, since=0)
    assert [frame["type"] for frame in await client.frames(2)] == ["hello", "line.moved"]
    assert await client.silent()


async def test_many_missed_events_are_all_replayed(connect: Connect) -> None:
    user = await in_database(reader)
    ids = await in_database(lambda: commit_moves(120, notes="n" * 190))
    client = await connect(user, since=ids[0])
    await client.frame()
    assert [frame["id"] for frame in await client.frames(119)] == ids[1:]


@pytest.mark.parametrize("since", ["-1", "99", "x", "", "9" * 30])
async def test_a_since_that_cannot_be_served_is_answered_with_a_reset(connect: Connect, since: str) -> None:
    user = await in_database(reader)
    await in_database(lambda: commit_moves(2))
    client = await connect(user, since=since)
    hello, reset = await client.frames(2)
    assert (hello["type"], reset) == ("hello", {"type": "reset"})
    number = await in_database(lambda: commit(line_moved()))
    assert (await client.frame())["id"] == number


async def test_another_epoch_is_answered_with_a_reset(connect: Connect) -> None:
    user = await in_database(reader)
    seen = (await in_database(lambda: commit_moves(2)))[0]
    client = await connect(user, since=seen, epoch="0" * 32)
    assert [frame["type"] for frame in await client.frames(2)] == ["hello", "reset"]
    assert await client.silent()


# Permissions and sessions.


async def test_a_removed_permission_stops_its_events(connect: Connect) -> None:
    user = await in_database(lambda: person("ana", Permission.ListOrders, Permission.ListCustomers))
    client = await connect(user)
    await client.frame()

    def take_away() -> int:
        RolePermission.objects.filter(action=Permission.ListOrders).delete()
        return change_permissions(user.pk)

    number = await in_database(take_away)
    assert (await client.frame())["id"] == number
    await in_database(lambda: commit(line_moved()))
    change = await in_database(lambda: commit(customer_changed()))
    assert (await client.frame())["id"] == change


async def test_a_granted_permission_brings_its_events_from_then_on(connect: Connect) -> None:
    user = await in_database(lambda: person("ana", Permission.ListCustomers))
    client = await connect(user)
    await client.frame()

    def give_and_move() -> list[int]:
        before = commit(line_moved())
        RolePermission.objects.create(role=user.roles.get(), action=Permission.ListOrders)
        given = change_permissions(user.pk)
        return [before, given, commit(line_moved())]

    _, given, after = await in_database(give_and_move)
    assert [frame["id"] for frame in await client.frames(2)] == [given, after]


async def test_a_user_without_permissions_stays_connected_and_receives_events_when_they_return(
    connect: Connect,
) -> None:
    user = await in_database(reader)
    client = await connect(user)
    await client.frame()

    def take_all() -> int:
        RolePermission.objects.all().delete()
        return change_permissions(user.pk)

    def give_back() -> int:
        RolePermission.objects.create(role=user.roles.get(), action=Permission.ListOrders)
        return change_permissions(user.pk)

    taken_away = await in_database(take_all)
    assert (await client.frame())["id"] == taken_away
    await in_database(lambda: commit(line_moved()))
    assert await client.silent()
    returned = await in_database(give_back)
    assert (await client.frame())["id"] == returned
    number = await in_database(lambda: commit(line_moved()))
    assert (await client.frame())["id"] == number


async def test_signing_out_closes_the_sockets_of_that_token_alone(hub: Hub) -> None:
    user = await in_database(reader)
    leaving, staying = await in_database(lambda: session(user)), await in_database(lambda: session(user))
    first = Client(f"ticket={await in_database(lambda: tickets.issue(leaving))}")
    second = Client(f"ticket={await in_database(lambda: tickets.issue(staying))}")
    for client in (first, second):
        assert await client.open()
        await client.frame()
    await in_database(lambda: end_session(user.pk, leaving.jti))
    assert (await first.frame())["type"] == "session.ended"
    assert await first.closed() == 4401
    assert await second.silent()
    await in_database(lambda: end_session(user.pk, None))
    assert (await second.frame())["type"] == "session.ended"
    assert await second.closed() == 4401
    assert hub.connected == 0


async def test_the_end_of_an_earlier_session_is_not_replayed(connect: Connect) -> None:
    user = await in_database(reader)
    await in_database(lambda: (commit(line_moved()), end_session(user.pk, None)))
    client = await connect(user, since=1)
    assert (await client.frame())["type"] == "hello"
    assert await client.silent()


async def test_the_hub_polls_again_once_the_database_is_back(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    client = await connect(await in_database(reader))
    await client.frame()
    with monkeypatch.context() as broken:
        failing = FailingPoll()
        broken.setattr("realtime.hub.poll_outbox", failing)
        number = await in_database(lambda: commit(line_moved()))
        assert await client.silent()
        assert failing.tried
    assert (await client.frame())["id"] == number


class FailingPoll:
    """A poll of a database that is away."""

    tried = False

    def __call__(self, *known: object) -> None:
        self.tried = True
        raise ConnectionError("the database is away")
