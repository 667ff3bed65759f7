"""The ASGI application: live sockets, the built client with its headers, and Django behind it."""

import os
import secrets

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

import django
from django.conf import settings

django.setup(set_prefix=False)

# Django is set up by now, and only now may its applications be imported.
from project.core import database  # noqa: E402
from project.core.logs import current_request_id  # noqa: E402
from project.serving.body_limits import bounded_bodies, hand_bodies_on  # noqa: E402
from project.serving.connections import bound_connections  # noqa: E402
from project.serving.draining import Draining  # noqa: E402
from project.serving.handler import OneThreadHandler  # noqa: E402
from project.serving.static_client import built_client  # noqa: E402
from realtime.routing import websocket  # noqa: E402
from realtime.serving import tune_gc  # noqa: E402

_draining = Draining()
_http = _draining.counted(built_client(bounded_bodies(OneThreadHandler())))
hand_bodies_on(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
bound_connections()
_draining.begin_at_sigterm()
database.watch()


async def application(scope, receive, send):  # type: ignore[no-untyped-def]
    """Sends each connection to the part that answers it."""
    if scope["type"] == "websocket":
        current_request_id.set(secrets.token_hex(8))  # each connection has a context of its own
        await websocket(scope, receive, send)
    else:
        await _http(scope, receive, send)


tune_gc()
