"""Serves the built web client in front of Django, with security headers: Django's middleware cannot add them there."""

import io
import re
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from servestatic import ServeStaticASGI

from project.core.middleware import names_our_host, security_headers

# Vite puts a content hash into these names, so the content of such a file never changes.
_HASHED = re.compile(r"-[A-Za-z0-9_-]{8,}\.(js|css|woff2?|svg|png)$")

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # Ant Design writes its styles at run time
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


def _headers(headers: Any, path: str, url: str) -> None:
    if url == "/sw.js":
        # It decides which release a browser uses, so browsers must not cache it.
        headers["Cache-Control"] = "no-cache"
    for name, value in security_headers().items():
        headers[name] = value
    headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY


def _immutable(path: str, url: str) -> bool:
    return bool(_HASHED.search(url))


def _with_headers(send: Any) -> Any:
    """Wrap `send` to add the security headers to answers without them: ServeStatic sets them only on files."""

    async def adding(message: Any) -> None:
        if message["type"] == "http.response.start":
            names = {name.lower() for name, _ in message["headers"]}
            if b"x-content-type-options" not in names:
                added = [(name.lower().encode(), value.encode()) for name, value in security_headers().items()]
                message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return adding


def built_client(django: Any) -> Any:
    """Make an ASGI application that serves the client's files, and passes everything else to `django`.

    `django` refuses a foreign `Host` and, on a site behind TLS, redirects plain HTTP, also for the client's files.
    """
    files = ServeStaticASGI(
        django,
        root=str(settings.WEB_DIST) if settings.WEB_DIST.is_dir() else None,
        index_file=True,
        allow_all_origins=False,
        add_headers_function=_headers,
        immutable_file_test=_immutable,
        max_age=0,
    )

    async def application(scope: Any, receive: Any, send: Any) -> None:
        request = ASGIRequest(scope, io.BytesIO())
        plain = settings.SECURE_SSL_REDIRECT and not request.is_secure()
        if plain or not names_our_host(request):
            await django(scope, receive, send)
        else:
            await files(scope, receive, _with_headers(send))

    return application
