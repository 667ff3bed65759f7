"""Middleware of the whole site: a request id, and the common error shape for errors that Django itself answers."""

import logging
import re
import secrets
from collections.abc import Callable

import psycopg
from django.conf import settings
from django.core.exceptions import (
    BadRequest as BadDjangoRequest,
    DisallowedHost,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from psycopg.errors import ForeignKeyViolation

from project.core import database
from project.core.errors import (
    BadRequest,
    BodyTooLarge,
    MethodNotAllowed,
    NotFound,
    Refusal,
    ServerError,
    Unavailable,
    UnknownHost,
)
from project.core.logs import current_request_id, current_user_id
from project.core.requests import address_of, current_address

Handler = Callable[[HttpRequest], HttpResponse]
log = logging.getLogger(__name__)

_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def request_id(get_response: Handler) -> Handler:
    """Give every request an id (a plain `X-Request-Id` of the caller is kept), and forbid caching by default."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-Id", "")
        name = given if _GIVEN_ID.fullmatch(given) else secrets.token_hex(8)
        request.id = name  # type: ignore[attr-defined]
        token, origin = current_request_id.set(name), current_address.set(address_of(request))
        user = current_user_id.set(None)
        try:
            response = get_response(request)
        finally:
            current_request_id.reset(token)
            current_address.reset(origin)
            current_user_id.reset(user)
        response["X-Request-Id"] = name
        response.headers.setdefault("Cache-Control", "no-store")
        response["Permissions-Policy"] = PERMISSIONS_POLICY
        return response

    return middleware


PERMISSIONS_POLICY = ", ".join(
    (
        *("camera=(self)", "serial=(self)", "microphone=()", "geolocation=()", "payment=()", "usb=()", "hid=()"),
        *("midi=()", "display-capture=()"),
    )
)
"""What pages may ask the browser for: the camera reads codes, a serial port is a scale's."""


def unlisted(get_response: Handler) -> Handler:
    """Keep the secret in an address: no `Referer`, and no search engine.

    Addresses of customers' pages and of calendars have a token, those of pictures a pass.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith(("/api/c/", "/api/calendar/", "/api/images/")):
            response["Referrer-Policy"] = "no-referrer"
            response["X-Robots-Tag"] = "noindex"
        return response

    return middleware


def database_present(get_response: Handler) -> Handler:
    """Answer 503 at once while the database is away: a waiting caller would only hold a thread.

    Health probes and `/metrics` are answered as always.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if database.away.is_set() and not of_the_operator(request):
            return refused(Unavailable(retryAfter=1))
        return get_response(request)

    return middleware


def known_host(get_response: Handler) -> Handler:
    """Answer 400 to a `Host` that is not allowed; Django checks it only when it builds a URL.

    Probes address a process by any name, so `/health/` and `/metrics` accept every host.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if not of_the_operator(request) and not names_our_host(request):
            return refused(UnknownHost())
        return get_response(request)

    return middleware


def names_our_host(request: HttpRequest) -> bool:
    """Return whether the `Host` of the request is allowed."""
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True


def of_the_operator(request: HttpRequest) -> bool:
    """Return whether the request asks for the health or metrics of the process."""
    return request.path.startswith("/health/") or request.path == "/metrics"


def refused(refusal: Refusal) -> JsonResponse:
    """Return the HTTP answer of a refusal, in the active language."""
    response = JsonResponse(refusal.as_json(), status=refusal.status)
    if refusal.status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if "retryAfter" in refusal.params:
        response["Retry-After"] = str(refusal.params["retryAfter"])
    return response


def security_headers() -> dict[str, str]:
    """Return the headers that Django's own middleware sets, for answers that do not pass through it."""
    found = {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
        "Permissions-Policy": PERMISSIONS_POLICY,
    }
    if settings.SECURE_HSTS_SECONDS:
        more = (
            "; includeSubDomains" * settings.SECURE_HSTS_INCLUDE_SUBDOMAINS + "; preload" * settings.SECURE_HSTS_PRELOAD
        )
        found["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}{more}"
    return found


def refusal_of(error: BaseException) -> Refusal:
    """Return the refusal for an exception. Log database failures (503) and unforeseen exceptions (500)."""
    match error:
        case Refusal():
            return error
        case Http404():
            return NotFound()
        case RequestDataTooBig():
            return BodyTooLarge()
        case SuspiciousOperation() | BadDjangoRequest() | MultiPartParserError():
            return BadRequest()
        case IntegrityError(__cause__=ForeignKeyViolation()):
            return Refusal()  # a concurrent change deleted or began to use the record
        case OperationalError() | InterfaceError() | psycopg.OperationalError():
            log.error("database unavailable", exc_info=error)
            return Unavailable()
        case _:
            log.error("unforeseen error", exc_info=error)
            return ServerError()


def one_error_shape(get_response: Handler) -> Handler:
    """Answer a 405 of Django in the common error shape; the handlers below do so for the other statuses."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 405 and not response.headers["Content-Type"].startswith("application/json"):
            plain, response = response, refused(MethodNotAllowed())
            response["Allow"] = plain.headers.get("Allow", "")
        return response

    return middleware


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    return refused(refusal_of(exception) if isinstance(exception, SuspiciousOperation) else BadRequest())


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404."""
    return refused(NotFound())


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500; Django has already logged the exception."""
    return refused(ServerError())
