"""The consumer of GET /ws/events: checks the ticket, joins the hub, and passes on what the client says."""

import asyncio
import logging
import time
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from channels.generic.websocket import AsyncWebsocketConsumer

from realtime import sockets, tickets, wakeup
from realtime.application import Principal
from realtime.hub import Hub
from realtime.sockets import LiveServer, LiveSocket, Reason

SOCKETS_OF_USER = 20
"""The most sockets of one user in one process."""
DATABASE_SECONDS = 10.0
MESSAGE_CHARACTERS = 4_096
MESSAGES_PER_MINUTE = 60
"""A client sends only what its user views. Other messages are ignored, but they count."""

logger = logging.getLogger(__name__)


class Place(NamedTuple):
    """Where a client left off, and the newest event that the hub knew before the client's rights were read."""

    since: int | None
    epoch: str | None
    rights_as_of: int


class LiveConsumer(AsyncWebsocketConsumer):
    """One live socket. The hub sends events to it. The group of its user wakes it if there is an event for this user.

    `server`: how frames are written. The hub writes them past the consumer (decision 4).
    """

    def __init__(self, server: LiveServer) -> None:
        super().__init__()
        self._server = server
        self._hub = Hub.here()
        self._socket: LiveSocket | None = None
        self._counted: int | None = None
        self._minute, self._said = time.monotonic(), 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._leave()  # also if the consumer failed or was canceled, when Channels calls no `disconnect`

    async def connect(self) -> None:
        query = parse_qs(self.scope["query_string"].decode("ascii", "replace"), keep_blank_values=True)
        place = Place(_since(query), _one(query, "epoch"), self._hub.newest)
        ticket = tickets.read(_one(query, "ticket") or "")
        if ticket is None:
            await self._refuse(sockets.SESSION_OVER)
            return
        self._counted = ticket.user_id
        if self._hub.count_in(ticket.user_id) >= SOCKETS_OF_USER:
            await self._refuse(sockets.TOO_MANY_SOCKETS)
            return
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                principal = await self._hub.ask(ticket.redeem)
                if principal is not None:
                    await self._hub.catch_up(place.since)
        except Exception as error:
            logger.warning("a live socket could not be let in: %s", error)
            await self._refuse(sockets.TRY_AGAIN_LATER)
            return
        if principal is None:
            await self._refuse(sockets.SESSION_OVER)
        else:
            await self._serve(principal, place)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Pass a message to presence. Close the socket if its client sends too many or too long messages."""
        if self._socket is None:
            return
        if len(text_data or bytes_data or "") > MESSAGE_CHARACTERS:
            self._hub.end(self._socket, sockets.TOO_BIG)
        self._said += 1
        if self._said > MESSAGES_PER_MINUTE:
            if time.monotonic() - self._minute < 60:
                self._hub.end(self._socket, sockets.TOO_TALKATIVE)
            self._minute, self._said = time.monotonic(), 0
        self._hub.take_message(self._socket, text_data or "")

    async def disconnect(self, code: int) -> None:
        await self._leave()

    async def live_news(self, message: dict[str, Any]) -> None:
        """Let the hub poll now, because there is an event for this user. The message has no content (decision 4)."""
        self._hub.look()

    async def _serve(self, principal: Principal, place: Place) -> None:
        await self.accept()
        socket = self._socket = self._server.socket(principal, self._hub.drained, self.base_send)
        if socket is None:
            return  # the client left while its ticket was looked up
        self._hub.join(socket, **place._asdict())
        # Last, because the hub sends everything that happens meanwhile.
        await wakeup.join_group_of(principal.user_id, self.channel_name)

    async def _leave(self) -> None:
        """Forget the socket and leave the person's group. No-op if that was done."""
        counted, self._counted = self._counted, None
        socket, self._socket = self._socket, None
        if counted is not None:
            self._hub.count_out(counted)
        if socket is not None:
            self._hub.leave(socket)
            socket.stop()
            await wakeup.leave_group_of(socket.principal.user_id, self.channel_name)

    async def _refuse(self, reason: Reason) -> None:
        """Accept, then close with `reason`: only an open socket can receive a code."""
        await self.accept()
        await self._server.close(self.base_send, reason)


def _one(query: dict[str, list[str]], name: str) -> str | None:
    return query.get(name, [None])[-1]


def _since(query: dict[str, list[str]]) -> int | None:
    """The last id that the client saw, or None. -1 if the value is not an id: the client then gets a reset."""
    given = _one(query, "since")
    if given is None:
        return None
    return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else -1
