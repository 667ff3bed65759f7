"""Django behind ASGI: each request runs in one thread of a pool (decision 12).

A request runs to its end even if the caller has left: a thread cannot be stopped, so a write still happens. Files and
prints check `requests.caller`, and stop if the caller has left.
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
"""More threads than are ever needed: some hundred requests may wait for the database or a print, and any more are
refused."""


class OneThreadHandler(ASGIHandler):
    """Runs a request in one thread. Django's own handler starts a thread for each request and enters it four times."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="request")

    def load_middleware(self, is_async: bool = False) -> None:
        """Load middleware and views as plain functions that call each other, as under WSGI."""
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        caller = Caller()
        leaving = asyncio.create_task(_wait_for_disconnect(caller, receive))
        try:
            with answering(caller):
                loop, context = asyncio.get_running_loop(), copy_context()
                response = await loop.run_in_executor(self._threads, context.run, self._answer, scope, body)
                await self._send(response, send)
        finally:
            leaving.cancel()

    def _answer(self, scope: Any, body: Any) -> Any:
        """Answer the request and close the response. For a streamed response, only release the database connection."""
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


async def _wait_for_disconnect(caller: Caller, receive: Any) -> None:
    """Wait until the caller disconnects, and note it. The body has been read, so other messages do not matter."""
    while (await receive())["type"] != "http.disconnect":
        pass
    caller.leave()
