"""Derive keys from the installation's secrets, encrypt ("seal") with these keys (AES-GCM), and hash random secrets.

The first key encrypts and all keys decrypt, so a new secret can be put in front of the old one without interruption
(infra/docs/keys.md).
"""

import hashlib
import secrets
from collections.abc import Mapping
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

NONCE_BYTES = 12
KEY_ID_BYTES = 4

type Keys = Mapping[bytes, bytes]
"""Key id → key, in the order of the secrets. The id reveals nothing about the key."""


def own_secrets() -> tuple[str, ...]:
    """Return SECRET_KEY, then SECRET_KEY_FALLBACKS, which only verify and decrypt."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def own_keys(purpose: bytes) -> Keys:
    """Return the keys of one purpose, derived from `own_secrets`."""
    return keys_of(purpose, own_secrets())


@lru_cache(maxsize=64)
def keys_of(purpose: bytes, of: tuple[str, ...]) -> Keys:
    """Return the keys of one purpose, derived from these secrets."""
    keys = [key_for(purpose, secret) for secret in of]
    return {hashlib.sha256(b"key id" + key).digest()[:KEY_ID_BYTES]: key for key in keys}


def key_for(purpose: bytes, secret: str) -> bytes:
    """Derive an AES-256 key for one purpose; it cannot unseal what was sealed for another purpose."""
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())


def digest_of_random(secret: str) -> str:
    """Hash a random secret for storage: it is too long to guess, so a fast hash without a key is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seal(plain: bytes, *, keys: Keys, bound_to: bytes = b"") -> bytes:
    """Encrypt `plain` with the first key and put the key's id before it. The result differs each time.

    `unseal` needs the same `bound_to` again. The result does not contain it.
    """
    key_id, key = next(iter(keys.items()))
    nonce = secrets.token_bytes(NONCE_BYTES)
    return key_id + nonce + AESGCM(key).encrypt(nonce, plain, key_id + bound_to)


def unseal(sealed: bytes, *, keys: Keys, bound_to: bytes = b"") -> bytes:
    """Decrypt what `seal` returned, with the key that it names. Raises `ValueError` for anything else."""
    key_id, rest = sealed[:KEY_ID_BYTES], sealed[KEY_ID_BYTES:]
    nonce, encrypted = rest[:NONCE_BYTES], rest[NONCE_BYTES:]
    try:
        return AESGCM(keys[key_id]).decrypt(nonce, encrypted, key_id + bound_to)
    except (KeyError, InvalidTag) as error:
        raise ValueError("not sealed with one of these keys, or bound to something else") from error
