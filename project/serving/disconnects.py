"""Finishes a request whose caller has left: what was begun ends with its answer, and gives back what it took."""

import asyncio
from typing import Any

from project.core.disconnects import Caller, answering


def finished_regardless(inner: Any) -> Any:
    """An ASGI application: `inner`, which is not told that the caller left once his request has come in whole.

    Django stops answering where it learns of that, but the thread that works for it cannot be stopped: the write still
    happens, and the database connection is not given back. Twenty who left at a bad moment would empty the pool. Files
    and prints, which nobody will ever see, ask `disconnects.caller` and end by themselves.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        whole = False
        caller = Caller()

        async def until_whole() -> Any:
            nonlocal whole
            if whole:
                while (await receive())["type"] != "http.disconnect":
                    pass  # after the whole body nothing else is of interest
                caller.leave()
                await asyncio.Event().wait()  # until Django has answered, and asks no more
            message = await receive()
            whole = message["type"] == "http.request" and not message.get("more_body", False)
            return message

        with answering(caller):
            await inner(scope, until_whole, send)

    return application
