"""Keys made of the installation's secrets, what is sealed with them (AES-GCM), and digests of random secrets.

Of several keys the first makes and all are read: a new secret is put in front of the old one, and nobody notices
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
"""Key id → key, in the order of the secrets. The id says nothing of the key."""


def own_secrets() -> tuple[str, ...]:
    """SECRET_KEY, and those before it that are still read."""
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def own_keys(purpose: bytes) -> Keys:
    """The keys of one purpose, made of `own_secrets`."""
    return keys_of(purpose, own_secrets())


@lru_cache(maxsize=64)
def keys_of(purpose: bytes, of: tuple[str, ...]) -> Keys:
    """The keys of one purpose, made of these secrets."""
    keys = [key_for(purpose, secret) for secret in of]
    return {hashlib.sha256(b"key id" + key).digest()[:KEY_ID_BYTES]: key for key in keys}


def key_for(purpose: bytes, secret: str) -> bytes:
    """An AES-256 key for one purpose: what is sealed for another one does not open with it."""
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())


def digest_of_random(secret: str) -> str:
    """What is kept of a random secret: it is too long to be guessed, so a quick hash without a key is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seal(plain: bytes, *, keys: Keys, bound_to: bytes = b"") -> bytes:
    """`plain` encrypted with the first key, another text each time, behind the key's id.

    It opens with the same `bound_to` alone, which it does not hold.
    """
    key_id, key = next(iter(keys.items()))
    nonce = secrets.token_bytes(NONCE_BYTES)
    return key_id + nonce + AESGCM(key).encrypt(nonce, plain, key_id + bound_to)


def unseal(sealed: bytes, *, keys: Keys, bound_to: bytes = b"") -> bytes:
    """What `seal` was given with any of the keys. Raises ValueError for anything else."""
    key_id, rest = sealed[:KEY_ID_BYTES], sealed[KEY_ID_BYTES:]
    nonce, encrypted = rest[:NONCE_BYTES], rest[NONCE_BYTES:]
    try:
        return AESGCM(keys[key_id]).decrypt(nonce, encrypted, key_id + bound_to)
    except (KeyError, InvalidTag) as error:
        raise ValueError("not sealed with one of these keys, or bound to something else") from error
