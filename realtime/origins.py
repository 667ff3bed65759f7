"""Only pages of the site, and of LIVE_ORIGINS, may open a live socket."""

from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import OriginValidator, WebsocketDenier
from django.conf import settings
from django.http.request import validate_host

PORTS = {"http": 80, "https": 443}

Headers = dict[bytes, bytes]


class SiteOriginValidator(OriginValidator):
    """Answers 403 to pages of other origins.

    Channels' own rules compare the Origin with a fixed list. These rules compare it with the address that the client
    asked for, with its port, and refuse an http page of a site that is served by https.
    """

    def __init__(self, application: Any) -> None:
        super().__init__(application, settings.LIVE_ORIGINS)

    def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        allowed = origin_allowed(dict(scope["headers"]))
        # Not awaited here, since a coroutine takes memory as long as the socket is open.
        return (self.application if allowed else WebsocketDenier())(scope, receive, send)


def origin_allowed(headers: Headers) -> bool:
    """Whether the Origin of a handshake is the site's own or one of LIVE_ORIGINS.

    Not allowed: no origin, `null`, another host or port, and an http page if the site is served by https.
    """
    origin = headers.get(b"origin", b"").decode("latin1").lower()
    if origin in settings.LIVE_ORIGINS:
        return True
    try:
        asked = urlsplit(origin)
        port = asked.port
    except ValueError:
        return False
    if asked.scheme not in PORTS or not asked.hostname or "@" in asked.netloc:
        return False
    if origin != f"{asked.scheme}://{asked.netloc}":
        return False
    if asked.scheme == "http" and _served_by_https(headers):
        return False
    return (asked.hostname, port or PORTS[asked.scheme]) == _own_host(headers, asked.scheme)


def _served_by_https(headers: Headers) -> bool:
    if settings.HTTPS:
        return True
    return bool(settings.TRUSTED_PROXIES) and headers.get(b"x-forwarded-proto") == b"https"


def _own_host(headers: Headers, scheme: str) -> tuple[str, int] | None:
    """The host and port that the client asked for. None if the host is not in ALLOWED_HOSTS."""
    host = headers.get(b"host", b"")
    if settings.TRUSTED_PROXIES:
        host = headers.get(b"x-forwarded-host", host)
    try:
        own = urlsplit(f"//{host.decode('latin1').lower()}")
        port = own.port
    except ValueError:
        return None
    name = own.hostname or ""
    if not validate_host(f"[{name}]" if ":" in name else name, settings.ALLOWED_HOSTS):
        return None
    return name, port or PORTS[scheme]
