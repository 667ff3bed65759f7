"""The ASGI application: live sockets by Channels, the built client with its headers, and Django behind it."""

import gc
import os
import secrets
from dataclasses import replace

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")

import django

django.setup(set_prefix=False)

# Import Django applications only after `django.setup()`.
from channels.routing import ProtocolTypeRouter  # noqa: E402

from project.core import database  # noqa: E402
from project.core.logs import current_request_id  # noqa: E402
from project.serving.body_limits import bounded_bodies  # noqa: E402
from project.serving.daphne_http import bound_connections  # noqa: E402
from project.serving.daphne_sockets import DaphneServer  # noqa: E402
from project.serving.handler import OneThreadHandler  # noqa: E402
from project.serving.shutdown import Shutdown  # noqa: E402
from project.serving.static_client import built_client  # noqa: E402
from realtime import application as live  # noqa: E402
from realtime.routing import live_sockets  # noqa: E402

_client, _live = built_client(bounded_bodies(OneThreadHandler())), live_sockets(DaphneServer())
_shutdown = Shutdown()
_shutdown.begin_at_sigterm()
bound_connections()
live.configure(replace(live.application(), calls_wait=_shutdown.calls_wait))
database.watch()


async def _http(scope, receive, send):  # type: ignore[no-untyped-def]
    """The client's static files, and Django behind them."""
    with _shutdown.answer():
        await _client(scope, receive, send)


def _websocket(scope, receive, send):  # type: ignore[no-untyped-def]
    current_request_id.set(secrets.token_hex(8))  # each connection runs in its own context
    return _live(scope, receive, send)


application = ProtocolTypeRouter({"http": _http, "websocket": _websocket})

# Exclude everything loaded so far from garbage collection: a full collection over it takes longer than a thousand
# event deliveries.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 100)
