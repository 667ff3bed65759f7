"""The code of a work sheet: the path of its line, encrypted and authenticated (specification 2, section 9).

Base 32 in capitals: a QR packs it densely, and a scanner that types it arrives whole on any keyboard layout.
"""

import base64
import binascii
import hashlib
import re
import secrets
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from project.core.errors import Refusal

KEY_ID_BYTES = 4
NONCE_BYTES = 12
_PATH = re.compile(r"operations/sales-order/([1-9][0-9]{0,18})/position/([1-9][0-9]{0,18})")


class UnknownCode(Refusal):
    """Not a code of this installation, or its line is no longer there."""

    status = 422
    code = "unknown_code"


@dataclass(frozen=True)
class Place:
    """A line, as a code names it."""

    sales_order_id: int
    position: int

    @property
    def path(self) -> str:
        """As the specification writes it."""
        return f"operations/sales-order/{self.sales_order_id}/position/{self.position}"


def seal(place: Place) -> str:
    """The code of a line; another one each time. The first of `QR_KEYS` seals it."""
    (key_id, key), *_ = _keys(tuple(settings.QR_KEYS)).items()
    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = AESGCM(key).encrypt(nonce, place.path.encode(), key_id)
    return base64.b32encode(key_id + nonce + sealed).decode().rstrip("=")


def unseal(code: str) -> Place:
    """The line of a code made with any of `QR_KEYS`. Raises `UnknownCode`."""
    try:
        text = code.strip().upper()
        raw = base64.b32decode(text + "=" * (-len(text) % 8))
        key_id, nonce, sealed = raw[:KEY_ID_BYTES], raw[KEY_ID_BYTES:][:NONCE_BYTES], raw[KEY_ID_BYTES + NONCE_BYTES :]
        key = _keys(tuple(settings.QR_KEYS))[key_id]
        found = _PATH.fullmatch(AESGCM(key).decrypt(nonce, sealed, key_id).decode())
    except (binascii.Error, ValueError, KeyError, InvalidTag) as error:
        raise UnknownCode from error
    if found is None:
        raise UnknownCode
    return Place(int(found[1]), int(found[2]))


@lru_cache(maxsize=8)
def _keys(texts: tuple[str, ...]) -> dict[bytes, bytes]:
    """Key id → AES-256 key, in the order of the setting."""
    keys = [
        HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=b"obrador work sheet code").derive(text.encode())
        for text in texts
    ]
    return {hashlib.sha256(b"key id" + key).digest()[:KEY_ID_BYTES]: key for key in keys}
