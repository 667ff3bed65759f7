"""Encrypts a push for one browser (RFC 8291), and signs requests to push services (VAPID, RFC 8292)."""

import base64
import secrets
import struct
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import lru_cache
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

CURVE = ec.SECP256R1()
PUBLIC_BYTES, AUTH_BYTES, SALT_BYTES = 65, 16, 16
RECORD_BYTES = 4_096
"""The longest message that push services accept, so a push is one record."""
LAST_RECORD = b"\x02"
SIGNED_FOR = timedelta(hours=12)
"""How long a signature is valid. Push services refuse signatures that are valid for more than a day."""


def to_text(raw: bytes) -> str:
    """Encode in base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    """Decode base64 for URLs, with or without padding. Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError as error:
        raise ValueError("not base64") from error


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def public_key(raw: bytes) -> ec.EllipticCurvePublicKey:
    """Load a browser's key, a point of the curve. Raises ValueError."""
    if len(raw) != PUBLIC_BYTES:
        raise ValueError("not an uncompressed point")
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, raw)


def encrypt(
    plain: bytes,
    *,
    p256dh: bytes,
    auth: bytes,
    sender: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt `plain` to a browser's keys, as the body of a push with the content encoding `aes128gcm`.

    `sender` and `salt` are random unless a test gives the values of an example. Raises ValueError for a wrong key.
    """
    sender = sender or ec.generate_private_key(CURVE)
    salt = salt or secrets.token_bytes(SALT_BYTES)
    ours = public_bytes(sender)
    shared = sender.exchange(ec.ECDH(), public_key(p256dh))
    secret = _derived(shared, salt=auth, info=b"WebPush: info\0" + p256dh + ours, length=32)
    key = _derived(secret, salt=salt, info=b"Content-Encoding: aes128gcm\0", length=16)
    nonce = _derived(secret, salt=salt, info=b"Content-Encoding: nonce\0", length=12)
    head = salt + struct.pack("!IB", RECORD_BYTES, len(ours)) + ours
    return head + AESGCM(key).encrypt(nonce, plain + LAST_RECORD, None)


def _derived(secret: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


@lru_cache(maxsize=4)
def _own_key(raw: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(raw), CURVE)


def application_key() -> str:
    """Return the installation's public key, with which browsers register; empty without VAPID_KEY."""
    return to_text(public_bytes(_own_key(settings.VAPID_KEY))) if settings.VAPID_KEY else ""


def authorization(endpoint: str, now: datetime) -> str:
    """Return the `Authorization` header that identifies the sender to a push service. VAPID_KEY must be set."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + SIGNED_FOR).timestamp()),
        "sub": _contact(),
    }
    signed = jwt.encode(claims, _own_key(settings.VAPID_KEY), algorithm="ES256", headers={"typ": "JWT"})
    return f"vapid t={signed}, k={application_key()}"


def _contact() -> str:
    """Return the contact for push services: the site if it has https, else the sender's mail address."""
    site: str = settings.PUBLIC_URL
    return site if site.startswith("https://") else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
