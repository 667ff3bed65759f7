"""Texts handed out that only this installation can read: encrypted and authenticated (AES-GCM); digests of secrets."""

import secrets
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

NONCE_BYTES = 12


def key_for(purpose: bytes, secret: str) -> bytes:
    """An AES-256 key for one purpose: what is sealed for another one does not open with it."""
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=purpose).derive(secret.encode())


def digest_of_random(secret: str) -> str:
    """What is kept of a random secret: it is too long to be guessed, so a quick hash without a key is enough."""
    return sha256(secret.encode()).hexdigest()


def seal(plain: bytes, *, key: bytes, bound_to: bytes) -> bytes:
    """`plain` encrypted, another text each time. It opens with the same `bound_to` alone, which it does not hold."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, bound_to)


def unseal(sealed: bytes, *, key: bytes, bound_to: bytes) -> bytes:
    """What `seal` was given. Raises ValueError for anything else."""
    nonce, encrypted = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    try:
        return AESGCM(key).decrypt(nonce, encrypted, bound_to)
    except InvalidTag as error:
        raise ValueError("not sealed with this key, or bound to something else") from error
