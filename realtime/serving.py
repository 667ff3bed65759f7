"""What the server process needs beside the application: no pauses for garbage collection, and sockets that are closed
as restarting when it stops."""

import asyncio
import gc
import logging
from typing import TYPE_CHECKING

from twisted.internet import defer

from realtime import closing
from realtime.sockets import DaphneSocket

if TYPE_CHECKING:
    from realtime.hub import Hub

GOODBYE_SECONDS = 2.0

logger = logging.getLogger(__name__)
_armed: set[int] = set()


def tune_gc() -> None:
    """Call once the application is loaded: what is there stays, and is never looked through again.

    A full collection over a loaded Django takes longer than a thousand deliveries, right in the tail of the
    times that people wait.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def close_on_shutdown(hub: "Hub") -> None:
    """Have daphne close every socket as restarting (1012) before it goes. Harmless to call again."""
    if id(hub) in _armed:
        return
    _armed.add(id(hub))
    from twisted.internet import reactor

    reactor.addSystemEventTrigger("before", "shutdown", _say_goodbye, hub)  # type: ignore[arg-type]


def _say_goodbye(hub: "Hub") -> "defer.Deferred[None]":
    ended = [socket for socket in hub.end_all(closing.RESTART) if isinstance(socket, DaphneSocket)]
    return defer.Deferred.fromFuture(asyncio.ensure_future(_until_gone(hub, ended)))


async def _until_gone(hub: "Hub", sockets: list[DaphneSocket]) -> None:
    deadline = asyncio.get_running_loop().time() + GOODBYE_SECONDS
    while not all(socket.gone for socket in sockets) and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(0.02)
    try:
        async with asyncio.timeout(GOODBYE_SECONDS):
            await hub.seats.leave()
    except Exception as error:  # they run out by themselves
        logger.warning("live seats could not be given back: %s", error)
