"""Pictures of records: decoded, turned upright, stored as JPEG with a thumbnail, read by signed addresses.

The address of a picture (`/api/images/items~….jpeg`) alone gives no access. In answers to a signed-in caller the
address ends with the pass of the caller's session: `/api/images/items~….jpeg?{pass}`. A session has the same pass for
every picture; only a page by link has another pass for each picture. A pass ends with its session, or when the
session's permissions change. Rows of lines, cards and events carry addresses without a pass; the client adds the pass
of its session.

Only the pixels of an uploaded file are kept, so anything hidden in an image (scripts, GPS, a second format) is not
stored (infra/docs/rules.md#pictures).
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
from typing import Annotated, Any, ClassVar

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import InterfaceError, OperationalError, models
from django.http import HttpRequest
from pydantic import PlainSerializer, SerializationInfo

from project.core import decoding
from project.core.bounded import MEBIBYTE, Processes
from project.core.decoding import MOST_PIXELS, ImageTooLarge, UnsupportedImage
from project.core.errors import InvalidFields, NotFound, Refusal, Unavailable
from project.core.queries import give_connection_back
from project.core.schemas import Out

log = logging.getLogger(__name__)

MOST_BYTES = 10 * 1024 * 1024
MOST_MEMORY = 640 * MEBIBYTE
"""Memory of a decoding process: a progressive JPEG of 50 megapixels in four colors takes 500 MB."""
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
"""The OpenAPI request body of an upload."""
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
    """A row that may have a picture. `image`: its name in the storage. `name_image`: the uploader's name for it."""

    image = models.CharField(max_length=200, default="", blank=True)
    name_image = models.CharField(max_length=200, default="", blank=True)

    class Meta:
        abstract = True

    folder: ClassVar[str]
    keeps_replaced: ClassVar[bool] = False
    """Whether the storage keeps a picture after another one replaces it, because issued papers show it."""


@dataclass(frozen=True)
class Decoded:
    """A picture and its thumbnail as JPEG bytes without metadata."""

    whole: bytes
    thumbnail: bytes


def check_name(name: str) -> str:
    """Return `name` if it may name a picture: letters, digits, `-`, `_` and spaces, but not only spaces.

    Raises `InvalidFields` for other names.
    """
    if not _NAME.fullmatch(name):
        raise InvalidFields.of("nameImage", "invalid")
    return name


def uploaded(request: HttpRequest) -> bytes:
    """Return the uploaded image: the raw body or the only multipart file.

    Raises `ImageTooLarge`, `UnsupportedImage`.
    """
    if request.content_type == "multipart/form-data":
        files = [file for _, file in request.FILES.items()]
        if len(files) != 1:
            raise UnsupportedImage
        raw: bytes = files[0].read(MOST_BYTES + 1)  # type: ignore[union-attr]
    elif request.content_type in ("image/jpeg", "image/png"):
        raw = request.body
    else:
        raise UnsupportedImage
    if len(raw) > MOST_BYTES:
        raise ImageTooLarge(limit=MOST_BYTES)
    return raw


