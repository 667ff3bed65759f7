"""Sessions and tickets of users, and sockets that call the application without a server."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from channels.testing import WebsocketCommunicator
from django.db import connections

from project.access import token
from project.access.principal import Principal
from project.identity.models import User
from realtime import tickets
from realtime.routing import live_sockets

HOST = "localhost:8000"
ORIGIN = f"http://{HOST}"


async def in_database[T](work: Callable[[], T]) -> T:
    """Run `work` in a thread, as a request would, and close the database connections of that thread."""

    def and_close() -> T:
        try:
            return work()
        finally:
            connections.close_all()

    return await asyncio.to_thread(and_close)


def session(user: User) -> Principal:
    """Sign `user` in. Return the session."""
    return token.verify(token.issue(user))


def ticket(user: User) -> str:
    return tickets.issue(session(user))


class Client:
    """A WebSocket client that calls the application without a server."""

    def __init__(
        self, query: str, *, origin: str | None = ORIGIN, host: str = HOST, path: str = "/ws/events", root: str = ""
    ) -> None:
        """`root`: the root path that daphne takes from a header of the client."""
        headers = [(b"host", host.encode())]
        if origin is not None:
            headers.append((b"origin", origin.encode()))
        self._wire = WebsocketCommunicator(live_sockets(), f"{path}?{query}", headers=headers)
        self._wire.scope["root_path"] = root

    async def open(self) -> bool:
        """Whether the handshake was accepted."""
        accepted, _ = await self._wire.connect(timeout=5)
        return accepted

    async def frame(self) -> dict[str, Any]:
        """The next frame. Raises AssertionError if the socket is closed first."""
        message = await self._wire.receive_output(timeout=5)
        assert message["type"] == "websocket.send", message
        frame: dict[str, Any] = json.loads(message["text"])
        return frame

    async def frames(self, count: int) -> list[dict[str, Any]]:
        return [await self.frame() for _ in range(count)]

    async def closed(self) -> int:
        """The close code. Raises AssertionError if a frame comes first."""
        message = await self._wire.receive_output(timeout=5)
        assert message["type"] == "websocket.close", message
        code: int = message["code"]
        return code

    async def outcome(self) -> str | int:
        """The type of the next frame, or the close code."""
        message = await self._wire.receive_output(timeout=5)
        outcome: str | int = (
            message["code"] if message["type"] == "websocket.close" else json.loads(message["text"])["type"]
        )
        return outcome

    async def silent(self) -> bool:
        return await self._wire.receive_nothing(timeout=0.3)

    async def say(self, text: str) -> None:
        await self._wire.send_input({"type": "websocket.receive", "text": text})

    def cut(self) -> None:
        """Cancel the application, as a server does with one that does not end."""
        self._wire.stop(exceptions=False)

    async def leave(self) -> None:
        await self._wire.disconnect()
