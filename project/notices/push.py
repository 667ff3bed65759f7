"""Sends a push to a browser's push service (RFC 8030), within a time limit, and only to public addresses."""

import re
import ssl
import time
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

import httpcore
from django.conf import settings

from project.core import clock
from project.integrations.sending import AddressRefused, GuardedBackend
from project.notices import encryption
from project.notices.models import MOST_ENDPOINT

CONNECT_SECONDS, MOST_SECONDS = 5.0, 10.0
KEPT_SECONDS = 4 * 3_600
"""How long a push service keeps a push for a browser that is off."""
GONE = (404, 410)
"""The statuses that a push service answers if the browser no longer takes pushes."""
_SECONDS = re.compile(r"[0-9]{1,6}")
_PORTS = (None, 443)


class Outcome(StrEnum):
    """The outcome of a push. `gone`: the browser takes no pushes any more. `refused`: this push will never arrive.

    `later`: the push may arrive if it is sent again.
    """

    arrived = "arrived"
    gone = "gone"
    refused = "refused"
    later = "later"


@dataclass(frozen=True)
class Answered:
    """The outcome of a push. `retry_after`: after how many seconds the push service wants it again; 0: not said."""

    outcome: Outcome
    retry_after: int = 0
    says: str = ""


def is_endpoint(address: str) -> bool:
    """Say whether an address can be a push service's: `https://` on its usual port; with `DEBUG` any `http://` too."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    plain = address.isascii() and address.isprintable() and " " not in address and "\\" not in address
    known = bool(parts.hostname) and "@" not in parts.netloc and not parts.fragment and len(address) <= MOST_ENDPOINT
    if settings.DEBUG:
        return plain and known and parts.scheme in ("http", "https")
    return plain and known and parts.scheme == "https" and port in _PORTS


def send(endpoint: str, payload: bytes, *, p256dh: str, auth: str, topic: str, urgent: bool) -> Answered:
    """Encrypt `payload` and send it once. Follows no redirect, and turns every failure into an outcome.

    `topic`: the push service replaces an undelivered push with the same topic by this one.
    """
    try:
        body = encryption.encrypt(payload, p256dh=encryption.from_text(p256dh), auth=encryption.from_text(auth))
    except ValueError as error:
        return Answered(Outcome.refused, says=f"the browser's keys are wrong: {error}")
    headers = [
        ("host", urlsplit(endpoint).netloc),
        ("authorization", encryption.authorization(endpoint, clock.now())),
        ("content-type", "application/octet-stream"),
        ("content-encoding", "aes128gcm"),
        ("content-length", str(len(body))),
        ("ttl", str(KEPT_SECONDS)),
        ("topic", topic),
        ("urgency", "high" if urgent else "normal"),
        ("user-agent", f"Obrador/{settings.VERSION}"),
    ]
    backend = GuardedBackend(deadline=time.monotonic() + MOST_SECONDS, trusts_networks=False)
    times = {"connect": CONNECT_SECONDS, "read": MOST_SECONDS, "write": MOST_SECONDS, "pool": MOST_SECONDS}
    try:
        with (
            httpcore.ConnectionPool(network_backend=backend, ssl_context=ssl.create_default_context()) as pool,
            pool.stream("POST", endpoint, headers=headers, content=body, extensions={"timeout": times}) as answer,
        ):
            return _outcome(answer)
    except AddressRefused:
        return Answered(Outcome.refused, says="address refused: a private network")
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError, ValueError) as error:
        return Answered(Outcome.later, says=type(error).__name__)


def _outcome(answer: httpcore.Response) -> Answered:
    status, says = answer.status, f"status {answer.status}"
    if 200 <= status < 300:
        return Answered(Outcome.arrived)
    if status in GONE:
        return Answered(Outcome.gone, says=says)
    if status == 429 or status >= 500:
        asked = next((value for name, value in answer.headers if name.lower() == b"retry-after"), b"").decode("latin-1")
        return Answered(Outcome.later, int(asked) if _SECONDS.fullmatch(asked) else 0, says)
    return Answered(Outcome.refused, says=says)
