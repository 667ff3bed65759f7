"""A push service on this machine, and browsers that register with it and decrypt what they get."""

import base64
import hmac
import itertools
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_bytes
from threading import Thread
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from project.core import clock
from project.notices.models import Notice
from tests.builders import Answer, Caller

VAPID_KEY = bytes(range(1, 33))
"""A private key for tests."""
PREFERENCES, DEVICES, BELL = "/api/notices/preferences", "/api/notices/devices", "/api/notices/bell"
CURVE = ec.SECP256R1()
_numbers = itertools.count(1)


def base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hkdf(secret: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    """HKDF of RFC 5869 for at most 32 bytes, computed independently of the product."""
    key = hmac.digest(salt, secret, "sha256")
    return hmac.digest(key, info + b"\x01", "sha256")[:length]


class Browser:
    """A browser with the keys of its subscription (RFC 8291)."""

    def __init__(self, service: str = "https://push.example.com", name: str = "Chrome · Android") -> None:
        self.key = ec.generate_private_key(CURVE)
        self.public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.auth = token_bytes(16)
        self.endpoint = f"{service}/send/{next(_numbers)}"
        self.name = name

    @property
    def fingerprint(self) -> str:
        return sha256(self.endpoint.encode()).hexdigest()

    @property
    def subscription(self) -> dict[str, Any]:
        keys = {"p256dh": base64url(self.public), "auth": base64url(self.auth)}
        return {"endpoint": self.endpoint, "keys": keys, "label": self.name}

    def asked(self, by: Caller, **fields: Any) -> Answer:
        return by.post(DEVICES, self.subscription | fields)

    def register(self, by: Caller) -> dict[str, Any]:
        answer = self.asked(by)
        assert answer.status == 201, answer
        device: dict[str, Any] = answer.json
        return device

    def decrypt(self, body: bytes) -> bytes:
        """Decrypt a push as a browser does. It raises for one that was encrypted to another browser."""
        salt, (size, length) = body[:16], struct.unpack("!IB", body[16:21])
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        secret = hkdf(shared, salt=self.auth, info=b"WebPush: info\0" + self.public + sender, length=32)
        key = hkdf(secret, salt=salt, info=b"Content-Encoding: aes128gcm\0", length=16)
        nonce = hkdf(secret, salt=salt, info=b"Content-Encoding: nonce\0", length=12)
        plain = AESGCM(key).decrypt(nonce, record, None)
        text, _, padding = plain.rpartition(b"\x02")
        assert not padding.strip(b"\0")
        return text


@dataclass
class Pushed:
    """One request to the push service."""

    path: str
    headers: dict[str, str]
    body: bytes

    def shown_by(self, browser: Browser) -> dict[str, Any]:
        """What a browser shows of it."""
        shown: dict[str, Any] = json.loads(browser.decrypt(self.body))
        return shown

    def signed_for(self, audience: str) -> dict[str, Any]:
        """The claims of its signature, checked with the key that the request names (RFC 8292)."""
        scheme, _, rest = self.headers["authorization"].partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert scheme == "vapid"
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(parts["k"]))
        options = {"verify_exp": False, "verify_iat": False}
        claims: dict[str, Any] = jwt.decode(
            parts["t"],
            key,
            algorithms=["ES256"],
            audience=audience,
            options=options,  # type: ignore[arg-type]
        )
        return claims


@dataclass
class PushService:
    """The requests received, and the statuses to answer with: `answers` in turn, then 201."""

    url: str = ""
    received: list[Pushed] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    retry_after: str = ""

    def browser(self, name: str = "Chrome · Android") -> Browser:
        return Browser(self.url, name)

    def shown(self, browser: Browser) -> list[dict[str, Any]]:
        """What a browser was shown so far."""
        path = browser.endpoint.removeprefix(self.url)
        return [one.shown_by(browser) for one in self.received if one.path == path]


@contextmanager
def push_service() -> Iterator[PushService]:
    state = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            state.received.append(Pushed(self.path, headers, body))
            self.send_response(state.answers.pop(0) if state.answers else 201)
            if state.retry_after:
                self.send_header("Retry-After", state.retry_after)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def prefer(by: Caller, **kinds: list[str]) -> None:
    """Choose the channels of some kinds."""
    body = {"kinds": [{"kind": kind, "channels": channels} for kind, channels in kinds.items()]}
    answer = by.put(PREFERENCES, body)
    assert answer.status == 200, answer


def notice_of(by: Caller) -> int:
    """Create an unread notice of a person and return its id."""
    made = Notice.objects.create(
        user_id=by.id, kind="importDone", about="import 1", path="/home", created_at=clock.now()
    )
    return made.pk
