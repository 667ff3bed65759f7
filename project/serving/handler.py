"""Django behind ASGI: a request is answered in one visit to one thread, which later requests use again (decision 23).

What was begun ends with its answer, whoever left meanwhile: a thread cannot be stopped, and its write still happens.
Files and prints, which nobody will ever see, ask `requests.caller` and end by themselves.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from asgiref.sync import sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.urls import set_script_prefix

from project.core.queries import give_connection_back
from project.core.requests import Caller, answering

MOST_THREADS = 1_000
"""No limit that is ever met: of those who wait for the database or for a print all but some hundred are refused."""


class OneThreadHandler(ASGIHandler):
    """Django's own handler starts a thread for each request, and goes there and back four times."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="request")

    def load_middleware(self, is_async: bool = False) -> None:
        """As behind WSGI: middleware and views are plain functions, and call each other."""
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        caller = Caller()
        leaving = asyncio.create_task(_leave(caller, receive))
        try:
            with answering(caller):
                loop, context = asyncio.get_running_loop(), copy_context()
                response = await loop.run_in_executor(self._threads, context.run, self._answer, scope, body)
                await self._send(response, send)
        finally:
            leaving.cancel()

    def _answer(self, scope: Any, body: Any) -> Any:
        """The answer, and with it all is done that a request needs a thread for, unless it is still to be streamed."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, refused = self.create_request(scope, body)
        response: Any = refused if request is None else self.get_response(request)
        response._handler_class = self.__class__
        if response.streaming:
            give_connection_back()
        else:
            response.close()
        return response

    async def _send(self, response: Any, send: Any) -> None:
        try:
            await self.send_response(response, send)
        finally:
            if response.streaming:
                await sync_to_async(response.close)()


async def _leave(caller: Caller, receive: Any) -> None:
    """The body has come in whole: of what comes then, only his leaving is of interest."""
    while (await receive())["type"] != "http.disconnect":
        pass
    caller.leave()
