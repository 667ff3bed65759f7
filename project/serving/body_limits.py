"""Refuses a body that is longer than the limit, before it fills the disk or the memory."""

import io
import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.utils import translation

from project.core.decoding import ImageTooLarge
from project.core.errors import BodyTooLarge, Refusal
from project.core.middleware import refused, security_headers
from project.core.pictures import MOST_BYTES
from project.core.validation import LONGEST_JSON, LONGEST_OF_STRANGERS, longest_json

_PICTURE = re.compile(r"/document(/[^/]*)?$")
"""The paths that take pictures: `…/document/{reference}.jpeg` in catalogs, `…/upload/document` in lines."""


class _Exceeded(Exception):
    """The body of the request is longer than the limit."""


def bounded_bodies(inner: Any) -> Any:
    """Wrap an ASGI application: answer 413 to a body that is longer than JSON or a file may be.

    The code is `image_too_large` for a picture, else `body_too_large`. The Content-Length is checked first. The bytes
    are counted too, because a chunked body announces no length.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        most = most_bytes(headers, scope["path"])
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


def most_bytes(headers: Mapping[bytes, bytes], path: str) -> int:
    """Return how many bytes the body of a request may have. `headers`: by name in lower case."""
    short = LONGEST_OF_STRANGERS if b"authorization" not in headers else longest_json(path)
    content_type = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    json_like = content_type in (b"application/json", b"")
    return short if json_like or short < LONGEST_JSON else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _refusal(path: str) -> Refusal:
    """Return the refusal for this path.

    A picture gets `image_too_large`, the code that `core.pictures` gives to one that is only a little too large.
    """
    return ImageTooLarge(limit=MOST_BYTES) if _PICTURE.search(path) else BodyTooLarge()


def refusal_of_long_body(scope: Any) -> HttpResponse:
    """Return the answer to a request with a body that is too long. `scope`: the ASGI scope."""
    request = ASGIRequest(scope, io.BytesIO())
    with translation.override(translation.get_language_from_request(request)):
        return closing(refused(_refusal(scope["path"])))


def closing(answer: HttpResponse) -> HttpResponse:
    """Add the headers that an answer needs if it bypasses Django and closes the connection. Returns the answer."""
    for name, value in security_headers().items():
        answer[name] = value
    answer["Cache-Control"] = "no-store"
    answer["Connection"] = "close"
    answer["Content-Length"] = str(len(answer.content))
    return answer


async def _refuse(scope: Any, send: Any) -> None:
    answer = refusal_of_long_body(scope)
    headers = [(name.lower().encode(), value.encode()) for name, value in answer.items()]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
