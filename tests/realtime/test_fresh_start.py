"""When a hub and its clients start again: pruned events, more events than the window holds, a restored database."""

import asyncio
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction

from project.access.permissions import Permission
from project.core import clock
from project.identity.models import User
from realtime import outbox
from realtime.hub import Hub
from realtime.models import OutboxCounter, OutboxEvent
from realtime.window import SIZE
from tests.builders import person
from tests.realtime.clients import Client, in_database
from tests.realtime.conftest import Connect
from tests.realtime.samples import commit, commit_moves, line_moved, order_deleted

pytestmark = pytest.mark.django_db(transaction=True)


def reader() -> User:
    return person("ana", Permission.ListOrders)


async def test_a_client_that_missed_pruned_events_gets_a_reset(connect: Connect) -> None:
    user = await in_database(reader)

    def long_ago() -> None:
        with clock.at(clock.now() - timedelta(days=3)):
            commit_moves(3)
        commit_moves(1)
        outbox.prune(up_to=3)

    await in_database(long_ago)
    late = await connect(user, since=2)
    assert [frame["type"] for frame in await late.frames(2)] == ["hello", "reset"]
    in_time = await connect(user, since=3)
    assert [frame["type"] for frame in await in_time.frames(2)] == ["hello", "line.moved"]


async def test_a_new_epoch_closes_1012_and_resets_clients_that_reconnect(connect: Connect) -> None:
    user = await in_database(reader)
    client = await connect(user)
    before = (await client.frame())["epoch"]
    epoch = await in_database(outbox.renew_epoch)
    assert await client.closed() == 1012
    again = await connect(user, since=0, epoch=before)
    hello, reset = await again.frames(2)
    assert (hello["epoch"], reset["type"]) == (epoch, "reset")


async def test_more_events_than_the_window_holds_reach_connected_clients_and_reset_late_ones(
    connect: Connect,
) -> None:
    user = await in_database(reader)
    client = await connect(user)
    await client.frame()
    count = SIZE + SIZE // 2
    await in_database(lambda: many_at_once(count))
    assert [frame["data"]["id"] for frame in await client.frames(count)] == list(range(count))
    again = await connect(user, since=0)
    assert [frame["type"] for frame in await again.frames(2)] == ["hello", "reset"]
    assert await again.silent()


@transaction.atomic
def many_at_once(count: int) -> None:
    outbox.publish_all([order_deleted(number) for number in range(count)], by=None)


async def test_a_hub_too_far_behind_closes_1012_and_replays_events_on_reconnection(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.outbox.FAR", 10)
    user = await in_database(reader)
    client = await connect(user)
    epoch = (await client.frame())["epoch"]
    await in_database(lambda: many_at_once(11))
    assert await client.closed() == 1012
    again = await connect(user, since=0, epoch=epoch)
    assert [frame["id"] for frame in await again.frames(12)] == [11, *range(1, 12)]


# After a restore.


async def test_ids_that_went_back_close_1012_and_reset_without_a_new_epoch(connect: Connect) -> None:
    user = await in_database(reader)
    client = await connect(user)
    epoch = (await client.frame())["epoch"]
    seen = await in_database(lambda: commit_moves(5))
    await client.frames(5)

    def restore() -> None:
        OutboxEvent.objects.filter(id__gt=2).delete()
        OutboxCounter.objects.update(last_id=2)

    await in_database(restore)
    assert await client.closed() == 1012
    again = await connect(user, since=seen[-1], epoch=epoch)
    assert [frame["type"] for frame in await again.frames(2)] == ["hello", "reset"]


async def test_ids_that_went_back_and_forward_between_two_polls_close_1012(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await in_database(reader)
    client = await connect(user)
    await client.frame()
    await in_database(lambda: commit_moves(5))
    await client.frames(5)

    @transaction.atomic
    def restore_and_go_on() -> None:
        OutboxEvent.objects.filter(id__gt=2).delete()
        OutboxCounter.objects.update(last_id=2)
        outbox.publish_all([line_moved(order=9)] * 4, by=None)

    await in_database(restore_and_go_on)
    assert await client.closed() == 1012


async def test_the_renew_epoch_command_resets_clients_that_send_an_older_id(connect: Connect) -> None:
    user = await in_database(reader)
    client = await connect(user)
    epoch = (await client.frame())["epoch"]
    seen = (await in_database(lambda: commit_moves(3)))[0]
    await client.frames(3)
    await in_database(lambda: call_command("renew_epoch", stdout=StringIO()))
    assert await client.closed() == 1012
    again = await connect(user, since=seen, epoch=epoch)
    assert [frame["type"] for frame in await again.frames(2)] == ["hello", "reset"]


async def left_idle(hub: Hub, client: Client) -> None:
    """Disconnect the last client, and wait until the hub is idle: a poll that is under way still reads events."""
    await client.leave()
    async with asyncio.timeout(10):
        while not hub.idle:
            await asyncio.sleep(0)


async def test_an_idle_hub_starts_again_at_the_newest_event_after_pruning(connect: Connect, hub: Hub) -> None:
    user = await in_database(reader)
    client = await connect(user)
    await client.frame()
    await in_database(lambda: commit_moves(2))
    await client.frames(2)
    await left_idle(hub, client)

    def quiet_weekend() -> int:
        with clock.at(clock.now() - timedelta(days=3)):
            commit_moves(3)
        last = commit_moves(2)[-1]
        OutboxEvent.objects.filter(id__lte=last - 1).delete()
        return last

    last = await in_database(quiet_weekend)
    again = await connect(user, since=last - 1)
    assert [frame["id"] for frame in await again.frames(2)] == [last, last]
    await left_idle(hub, again)
    await in_database(lambda: (commit_moves(2), OutboxEvent.objects.all().delete()))
    third = await connect(user)
    hello = await third.frame()
    assert hello["id"] == last + 2
    late = await connect(user, since=last + 1, epoch=hello["epoch"])
    assert [frame["type"] for frame in await late.frames(2)] == ["hello", "reset"]
    number = await in_database(lambda: commit(line_moved()))
    assert [(await client.frame())["id"] for client in (third, late)] == [number, number]
