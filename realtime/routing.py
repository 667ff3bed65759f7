"""Routes live sockets to their consumer."""

from typing import Any

from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from realtime.consumer import LiveConsumer
from realtime.origins import SiteOriginValidator
from realtime.sockets import AsgiServer, LiveServer


def live_sockets(server: LiveServer | None = None) -> Any:
    """ASGI application for `websocket` scopes: live events at /ws/events. Answers 403 at any other path."""
    routed = URLRouter(
        [
            path("ws/events", LiveConsumer.as_asgi(server=server or AsgiServer())),
            re_path("", WebsocketDenier.as_asgi()),
        ]
    )
    validated = SiteOriginValidator(routed)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope.get("root_path"):
            # A client names it to daphne in a header, and Channels fails if the path lies outside of it.
            scope = {**scope, "root_path": ""}
        await validated(scope, receive, send)

    return application
