"""GET /ws/events?ticket=&since=&epoch=: lets a socket in, then listens for its end.

See infra/docs/rules.md#live-events.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from daphne.ws_protocol import WebSocketProtocol

from realtime import closing, origins, tickets
from realtime.application import Principal
from realtime.closing import Reason
from realtime.hub import Hub
from realtime.seats import Seat
from realtime.serving import close_on_shutdown
from realtime.sockets import AsgiSocket, DaphneSocket, LiveSocket, Send, daphne_protocol

DATABASE_SECONDS = 10.0
MESSAGE_CHARACTERS = 4_096
MESSAGES_PER_MINUTE = 60
"""A client only says what its person views; every other message is ignored."""

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]

logger = logging.getLogger(__name__)


class Place(NamedTuple):
    """Where a client left off, and the newest event that the hub knew before the client's rights were read."""

    since: int | None
    epoch: str | None
    rights_as_of: int


async def events(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application of one socket."""
    await receive()  # websocket.connect
    if not origins.allowed(dict(scope["headers"])):
        await send({"type": "websocket.close"})  # not accepted yet: 403
        return
    query = parse_qs(scope["query_string"].decode("ascii", "replace"), keep_blank_values=True)
    hub = Hub.here()
    rights_as_of = hub.newest
    since = _since(query)
    ticket = tickets.read(_one(query, "ticket") or "")
    if ticket is None:
        await _refuse(receive, send, closing.SESSION_OVER)
        return
    seat: Seat | None = None
    try:
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                principal, seat = await hub.seats.take(ticket.id, ticket.principal)
                if seat is not None:
                    await hub.catch_up(since)
        except Exception as error:
            logger.warning("a live socket could not be let in: %s", error)
            await _refuse(receive, send, closing.TRY_AGAIN_LATER)
            return
        if principal is None or seat is None:
            await _refuse(receive, send, closing.SESSION_OVER if principal is None else closing.TOO_MANY_SOCKETS)
            return
        await _serve(receive, send, hub, principal, Place(since, _one(query, "epoch"), rights_as_of))
    finally:
        if seat is not None:
            hub.seats.vacate(seat)


async def _serve(receive: Receive, send: Send, hub: Hub, principal: Principal, place: Place) -> None:
    await send({"type": "websocket.accept"})
    protocol = daphne_protocol(send)
    socket: LiveSocket
    if protocol is not None and protocol.state != WebSocketProtocol.STATE_OPEN:
        return  # it went away while its ticket was looked up
    if protocol is not None:
        close_on_shutdown(hub)
        socket = DaphneSocket(principal, hub.drained, protocol)
    else:
        socket = AsgiSocket(principal, hub.drained, send)
    try:
        hub.join(socket, since=place.since, epoch=place.epoch, rights_as_of=place.rights_as_of)
        await _listen(receive, hub, socket)
    finally:
        hub.leave(socket)
        socket.stop()


async def _listen(receive: Receive, hub: Hub, socket: LiveSocket) -> None:
    """Take the client's messages until it goes; close it if it sends too many."""
    minute, said = time.monotonic(), 0
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        text = message.get("text") or ""
        if len(text or message.get("bytes") or "") > MESSAGE_CHARACTERS:
            hub.end(socket, closing.TOO_BIG)
        said += 1
        if said > MESSAGES_PER_MINUTE:
            if time.monotonic() - minute < 60:
                hub.end(socket, closing.TOO_TALKATIVE)
            minute, said = time.monotonic(), 0
        hub.take_message(socket, text)


async def _refuse(receive: Receive, send: Send, reason: Reason) -> None:
    """Accept and close, since only an open socket can be sent a code; then wait until it has gone."""
    await send({"type": "websocket.accept"})
    await _close(send, reason)
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def _close(send: Send, reason: Reason) -> None:
    protocol = daphne_protocol(send)
    if protocol is not None:  # daphne passes on no code below 3000, and no reason
        protocol.sendCloseFrame(code=reason.code, reasonUtf8=reason.text.encode())
    else:
        await send({"type": "websocket.close", "code": reason.code, "reason": reason.text})


def _one(query: dict[str, list[str]], name: str) -> str | None:
    return query.get(name, [None])[-1]


def _since(query: dict[str, list[str]]) -> int | None:
    """The id last seen; one that is no id (-1) can only be answered with a reset."""
    given = _one(query, "since")
    if given is None:
        return None
    return int(given) if given.isascii() and given.isdigit() and len(given) < 19 else -1
