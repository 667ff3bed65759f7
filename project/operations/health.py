"""The health probes: whether this process lives, and whether it can do its work."""

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
"""A part that has not answered after this counts as not working."""
FRESH_SECONDS = 1.0
"""How long an answer is reused, so that many probes cost the parts no more than one."""

log = logging.getLogger(__name__)


class Part:
    """One thing that the process needs. Its check may hang, so it runs in its own thread, one at a time."""

    def __init__(self, name: str, check: Callable[[], bool]) -> None:
        self.name = name
        self._check = check
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix=f"health-{name}")
        self._asked: Future[bool] | None = None
        self._asked_at = 0.0

    def ask(self) -> "Future[bool]":
        """Return the running check, or a check that began within `FRESH_SECONDS`; else start a new check."""
        with self._lock:
            now = time.monotonic()
            if self._asked is None or (self._asked.done() and now - self._asked_at >= FRESH_SECONDS):
                self._asked, self._asked_at = self._threads.submit(self._answers), now
            return self._asked

    def _answers(self) -> bool:
        try:
            return self._check()
        except Exception as error:  # each driver raises its own types
            log.warning("not ready: %s: %s", self.name, error)
            return False
        finally:
            connection.close()


def live(request: HttpRequest) -> JsonResponse:
    """Answer 200: the process lives."""
    return JsonResponse({"status": "ok", "version": settings.VERSION})


def ready(request: HttpRequest) -> JsonResponse:
    """Answer 200 if database and storage answer within 1.5 seconds, else 503. The body names the state of each part.

    The body also names the channel layer. The layer only wakes screens earlier, so without it the status stays 200.
    """
    asked = {part.name: part.ask() for part in PARTS}
    wait_for(asked.values(), ANSWER_SECONDS)
    parts = {name: answer.done() and answer.result() for name, answer in asked.items()}
    ok = parts["database"] and parts["storage"]
    return JsonResponse({"status": "ok" if ok else "unavailable", **parts}, status=200 if ok else 503)


def database() -> bool:
    """Return True if the database answers. Raises a database error if it does not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def channel_layer() -> bool:
    """Return True if Redis, or the layer in memory, takes a message. Raises an exception if it does not."""
    async_to_sync(_send)()
    return True


async def _send() -> None:
    async with asyncio.timeout(ANSWER_SECONDS):
        await get_channel_layer().group_send("health", {"type": "health.check"})


def storage() -> bool:
    """Return True if DATA_DIR takes a file (a full disk does not) and the pictures' bucket, if there is one, answers.

    Raises an exception if not.
    """
    with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
        file.write(bytes(4_096))
        file.flush()
        os.fsync(file.fileno())
    if not isinstance(default_storage, FileSystemStorage):
        default_storage.exists("health")
    return True


PARTS = (Part("database", database), Part("channelLayer", channel_layer), Part("storage", storage))
