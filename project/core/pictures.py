"""Pictures of records: decoded, turned upright, stripped, stored as JPEG beside a thumbnail, read by signed addresses.

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
from datetime import timedelta
from typing import ClassVar

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from PIL import Image, ImageOps, UnidentifiedImageError

from project.core import clock
from project.core.errors import InvalidFields, NotFound, Refusal, Unavailable
from project.core.middleware import refused
from project.core.schemas import Out

log = logging.getLogger(__name__)

MOST_BYTES = 10 * 1024 * 1024
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 2_048
THUMBNAIL_SIDE = 320
ADDRESS_LASTS = timedelta(hours=1)
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


class PictureOut(Out):
    """`url` and `thumbnailUrl` are short-lived addresses."""

    url: str
    thumbnail_url: str
    name_image: str


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
    """A signed address of a stored file. It stays the same within an hour, so that browsers keep the picture."""
    hour = int(ADDRESS_LASTS.total_seconds())
    until = (int(clock.now().timestamp()) // hour + 2) * hour
    return f"/api/images/{signing.Signer(salt='picture').sign(f'{until}.{name}').replace('/', '~')}"


def picture_of(row: Pictured) -> PictureOut | None:
    """The addresses of a row's picture; None where there is none."""
    if not row.image:
        return None
    return PictureOut(url=address(row.image), thumbnail_url=address(thumbnail_of(row.image)), name_image=row.name_image)


def thumbnail_address(row: Pictured) -> str | None:
    """The address of a row's thumbnail; None where it has no picture."""
    return address(thumbnail_of(row.image)) if row.image else None


def whole_address(row: Pictured) -> str | None:
    """The address of a row's picture; None where it has none."""
    return address(row.image) if row.image else None


@require_safe
def picture_view(request: HttpRequest, signed: str) -> HttpResponse:
    """Serve a picture to whoever holds an address that is still good; 404 otherwise."""
    try:
        until, _, name = signing.Signer(salt="picture").unsign(signed.replace("~", "/")).partition(".")
        if int(until) < clock.now().timestamp():
            return refused(NotFound())
        with default_storage.open(name) as file:
            response = HttpResponse(file.read(), content_type="image/jpeg")
    except (signing.BadSignature, ValueError, FileNotFoundError):
        return refused(NotFound())
    except OSError:
        log.exception("the file storage failed")
        return refused(Unavailable())
    response["Cache-Control"] = "private, max-age=3600, immutable"
    return response
