"""Sends a signed message to an address that an administrator entered, within a time limit.

Refuses addresses in private networks, unless `WEBHOOK_NETWORKS` allows them.
The signature follows Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, one for each valid secret.
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
"""The limit for a whole request. It also ends an answer that comes one byte at a time."""
KEPT_BYTES = 500
_UNICAST = ipaddress.ip_network("2000::/3")
"""The IPv6 range that is allocated as global unicast."""
_SPECIAL = [
    ipaddress.ip_network(one)
    for one in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3ffe::/16", "3fff::/20")
]
"""Networks of relays, tunnels, protocols and documentation. Python treats some of them as global."""
SECRET = "whsec_"  # noqa: S105 - the prefix of secrets


class AddressRefused(Exception):
    """The address resolves to a network that is neither public nor allowed."""


class Failure(StrEnum):
    """The reason why a message got no answer."""

    PRIVATE_ADDRESS = "private_address"
    UNKNOWN_NAME = "unknown_name"
    UNREACHABLE = "unreachable"
    TLS = "tls"
    TIMEOUT = "timeout"
    SECRET_UNREADABLE = "secret_unreadable"  # noqa: S105 - a code


@dataclass(frozen=True)
class Sent:
    """The result of sending a message: the answer's status and first bytes, or without an answer the failure and the
    error's text."""

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
    """POST `body` once. Follows no redirect, uses no proxy, and turns all errors of the receiver into a `Sent`."""
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
    # httpcore raises ConnectError both for a refused connection and for an untrusted certificate: see its arguments.
    return Failure.TLS if any(isinstance(one, ssl.SSLError) for one in error.args) else Failure.UNREACHABLE


def _first_bytes(answer: httpcore.Response) -> str:
    found = b""
    for part in answer.iter_stream():
        found += part
        if len(found) >= KEPT_BYTES:
            break
    return found[:KEPT_BYTES].decode(errors="replace").replace("\0", "")


def may_reach(address: str, *, trusts_networks: bool = True) -> bool:
    """Whether an IP address is public or in `WEBHOOK_NETWORKS`; with `DEBUG` also loopback.

    `trusts_networks` False: `WEBHOOK_NETWORKS` does not count, because the address is not from an administrator.
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address) and (ip.sixtofour or ip.teredo):
        return False  # it embeds an IPv4 address, which may be private
    mapped = getattr(ip, "ipv4_mapped", None) or ip
    trusted = settings.WEBHOOK_NETWORKS if trusts_networks else ()
    if any(mapped in network for network in trusted if network.version == mapped.version):
        return True
    if settings.DEBUG and mapped.is_loopback:
        return True
    special = any(mapped in network for network in _SPECIAL) or (mapped.version == 6 and mapped not in _UNICAST)
    return mapped.is_global and not mapped.is_multicast and not special


class GuardedBackend(httpcore.SyncBackend):
    """Resolves a name once, checks all its addresses with `may_reach` and connects to a checked address.

    So DNS rebinding cannot lead the connection to another address.
    """

    def __init__(self, *, deadline: float, trusts_networks: bool = True) -> None:
        super().__init__()
        self._deadline, self._trusts_networks = deadline, trusts_networks

    def connect_tcp(self, host: str, port: int, *given: Any, **options: Any) -> httpcore.NetworkStream:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(sockaddr[0]) for *_, sockaddr in found]
        if not addresses or not all(may_reach(one, trusts_networks=self._trusts_networks) for one in addresses):
            raise AddressRefused(host)
        return _Bounded(super().connect_tcp(addresses[0], port, *given, **options), self._deadline)


class _Bounded(httpcore.NetworkStream):
    """A connection on which no operation waits past the deadline."""

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
