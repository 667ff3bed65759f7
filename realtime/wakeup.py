"""Tells the hubs that there is something new. A wake-up is never the truth: a lost one costs a second.

A hub of this process is woken directly; those of other processes through the channel layer, by a thread of
its own, so that a slow or dead Redis can never hold up or fail the request that made the change.
"""

import asyncio
import logging
import os
import threading
import uuid
from collections.abc import Callable

from channels.layers import InMemoryChannelLayer, get_channel_layer

GROUP = "live"
MESSAGE = "live.wake"
ORIGIN = uuid.uuid4().hex
"""This process, so that its hub need not look again for its own wake-up."""
SEND_SECONDS = 2.0
RETRY_SECONDS = 1.0

logger = logging.getLogger(__name__)
_hubs: set[Callable[[], None]] = set()


def wake() -> None:
    """Wake every hub. Returns at once and never raises for a layer that is down."""
    for wake_hub in tuple(_hubs):
        wake_hub()
    if between_processes():
        _Herald.of_this_process().poke()


def between_processes() -> bool:
    """Whether the channel layer reaches other processes."""
    return not isinstance(get_channel_layer(), InMemoryChannelLayer | None)


def register(wake_hub: Callable[[], None]) -> None:
    """Have `wake_hub`, callable from any thread, called at each wake-up in this process."""
    _hubs.add(wake_hub)


def unregister(wake_hub: Callable[[], None]) -> None:
    _hubs.discard(wake_hub)


async def listen(wake_hub: Callable[[], None]) -> None:
    """Call `wake_hub` at each wake-up of another process, until cancelled. Survives a dead layer."""
    while True:
        layer = get_channel_layer()
        try:
            channel = await layer.new_channel()
            await layer.group_add(GROUP, channel)
            while True:
                message = await layer.receive(channel)
                if message.get("origin") != ORIGIN:
                    wake_hub()
        except Exception as error:
            logger.warning("live wake-ups are not heard, the hub looks by itself meanwhile: %s", error)
            await asyncio.sleep(RETRY_SECONDS)


class _Herald:
    """The thread that sends this process's wake-ups; many at once become one."""

    _lock = threading.Lock()
    _current: "_Herald | None" = None

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._something_new = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._send_forever()), name="live-wakeup", daemon=True).start()

    @classmethod
    def of_this_process(cls) -> "_Herald":
        with cls._lock:
            if cls._current is None or cls._current.pid != os.getpid():  # a fork takes no thread along
                cls._current = cls()
            return cls._current

    def poke(self) -> None:
        self._something_new.set()

    async def _send_forever(self) -> None:
        heard = True
        while True:
            # Nothing else lives on this loop, so it may wait like a thread.
            self._something_new.wait()
            self._something_new.clear()
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await get_channel_layer().group_send(GROUP, {"type": MESSAGE, "origin": ORIGIN})
                heard = True
            except Exception as error:
                if heard:
                    logger.warning("live wake-ups are not sent, hubs look by themselves meanwhile: %s", error)
                heard = False
