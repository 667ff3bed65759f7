"""GET /ws/events?ticket=&since=&epoch=: check the ticket, open the socket, then listen until it closes."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.http.request import validate_host

from realtime import sockets, tickets
from realtime.application import Principal
from realtime.hub import Hub
from realtime.sockets import AsgiServer, LiveServer, Reason, Send

PATH = "/ws/events"
SOCKETS_OF_USER = 20
"""The most sockets of one user in one process."""
DATABASE_SECONDS = 10.0
MESSAGE_CHARACTERS = 4_096
MESSAGES_PER_MINUTE = 60
"""A client sends only what its user views. Other messages are ignored, but they count."""
PORTS = {"http": 80, "https": 443}

Scope = dict[str, Any]
Headers = dict[bytes, bytes]
Receive = Callable[[], Awaitable[dict[str, Any]]]

logger = logging.getLogger(__name__)
_ASGI = AsgiServer()


class Place(NamedTuple):
    """Where a client left off, and the newest event that the hub knew before the client's rights were read."""

    since: int | None
    epoch: str | None
    rights_as_of: int


async def websocket(scope: Scope, receive: Receive, send: Send, *, server: LiveServer = _ASGI) -> None:
    """ASGI application for `websocket` scopes: serves live events at PATH.

    Answers 403 at any other path, and to pages of another origin.
    """
    await receive()  # websocket.connect
    if scope["path"] == PATH and origin_allowed(dict(scope["headers"])):
        await _Connection(receive, send, server).run(scope)
    else:
        await send({"type": "websocket.close"})  # before the accept, this answers 403


class _Connection:
    """One WebSocket connection and the server below it."""

    def __init__(self, receive: Receive, send: Send, server: LiveServer) -> None:
        self._receive, self._send, self._server = receive, send, server
        self._hub = Hub.here()

    async def run(self, scope: Scope) -> None:
        query = parse_qs(scope["query_string"].decode("ascii", "replace"), keep_blank_values=True)
        place = Place(_since(query), _one(query, "epoch"), self._hub.newest)
        ticket = tickets.read(_one(query, "ticket") or "")
        if ticket is None:
            await self._refuse(sockets.SESSION_OVER)
            return
        with self._hub.opening(ticket.user_id) as others:
            if others >= SOCKETS_OF_USER:
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

    async def _serve(self, principal: Principal, place: Place) -> None:
        await self._send({"type": "websocket.accept"})
        socket = self._server.socket(principal, self._hub.drained, self._send)
        if socket is None:
            return  # the client left while its ticket was looked up
        try:
            self._hub.join(socket, since=place.since, epoch=place.epoch, rights_as_of=place.rights_as_of)
            await self._listen(socket)
        finally:
            self._hub.leave(socket)
            socket.stop()

    async def _listen(self, socket: sockets.LiveSocket) -> None:
        """Take the client's messages until it disconnects. Close the socket if it sends too many or too long ones."""
        minute, said = time.monotonic(), 0
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text") or ""
            if len(text or message.get("bytes") or "") > MESSAGE_CHARACTERS:
                self._hub.end(socket, sockets.TOO_BIG)
            said += 1
            if said > MESSAGES_PER_MINUTE:
                if time.monotonic() - minute < 60:
                    self._hub.end(socket, sockets.TOO_TALKATIVE)
                minute, said = time.monotonic(), 0
            self._hub.take_message(socket, text)

    async def _refuse(self, reason: Reason) -> None:
        """Accept, then close with `reason`: only an open socket can receive a code. Return once the client has gone."""
        await self._send({"type": "websocket.accept"})
        await self._server.close(self._send, reason)
        while (await self._receive())["type"] != "websocket.disconnect":
            pass


def origin_allowed(headers: Headers) -> bool:
    """Whether the Origin of a handshake is the site's own or one of LIVE_ORIGINS.

    Not allowed: no origin, `null`, another host or port, and an http page if the site is served by https.
    """
    origin = headers.get(b"origin", b"").decode("latin1").lower()
    if origin in settings.LIVE_ORIGINS:
        return True
    try:
        asked = urlsplit(origin)
        port = asked.port
    except ValueError:
        return False
    if asked.scheme not in PORTS or not asked.hostname or "@" in asked.netloc:
        return False
    if origin != f"{asked.scheme}://{asked.netloc}":
        return False
    if asked.scheme == "http" and _served_by_https(headers):
        return False
    return (asked.hostname, port or PORTS[asked.scheme]) == _own_host(headers, asked.scheme)


def _served_by_https(headers: Headers) -> bool:
    if settings.HTTPS:
        return True
    return bool(settings.TRUSTED_PROXIES) and headers.get(b"x-forwarded-proto") == b"https"


def _own_host(headers: Headers, scheme: str) -> tuple[str, int] | None:
    """The host and port that the client asked for. None if the host is not in ALLOWED_HOSTS."""
    host = headers.get(b"host", b"")
    if settings.TRUSTED_PROXIES:
        host = headers.get(b"x-forwarded-host", host)
    try:
        own = urlsplit(f"//{host.decode('latin1').lower()}")
        port = own.port
    except ValueError:
        return None
    name = own.hostname or ""
    if not validate_host(f"[{name}]" if ":" in name else name, settings.ALLOWED_HOSTS):
        return None
    return name, port or PORTS[scheme]


def _one(query: dict[str, list[str]], name: str) -> str | None:
    return query.get(name, [None])[-1]


def _since(query: dict[str, list[str]]) -> int | None:
    """The last id that the client saw, or None. -1 if the value is not an id: the client then gets a reset."""
    given = _one(query, "since")
    if given is None:
        return None
    return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else -1
