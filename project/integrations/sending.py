"""Sends one message to an address that an administrator gave: signed, to no private network, within a time.

Signed as Standard Webhooks 1.0 says: HMAC-SHA256 over `id.timestamp.body`, one signature for each secret that is good.
"""

import base64
import hmac
import ipaddress
import secrets
import socket
import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

import httpcore
from django.conf import settings

CONNECT_SECONDS = 5.0
MOST_SECONDS = 15.0
"""From the first byte to the last: an address that answers a byte at a time holds nobody up for longer."""
KEPT_BYTES = 500
_UNICAST = ipaddress.ip_network("2000::/3")
"""All of IPv6 that is given out to the world."""
_SPECIAL = [
    ipaddress.ip_network(one)
    for one in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3ffe::/16", "3fff::/20")
]
"""Relays, tunnels, protocols and documentation: Python takes some of them for the world's."""
SECRET = "whsec_"  # noqa: S105 - what one begins with


class AddressRefused(Exception):
    """The address leads into a network that is none of the world's."""


class Failure(StrEnum):
    """Why a sending got no answer."""

    PRIVATE_ADDRESS = "private_address"
    UNKNOWN_NAME = "unknown_name"
    UNREACHABLE = "unreachable"
    TLS = "tls"
    TIMEOUT = "timeout"
    SECRET_UNREADABLE = "secret_unreadable"  # noqa: S105 - a code


@dataclass(frozen=True)
class Sent:
    """What became of one sending: the answer's status and first bytes; where none came, why, and the error's text."""

    status: int | None
    answer: str
    failure: Failure | None = None

    @property
    def arrived(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def new_secret() -> str:
    return SECRET + base64.b64encode(secrets.token_bytes(32)).decode()


def signature(secret: str, message_id: str, timestamp: int, body: str) -> str:
    key = base64.b64decode(secret.removeprefix(SECRET))
    signed = hmac.digest(key, f"{message_id}.{timestamp}.{body}".encode(), "sha256")
    return f"v1,{base64.b64encode(signed).decode()}"


def send(url: str, *, message_id: str, timestamp: int, body: str, secrets_now: Iterable[str]) -> Sent:
    """POST `body` once. Follows no redirect, asks no proxy, and raises nothing for whatever the other side does."""
    headers = [
        ("host", urlsplit(url).netloc),
        ("content-type", "application/json"),
        ("user-agent", f"Obrador/{settings.VERSION}"),
        ("webhook-id", message_id),
        ("webhook-timestamp", str(timestamp)),
        ("webhook-signature", " ".join(signature(one, message_id, timestamp, body) for one in secrets_now)),
        ("content-length", str(len(body.encode()))),
    ]
    backend = GuardedBackend(deadline=time.monotonic() + MOST_SECONDS)
    times = {"connect": CONNECT_SECONDS, "read": MOST_SECONDS, "write": MOST_SECONDS, "pool": MOST_SECONDS}
    try:
        with (
            httpcore.ConnectionPool(network_backend=backend, ssl_context=ssl.create_default_context()) as pool,
            pool.stream("POST", url, headers=headers, content=body.encode(), extensions={"timeout": times}) as answer,
        ):
            return Sent(answer.status, _first_bytes(answer))
    except AddressRefused:
        return Sent(None, "address refused: a private network", Failure.PRIVATE_ADDRESS)
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError, ValueError) as error:
        return Sent(None, f"{type(error).__name__}: {error}"[:KEPT_BYTES], _failure(error))


def _failure(error: Exception) -> Failure:
    if isinstance(error, httpcore.TimeoutException):
        return Failure.TIMEOUT
    if isinstance(error, (socket.gaierror, UnicodeError)):
        return Failure.UNKNOWN_NAME
    # httpcore says ConnectError of a connection that is refused and of one that cannot be trusted: what it is made of
    # tells the two apart.
    return Failure.TLS if any(isinstance(one, ssl.SSLError) for one in error.args) else Failure.UNREACHABLE


def _first_bytes(answer: httpcore.Response) -> str:
    found = b""
    for part in answer.iter_stream():
        found += part
        if len(found) >= KEPT_BYTES:
            break
    return found[:KEPT_BYTES].decode(errors="replace").replace("\0", "")


def may_reach(address: str) -> bool:
    """Whether an IP address is one of the world's, or of a network that the setting allows; loopback if debugging."""
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address) and (ip.sixtofour or ip.teredo):
        return False  # an IPv4 address inside it, whichever that is
    mapped = getattr(ip, "ipv4_mapped", None) or ip
    if any(mapped in network for network in settings.WEBHOOK_NETWORKS if network.version == mapped.version):
        return True
    if settings.DEBUG and mapped.is_loopback:
        return True
    special = any(mapped in network for network in _SPECIAL) or (mapped.version == 6 and mapped not in _UNICAST)
    return mapped.is_global and not mapped.is_multicast and not special


class GuardedBackend(httpcore.SyncBackend):
    """Looks a name up once, connects to what it looked at, and to nothing that `may_reach` refuses: a name that leads
    elsewhere a moment later leads nowhere."""

    def __init__(self, *, deadline: float) -> None:
        super().__init__()
        self._deadline = deadline

    def connect_tcp(self, host: str, port: int, *given: Any, **options: Any) -> httpcore.NetworkStream:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(sockaddr[0]) for *_, sockaddr in found]
        if not addresses or not all(map(may_reach, addresses)):
            raise AddressRefused(host)
        return _Bounded(super().connect_tcp(addresses[0], port, *given, **options), self._deadline)


class _Bounded(httpcore.NetworkStream):
    """A connection on which nothing waits past its deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("too slow")
        return left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Bounded(self._stream.start_tls(ssl_context, server_hostname, self._left()), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
