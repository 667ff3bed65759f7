"""Which pages may open a live socket: the site's own, and those that LIVE_ORIGINS names."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

PORTS = {"http": 80, "https": 443}

Headers = dict[bytes, bytes]


def allowed(headers: Headers) -> bool:
    """Whether the Origin of a handshake is the site's own or a trusted one.

    A page without an origin, with the origin `null`, of another host or port, or one served by http to a site
    that is served by https, is foreign.
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
    return (asked.hostname, port or PORTS[asked.scheme]) == _own(headers, asked.scheme)


def _served_by_https(headers: Headers) -> bool:
    if settings.HTTPS:
        return True
    return bool(settings.TRUSTED_PROXIES) and headers.get(b"x-forwarded-proto") == b"https"


def _own(headers: Headers, scheme: str) -> tuple[str, int] | None:
    """The host and port this site is asked for by, None where that is not one of its own."""
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
