"""The ASGI application: live sockets, the built client with its headers, and Django behind it."""

import gc
import os
import secrets
from dataclasses import replace

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

import django

django.setup(set_prefix=False)

# Import Django applications only after `django.setup()`.
from project.core import database  # noqa: E402
from project.core.logs import current_request_id  # noqa: E402
from project.serving.body_limits import bounded_bodies  # noqa: E402
from project.serving.daphne_http import bound_connections  # noqa: E402
from project.serving.daphne_sockets import DaphneServer  # noqa: E402
from project.serving.handler import OneThreadHandler  # noqa: E402
from project.serving.shutdown import Shutdown  # noqa: E402
from project.serving.static_client import built_client  # noqa: E402
from realtime import application as live  # noqa: E402
from realtime.connection import websocket  # noqa: E402

_http, _sockets = built_client(bounded_bodies(OneThreadHandler())), DaphneServer()
_shutdown = Shutdown()
_shutdown.begin_at_sigterm()
bound_connections()
live.configure(replace(live.application(), calls_wait=_shutdown.calls_wait))
database.watch()


async def application(scope, receive, send):  # type: ignore[no-untyped-def]
    """Send a connection to the live sockets, or to HTTP with the client's static files in front of Django."""
    if scope["type"] == "websocket":
        current_request_id.set(secrets.token_hex(8))  # each connection runs in its own context
        await websocket(scope, receive, send, server=_sockets)
    else:
        with _shutdown.answer():
            await _http(scope, receive, send)


# Exclude everything loaded so far from garbage collection: a full collection over it takes longer than a thousand
# event deliveries.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 100)
