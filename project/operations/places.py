"""Where backups lie: a folder, or a bucket of an S3-compatible service. A file is there as a whole or not at all."""

import io
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from django.conf import settings

from project.core import clock
from project.operations.sealed import BackupError, Readable, Writable

_NAME = re.compile(r"obrador-(\d{8}T\d{6}\.\d{6}Z)-[0-9a-f]{8}\.backup")
PART_KEPT = timedelta(days=1)
"""What a killed backup left half-written goes with the next one after this."""
PART_BYTES = 16 << 20
"""Of an upload to a bucket, which takes 10,000 parts: 160 GB."""


class Place(Protocol):
    """Keeps backups by name."""

    def names(self) -> list[str]:
        """Of the whole backups, oldest first."""

    def writing(self, name: str) -> "Any":
        """A context with a file to write to. The name is there when the context ends well, and not otherwise."""

    def reading(self, name: str) -> "Any":
        """A context with a file to read."""

    def remove(self, name: str) -> None: ...


def new_name() -> str:
    """The name of a backup made now. Names sort by time, those of one second too."""
    return f"obrador-{clock.now():%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(4)}.backup"


def made_at(name: str) -> datetime:
    """When a backup was begun, by its name."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise BackupError(f"{name} is not the name of a backup.")
    return datetime.strptime(found[1], "%Y%m%dT%H%M%S.%fZ").replace(tzinfo=UTC)


def place_of(address: str) -> Place:
    """`s3://bucket/prefix`, or a folder."""
    if not address:
        raise BackupError("Say where backups lie: --to or --from, or BACKUP_TO.")
    if address.startswith("s3://"):
        bucket, _, prefix = address.removeprefix("s3://").partition("/")
        return Bucket(bucket, prefix)
    return Folder(Path(address))


class Folder:
    """Backups in a folder of this machine, or one mounted on it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def names(self) -> list[str]:
        if not self.path.is_dir():
            raise BackupError(f"There is no folder {self.path}: is its disk mounted?")
        return sorted(one.name for one in self.path.iterdir() if _NAME.fullmatch(one.name))

    @contextmanager
    def writing(self, name: str) -> Iterator[Writable]:
        self.path.mkdir(mode=0o700, exist_ok=True)  # without its parents: a disk that is not mounted is no folder
        self._forget_parts()
        part = self.path / f".{name}.part"
        try:
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.rename(self.path / name)
            self._sync()
        finally:
            part.unlink(missing_ok=True)

    @contextmanager
    def reading(self, name: str) -> Iterator[BinaryIO]:
        with open(self.path / name, "rb") as file:
            yield file

    def remove(self, name: str) -> None:
        (self.path / name).unlink()

    def _sync(self) -> None:
        """A rename, too, is on the disk only when its folder is."""
        folder = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _forget_parts(self) -> None:
        for part in self.path.glob(".obrador-*.backup.part"):
            if datetime.fromtimestamp(part.stat().st_mtime, UTC) < clock.now() - PART_KEPT:
                part.unlink(missing_ok=True)


class Bucket:
    """Backups in a bucket, below a prefix."""

    def __init__(self, bucket: str, prefix: str) -> None:
        self.bucket = bucket
        self.prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._client = _client()

    def names(self) -> list[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self.bucket, Prefix=self.prefix)
        found = (one["Key"].removeprefix(self.prefix) for page in pages for one in page.get("Contents", ()))
        return sorted(name for name in found if _NAME.fullmatch(name))

    @contextmanager
    def writing(self, name: str) -> Iterator[Writable]:
        upload = _Upload(self._client, {"Bucket": self.bucket, "Key": self.prefix + name})
        try:
            yield upload
            upload.complete()
        except BaseException:
            upload.abort()
            raise

    @contextmanager
    def reading(self, name: str) -> Iterator[Readable]:
        body = self._client.get_object(Bucket=self.bucket, Key=self.prefix + name)["Body"]
        try:
            yield body
        finally:
            body.close()

    def remove(self, name: str) -> None:
        self._client.delete_object(Bucket=self.bucket, Key=self.prefix + name)


class _Upload(io.RawIOBase):
    """Sends a file of unknown length in parts; the object is there once it is complete."""

    def __init__(self, client: Any, object_: dict[str, str]) -> None:
        self._client = client
        self._upload = object_ | {"UploadId": client.create_multipart_upload(**object_)["UploadId"]}
        self._parts: list[dict[str, object]] = []
        self._waiting = bytearray()

    def write(self, data: Any) -> int:
        self._waiting += data
        if len(self._waiting) >= PART_BYTES:
            self._send()
        return len(data)

    def complete(self) -> None:
        self._send()
        self._client.complete_multipart_upload(**self._upload, MultipartUpload={"Parts": self._parts})

    def abort(self) -> None:
        self._client.abort_multipart_upload(**self._upload)

    def _send(self) -> None:
        number = len(self._parts) + 1
        sent = self._client.upload_part(**self._upload, PartNumber=number, Body=bytes(self._waiting))
        self._parts.append({"PartNumber": number, "ETag": sent["ETag"]})
        self._waiting.clear()


def _client() -> Any:
    import boto3  # takes half a second, and most backups go to a folder

    from project.core.object_storage import PATIENCE

    return boto3.client("s3", config=PATIENCE, **settings.BACKUP_S3)
