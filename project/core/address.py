"""Where a request comes from."""

from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest

LONGEST = 64
current_address: ContextVar[str] = ContextVar("current_address", default="")
"""The address of the request being answered; empty on the command line."""


def address_of(request: HttpRequest) -> str:
    """The caller's address: the socket's, or what the outermost of our own proxies saw."""
    hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
    trusted = settings.TRUSTED_PROXIES
    if trusted and len(hops) >= trusted:
        return hops[-trusted][:LONGEST]
    return str(request.META.get("REMOTE_ADDR", ""))[:LONGEST]
