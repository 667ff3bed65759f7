"""Refuses a body that is longer than any may be, before it fills a disk or a memory."""

import json
from typing import Any

from daphne.http_protocol import WebRequest
from django.conf import settings
from django.utils import translation

from project.core.errors import BodyTooLarge
from project.core.parser import LONGEST_JSON

MANNERS = [(b"content-type", b"application/json"), (b"cache-control", b"no-store"), (b"connection", b"close")]


class _Exceeded(Exception):
    """More came than the request may have."""


def bounded_bodies(inner: Any) -> Any:
    """An ASGI application: `inner`, and 413 `body_too_large` for what is longer than JSON or a file may be.

    The length that is announced is looked at first; a chunked body is counted, whatever was announced.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        most = _most(headers.get(b"content-type", b""))
        announced = headers.get(b"content-length", b"")
        if announced.isdigit() and len(announced) < 20 and int(announced) > most:
            await _refuse(headers, send)
            return
        came, begun = 0, False

        async def counted() -> Any:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > most:
                raise _Exceeded
            return message

        async def sent(message: Any) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await inner(scope, counted, sent)
        except _Exceeded:
            if begun:
                raise
            await _refuse(headers, send)

    return application


def keep_no_more(most: int) -> None:
    """Have daphne keep one byte more than `most` of any body, which is enough to see that it is too long.

    Daphne takes a request in whole before it hands it on, and hands it on in one piece: what is not kept here costs
    disk first and memory after, whatever the application does then.
    """

    def handle(request: Any, data: bytes) -> None:
        room = most + 1 - request.content.tell()
        if room > 0:
            request.content.write(data[:room])

    WebRequest.handleContentChunk = handle


def _most(content_type: bytes) -> int:
    json_like = content_type.partition(b";")[0].strip().lower() in (b"application/json", b"")
    return LONGEST_JSON if json_like else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


async def _refuse(headers: dict[bytes, bytes], send: Any) -> None:
    language = "en" if headers.get(b"accept-language", b"").lower().startswith(b"en") else "es"
    with translation.override(language):
        body = json.dumps(BodyTooLarge().as_json()).encode()
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": BodyTooLarge.status, "headers": [*MANNERS, length]})
    await send({"type": "http.response.body", "body": body})
