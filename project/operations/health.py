"""Whether this process lives, and whether it can do its work."""

import asyncio
import logging
import os
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait as wait_for

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import connection
from django.http import HttpRequest, JsonResponse

ANSWER_SECONDS = 1.5
"""A part that has not answered after this is ill."""
FRESH_SECONDS = 1.0
"""An answer is anybody's for this long: probing costs the parts the same, however many ask."""

log = logging.getLogger(__name__)


class Part:
    """One thing that the process needs. Its check may hang: there is one at a time, in a thread of its own."""

    def __init__(self, name: str, check: Callable[[], bool]) -> None:
        self.name = name
        self._check = check
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix=f"health-{name}")
        self._asked: Future[bool] | None = None
        self._asked_at = 0.0

    def ask(self) -> "Future[bool]":
        """The check under way, or the last one while that is fresh, or a new one."""
        with self._lock:
            now = time.monotonic()
            if self._asked is None or (self._asked.done() and now - self._asked_at >= FRESH_SECONDS):
                self._asked, self._asked_at = self._threads.submit(self._answers), now
            return self._asked

    def _answers(self) -> bool:
        try:
            return self._check()
        except Exception as error:  # whatever its driver raises, the part does not answer
            log.warning("not ready: %s: %s", self.name, error)
            return False
        finally:
            connection.close()


def live(request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "ok", "version": settings.VERSION})


def ready(request: HttpRequest) -> JsonResponse:
    """Database, channel layer and storage answer within two seconds: 200, or 503 with what does not.

    The channel layer wakes screens early and is not needed for the truth: without it the answer stays 200.
    """
    asked = {part.name: part.ask() for part in PARTS}
    wait_for(asked.values(), ANSWER_SECONDS)
    parts = {name: answer.done() and answer.result() for name, answer in asked.items()}
    ok = parts["database"] and parts["storage"]
    return JsonResponse({"status": "ok" if ok else "unavailable", **parts}, status=200 if ok else 503)


def database() -> bool:
    """The database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def channel_layer() -> bool:
    """Redis, or what stands for it in one process, takes a message."""
    async_to_sync(_send)()
    return True


async def _send() -> None:
    async with asyncio.timeout(ANSWER_SECONDS):
        await get_channel_layer().group_send("health", {"type": "health.check"})


def storage() -> bool:
    """The folder takes a file, and so does what keeps the pictures: a full disk takes none."""
    with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
        file.write(bytes(4_096))
        file.flush()
        os.fsync(file.fileno())
    if not isinstance(default_storage, FileSystemStorage):
        default_storage.exists("health")
    return True


PARTS = (Part("database", database), Part("channelLayer", channel_layer), Part("storage", storage))
