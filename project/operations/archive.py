"""The file of a backup: a tar with the database in parts, the stored files, the secret, and last a manifest.

The tar is written and read as a stream, so it never has to fit in memory as a whole. A tar without a manifest was never
finished. `restic dump latest obrador.tar | tar x` opens it without the product.
"""

import dataclasses
import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any, cast

from project.operations.repository import BackupError

FORMAT = 2
DATABASE, FILES, SECRET, MANIFEST = "database/", "files/", "secret-key", "manifest.json"
PART = 4 << 20


@dataclass
class Manifest:
    """What a backup holds, as counted in the database's snapshot."""

    version: str
    made_at: str
    vendor: str
    epoch: str
    last_event: int
    migrations: list[list[str]]
    tables: dict[str, int]
    """Rows of each table."""
    secret: str
    """The fingerprint of SECRET_KEY. The key itself is in the backup only if the installation generated it."""
    qr_keys: list[str]
    """The fingerprints of QR_KEYS."""
    files: int = 0
    files_bytes: int = 0
    missing_files: int = 0
    missing: list[str] = field(default_factory=list)
    """Names of files that rows name and the storage lacks; only the first ones."""
    format: int = FORMAT


class _Counted:
    """A pipe that counts the bytes written to it, because `TarFile` calls `tell`."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self._written = 0

    def write(self, data: bytes) -> int:
        self._written += len(data)
        return self._target.write(data)

    def tell(self) -> int:
        return self._written


class ArchiveWriter:
    """Writes the database and the files in any order, and the manifest last."""

    def __init__(self, target: IO[bytes]) -> None:
        self._tar = tarfile.TarFile(mode="w", fileobj=cast(IO[bytes], _Counted(target)))
        self._parts = 0
        self._files = self._files_bytes = 0

    def database(self, data: Iterator[bytes]) -> None:
        waiting = bytearray()
        for chunk in data:
            waiting += chunk
            if len(waiting) >= PART:
                self._add_part(waiting)
        self._add_part(waiting)

    def _add_part(self, waiting: bytearray) -> None:
        self._parts += 1
        self._add(f"{DATABASE}{self._parts:08}", bytes(waiting))
        waiting.clear()

    def file(self, name: str, data: bytes) -> None:
        self._files += 1
        self._files_bytes += len(data)
        self._add(FILES + name, data)

    def secret(self, secret: str) -> None:
        self._add(SECRET, secret.encode())

    def finish(self, manifest: Manifest) -> Manifest:
        """Add the counts of files to the manifest, write it and end the tar. Returns the manifest as written."""
        whole = dataclasses.replace(manifest, files=self._files, files_bytes=self._files_bytes)
        self._add(MANIFEST, json.dumps(dataclasses.asdict(whole)).encode())
        self._tar.close()
        return whole

    def _add(self, name: str, data: bytes) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = len(data), 0o600
        self._tar.addfile(entry, io.BytesIO(data))
        self._tar.members.clear()  # type: ignore[attr-defined]  # `TarFile` would keep every entry in memory


def entries(source: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each entry. Raises `BackupError` if the backup is cut off."""
    try:
        with tarfile.open(mode="r|", fileobj=source) as tar:
            while (entry := tar.next()) is not None:
                content = tar.extractfile(entry)
                yield entry.name, content.read() if content else b""
                tar.members.clear()  # type: ignore[attr-defined]
    except (tarfile.TarError, EOFError) as error:
        raise BackupError("The backup is damaged or cut off.") from error


def read_whole(source: IO[bytes]) -> Manifest:
    """Read everything and return the manifest. Raises `BackupError` if anything is missing or cannot be read."""
    name, data = "", b""
    for name, data in entries(source):  # noqa: B007 - only the last entry is used
        pass
    if name != MANIFEST:
        raise BackupError("The backup has no manifest: it was never finished.")
    said: dict[str, Any] = json.loads(data)
    if said["format"] != FORMAT:
        raise BackupError(f"The backup is of format {said['format']}, made by {said['version']}: install that version.")
    return Manifest(**said)
