"""Posts to addresses that people entered: within a time limit, and only to public networks unless they are allowed."""

import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from urllib.parse import urlsplit

import httpcore
from django.conf import settings

from project.sending.loop import Answer, Failure, Result

CONNECT_SECONDS = 5.0
KEPT_BYTES = 500
_SECONDS = re.compile(r"[0-9]{1,6}")
_UNICAST = ipaddress.ip_network("2000::/3")
"""The IPv6 range that is allocated as global unicast."""
_SPECIAL = [
    ipaddress.ip_network(one)
    for one in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16", "3ffe::/16", "3fff::/20")
]
"""Networks of relays, tunnels, protocols and documentation. Python treats some of them as global."""


class AddressRefused(Exception):
    """The receiver's host resolves to an address that `may_reach` refuses."""


def post(
    url: str,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    *,
    seconds: float,
    trusts_networks: bool = True,
    reads_answer: bool = True,
) -> Answer:
    """POST `body` once. Follows no redirect, uses no proxy, and turns all errors of the receiver into an `Answer`.

    `seconds`: the limit for the whole request. It also ends an answer that comes one byte at a time. `trusts_networks`:
    see `may_reach`. A status other than 2xx is `Result.later`.
    """
    sent = [
        ("host", urlsplit(url).netloc),
        ("user-agent", f"Obrador/{settings.VERSION}"),
        ("content-length", str(len(body))),
        *headers,
    ]
    backend = GuardedBackend(deadline=time.monotonic() + seconds, trusts_networks=trusts_networks)
    times = {"connect": CONNECT_SECONDS, "read": seconds, "write": seconds, "pool": seconds}
    try:
        with (
            httpcore.ConnectionPool(network_backend=backend, ssl_context=ssl.create_default_context()) as pool,
            pool.stream("POST", url, headers=sent, content=body, extensions={"timeout": times}) as answer,
        ):
            result = Result.arrived if 200 <= answer.status < 300 else Result.later
            says = _first_bytes(answer) if reads_answer else ""
            return Answer(result, says, answer.status, retry_after=_retry_after(answer))
    except AddressRefused:
        return Answer(Result.later, "address refused: a private network", failure=Failure.PRIVATE_ADDRESS)
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError, ValueError) as error:
        return Answer(Result.later, f"{type(error).__name__}: {error}"[:KEPT_BYTES], failure=_failure(error))


def _retry_after(answer: httpcore.Response) -> int:
    """Return the seconds of the header Retry-After; 0 if it is missing or a date."""
    asked = next((value for name, value in answer.headers if name.lower() == b"retry-after"), b"").decode("latin-1")
    return int(asked) if _SECONDS.fullmatch(asked) else 0


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


def ip_written(host: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address if a host is written as one; None for a name. Accepts all notations of IPv4 that the system
    accepts: one number, hexadecimal, octal."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.ip_address(socket.inet_aton(host))
    except OSError:
        return None


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


def is_private(host: str, *, trusts_networks: bool = True) -> bool:
    """Whether a host is written as an address that `may_reach` refuses, or is a name of this machine. Resolves nothing:
    `post` checks what a name resolves to."""
    host = host.rstrip(".")
    if address := ip_written(host):
        return not may_reach(str(address), trusts_networks=trusts_networks)
    return not settings.DEBUG and (host == "localhost" or host.endswith(".localhost"))


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
