"""Wakes the hubs when there are new events, and carries presence between processes.

A lost wake-up delays events by a second. A hub of this process is woken directly. Hubs of other processes are woken
through the channel layer by a separate thread, so that a slow or dead Redis never delays or fails the request that
made the change.
"""

import asyncio
import logging
import os
import threading
import uuid
from collections.abc import Callable
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer

GROUP = "live"
MESSAGE = "live.wake"
PRESENCE = "live.presence"
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


def wake() -> None:
    """Wake every hub. Returns at once, and does not raise if the channel layer is down."""
    for wake_hub in tuple(_hubs):
        wake_hub()
    if between_processes():
        _RedisPublisher.of_this_process().wake()


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
                await _send()
            except Exception as error:
                logger.debug("live wake-ups are still lost: %s", error)


async def publish_presence(people: dict[str, Any]) -> None:
    """Send viewers to the other processes. Does not raise: a lost message is sent again in a few seconds."""
    try:
        await _send({"type": PRESENCE, **people})
    except Exception as error:
        _redis.lost(error)


async def _send(message: dict[str, Any] | None = None) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await get_channel_layer().group_send(GROUP, message or {"type": MESSAGE, "origin": ORIGIN})


class _RedisPublisher:
    """The thread that sends this process's wake-ups. Wake-ups that come while it sends are merged into one."""

    _lock = threading.Lock()
    _current: "_RedisPublisher | None" = None

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._something_new = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._send_forever()), name="live-wakeup", daemon=True).start()

    @classmethod
    def of_this_process(cls) -> "_RedisPublisher":
        with cls._lock:
            if cls._current is None or cls._current.pid != os.getpid():  # threads do not survive a fork
                cls._current = cls()
            return cls._current

    def wake(self) -> None:
        self._something_new.set()

    async def _send_forever(self) -> None:
        while True:
            # Nothing else runs on this loop, so it may block.
            self._something_new.wait()
            self._something_new.clear()
            try:
                await _send()
            except Exception as error:
                _redis.lost(error)
            else:
                _redis.works()
