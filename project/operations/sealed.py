"""A stream that only the operator's key opens: encrypted and authenticated piece by piece, whatever its size.

The pieces are those of the STREAM construction, as `age` has it: AES-256-GCM under a key of this file alone, the
piece's number and whether it is the last one in the nonce. So it is noticed where anything was changed, left out, put
elsewhere or cut off. The header says by which of the operator's keys, and is bound to each piece.
"""

import secrets
from pathlib import Path
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from project.core.sealing import key_for

MAGIC = b"obrador backup 1\n"
KEY_ID_BYTES = 8
SALT_BYTES = 32
HEADER_BYTES = len(MAGIC) + KEY_ID_BYTES + SALT_BYTES
PIECE = 1 << 20
TAG_BYTES = 16
SHORTEST_KEY = 32


class BackupError(Exception):
    """What the operator is told: a whole sentence without a secret."""


class BrokenBackup(BackupError):
    """The file is not as it was written."""


class Writable(Protocol):
    def write(self, data: bytes, /) -> object: ...


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def keys() -> list[str]:
    """The operator's keys: the first one encrypts, any opens. Raises `BackupError` for none, or a weak one."""
    found = list(settings.BACKUP_KEY)
    if settings.BACKUP_KEY_FILE:
        try:
            lines = Path(settings.BACKUP_KEY_FILE).read_text().splitlines()
        except OSError as error:
            raise BackupError(f"BACKUP_KEY_FILE cannot be read: {error.strerror}.") from error
        found += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not found:
        raise BackupError("Backups are encrypted: set BACKUP_KEY or BACKUP_KEY_FILE to a key of your own.")
    if any(len(key.encode()) < SHORTEST_KEY for key in found):
        raise BackupError(f"A backup key must have at least {SHORTEST_KEY} bytes: `openssl rand -base64 48` makes one.")
    return found


def _key_id(secret: str) -> bytes:
    return key_for(b"obrador backup key id", secret)[:KEY_ID_BYTES]


def _cipher(secret: str, salt: bytes) -> AESGCM:
    derived = HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=b"obrador backup").derive(secret.encode())
    return AESGCM(derived)


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


class SealedWriter:
    """Encrypts what is written to it. Without `finish` at the end the file opens for nobody."""

    def __init__(self, target: Writable, secret: str) -> None:
        salt = secrets.token_bytes(SALT_BYTES)
        self._target = target
        self._header = MAGIC + _key_id(secret) + salt
        self._cipher = _cipher(secret, salt)
        self._number = 0
        self._waiting = bytearray()
        target.write(self._header)

    def write(self, data: bytes) -> int:
        self._waiting += data
        while len(self._waiting) > PIECE:  # one whole piece may be the last: it waits for what comes after it
            self._seal(bytes(self._waiting[:PIECE]), last=False)
            del self._waiting[:PIECE]
        return len(data)

    def finish(self) -> None:
        """Write the last piece."""
        self._seal(bytes(self._waiting), last=True)
        self._waiting.clear()

    def _seal(self, plain: bytes, *, last: bool) -> None:
        self._target.write(self._cipher.encrypt(_nonce(self._number, last=last), plain, self._header))
        self._number += 1


class SealedReader:
    """Decrypts what a `SealedWriter` wrote. Raises `BackupError` for another key, `BrokenBackup` for a change."""

    def __init__(self, source: Readable, secrets_known: list[str]) -> None:
        self._source = source
        self._header = self._exactly(HEADER_BYTES)
        if not self._header.startswith(MAGIC):
            raise BrokenBackup("This file is no backup of this product.")
        if len(self._header) < HEADER_BYTES:
            raise BrokenBackup("The backup is cut off in its first bytes.")
        key_id, salt = self._header[len(MAGIC) :][:KEY_ID_BYTES], self._header[-SALT_BYTES:]
        secret = next((one for one in secrets_known if _key_id(one) == key_id), None)
        if secret is None:
            raise BackupError("None of the keys in BACKUP_KEY or BACKUP_KEY_FILE opens this backup.")
        self._cipher = _cipher(secret, salt)
        self._number = 0
        self._next = self._exactly(PIECE + TAG_BYTES)
        self._open = bytearray()
        self._ended = False

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; fewer only at the end."""
        while len(self._open) < size and not self._ended:
            self._open_piece()
        data = bytes(self._open[:size])
        del self._open[:size]
        return data

    def _open_piece(self) -> None:
        piece, self._next = self._next, self._exactly(PIECE + TAG_BYTES)
        self._ended = not self._next
        try:
            self._open += self._cipher.decrypt(_nonce(self._number, last=self._ended), piece, self._header)
        except InvalidTag as error:
            raise BrokenBackup("The backup is damaged or cut off: it is not as it was written.") from error
        self._number += 1

    def _exactly(self, size: int) -> bytes:
        """`size` bytes of the source, which may give fewer at a time; fewer only at its end."""
        parts, missing = [], size
        while missing and (part := self._source.read(missing)):
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)
