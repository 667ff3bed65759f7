"""Pictures of records: decoded, turned upright, stripped, stored as JPEG beside a thumbnail, read by signed addresses.

A document says where a picture lies (`/api/images/items~….jpeg`), which opens nothing. Only in the answer to a person
does that become an address that opens, for as long as his session lasts: no other session, event or log has one.

Nothing of an uploaded file is kept but its pixels, so what hides behind an image (scripts, GPS, a second format)
does not reach the store (contract, section 3).
"""

import io
import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, ClassVar

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import models
from django.http import HttpRequest
from PIL import Image, ImageOps, UnidentifiedImageError
from pydantic import PlainSerializer, SerializationInfo

from project.core.errors import InvalidFields, NotFound, Refusal, Unavailable
from project.core.schemas import Out

log = logging.getLogger(__name__)

MOST_BYTES = 10 * 1024 * 1024
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 2_048
THUMBNAIL_SIDE = 320
IMAGES = "/api/images/"
SALT = "picture"
PICTURE_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "image/jpeg": {"schema": {"type": "string", "format": "binary"}},
            "image/png": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}
"""What an upload's operation says of its body in the API's documentation."""
_NAME = re.compile(r"[^\W]([\w\- ]{0,198}[^\W])?")


class UnsupportedImage(Refusal):
    status = 415
    code = "unsupported_image"


class ImageTooLarge(Refusal):
    """More than 10 MB or 50 megapixels."""

    status = 413
    code = "image_too_large"


class Pictured(models.Model):
    """A row with a picture: where it is stored, and the base name its uploader gave it."""

    image = models.CharField(max_length=200, default="", blank=True)
    name_image = models.CharField(max_length=200, default="", blank=True)

    class Meta:
        abstract = True

    folder: ClassVar[str]


@dataclass(frozen=True)
class Decoded:
    """A picture and its thumbnail as JPEG bytes without metadata."""

    whole: bytes
    thumbnail: bytes


def check_name(name: str) -> str:
    """Letters, digits, `-`, `_` and spaces; raises `InvalidFields` for anything else."""
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


def decode(raw: bytes) -> Decoded:
    """Decode JPEG or PNG. Raises `UnsupportedImage`, and `ImageTooLarge` before any pixel is decoded."""
    try:
        with Image.open(io.BytesIO(raw), formats=("JPEG", "PNG")) as source:
            if source.width * source.height > MOST_PIXELS:
                raise ImageTooLarge(limit=MOST_PIXELS)
            source.load()
            upright = ImageOps.exif_transpose(source)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise UnsupportedImage from error
    flat = _on_white(upright)
    flat.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    whole = _jpeg(flat, quality=88)
    flat.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    return Decoded(whole, _jpeg(flat, quality=80))


def _on_white(image: Image.Image) -> Image.Image:
    """RGB without transparency, and without whatever the file said beside its pixels."""
    if image.has_transparency_data:
        layer = image.convert("RGBA")
        ground = Image.new("RGB", layer.size, "white")
        ground.paste(layer, mask=layer.getchannel("A"))
        return ground
    plain = Image.new("RGB", image.size)
    plain.paste(image.convert("RGB"))
    return plain


def _jpeg(image: Image.Image, *, quality: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, optimize=True)
    return out.getvalue()


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
def stored(folder: str, raw: bytes) -> Iterator[str]:
    """Decode and store an upload, and take it back where the block that names it fails.

    Raises `UnsupportedImage`, `ImageTooLarge`, `Unavailable`.
    """
    name = store(folder, decode(raw))
    try:
        yield name
    except BaseException:
        discard(name)
        raise


def discard(name: str) -> None:
    """Remove a stored picture and its thumbnail; harmless where they are gone.

    No row names them any more: where the storage fails now, what it keeps is logged, and nobody is told.
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
    session = getattr((info.context or {}).get("request"), "auth", None)
    if session is None:
        return place
    claims = (
        session.user_id,
        session.jti,
        session.token_version,
        int(session.expires_at.timestamp()),
        rights_mark(session.permissions, session.customer_id),
        place.removeprefix(IMAGES),
    )
    return IMAGES + signing.Signer(salt=SALT).sign("*".join(map(str, claims)))


PictureAddress = Annotated[str, PlainSerializer(_opened_to_the_caller, return_type=str)]
"""In an answer to a person, a signed address that stays the same and opens as long as his session and rights do."""


class PictureOut(Out):
    url: PictureAddress
    thumbnail_url: PictureAddress
    name_image: str


@dataclass(frozen=True)
class AddressClaims:
    """What a signed address says: the session that it was given to, and the stored file."""

    user_id: int
    jti: str
    token_version: int
    expires_at: datetime
    rights: str
    name: str


def claims_of(signed: str) -> AddressClaims:
    """Raises `NotFound` for what is not signed here."""
    try:
        user_id, jti, version, until, rights, place = signing.Signer(salt=SALT).unsign(signed).split("*")
    except (signing.BadSignature, ValueError) as error:
        raise NotFound from error
    expires_at = datetime.fromtimestamp(int(until), UTC)
    return AddressClaims(int(user_id), jti, int(version), expires_at, rights, place.replace("~", "/"))


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
