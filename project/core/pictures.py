"""Pictures of records: decoded, turned upright, stripped, stored as JPEG beside a thumbnail, read by signed addresses.

A document says where a picture lies (`/api/images/items~….jpeg`), which opens nothing. What opens it is the pass of a
session, which stands behind it in the answer to a person: `/api/images/items~….jpeg?{pass}`. The pass is the same for
every picture, and closes with the session and with its rights. Events carry the place alone: the client, who has the
pass of its session, completes it.

Nothing of an uploaded file is kept but its pixels, so what hides behind an image (scripts, GPS, a second format)
does not reach the store (contract, section 3).
"""

import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, ClassVar, Protocol

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import InterfaceError, OperationalError, models
from django.http import HttpRequest
from pydantic import PlainSerializer, SerializationInfo

from project.core import decoding
from project.core.bounded import MEBIBYTE, Processes
from project.core.db_connections import give_connection_back
from project.core.decoding import MOST_PIXELS, ImageTooLarge, UnsupportedImage
from project.core.errors import InvalidFields, NotFound, Refusal, Unavailable
from project.core.schemas import Out

log = logging.getLogger(__name__)

MOST_BYTES = 10 * 1024 * 1024
MOST_MEMORY = 640 * MEBIBYTE
"""Of a decoding process: a progressive JPEG of 50 megapixels in four colours takes 500 MB."""
AT_ONCE = 2
DECODE_SECONDS = 20.0
RETRY_SECONDS = 5
IMAGES = "/api/images/"
SALT = "picture"
PICTURE_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "image/jpeg": {"schema": {"type": "string", "format": "binary"}},
            "image/png": {"schema": {"type": "string", "format": "binary"}},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            },
        },
    }
}
"""What an upload's operation says of its body in the API's documentation."""
_STORED = re.compile(r"[a-z-]+~[0-9a-f]{32}(\.thumbnail)?\.jpeg")
_NAME = re.compile(r"(?=.*[^ ])[\w\- ]{1,200}")


def _busy() -> Unavailable:
    return Unavailable(retryAfter=RETRY_SECONDS)


_processes = Processes(
    count=AT_ONCE,
    memory=MOST_MEMORY,
    prepare=decoding.prepare,
    modules=("project.core.decoding",),
    places=24,
    each=12,
    busy=_busy,
)


class Pictured(models.Model):
    """A row with a picture: where it is stored, and the base name its uploader gave it."""

    image = models.CharField(max_length=200, default="", blank=True)
    name_image = models.CharField(max_length=200, default="", blank=True)

    class Meta:
        abstract = True

    folder: ClassVar[str]
    keeps_replaced: ClassVar[bool] = False
    """Whether a picture stays in the storage when another one replaces it: issued papers show it."""


@dataclass(frozen=True)
class Decoded:
    """A picture and its thumbnail as JPEG bytes without metadata."""

    whole: bytes
    thumbnail: bytes


def check_name(name: str) -> str:
    """Letters, digits, `-`, `_` and spaces, not of spaces alone; raises `InvalidFields` for anything else."""
    if not _NAME.fullmatch(name):
        raise InvalidFields.of("nameImage", "invalid")
    return name


def uploaded(request: HttpRequest) -> bytes:
    """The image of a request: its raw body, or its one multipart file. Raises `ImageTooLarge`, `UnsupportedImage`."""
    if request.content_type == "multipart/form-data":
        files = [file for _, file in request.FILES.items()]
        if len(files) != 1:
            raise UnsupportedImage
        raw = files[0].read(MOST_BYTES + 1)  # type: ignore[union-attr]
    elif request.content_type in ("image/jpeg", "image/png"):
        raw = request.body
    else:
        raise UnsupportedImage
    if len(raw) > MOST_BYTES:
        raise ImageTooLarge(limit=MOST_BYTES)
    return raw


def decode(raw: bytes, *, whose: int) -> Decoded:
    """Decode JPEG or PNG in a process of its own; no connection to the database is held meanwhile.

    `whose` is the person who uploads: one of them cannot keep the others waiting. Raises `UnsupportedImage`,
    `ImageTooLarge`, and `Unavailable` where too many wait or the process was killed.
    """
    give_connection_back()
    with _processes.place(whose):
        work = _processes.start(decoding.decoded, raw, seconds=DECODE_SECONDS, whose=whose)
        try:
            return Decoded(*work.result())
        except Refusal:
            raise
        except MemoryError as error:
            raise ImageTooLarge(limit=MOST_PIXELS) from error
        except Exception as error:
            log.exception("a picture could not be decoded")
            raise _busy() from error


