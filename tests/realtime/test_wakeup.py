"""A channel layer that goes down is logged once, and once more when it is back."""

import asyncio
import logging
from typing import Any

import pytest

from realtime import wakeup

DRIVER = logging.getLogger("channels_redis.pubsub")


class FakeLayer:
    """A channel layer of one process. `away`: its server is down. `listening`: how often it was read."""

    def __init__(self) -> None:
        self.away = False
        self.listening = 0
        self.listened_to = asyncio.Condition()
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def new_channel(self) -> str:
        return "own"

    async def group_add(self, group: str, channel: str) -> None:
        if self.away:
            raise ConnectionError("nobody there")

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if self.away:
            raise ConnectionError("nobody there")
        self._messages.put_nowait(message)

    async def receive(self, channel: str) -> dict[str, Any]:
        async with self.listened_to:
            self.listening += 1
            self.listened_to.notify_all()
        return await self._messages.get()

    async def until_listened_to(self, times: int) -> None:
        async with asyncio.timeout(5), self.listened_to:
            await self.listened_to.wait_for(lambda: self.listening >= times)


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> FakeLayer:
    fake = FakeLayer()
    monkeypatch.setattr(wakeup, "get_channel_layer", lambda: fake)
    monkeypatch.setattr(wakeup, "RETRY_SECONDS", 0.001)
    monkeypatch.setattr(wakeup._redis, "down", False)  # an earlier test may have ended while its server was away
    return fake


def nothing(message: dict[str, Any]) -> None:
    """Ignore presence messages."""


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Each warning or error in the log: "back" or "lost". None may have a traceback."""
    lines = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert not any(record.exc_info for record in lines)
    return ["back" if "back" in record.getMessage() else "lost" for record in lines]


def a_traceback() -> None:
    """Log what the driver logs each second while its server is down."""
    try:
        raise ConnectionError("nobody there")
    except ConnectionError:
        DRIVER.exception("Unexpected exception in receive task")


async def test_repeated_tracebacks_of_the_driver_become_one_line_and_one_when_redis_is_back(
    layer: FakeLayer, caplog: pytest.LogCaptureFixture
) -> None:
    listening = asyncio.create_task(wakeup.listen(lambda: None, nothing))
    await layer.until_listened_to(1)
    for _ in range(2):
        layer.away = True
        for _ in range(10):
            a_traceback()
        layer.away = False
        # No event is sent: only the probe of this process can tell that the layer is back.
        async with asyncio.timeout(5):
            while wakeup._redis.down:
                await asyncio.sleep(0)
    listening.cancel()
    assert said(caplog) == ["lost", "back"] * 2


async def test_a_layer_that_is_down_from_the_start_is_logged_once(
    layer: FakeLayer, caplog: pytest.LogCaptureFixture
) -> None:
    layer.away = True
    heard = asyncio.Event()
    listening = asyncio.create_task(wakeup.listen(heard.set, nothing))
    for _ in range(50):
        await asyncio.sleep(0)
    layer.away = False
    await layer.until_listened_to(1)
    await layer.group_send(wakeup.GROUP, {"type": wakeup.MESSAGE, "origin": "another"})
    await asyncio.wait_for(heard.wait(), 5)
    listening.cancel()
    assert said(caplog) == ["lost", "back"]