def decode(raw: bytes, *, whose: int) -> Decoded:
    """Decode a JPEG or PNG in a child process. Holds no database connection while it waits.

    `whose`: the id of the uploading user; users take turns. Raises `UnsupportedImage`, `ImageTooLarge`, and
    `Unavailable` if too many uploads wait or the process fails.
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
    """Store the picture and its thumbnail. Return the picture's name, which is random.

    Raises `Unavailable` if the storage fails, and then removes what was stored.
    """
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
    """Decode and store an upload, and yield its name, which the block must save. Delete the files if the block fails.

    If the database connection is lost, the files stay: the name may have been committed.

    Raises `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """
    with _kept(store(folder, decode(raw, whose=whose))) as name:
        yield name


@contextmanager
def _kept(name: str) -> Iterator[str]:
    """Yield the name of a new picture. Delete its files if the block fails, unless it may have been committed."""
    try:
        yield name
    except (InterfaceError, OperationalError):
        log.warning("perhaps left behind in the file storage: %s", name)
        raise
    except BaseException:
        discard(name)
        raise


def name_at(address: str) -> str:
    """Return the stored name of the picture that an address shows, whole or as a thumbnail.

    The address may have a pass. Raises `NotFound` for other addresses.
    """
    return stored_name(address.partition("?")[0].removeprefix(IMAGES)).replace(".thumbnail", "")


@contextmanager
def copied(name: str, folder: str) -> Iterator[str]:
    """Copy a stored picture, and yield the copy's name, which the block must save. Delete the copy if the block fails.

    Raises `NotFound` if the picture is gone, `Unavailable` if the storage fails.
    """
    try:
        parts = []
        for one in (name, thumbnail_of(name)):
            with default_storage.open(one) as file:
                parts.append(file.read())
    except FileNotFoundError as error:
        raise NotFound from error
    except OSError as error:
        raise Unavailable from error
    with _kept(store(folder, Decoded(*parts))) as copy:
        yield copy


def discard(name: str) -> None:
    """Delete a stored picture and its thumbnail; a no-op if they are gone.

    Call it once no row names the picture any more. A failure of the storage is only logged.
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
    """Return the address of a stored file, the same for everybody."""
    return IMAGES + name.replace("/", "~")


def _opened_to_the_caller(place: str, info: SerializationInfo) -> str:
    caller = getattr((info.context or {}).get("request"), "auth", None)
    if caller is None:
        return place
    return f"{place}?{pass_of(caller, place.removeprefix(IMAGES))}"


def pass_of(caller: Any, place: str = "") -> str:
    """Return the signed pass that opens pictures to a caller (an `access.principal.Principal`).

    The pass stays the same as long as the caller's session and permissions do. It opens every picture to staff and to
    customers' accounts. To a page by link it opens only the picture at `place`.
    """
    session = caller.screen
    claims = (
        session.user_id,
        session.jti,
        session.token_version,
        int(session.expires_at.timestamp()),
        rights_mark(session.permissions, session.customer_id, place if session.page is not None else ""),
    )
    return _signed("*".join(map(str, claims)))


@lru_cache(maxsize=1_024)
def _signed(claims: str) -> str:
    return signing.Signer(salt=SALT).sign(claims)


PictureAddress = Annotated[str, PlainSerializer(_opened_to_the_caller, return_type=str)]
"""A picture's address; in an answer to a signed-in caller it carries the pass of their session."""


class PictureOut(Out):
    url: PictureAddress
    thumbnail_url: PictureAddress
    name_image: str


@dataclass(frozen=True)
class PassClaims:
    """The claims of a pass: the session it was made for, and a mark of its permissions."""

    user_id: int
    jti: str
    token_version: int
    expires_at: datetime
    rights: str


def claims_of(signed: str) -> PassClaims:
    """Verify a pass and return its claims. Raises `NotFound` if the signature is wrong."""
    try:
        user_id, jti, version, until, rights = signing.Signer(salt=SALT).unsign(signed).split("*")
    except (signing.BadSignature, ValueError) as error:
        raise NotFound from error
    return PassClaims(int(user_id), jti, int(version), datetime.fromtimestamp(int(until), UTC), rights)


def stored_name(place: str) -> str:
    """Return the stored name of the picture at an address. Raises `NotFound` if it is not the address of a picture."""
    if not _STORED.fullmatch(place):
        raise NotFound
    return place.replace("~", "/")


@lru_cache(maxsize=1_024)
def rights_mark(permissions: frozenset[str], customer_id: int | None, place: str = "") -> str:
    """Return a mark that changes with a session's permissions, so that older passes become invalid.

    `place`: the one picture that the pass opens; empty if the pass opens all pictures.
    """
    return sha256(f"{sorted(permissions)}{customer_id}{place}".encode()).hexdigest()[:16]


def picture_of(row: Pictured) -> PictureOut | None:
    """Return the addresses of a row's picture; None if the row has no picture."""
    if not row.image:
        return None
    return PictureOut(url=address(row.image), thumbnail_url=address(thumbnail_of(row.image)), name_image=row.name_image)


def picture_kept(row: Pictured) -> PictureOut:
    """Return the addresses of a row's picture. Raises `NotFound` if the row has no picture."""
    found = picture_of(row)
    if found is None:
        raise NotFound
    return found


def thumbnail_address(row: Pictured) -> str | None:
    """Return the address of a row's thumbnail; None if the row has no picture."""
    return address(thumbnail_of(row.image)) if row.image else None


def whole_address(row: Pictured) -> str | None:
    """Return the address of a row's picture; None if the row has no picture."""
    return address(row.image) if row.image else None
