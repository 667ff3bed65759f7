"""Reads the rights of the person behind a socket again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from realtime.application import Principal, application
from realtime.sockets import LiveSocket

RETRY_SECONDS = 1.0

logger = logging.getLogger(__name__)


async def rights_of_now(
    socket: LiveSocket, *, is_here: Callable[[], bool], ask: Callable[[Callable[[], Any]], Awaitable[Any]]
) -> Principal | None:
    """The person behind `socket` with his present rights; None once his session is over.

    They are read until no change has come meanwhile. A database that does not answer is asked again for as long as the
    socket is here.
    """
    found: Principal | None = socket.principal
    while found is not None and socket.stale and is_here():
        socket.stale = False
        try:
            found = await ask(partial(_as_of_now, found))
        except Exception as error:
            logger.warning("rights cannot be read, trying on: %s", error)
            socket.stale = True
            await asyncio.sleep(RETRY_SECONDS)
    return found


def _as_of_now(principal: Principal) -> Principal | None:
    """The same person with the rights of this moment, None once his session is over."""
    return application().current_principal(
        user_id=principal.user_id,
        jti=principal.jti,
        expires_at=principal.expires_at,
        version=principal.token_version,
    )
