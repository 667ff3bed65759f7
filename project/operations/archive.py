"""What is inside a backup: a tar file, compressed and sealed. The manifest stands last and says what must be there.

Sizes need not be known beforehand, and nothing whole has to fit in memory: the database comes in parts, a picture is
small.
"""

import dataclasses
import hashlib
import io
import json
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any, Protocol, cast

from project.operations.sealed import BackupError, BrokenBackup, Readable, SealedReader, Writable

FORMAT = 1
DATABASE, FILES, SECRET, MANIFEST = "database/", "files/", "secret-key", "manifest.json"
PART = 4 << 20
QUICK = 1
"""Pictures are compressed already, and a backup should not keep a core busy."""


@dataclass
class Manifest:
    """What a backup holds, as the database's snapshot says it."""

    version: str
    made_at: str
    vendor: str
    epoch: str
    last_event: int
    migrations: list[list[str]]
    tables: dict[str, int]
    """Rows of each table."""
    secret: str
    """The fingerprint of SECRET_KEY. The key itself is in the backup where the installation made it."""
    qr_keys: list[str]
    """Their fingerprints."""
    database_bytes: int = 0
    database_sha256: str = ""
    files: int = 0
    files_bytes: int = 0
    files_sha256: str = ""
    """Of each file's name and its sum, in their order."""
    missing_files: int = 0
    missing: list[str] = field(default_factory=list)
    """The first names of files that rows name and the storage has not."""
    format: int = FORMAT


class Sums:
    """Counts and sums of what goes in, or comes out."""

    def __init__(self) -> None:
        self._database, self._files = hashlib.sha256(), hashlib.sha256()
        self._sizes = {"database_bytes": 0, "files": 0, "files_bytes": 0}

    def database(self, data: bytes) -> None:
        self._database.update(data)
        self._sizes["database_bytes"] += len(data)

    def file(self, name: str, data: bytes) -> None:
        self._files.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode())
        self._sizes["files"] += 1
        self._sizes["files_bytes"] += len(data)

    def said(self) -> dict[str, Any]:
        """As the manifest's fields."""
        return self._sizes | {
            "database_sha256": self._database.hexdigest(),
            "files_sha256": self._files.hexdigest(),
        }


class ArchiveWriter:
    """Writes database, files and manifest, in this or any order, the manifest last."""

    def __init__(self, target: Writable) -> None:
        stream = cast(IO[bytes], target)  # it is only written to
        self._tar = tarfile.open(mode="w|gz", fileobj=stream, compresslevel=QUICK)  # noqa: SIM115
        self._sums = Sums()
        self._parts = 0

    def database(self, data: Iterator[bytes]) -> None:
        waiting = bytearray()
        for chunk in data:
            self._sums.database(chunk)
            waiting += chunk
            if len(waiting) >= PART:
                self._add_part(waiting)
        self._add_part(waiting)

    def _add_part(self, waiting: bytearray) -> None:
        self._parts += 1
        self._add(f"{DATABASE}{self._parts:08}", bytes(waiting))
        waiting.clear()

    def file(self, name: str, data: bytes) -> None:
        self._sums.file(name, data)
        self._add(FILES + name, data)

    def secret(self, secret: str) -> None:
        self._add(SECRET, secret.encode())

    def finish(self, manifest: Manifest) -> Manifest:
        """Write the manifest with the sums, and the end. Returns it as it was written."""
        whole = dataclasses.replace(manifest, **self._sums.said())
        self._add(MANIFEST, json.dumps(dataclasses.asdict(whole)).encode())
        self._tar.close()
        return whole

    def _add(self, name: str, data: bytes) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = len(data), 0o600
        self._tar.addfile(entry, io.BytesIO(data))
        self._tar.members.clear()  # type: ignore[attr-defined]  # it would remember each one


class Sink(Protocol):
    """Takes what comes out."""

    def database(self, data: bytes) -> None: ...

    def file(self, name: str, data: bytes) -> None: ...

    def secret(self, secret: str) -> None: ...


class Nowhere:
    """For reading a backup only to know that it is whole."""

    def database(self, data: bytes) -> None: ...

    def file(self, name: str, data: bytes) -> None: ...

    def secret(self, secret: str) -> None: ...


def read(source: Readable, keys: list[str], sink: Sink) -> Manifest:
    """Hand what a backup holds to `sink`, part by part, and return its manifest.

    Raises `BackupError` where no key fits, `BrokenBackup` where anything is not as it was written. The sink has
    taken what came before that: who wants all or nothing reads into `Nowhere` first.
    """
    opened = SealedReader(source, keys)
    manifest, sums = None, Sums()
    try:
        with tarfile.open(mode="r|gz", fileobj=opened) as tar:  # type: ignore[call-overload]
            while (entry := tar.next()) is not None:
                content = tar.extractfile(entry)
                if content is None:
                    raise BrokenBackup("The backup holds something that is no file.")
                manifest = _take(entry.name, content.read(), sums, sink)
                tar.members.clear()
    except (tarfile.TarError, zlib.error, EOFError) as error:
        raise BrokenBackup("The backup is damaged: its parts cannot be told apart.") from error
    while opened.read(PART):
        pass  # what follows the end must be as it was written, too
    if manifest is None:
        raise BrokenBackup("The backup has no manifest: it was never finished.")
    if any(getattr(manifest, name) != value for name, value in sums.said().items()):
        raise BrokenBackup("The backup does not hold what its manifest says.")
    return manifest


def _take(name: str, data: bytes, sums: Sums, sink: Sink) -> Manifest | None:
    """Hand on one entry. Returns the manifest where it is that."""
    if name == MANIFEST:
        return _manifest(data)
    if name == SECRET:
        sink.secret(data.decode())
    elif name.startswith(DATABASE):
        sums.database(data)
        sink.database(data)
    elif name.startswith(FILES):
        sums.file(name.removeprefix(FILES), data)
        sink.file(name.removeprefix(FILES), data)
    return None


def _manifest(data: bytes) -> Manifest:
    said = json.loads(data)
    if said["format"] != FORMAT:
        raise BackupError(f"The backup is of format {said['format']}, made by {said['version']}: install that version.")
    return Manifest(**said)
