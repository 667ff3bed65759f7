"""Whether this process lives, and whether it can do its work (contract, section 1)."""

import logging
import tempfile

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse

log = logging.getLogger(__name__)


def live(request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "ok", "version": settings.VERSION})


def ready(request: HttpRequest) -> JsonResponse:
    """Database, channel layer and storage answer: 200, or 503 with what does not.

    The channel layer wakes screens early and is not needed for the truth: without it the answer stays 200.
    """
    parts = {"database": _database(), "channelLayer": _channel_layer(), "storage": _storage()}
    ok = parts["database"] and parts["storage"]
    return JsonResponse({"status": "ok" if ok else "unavailable", **parts}, status=200 if ok else 503)


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone() == (1,)
    except Error as error:
        log.warning("not ready: database: %s", error)
        return False


def _channel_layer() -> bool:
    try:
        layer = get_channel_layer()
        async_to_sync(layer.group_send)("health", {"type": "health.check"})
    except Exception as error:  # whatever its driver raises, the layer does not answer
        log.warning("channel layer does not answer: %s", error)
        return False
    return True


def _storage() -> bool:
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR):
            return True
    except OSError as error:
        log.warning("not ready: storage: %s", error)
        return False
