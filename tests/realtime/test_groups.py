"""What concerns one person wakes this person's consumers, through their group of the channel layer."""

import asyncio
import uuid
from collections.abc import Collection
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.conf import LazySettings
from django.db import transaction

from project.access.permissions import Permission
from project.identity.models import User
from realtime import outbox, wakeup
from realtime.hub import Hub
from realtime.layer import GroupLayer
from realtime.registry import PermissionsChanged, UserData
from tests.builders import person
from tests.realtime.clients import Client, in_database, ticket
from tests.realtime.conftest import Connect
from tests.realtime.samples import SOMEBODY, change_permissions, commit, line_moved

pytestmark = pytest.mark.django_db(transaction=True)


def reader(name: str = "ana") -> User:
    return person(name, Permission.ListOrders)


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hubs that look only when another process wakes them: none of another test run on the same Redis."""
    monkeypatch.setattr(wakeup, "GROUP", f"live-{uuid.uuid4().hex}")
    monkeypatch.setattr("realtime.hub.POLL_SECONDS", 60.0)
    monkeypatch.setattr("realtime.hub.POLL_ALONE_SECONDS", 60.0)
    monkeypatch.setattr("realtime.wakeup.wake", lambda only=None: None)


async def news_for(user: User, *, until: "asyncio.Task[Any]") -> None:
    """Send the wake-up of another process. Repeat it: the layer does not report when the subscription is active."""
    while not until.done():
        await get_channel_layer().group_send(wakeup.group_of(user.pk), {"type": wakeup.NEWS})
        await asyncio.wait([until], timeout=0.02)


@pytest.mark.usefixtures("asleep")
async def test_a_message_to_a_persons_group_lets_the_hub_look_at_once(connect: Connect) -> None:
    ana, eva = await in_database(reader), await in_database(lambda: reader("eva"))
    client = await connect(ana)
    await client.frame()
    number = await in_database(lambda: change_permissions(ana.pk))
    await get_channel_layer().group_send(wakeup.group_of(eva.pk), {"type": wakeup.NEWS})
    assert await client.silent()
    received = asyncio.create_task(client.frame())
    await news_for(ana, until=received)
    assert received.result()["id"] == number


async def test_a_consumer_leaves_the_group_when_its_client_leaves_or_it_is_canceled(hub: Hub) -> None:
    ana = await in_database(reader)
    layer, group = get_channel_layer(), wakeup.group_of(ana.pk)

    def members() -> int:
        return sum(len(channels) for name, channels in layer.groups.items() if name.endswith(group))

    async def until_members(count: int) -> None:
        async with asyncio.timeout(5):
            while members() != count:
                await asyncio.sleep(0)

    clients = [Client(f"ticket={await in_database(lambda: ticket(ana))}") for _ in range(3)]
    for client in clients:
        assert await client.open()
    await until_members(3)
    await clients[0].leave()
    await until_members(2)
    for client in clients[1:]:
        client.cut()
    await until_members(0)
    assert hub.connected == 0


class AwayLayer(GroupLayer):
    """Redis refuses connections. `hangs`: it first lets them wait until the gate opens."""

    def __init__(self, *, hangs: bool) -> None:
        super().__init__(hosts=["redis://127.0.0.1:1"])
        self.gate = asyncio.Event()
        if not hangs:
            self.gate.set()

    async def group_add(self, group: str, channel: str) -> None:
        await self.gate.wait()
        raise ConnectionError("nobody there")


@pytest.mark.parametrize("hangs", [False, True])
async def test_a_socket_opens_and_receives_events_while_redis_is_away(
    hangs: bool, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer = AwayLayer(hangs=hangs)
    monkeypatch.setattr(wakeup._redis, "down", True)
    for module in ("channels.consumer", "realtime.wakeup"):
        monkeypatch.setattr(f"{module}.get_channel_layer", lambda *alias: layer)
    client = await connect(await in_database(reader))
    assert (await client.frame())["type"] == "hello"
    number = await in_database(lambda: commit(line_moved()))
    assert (await client.frame())["id"] == number
    layer.gate.set()


class Publisher:
    """Records the groups that other processes would be woken through."""

    def __init__(self) -> None:
        self.groups: list[str] = []

    def of_this_process(self) -> "Publisher":
        return self

    def wake(self, groups: Collection[str]) -> None:
        self.groups += sorted(groups)


@pytest.fixture
def publisher(monkeypatch: pytest.MonkeyPatch) -> Publisher:
    sends = Publisher()
    monkeypatch.setattr(wakeup, "between_processes", lambda: True)
    monkeypatch.setattr(wakeup, "_RedisPublisher", sends)
    return sends


def test_what_is_for_one_person_wakes_that_person_alone(publisher: Publisher) -> None:
    change_permissions(7)
    assert publisher.groups == ["live.7"]


def test_what_is_for_several_people_wakes_each_of_them_once(publisher: Publisher) -> None:
    changed = [outbox.Personal(PermissionsChanged(data=UserData(id=id)), id) for id in (7, 8, 7)]
    with transaction.atomic():
        outbox.publish_all(changed, by=SOMEBODY)
    assert publisher.groups == ["live.7", "live.8"]


def test_what_is_also_for_everybody_wakes_every_hub(publisher: Publisher) -> None:
    changed = outbox.Personal(PermissionsChanged(data=UserData(id=7)), 7)
    with transaction.atomic():
        outbox.publish_all([changed, line_moved()], by=SOMEBODY)
    outbox.renew_epoch()
    assert publisher.groups == [wakeup.GROUP, wakeup.GROUP]


async def test_a_wake_up_of_a_person_has_no_content(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, dict[str, Any]]] = []

    class Layer:
        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            sent.append((group, message))

    monkeypatch.setattr(wakeup, "get_channel_layer", Layer)
    await wakeup._wake("live.7")
    assert sent == [("live.7", {"type": "live.news"})]
