"""Wakes the hubs when there are new events, and carries presence between processes.

A lost wake-up delays events by a second. A hub of this process is woken directly. Other processes are woken through
groups of the channel layer: by what is for everybody all hubs are, by what is for one person only that person's
consumers. A separate thread sends to the groups, so that a slow or dead Redis never delays or fails the request that
made the change.
"""

import asyncio
import logging
import os
import threading
import uuid
from collections.abc import Awaitable, Callable, Collection
from queue import SimpleQueue
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer

GROUP = "live"
MESSAGE = "live.wake"
PRESENCE = "live.presence"
NEWS = "live.news"
"""The message to a person's consumers, which Channels hands to `LiveConsumer.live_news`."""
ORIGIN = uuid.uuid4().hex
"""The id of this process, so that its hub ignores its own wake-ups."""
SEND_SECONDS = 2.0
RETRY_SECONDS = 1.0

logger = logging.getLogger(__name__)
_hubs: set[Callable[[], None]] = set()


class RedisStatus(logging.Filter):
    """Knows whether the channel layer carries wake-ups. Logs once when it fails, and once when it works again.

    As a logging filter it replaces the traceback that the channel layer logs each second while Redis is down.
    """

    def __init__(self) -> None:
        super().__init__()
        self.down = False

    def filter(self, record: logging.LogRecord) -> bool:
        self.lost(record.exc_info[1] if record.exc_info else record.getMessage())
        return False

    def lost(self, reason: object) -> None:
        if not self.down:
            self.down = True
            logger.warning("live wake-ups between processes are lost, hubs look by themselves meanwhile: %s", reason)

    def works(self) -> None:
        if self.down:
            self.down = False
            logger.warning("live wake-ups between processes are back")


_redis = RedisStatus()
logging.getLogger("channels_redis.pubsub").addFilter(_redis)


def wake(only: Collection[int] | None = None) -> None:
    """Wake the hubs of this process, and in other processes all hubs, or only the consumers of the users `only`.

    Returns at once, and does not raise if the channel layer is down.
    """
    for wake_hub in tuple(_hubs):
        wake_hub()
    if between_processes():
        groups = [GROUP] if only is None else [group_of(user_id) for user_id in only]
        _RedisPublisher.of_this_process().wake(groups)


def group_of(user_id: int) -> str:
    """The group of this user's consumers, in all processes."""
    return f"{GROUP}.{user_id}"


async def join_group_of(user_id: int, channel: str) -> None:
    """Let events for this user wake the consumer with this channel. Does not raise, and waits 2 s at most.

    A consumer that could not join still gets its events, because its hub polls.
    """
    await _or_lost(get_channel_layer().group_add(group_of(user_id), channel))


async def leave_group_of(user_id: int, channel: str) -> None:
    """Stop waking the consumer with this channel for this user. Does not raise, and waits 2 s at most."""
    await _or_lost(get_channel_layer().group_discard(group_of(user_id), channel))


async def _or_lost(work: Awaitable[None]) -> None:
    try:
        async with asyncio.timeout(SEND_SECONDS):
            await work
    except Exception as error:
        _redis.lost(error)


def between_processes() -> bool:
    """Whether the channel layer reaches other processes."""
    return not isinstance(get_channel_layer(), InMemoryChannelLayer | None)


def register(wake_hub: Callable[[], None]) -> None:
    """Call `wake_hub` at each wake-up in this process, from any thread."""
    _hubs.add(wake_hub)


def unregister(wake_hub: Callable[[], None]) -> None:
    _hubs.discard(wake_hub)


async def listen(wake_hub: Callable[[], None], on_presence: Callable[[dict[str, Any]], None]) -> None:
    """Call `wake_hub` at each wake-up from another process, and `on_presence` with each presence message.

    Runs until it is cancelled. Tries again after RETRY_SECONDS if the channel layer fails.
    """
    probing = asyncio.create_task(_probe_while_down())
    try:
        while True:
            layer = get_channel_layer()
            try:
                channel = await layer.new_channel()
                await layer.group_add(GROUP, channel)
                while True:
                    message = await layer.receive(channel)
                    _redis.works()
                    if message["type"] == PRESENCE:
                        on_presence(message)
                    elif message.get("origin") != ORIGIN:
                        wake_hub()
            except Exception as error:
                _redis.lost(error)
                await asyncio.sleep(RETRY_SECONDS)
    finally:
        probing.cancel()


async def _probe_while_down() -> None:
    """Send a wake-up each second while the layer is down. Once one arrives, `listen` knows that the layer is back."""
    while True:
        await asyncio.sleep(RETRY_SECONDS)
        if _redis.down:
            try:
                await _wake(GROUP)
            except Exception as error:
                logger.debug("live wake-ups are still lost: %s", error)


async def publish_presence(people: dict[str, Any]) -> None:
    """Send viewers to the other processes. Does not raise: a lost message is sent again in a few seconds."""
    await _or_lost(get_channel_layer().group_send(GROUP, {"type": PRESENCE, **people}))


async def _wake(group: str) -> None:
    """Send a wake-up without content."""
    message = {"type": MESSAGE, "origin": ORIGIN} if group == GROUP else {"type": NEWS}
    async with asyncio.timeout(SEND_SECONDS):
        await get_channel_layer().group_send(group, message)


class _RedisPublisher:
    """The thread that sends this process's wake-ups. Those of one group that come while it sends become one."""

    _lock = threading.Lock()
    _current: "_RedisPublisher | None" = None

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._groups: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=lambda: asyncio.run(self._send_forever()), name="live-wakeup", daemon=True).start()

    @classmethod
    def of_this_process(cls) -> "_RedisPublisher":
        with cls._lock:
            if cls._current is None or cls._current.pid != os.getpid():  # threads do not survive a fork
                cls._current = cls()
            return cls._current

    def wake(self, groups: Collection[str]) -> None:
        for group in groups:
            self._groups.put(group)

    async def _send_forever(self) -> None:
        while True:
            # Nothing else runs on this loop, so it may block.
            groups = {self._groups.get()}
            while not self._groups.empty():
                groups.add(self._groups.get())
            try:
                for group in groups:
                    await _wake(group)
            except Exception as error:
                _redis.lost(error)  # and so are the wake-ups of the groups that follow
            else:
                _redis.works()
