"""Refuses a body that is longer than any may be, before it fills a disk or a memory."""

import io
import re
from typing import Any

from daphne import http_protocol
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.utils import translation

from project.core.decoding import ImageTooLarge
from project.core.errors import BodyTooLarge, Refusal
from project.core.middleware import refused, security_headers
from project.core.parser import LONGEST_JSON
from project.core.pictures import MOST_BYTES

_PICTURE = re.compile(r"/document(/[^/]*)?$")
"""The addresses that take pictures: of catalogs, `…/document/{reference}.jpeg`; of lines, `…/upload/document`."""


class _Exceeded(Exception):
    """The body of the request is longer than any may be."""


def bounded_bodies(inner: Any) -> Any:
    """An ASGI application: `inner`, and 413 for what is longer than JSON or a file may be: `image_too_large` for a
    picture, `body_too_large` for anything else.

    The length that is announced is looked at first; a chunked body is counted, whatever was announced.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        most = _most(headers.get(b"content-type", b""))
        announced = headers.get(b"content-length", b"")
        if announced.isdigit() and len(announced) < 20 and int(announced) > most:
            await _refuse(scope, send)
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
            await _refuse(scope, send)

    return application


def hand_bodies_on(most: int) -> None:
    """Have daphne hand each body on as it came, and keep one byte more than `most` of it: enough to see it is too long.

    Daphne takes a request in whole before it hands it on, and hands it on in one piece: what is not kept here costs
    disk first and memory after, whatever the application does then. The server below daphne would also read forms
    itself, a second time, and answer a broken one with no body at all: that is for the application to refuse.
    """

    class Request(http_protocol.WebRequest):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)

        def handleContentChunk(self, data: bytes) -> None:
            room = most + 1 - self.content.tell()
            if room > 0:
                self.content.write(data[:room])

    http_protocol.WebRequest = Request


def _most(content_type: bytes) -> int:
    json_like = content_type.partition(b";")[0].strip().lower() in (b"application/json", b"")
    return LONGEST_JSON if json_like else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _refusal(path: str) -> Refusal:
    """A picture that is far too long is refused as one that is a little too long (infra/docs/rules.md#pictures)."""
    return ImageTooLarge(limit=MOST_BYTES) if _PICTURE.search(path) else BodyTooLarge()


async def _refuse(scope: Any, send: Any) -> None:
    request = ASGIRequest(scope, io.BytesIO())
    with translation.override(translation.get_language_from_request(request)):
        answer = refused(_refusal(scope["path"]))
    for name, value in security_headers().items():
        answer[name] = value
    answer["Cache-Control"] = "no-store"
    answer["Connection"] = "close"
    answer["Content-Length"] = str(len(answer.content))
    headers = [(name.lower().encode(), value.encode()) for name, value in answer.items()]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