def store(folder: str, picture: Decoded) -> str:
    """Write both files under a name nobody can guess; returns it. Raises `Unavailable` with nothing half-written."""
    name = f"{folder}/{secrets.token_hex(16)}.jpeg"
    try:
        default_storage.save(name, ContentFile(picture.whole))
        default_storage.save(thumbnail_of(name), ContentFile(picture.thumbnail))
    except OSError as error:
        discard(name)
        raise Unavailable from error
    return name


@contextmanager
def stored(folder: str, raw: bytes, *, whose: int) -> Iterator[str]:
    """Decode and store an upload, and take it back where the block that names it fails. It stays where the database
    went away meanwhile: that may have committed the name all the same.

    Raises `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """
    name = store(folder, decode(raw, whose=whose))
    try:
        yield name
    except (InterfaceError, OperationalError):
        log.warning("perhaps left behind in the file storage: %s", name)
        raise
    except BaseException:
        discard(name)
        raise


def discard(name: str) -> None:
    """Remove a stored picture and its thumbnail; harmless where they are gone.

    No row names them any more. A failure of the storage is logged, and the caller's request goes on.
    """
    for one in (name, thumbnail_of(name)):
        try:
            if name and default_storage.exists(one):
                default_storage.delete(one)
        except OSError:
            log.warning("left behind in the file storage: %s", one, exc_info=True)


def thumbnail_of(name: str) -> str:
    return name.removesuffix(".jpeg") + ".thumbnail.jpeg"


def address(name: str) -> str:
    """Where a stored file lies, the same for everybody."""
    return IMAGES + name.replace("/", "~")


def _opened_to_the_caller(place: str, info: SerializationInfo) -> str:
    caller = getattr((info.context or {}).get("request"), "auth", None)
    if caller is None:
        return place
    return f"{place}?{pass_of(caller)}"


class Session(Protocol):
    """The session of a token, as far as a pass says it."""

    user_id: int
    jti: str
    token_version: int
    expires_at: datetime
    permissions: frozenset[str]
    customer_id: int | None


class Holder(Protocol):
    """Who calls; `screen` is the session of the screen they use, which is another one than an operator's own."""

    @property
    def screen(self) -> Session: ...


def pass_of(caller: Holder) -> str:
    """What opens pictures to the caller's screen: signed, the same as long as its session and rights are."""
    session = caller.screen
    claims = (
        session.user_id,
        session.jti,
        session.token_version,
        int(session.expires_at.timestamp()),
        rights_mark(session.permissions, session.customer_id),
    )
    return _signed("*".join(map(str, claims)))


@lru_cache(maxsize=1_024)
def _signed(claims: str) -> str:
    return signing.Signer(salt=SALT).sign(claims)


PictureAddress = Annotated[str, PlainSerializer(_opened_to_the_caller, return_type=str)]
"""In an answer to a person, an address that stays the same and opens as long as their session and rights do."""


class PictureOut(Out):
    url: PictureAddress
    thumbnail_url: PictureAddress
    name_image: str


@dataclass(frozen=True)
class PassClaims:
    """What a pass says: the session that it was given to, and its rights."""

    user_id: int
    jti: str
    token_version: int
    expires_at: datetime
    rights: str


def claims_of(signed: str) -> PassClaims:
    """Raises `NotFound` for what is not signed here."""
    try:
        user_id, jti, version, until, rights = signing.Signer(salt=SALT).unsign(signed).split("*")
    except (signing.BadSignature, ValueError) as error:
        raise NotFound from error
    return PassClaims(int(user_id), jti, int(version), datetime.fromtimestamp(int(until), UTC), rights)


def stored_name(place: str) -> str:
    """The stored file of an address. Raises `NotFound` for any other file than a picture."""
    if not _STORED.fullmatch(place):
        raise NotFound
    return place.replace("~", "/")


@lru_cache(maxsize=1_024)
def rights_mark(permissions: frozenset[str], customer_id: int | None) -> str:
    """Changes with the rights of a session, so that what they opened closes."""
    return sha256(f"{sorted(permissions)}{customer_id}".encode()).hexdigest()[:16]


def picture_of(row: Pictured) -> PictureOut | None:
    """Where a row's picture lies; None where there is none."""
    if not row.image:
        return None
    return PictureOut(url=address(row.image), thumbnail_url=address(thumbnail_of(row.image)), name_image=row.name_image)


def thumbnail_address(row: Pictured) -> str | None:
    """Where a row's thumbnail lies; None where it has no picture."""
    return address(thumbnail_of(row.image)) if row.image else None


def whole_address(row: Pictured) -> str | None:
    """Where a row's picture lies; None where it has none."""
    return address(row.image) if row.image else None
