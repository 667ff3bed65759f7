"""The one path that takes WebSockets."""

from realtime.consumer import Receive, Scope, events
from realtime.sockets import Send

PATH = "/ws/events"


async def websocket(scope: Scope, receive: Receive, send: Send) -> None:
    """ASGI application for `websocket` scopes: live events, and nothing anywhere else (403)."""
    if scope["path"] == PATH:
        await events(scope, receive, send)
    else:
        await receive()
        await send({"type": "websocket.close"})
